//! Rules of a game, on small positions that are copied to make a move.
//!
//! A position does not store earlier positions or the count of quiet turns; those belong to the path that led to it
//! (see [`History`]).
//!
//! | file | question it answers |
//! | --- | --- |
//! | `rules` | what a type needs to be a game |
//! | `color`, `ending` | which sides there are; how a game ended, and why |
//! | `history` | which earlier positions still matter |
//! | `move_list` | where the legal moves of a position are stored |
//! | `searched`, `knowledge` | what a search asks about a position: kinds of moves, its evaluation, tables |
//! | `opening` | how random openings are drawn |
//! | `annotation` | what a commentator can note at a move of a record |
//! | `canonical` | which positions are equivalent |
//! | `perft` | how many lines of a given length there are |
//! | `parse_error`, `line_error` | what was read, and what was expected |
//! | `bits`, [`zobrist`] | which bits are set; which random numbers make up a key |

mod annotation;
pub(crate) mod bits;
mod canonical;
mod color;
mod ending;
mod history;
mod knowledge;
mod line_error;
mod move_list;
mod opening;
mod parse_error;
mod perft;
mod rules;
mod searched;
pub mod zobrist;

pub use annotation::{Annotation, Glyph};
pub use canonical::Canonical;
pub use color::Color;
pub use ending::{DrawReason, Ending, Outcome};
pub use history::History;
pub use knowledge::{Knowledge, NoKnowledge, Value, Wdl};
pub use line_error::LineError;
pub use move_list::{MAX_MOVES, MoveList};
pub use opening::{Opening, random_opening};
pub use parse_error::ParseError;
pub use perft::perft;
pub(crate) use rules::no_such_move;
pub use rules::{Game, Progress};
pub use searched::{Evaluator, Searched};
