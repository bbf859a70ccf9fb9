//! Random numbers for position keys.

use super::square::Square;
use crate::game::{Color, zobrist};

/// Number of each piece, by color and square.
static PIECES: [u64; 128] = zobrist::numbers(0x6c6f_6100);

/// Part of the key if White is to move.
pub(super) const WHITE_TO_MOVE: u64 = zobrist::number(0x7475_726e_6c6f_6100);

#[inline(always)]
pub(super) fn piece_key(color: Color, square: Square) -> u64 {
    PIECES[color.index() << 6 | square.index()]
}
