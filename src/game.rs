//! What is a game? A small position that is copied to make a move, and all its legal moves.
//!
//! The position is the game. What it does not hold (earlier positions, the count of quiet turns) belongs to the path
//! that led to it: see [`History`].
//!
//! | file | question it answers |
//! | --- | --- |
//! | `rules` | what are the rules of a game |
//! | `color`, `ending` | whose side; how did it end, and why |
//! | `history` | what of the past still matters |
//! | `move_list` | where do the legal moves of a position go |
//! | `evaluator`, `knowledge` | what does a search ask about a position: its evaluation, and tables |
//! | `opening` | where does a random game lead |
//! | `canonical` | which positions are alike |
//! | `perft` | how many ways does a game go on |
//! | `parse_error` | what was read, and what was expected |
//! | `bits`, `zobrist` | which bits are set; which random numbers make a key |

pub(crate) mod bits;
mod canonical;
mod color;
mod ending;
mod evaluator;
mod history;
mod knowledge;
mod line_error;
mod move_list;
mod opening;
mod parse_error;
mod perft;
mod rules;
pub(crate) mod zobrist;

pub use canonical::Canonical;
pub use color::Color;
pub use ending::{DrawReason, Ending, Outcome};
pub use evaluator::Evaluator;
pub use history::History;
pub use knowledge::{Knowledge, NoKnowledge, Value, Wdl};
pub use line_error::LineError;
pub use move_list::{MAX_MOVES, MoveList};
pub use opening::{Opening, random_opening};
pub use parse_error::ParseError;
pub use perft::perft;
pub(crate) use rules::no_such_move;
pub use rules::{Game, Progress};
