//! Lines of Action on boards of 8x8, 6x6, 5x5 and 4x4: the rules, and the notation of positions, moves and games.
//!
//! The size of the board is a const generic `N`, 4, 5, 6 or 8. All sizes have the same rules. Section signs (§) refer
//! to the contracts that the README summarizes.

pub(crate) mod bitboard;
pub(crate) mod connection;
mod moves;
mod position;
mod rules;
pub mod sgf;

pub use bitboard::Square;
pub use moves::Move;
pub use position::Position;
pub use rules::Notation;
