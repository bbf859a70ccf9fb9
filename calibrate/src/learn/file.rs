//! Game files.
//!
//! A file begins with 256 bytes of text that describe its contents, one field per line, padded with blanks and an LF.
//! The records follow, game by game. A killed run leaves at most one broken game at the end, which the next run
//! removes.
//!
//! ```text
//! kingline games 1
//! game checkers
//! seed 1                   or: several
//! shard 3/8                or: merged
//! nodes 3000               or: several
//! evaluation 0123456789abcdef   the checksum of its weights, or: several; in older files: hand-written
//! ```
//!
//! In a shard, games are in the order of their numbers, which start at 0. In a merged file, each game has the number
//! that [`Header::id`] gives it, since games with different seeds share their original numbers.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `header` | how does a file describe its games |
//! | `writer` | how do several runs add games |
//! | `reader` | how are games read back, even from a damaged file |

mod header;
mod reader;
mod writer;

pub(crate) use header::{FORMAT, HEADER_BYTES, Header};
pub(crate) use reader::{Fault, GameReader, Games, Skipped, read};
pub(crate) use writer::GameWriter;
