//! Lines of Action on 8x8 and 6x6 boards: the rules, and the ways to write positions, moves and games down.
//!
//! The size of the board is a const generic `N`, 8 or 6. Sections (§) are those of the contracts
//! that the README sums up; the two sizes have the same rules.

pub(crate) mod bitboard;
pub(crate) mod connection;
mod moves;
mod notation;
mod position;
mod rules;
pub mod sgf;
mod square;
mod zobrist;

pub use moves::Move;
pub use notation::Notation;
pub use position::Position;
pub use square::Square;
