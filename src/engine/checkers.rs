//! American checkers: the rules, and how positions, moves and games are written.
//!
//! Section signs (§) refer to the contract that the README summarizes.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `square`, `piece`, `bitboard` | which squares and pieces there are, and how sets of squares are stored |
//! | `position`, `zobrist` | which pieces stand where, and what the position's key is |
//! | `moves`, `route` | which turns are legal, and which squares a turn touches |
//! | `rules` | what a move does: [`Game`](crate::game::Game) for checkers |
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
pub(crate) use position::BY_ROWS;
pub use position::Position;
pub use route::Route;
pub use square::Square;
