//! `kingline`: game-playing programs on one engine.
//!
//! ```
//! use std::time::Duration;
//!
//! use kingline::checkers::Position;
//! use kingline::evaluate::checkers::Evaluation;
//! use kingline::game::Game;
//! use kingline::search::{Limits, Searcher};
//!
//! let position: Position = "W:W21,22,K30:B1,2,11".parse()?;
//! for mv in position.legal_moves() {
//!     println!("{}", position.notation(mv));
//! }
//! let mut searcher = Searcher::new(Evaluation::default());
//! let report = searcher.search(position, Limits::time(Duration::from_secs(1)), &mut ());
//! println!("{} {}", report.score, position.line(&report.principal_variation));
//! # assert!(report.depth.0 >= 5 && report.best == report.principal_variation.first().copied(), "{report:?}");
//! # Ok::<(), kingline::game::ParseError>(())
//! ```
//!
//! Three programs in `samples/library` go on from here: `search` looks at a position of any game, `perft` counts a
//! game's positions, and `own_game` is a game of one's own, which this search plays.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`game`] | what a game is: [`game::Game`], its history, perft |
//! | [`score`] | what a search knows of a position, in one number |
//! | [`checkers`] | American checkers |
//! | [`loa`] | Lines of Action on 8x8 and 6x6 boards, and on smaller ones |
//! | [`draw`] | boards for people, as text and SVG |
//! | [`evaluate`] | what a position is worth at a glance, in each game |
//! | [`search`] | one search, and a solver of forced wins, for every game |
//! | `knowledge` | what is known without search: endgame tables of checkers, a strategy for 6x6 Lines of Action |
//! | `protocol` | what goes in and out of the programs as text |
//! | `play` | who chooses a move, and within which time |
//! | `display` | with the feature of that name: the board in a browser |
//! | `master` | with the feature of that name: referee, grader, tournaments |
//! | `manual` | with the feature of that name: how the programs write their man pages and completions |
//! | [`guide`] | pages for users: turns, Lines of Action, the master, a class, tournaments, formats, figures, ... |
//! | [`clock`], `files`, `terminal`, `help` | CPU and wall clocks; files read with bounds and written whole; lines printed where the reader may be gone; the last line of `--help` |
//! | `figures` | what was measured, by which command, where and when |
//!
//! # Features
//!
//! | feature | what it adds | what it takes |
//! | --- | --- | --- |
//! | none (`default-features = false`) | rules, search, evaluation and notation: `game`, `score`, `checkers`, `loa`, `evaluate`, `search`, `draw`, `clock` | `cpu-time`, and one or two packages below it |
//! | `tables` (default) | endgame tables inside the program, and the strategy of 6x6 Lines of Action: `knowledge` | 6.2 MB |
//! | `programs` (default) | the players, and what they are made of: `play`, `protocol`, `files`, `terminal`, endgame tables in files | about 40 packages |
//! | `display` | `loa --display`: the board in a browser, with the players | about 100 packages in all |
//! | `training` | the commands of `calibrate` that learn evaluations from games | nothing more |
//! | `manual` | `--manual FOLDER` in every program, which writes its man pages, and completions for bash, zsh and fish | three packages |
//! | `master` | the referee, with both others | Linux, a C compiler, about 90 packages in all |
//!
//! The library and the players are for Linux, macOS and Windows.
//!
//! # Speed
//!
//! Flags for the processor do not travel with a library: what its `.cargo/config.toml` says does not reach a program that
//! depends on it. Put them into your own. Every x86-64 machine since 2009 can do what `x86-64-v2` takes, and the search,
//! which counts bits a lot, is about 4 % faster with it:
//!
//! ```toml
//! [target.'cfg(target_arch = "x86_64")']
//! rustflags = ["-Ctarget-cpu=x86-64-v2"]    # or native, for the machine at hand
//! ```

#[cfg(all(feature = "master", not(target_os = "linux")))]
compile_error!("the feature `master` is for Linux: leave it out, and the players are built");

pub mod checkers;
pub mod clock;
#[cfg(feature = "display")]
pub mod display;
pub mod draw;
pub mod evaluate;
#[cfg(feature = "programs")]
pub mod figures;
#[cfg(feature = "programs")]
pub mod files;
pub mod game;
pub mod guide;
#[cfg(feature = "programs")]
pub mod help;
#[cfg(any(feature = "programs", feature = "tables"))]
pub mod knowledge;
pub mod loa;
#[cfg(feature = "manual")]
pub mod manual;
#[cfg(all(feature = "master", target_os = "linux"))]
pub mod master;
#[cfg(feature = "programs")]
pub mod play;
#[cfg(feature = "programs")]
pub mod protocol;
pub mod score;
pub mod search;
#[cfg(feature = "programs")]
pub mod terminal;

/// The README's program works.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
