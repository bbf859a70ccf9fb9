//! `kingline`: game-playing programs built on one engine.
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
//! Until the package is on crates.io, a program depends on a checkout:
//!
//! ```toml
//! [dependencies]
//! kingline = { path = "../kingline", default-features = false }
//! ```
//!
//! Three programs in `samples/library` show more: `search` searches a position of any game, `perft` counts positions,
//! and `own_game` defines a new game that the same search plays.
//!
//! | module | content |
//! | --- | --- |
//! | [`game`] | the trait [`game::Game`], the history of a game, perft |
//! | [`score`] | the value of a position, as one number |
//! | [`checkers`] | American checkers |
//! | [`loa`] | Lines of Action on 8x8 and 6x6 boards, and on smaller ones |
//! | [`draw`] | board drawings, as text and SVG |
//! | [`evaluate`] | static evaluation for each game |
//! | [`search`] | alpha-beta search and a proof-number solver, for every game |
//! | [`knowledge`] | endgame tables for checkers, and a winning strategy for 6x6 Lines of Action |
//! | [`guide`] | the guide: turn files, Lines of Action, the master, classes, tournaments, formats, figures, ... |
//! | [`clock`] | CPU clock and wall clock |
//!
//! # Features
//!
//! | feature | adds | costs |
//! | --- | --- | --- |
//! | none (`default-features = false`) | rules, search, evaluation and notation: `game`, `score`, `checkers`, `loa`, `evaluate`, `search`, `knowledge`, `draw`, `clock` | `cpu-time` and its dependencies |
//! | `tables` (default) | built-in endgame tables in `knowledge`, and the strategies for 6x6 Lines of Action | 6.6 MB |
//! | `programs` (default) | the players, and hidden modules for the programs of this workspace; endgame tables in files | `clap`, `serde`, `maud` and others |
//! | `display` | `loa --display`: the board in a browser; includes `programs` | `axum`, `tokio` and others |
//!
//! The hidden modules (`play`, `protocol`, `display`, `files`, ...) are not part of the library's interface and may
//! change in any version.
//!
//! The library and the players run on Linux and Windows and compile for macOS, and the library without `programs` also in web pages
//! (`wasm32-unknown-unknown`), where a search needs a limit other than time, or a [`clock`] from the page; `samples/web`
//! is such a page. Two more packages use this one: `kingline-calibrate`
//! runs measurements, fits evaluation weights, builds endgame tables and proves forced wins; `kingline-master`, for
//! Linux, referees and grades other people's agents.
//!
//! # Speed
//!
//! The processor flags in this package's `.cargo/config.toml` do not apply to programs that depend on it, so put them
//! into your own. Intel's Core processors have supported `x86-64-v2` since Nehalem (2008), AMD's since Bulldozer (2011).
//! With it, the search is faster, since it counts many bits:
//!
//! ```toml
//! [target.'cfg(target_arch = "x86_64")']
//! rustflags = ["-Ctarget-cpu=x86-64-v2"]    # or native, for this machine only
//! ```

pub mod checkers;
pub mod clock;
#[cfg(feature = "display")]
#[doc(hidden)]
pub mod display;
pub mod draw;
pub mod evaluate;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod figures;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod files;
pub mod game;
pub mod guide;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod help;
pub mod knowledge;
pub mod loa;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod play;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod protocol;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod review;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod samples;
pub mod score;
pub mod search;
#[cfg(feature = "programs")]
#[doc(hidden)]
pub mod terminal;

/// True if this build has `loa --display`. Tests build the other programs with the same features.
#[doc(hidden)]
pub const HAS_DISPLAY: bool = cfg!(feature = "display");

/// Runs the program in the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
