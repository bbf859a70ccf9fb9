//! Rules of a game, on small positions that are copied to make a move.
//!
//! A position does not store earlier positions or the count of quiet turns; those belong to the path that led to it
//! (see [`History`]). What the search asks of a game is in [`Searched`], [`Evaluator`] and [`Knowledge`].

mod history;
mod outcome;
mod parse_error;
mod rules;
mod searched;
mod signs;
pub mod zobrist;

pub use history::{Annotation, Glyph, History, Opening, Rules, perft, random_opening};
pub use outcome::{Color, DrawReason, Ending, Outcome};
pub use parse_error::{LineError, LineNote, ParseError};
pub use rules::{Canonical, Game, MAX_MOVES, MoveList, Progress};
pub(crate) use rules::{bits, no_such_move};
pub use searched::{Evaluator, Knowledge, NoKnowledge, Searched, Value, Wdl};
pub(crate) use signs::plain;
