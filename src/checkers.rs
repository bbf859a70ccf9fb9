//! American checkers: the rules, the ways to write them down, and a hand-written evaluation.
//!
//! Sections (§) are those of the contract that the README sums up.

mod bitboard;
mod diagram;
mod evaluate;
mod moves;
mod notation;
pub mod pdn;
mod position;
mod route;
mod square;
mod zobrist;

pub use diagram::Diagram;
pub use evaluate::Evaluation;
pub use moves::Move;
pub use notation::Notation;
pub use position::{Piece, Position};
pub use route::Route;
pub use square::Square;
