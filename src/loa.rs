//! What are the rules of Lines of Action on boards of 8x8 and 6x6, 5x5 and 4x4, and how are positions, moves and games written?
//!
//! The size of the board is a const generic `N`, 4, 5, 6 or 8. Sections (§) are those of the contracts that the README sums
//! up; all sizes have the same rules.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `square`, `bitboard` | which squares there are, and how sets of them are stored |
//! | `position`, `zobrist` | which pieces stand where, and what is the key of that |
//! | `moves`, `connection` | which moves are legal, and do pieces form one group |
//! | `rules` | what a move leads to: [`Game`](crate::game::Game) for Lines of Action |
//! | `symmetry` | which positions are alike |
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
