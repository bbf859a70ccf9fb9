//! American checkers and Lines of Action: rules, search, evaluation, endgame tables and notation.
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
//! kingline = { path = "../kingline/src/engine", default-features = false }
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
//! | [`clock`] | CPU clock and wall clock |
//!
//! # Features
//!
//! | feature | adds | costs |
//! | --- | --- | --- |
//! | none (`default-features = false`) | everything but the tables | `cpu-time` and its dependencies |
//! | `tables` (default) | built-in endgame tables in `knowledge`, and the strategies for 6x6 Lines of Action | 6.8 MB |
//! | `serde` | colors, endings, scores and search parameters in files | `serde` |
//! | `schemas` | JSON Schemas of colors and reasons for draws | `serde`, `schemars` |
//!
//! The library runs on Linux and Windows, compiles for macOS, and also for web pages (`wasm32-unknown-unknown`), where a
//! search needs a limit other than time, or a [`clock`] from the page; `samples/web` is such a page. Three more packages
//! use it: `kingline-players`, the programs that play and the guide to all of them; `kingline-calibrate`, which measures,
//! fits evaluation weights, builds endgame tables and proves forced wins; and `kingline-master`, for Linux, which referees
//! and grades other people's agents.
//!
//! # Speed
//!
//! The processor flags in the checkout's `.cargo/config.toml` do not apply to programs that depend on this package, so put
//! them into your own. Intel's Core processors have supported `x86-64-v2` since Nehalem (2008), AMD's since Bulldozer (2011).
//! With it, the search is faster, since it counts many bits:
//!
//! ```toml
//! [target.'cfg(target_arch = "x86_64")']
//! rustflags = ["-Ctarget-cpu=x86-64-v2"]    # or native, for this machine only
//! ```
//!
//! The search is generic, so it is compiled in the package that uses it: give that `opt-level = 3` as well.

pub mod checkers;
pub mod clock;
pub mod draw;
pub mod game;
pub mod loa;
pub mod score;
pub mod search;

/// Static evaluations for each game.
///
/// Each has its own unit and implements [`Evaluator`](game::Evaluator), the interface to the search.
pub mod evaluate {
    pub mod checkers;
    pub mod loa;
    pub mod network;
    pub mod solver;
}

/// Knowledge about positions that needs no search: checkers endings with few pieces under the 50-turn rule, and how the
/// first player wins 6x6 Lines of Action.
pub mod knowledge {
    mod checksum;
    pub mod solved;
    pub mod tablebase;

    pub use checksum::checksum;
}

/// Runs the program in the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
