//! What are the rules of American checkers, and how are positions, moves and games written?
//!
//! Sections (§) are those of the contract that the README sums up.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `square`, `piece`, `bitboard` | which squares and pieces there are, and how sets of squares are stored |
//! | `position`, `zobrist` | which pieces stand where, and what is the key of that |
//! | `moves`, `route` | which turns are legal, and which squares does a turn touch |
//! | `rules` | what a move leads to: [`Game`](crate::game::Game) for checkers |
//! | `notation`, `diagram`, [`pdn`] | how moves, boards and games are written |

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
