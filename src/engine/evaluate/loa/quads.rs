//! Input features of Lines of Action positions: the pattern that a side sees on each quad.
//!
//! A quad is a window of two by two squares; quads overlap. They hold which pieces touch, and S. Gray's sum over them tells
//! the number of groups ("Local properties of binary images in two dimensions", 1971), which is what the game is about.
//!
//! ```text
//!   digits      numbers on 8x8
//!    9  27      42 43 ... 48
//!    1   3       7  8 ... 13
//!                0  1 ...  6
//! ```
//!
//! A pattern is a number with a digit for each square: 0 for an empty one, 1 for an own piece, 2 for a piece of the other
//! side.

use crate::loa::bitboard::{Bitboard, STRIDE};

/// Number of patterns of a quad.
pub const PATTERNS: usize = 81;
/// Squares of a quad, from its lower left one: distances in bits.
pub const SQUARES: [usize; 4] = [0, 1, STRIDE, STRIDE + 1];
/// Largest number of quads, with room for the end of the last row.
pub const ROOM: usize = 49 + 1;

/// Returns the number of quads on a board of `n` columns and rows.
pub const fn count(n: usize) -> usize {
    (n - 1) * (n - 1)
}

/// Returns the number of features on a board of `n` columns and rows.
pub const fn inputs(n: usize) -> usize {
    count(n) * PATTERNS
}

/// Returns the places of the pieces in a feature's pattern: the square of an own piece, or 64 more than that of another.
pub fn places(n: usize, feature: usize) -> impl Iterator<Item = usize> {
    let (quad, pattern) = (feature / PATTERNS, feature % PATTERNS);
    let first = STRIDE * (quad / (n - 1)) + quad % (n - 1);
    let digits = (0..4).map(move |place| pattern / 3usize.pow(place) % 3).zip(SQUARES);
    digits.filter(|&(digit, _)| digit > 0).map(move |(digit, square)| 64 * (digit - 1) + first + square)
}

/// Lower halves of the patterns in a row of pieces, a byte for each column.
static HALVES: [u64; 256] = {
    let mut halves = [0; 256];
    let mut pieces = 0;
    while pieces < 256 {
        let mut column = 0;
        while column < 7 {
            let [here, beside] = [pieces >> column & 1, pieces >> (column + 1) & 1];
            halves[pieces] |= ((here + 3 * beside) as u64) << (8 * column);
            column += 1;
        }
        pieces += 1;
    }
    halves
};

/// Returns the features that a side sees on a board of `N` columns and rows, and those that the other side sees, given the
/// pieces of both. Only the first [`count`] of each are features.
#[inline(always)]
pub fn seen<const N: usize>(sides: [Bitboard; 2]) -> [[u16; ROOM]; 2] {
    let halves = |row: usize| sides.map(|pieces| HALVES[(pieces >> (STRIDE * row)) as usize & 0xff]);
    let mut features = [[0; ROOM]; 2];
    let mut below = halves(0);
    for row in 0..N - 1 {
        let above = halves(row + 1);
        // No sum carries from one byte to the next: the last pattern is 80.
        let [own, theirs] = [0, 1].map(|side: usize| below[side] + 9 * above[side]);
        let patterns = [own + 2 * theirs, theirs + 2 * own];
        for (features, patterns) in features.iter_mut().zip(patterns) {
            let first = (N - 1) * row;
            // The last place is overwritten by the next row: a loop over all bytes is a few instructions.
            for (column, pattern) in patterns.to_le_bytes().into_iter().take(N).enumerate() {
                features[first + column] = ((first + column) * PATTERNS) as u16 + u16::from(pattern);
            }
        }
        below = above;
    }
    features
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::loa::Position;

    fn check<const N: usize>() {
        let mut position = Position::<N>::start();
        for turn in 0..200 {
            let [own, theirs] = position.pieces;
            let seen = seen::<N>([own, theirs]);
            for (features, sides) in seen.iter().zip([[own, theirs], [theirs, own]]) {
                for (quad, &feature) in features[..count(N)].iter().enumerate() {
                    assert_eq!(usize::from(feature) / PATTERNS, quad);
                    let first = STRIDE * (quad / (N - 1)) + quad % (N - 1);
                    let window: u64 = SQUARES.iter().map(|square| 1 << (first + square)).sum();
                    let pieces = places(N, feature.into()).fold(0_u128, |pieces, place| pieces | 1 << place);
                    let [own, theirs] = sides.map(|side| u128::from(side & window));
                    assert_eq!(pieces, own | theirs << 64, "turn {turn}, quad {quad}");
                }
            }
            let list = position.legal_moves();
            position = if list.is_empty() { Position::start() } else { position.play(list[turn * 7 % list.len()]) };
        }
    }

    #[test]
    fn each_quad_has_the_pattern_of_its_pieces() {
        check::<8>();
        check::<6>();
    }
}
