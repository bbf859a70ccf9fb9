//! Strategies: sets of positions that are lost for the side to move, or at least not won.
//!
//! A [`Strategy`] stores, for each of its lost positions, the largest number of plies that the side to move can hold out.
//! A player with a move to one of them makes the one that leaves the fewest plies. Every reply again allows such a move
//! or an immediate win, with fewer plies left, so no position repeats. Otherwise a player makes a move to a position that
//! is not won. Every reply again allows a move into the set, or ends the game without a loss, so the player never loses.
//! `calibrate solve` makes and verifies strategies.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `strategy` | which positions are lost, and in how many plies |
//! | `file` | how they are stored in a file |
//! | `embedded` | which strategies the program embeds |

mod embedded;
mod file;
mod strategy;

pub use embedded::{embedded, embedded_defense};
pub use file::{BrokenStrategy, ENDLESS};
pub use strategy::Strategy;
