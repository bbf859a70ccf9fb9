//! Knowledge about positions that needs no search.
//!
//! | module | what it knows |
//! | --- | --- |
//! | [`tablebase`] | checkers endings with few pieces, under the 50-turn rule |
//! | [`solved`] | how the first player wins 6x6 Lines of Action |
//!
//! `checksum` detects altered bytes.

mod checksum;
pub mod solved;
pub mod tablebase;

pub use checksum::checksum;
