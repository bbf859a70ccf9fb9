//! American checkers: the rules, and how positions, moves and games are written.
//!
//! Section signs (§) refer to the contract that the README summarizes.

pub(crate) mod bitboard;
mod moves;
pub mod pdn;
mod position;
mod rules;

pub use bitboard::{Piece, Square};
pub use moves::{Move, Route};
pub(crate) use position::BY_ROWS;
pub use position::{Diagram, Position};
pub use rules::Notation;
