//! Lines of Action on 8x8 and 6x6 boards: the rules, and a hand-written evaluation.
//!
//! The size of the board is a const generic `N`, 8 or 6. Sections (§) are those of the contracts
//! that the README sums up; the two sizes have the same rules.

mod bitboard;
mod connection;
mod evaluate;
mod moves;
mod notation;
mod position;
pub mod sgf;
mod square;

pub use evaluate::Evaluation;
pub use moves::Move;
pub use notation::Notation;
pub use position::Position;
pub use square::Square;
