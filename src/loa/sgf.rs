//! How is a game written in the Smart Game Format? `(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])`.
//!
//! Source: the format's description at red-bean.com/sgf, of which loa.html is about this game.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `record` | what is known of a game |
//! | `write`, `read` | how a record becomes text, and text a record |
//! | `nodes` | what the main line of a file is, whatever its game |

mod nodes;
mod read;
mod record;
mod write;

pub use record::{About, Record};
