//! Lines of Action on boards of 8x8, 6x6, 5x5 and 4x4: the rules, and the notation of positions, moves and games.
//!
//! The size of the board is a const generic `N`, 4, 5, 6 or 8. All sizes have the same rules. Section signs (§) refer
//! to the contracts that the README summarizes.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `square`, `bitboard` | which squares there are, and how sets of squares are stored |
//! | `position`, `zobrist` | which pieces stand where, and what the key of a position is |
//! | `moves`, `connection` | which moves are legal, and whether pieces form one group |
//! | `rules` | what a move leads to: [`Game`](crate::game::Game) for Lines of Action |
//! | `symmetry` | which positions are equivalent |
//! | `notation`, [`sgf`] | how moves, positions and games are written |

pub(crate) mod bitboard;
pub(crate) mod connection;
mod moves;
mod notation;
mod position;
mod rules;
pub mod sgf;
mod square;
mod symmetry;
mod zobrist;

pub use moves::Move;
pub use notation::Notation;
pub use position::Position;
pub use square::Square;
