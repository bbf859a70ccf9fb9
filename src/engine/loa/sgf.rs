//! Game records in the Smart Game Format: `(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])`.
//!
//! Source: the description of the format at red-bean.com/sgf. Its page loa.html covers Lines of Action.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `record` | what a record contains |
//! | `write`, `read` | how a record becomes text, and text becomes a record |
//! | `nodes` | which moves form the main line of a file, for any game |

mod nodes;
mod read;
mod record;
mod write;

pub use read::{Tree, trees};
pub use record::{About, Record};
