//! Building the tables: solving all positions of a material, and writing them down.

mod compress;
mod solve;
mod values;
mod write;

pub use values::{Census, SolveError, Values};
pub use write::{file, section};
