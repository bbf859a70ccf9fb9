//! What is known of a position without search?
//!
//! | room | what it knows |
//! | --- | --- |
//! | [`tablebase`] | checkers endings of a few pieces, under the 50-turn rule |

pub mod tablebase;
