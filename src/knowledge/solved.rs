//! Winning strategies: sets of positions that are lost for the side to move.
//!
//! A [`Strategy`] stores, for each of its positions, the largest number of plies that the side to move can hold out. A
//! player with a move into the set makes the one that leaves the fewest plies. Every reply again allows such a move or
//! an immediate win, with fewer plies left, so no position repeats. `calibrate solve` makes and verifies strategies.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `strategy` | which positions are lost, and in how many plies |
//! | `file` | how they are stored in a file |
//! | `embedded` | which strategy the program embeds |

mod embedded;
mod file;
mod strategy;

pub use embedded::embedded;
pub use file::BrokenStrategy;
pub use strategy::{ENDLESS, Strategy};
