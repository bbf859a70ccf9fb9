//! Boards in a browser: pages on this machine's loopback address.
//!
//! - `loa --display`: page and terminal give commands to one session ([`run`]).
//! - `master play --display`: a referee plays games, and asks a [`GamePage`] for the moves of persons.
//! - `master tournament --display`: a [`TournamentPage`] shows the games in progress.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `server`, `guard` | which addresses exist and what each returns; which requests are allowed |
//! | `broadcast` | how all pages learn of changes |
//! | `snapshot`, `thoughts` | how a game and the machine's thoughts are sent to a page |
//! | `frame`, `page`, `help` | what is on all pages, on that of a game, and in its help |
//! | `session`, `inbox` | how commands from page and terminal are executed, and in which order |
//! | `game` | how persons play against a referee's agents |
//! | `tournament` | how many games are watched at once |
//! | `reviewer` | how a game that is over gets its review |
//!
//! The scripts and the style sheet of pages are in `assets`, those for boards in `src/engine/draw`.

mod broadcast;
mod frame;
mod game;
mod guard;
mod help;
mod inbox;
mod page;
mod reviewer;
mod server;
mod session;
mod snapshot;
mod thoughts;
mod tournament;

pub use game::{GamePage, PlayerRequest, Sides};
pub use inbox::Input;
pub use kingline::draw::shown::Shown;
pub use session::run;
pub use tournament::{Row, TournamentPage};
