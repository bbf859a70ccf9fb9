//! Building tables: all positions of a material are solved, verified, compressed and written.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `values` | what all positions of the solved materials are worth |
//! | `solve` | how a material is solved |
//! | `verify` | whether the values are right |
//! | `longest` | which win takes the longest |
//! | `part` | which files an interrupted build leaves for the next one |
//! | `compress` | how a table is compressed |
//! | `write` | what a section and a file consist of |

pub(super) mod compress;
mod longest;
mod part;
mod solve;
mod values;
mod verify;
mod write;

pub use longest::{LongestWin, longest};
pub use part::BuildPart;
pub use values::{Census, SolveError, SolvedValues};
pub use verify::{Verified, WrongValue, numbers, verify};
pub use write::{file, section};
