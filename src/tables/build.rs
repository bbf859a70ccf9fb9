//! Building the tables: solving all positions of a material, and writing them down.

mod solve;
mod values;

pub use values::{Census, SolveError, Values};
