//! American checkers: the rules, and the ways to write positions, moves and games down.
//!
//! Sections (§) are those of the contract that the README sums up.

pub(crate) mod bitboard;
mod diagram;
mod moves;
mod notation;
pub mod pdn;
mod piece;
mod position;
mod route;
mod rules;
mod square;
mod zobrist;

pub use diagram::Diagram;
pub use moves::Move;
pub use notation::Notation;
pub use piece::Piece;
pub use position::Position;
pub use route::Route;
pub use square::Square;
