//! How does a player win who has a forced win? By moving to positions that are known to be lost for the other side.
//!
//! A [`Strategy`] is a set of such positions, each with the plies that its side to move can hold out at most. Whoever
//! has a move into the set makes the one that leaves the fewest plies; whatever the reply is, there is such a move again,
//! or one that wins at once, and the plies have become fewer: so no game comes back to a position. `calibrate solve` makes
//! and verifies such sets.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `strategy` | which positions are lost, and in how many plies |
//! | `file` | how they lie in a file |
//! | `embedded` | which of them are inside the program |

mod embedded;
mod file;
mod strategy;

pub use embedded::embedded;
pub use file::BrokenStrategy;
pub use strategy::Strategy;
