//! Random numbers for position keys.

use super::piece::Piece;
use super::square::Square;
use crate::game::{Color, zobrist};

/// Numbers by color, piece and bit of the square.
static PIECES: [u64; 128] = zobrist::numbers(0x6b69_6e67_6c69_6e65);

/// Part of the key when White is to move.
pub(super) const WHITE_TO_MOVE: u64 = zobrist::number(0x7475_726e);

#[inline(always)]
pub(super) fn piece_key(color: Color, piece: Piece, square: Square) -> u64 {
    PIECES[(color.index() << 6 | (piece as usize) << 5 | square.index()) & 127]
}
