//! How are tables made? All positions of a material are solved, verified, compressed and written.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `values` | what all positions of some materials are worth |
//! | `solve` | how that is found out |
//! | `verify` | whether it is right |
//! | `longest` | which win takes the longest |
//! | `part` | what an interrupted build leaves for the next one |
//! | `compress` | how a table becomes small |
//! | `write` | what a section and a file are made of |

pub(super) mod compress;
mod longest;
mod part;
mod solve;
mod values;
mod verify;
mod write;

pub use longest::{LongestWin, longest};
pub use part::{BuildPart, checksum};
pub use values::{Census, SolveError, SolvedValues};
pub use verify::{Verified, WrongValue, numbers, verify};
pub use write::{file, section};
