//! Building the tables: solving all positions of a material, looking them over, and writing them down.

pub(super) mod compress;
mod longest;
mod part;
mod solve;
mod values;
mod verify;
mod write;

pub use longest::{LongestWin, longest};
pub use part::{Part, checksum};
pub use values::{Census, SolveError, Values};
pub use verify::{Fault, Verified, numbers, verify};
pub use write::{file, section};
