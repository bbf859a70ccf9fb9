//! Random numbers whose sum (exclusive or) over the pieces is the key of a position.
//! Source: A. Zobrist, "A new hashing method with application for game playing", 1970.

use super::position::Piece;
use super::square::Square;
use crate::game::Color;

/// By color, piece and bit of the square.
static PIECES: [[[u64; 32]; 2]; 2] = {
    let mut table = [[[0; 32]; 2]; 2];
    let mut state = 0x6b69_6e67_6c69_6e65;
    let mut i = 0;
    while i < 128 {
        state = split_mix(state);
        table[i / 64][i / 32 % 2][i % 32] = scramble(state);
        i += 1;
    }
    table
};

/// Part of the key when White is to move.
pub(super) const WHITE_TO_MOVE: u64 = scramble(0x7475_726e);

#[inline(always)]
pub(super) fn piece(color: Color, piece: Piece, square: Square) -> u64 {
    PIECES[color.index()][piece as usize][square.index()]
}

/// The next state of the generator SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
const fn split_mix(state: u64) -> u64 {
    state.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// The output of that generator for a state.
const fn scramble(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
