//! What is known of a position without search?
//!
//! | room | what it knows |
//! | --- | --- |
//! | [`tablebase`] | checkers endings of a few pieces, under the 50-turn rule |
//! | [`solved`] | how the first player wins 6x6 Lines of Action |
//!
//! `checksum` tells whether bytes are those that were written.

mod checksum;
pub mod solved;
pub mod tablebase;

pub use checksum::checksum;
