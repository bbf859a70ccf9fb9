//! Direct features of Lines of Action positions: the contents of rows, columns and diagonals.
//!
//! A move depends only on the contents of its own line (§1), so a line's pattern tells all moves on it. A pattern is a
//! number with a digit for each square, from the low end: 0 for an empty one, 1 for Black, 2 for White. Lines that the
//! symmetries of the board exchange share their features.

use crate::game::Color;
use crate::loa::bitboard::{self, Bitboard, STRIDE};

/// Number of lines of an 8x8 board: rows, columns and two kinds of diagonals.
pub const LINES: usize = 8 + 8 + 15 + 15;

/// Contents of a line.
pub type Pattern = u16;

/// Digit of a piece in the pattern of a line.
pub(in crate::evaluate) const fn content(color: Color) -> Pattern {
    1 + color as Pattern
}

/// Number of the line through a square along an axis, below [`LINES`].
pub(in crate::evaluate) const fn line(axis: usize, square: usize) -> usize {
    let (column, row) = (square % STRIDE, square / STRIDE);
    match axis {
        0 => row,
        1 => 8 + column,
        2 => 16 + 7 + column - row,
        _ => 31 + column + row,
    }
}

/// Computes the power of three for each square's place on its line, by axis and square.
pub(in crate::evaluate) const fn powers<const N: usize>() -> [[Pattern; 64]; 4] {
    let geometry = bitboard::geometry::<N>();
    let mut powers = [[0; 64]; 4];
    let mut axis = 0;
    while axis < 4 {
        let mut square = 0;
        while square < 64 {
            if bitboard::board::<N>() >> square & 1 != 0 {
                powers[axis][square] = 3u16.pow(geometry.below[axis][square].count_ones());
            }
            square += 1;
        }
        axis += 1;
    }
    powers
}

/// Returns the number of features on a board of `n` columns and rows, 6 or 8: first those of rows and columns, the ones
/// on the edge first, then those of diagonals, the short ones first.
pub const fn patterns(n: usize) -> usize {
    first_of_diagonal(n, n + 1)
}

/// Number of the first feature of diagonals with `length` squares.
const fn first_of_diagonal(n: usize, length: usize) -> usize {
    // Shorter ones have 3 + 9 + ... features.
    n / 2 * 3usize.pow(n as u32) + (3usize.pow(length as u32) - 3) / 2
}

pub(super) const fn first_patterns<const N: usize>() -> [Pattern; LINES] {
    let geometry = bitboard::geometry::<N>();
    let mut first = [0; LINES];
    let mut square = 0;
    while square < 64 {
        if bitboard::board::<N>() >> square & 1 != 0 {
            let mut axis = 0;
            while axis < 4 {
                let rest = geometry.below[axis][square] | geometry.above[axis][square];
                let number = if axis < 2 {
                    let place = if axis == 0 { square / STRIDE } else { square % STRIDE };
                    let from_edge = if place < N / 2 { place } else { N - 1 - place };
                    from_edge * 3usize.pow(N as u32)
                } else {
                    first_of_diagonal(N, 1 + rest.count_ones() as usize)
                };
                first[line(axis, square)] = number as Pattern;
                axis += 1;
            }
        }
        square += 1;
    }
    first
}

/// Lines of a board, to describe positions outside the search.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// Each line's squares from its low end, and the number of its first feature, in the order of the features.
    lines: Vec<(Vec<u32>, usize)>,
}

impl Geometry {
    /// Returns the lines of a board of `N` columns and rows, 6 or 8.
    pub fn new<const N: usize>() -> Geometry {
        let (geometry, first) = (bitboard::geometry::<N>(), first_patterns::<N>());
        let squares = (0..64).filter(|square| bitboard::board::<N>() >> square & 1 != 0);
        let lines = squares.flat_map(|square| (0..4).map(move |axis| (axis, square)));
        // Each line once, by its lowest square.
        let lines = lines.filter(|&(axis, square)| geometry.below[axis][square] == 0);
        let lines = lines.map(|(axis, square)| {
            let all = geometry.above[axis][square] | 1 << square;
            let squares = (0..64_u32).filter(|square| all >> square & 1 != 0).collect();
            (squares, usize::from(first[line(axis, square)]))
        });
        let mut lines: Vec<_> = lines.collect();
        lines.sort_by_key(|&(_, first)| first);
        Geometry { lines }
    }

    /// Returns the features of a position, one for each line, given the pieces with digit 1 and those with digit 2.
    pub fn features(&self, [ones, twos]: [Bitboard; 2]) -> impl Iterator<Item = usize> {
        self.lines.iter().map(move |(squares, first)| {
            let digit = |square: u32| (ones >> square & 1) as usize + 2 * (twos >> square & 1) as usize;
            first + squares.iter().rev().fold(0, |pattern, &square| 3 * pattern + digit(square))
        })
    }

    /// Returns each feature's equals: the one of the same line seen from its other end, and the one of exchanged colors.
    pub fn equals(&self) -> Vec<[usize; 2]> {
        let mut equals = Vec::new();
        for (squares, first) in &self.lines {
            if equals.len() > *first {
                continue;
            }
            let digits = squares.len() as u32;
            equals.resize(first + 3usize.pow(digits), [0; 2]);
            for pattern in 0..3usize.pow(digits) {
                let digit = |place| pattern / 3usize.pow(place) % 3;
                let turned = (0..digits).fold(0, |turned, place| 3 * turned + digit(place));
                let exchanged = (0..digits).rev().fold(0, |exchanged, place| 3 * exchanged + (3 - digit(place)) % 3);
                equals[first + pattern] = [first + turned, first + exchanged];
            }
        }
        equals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(lines: usize) {
        let geometry = Geometry::new::<N>();
        assert_eq!(geometry.lines.len(), lines);
        let equals = geometry.equals();
        assert_eq!(equals.len(), patterns(N));
        for (feature, [turned, exchanged]) in equals.iter().enumerate() {
            assert_eq!((equals[*turned][0], equals[*exchanged][1]), (feature, feature));
        }
    }

    #[test]
    fn every_feature_has_its_equals() {
        check::<8>(46);
        check::<6>(34);
    }

    #[test]
    fn exchanged_and_mirrored_positions_have_equal_features() {
        let geometry = Geometry::new::<8>();
        let equals = geometry.equals();
        let (black, white) = (0x0012_3400_8a00_0f01, 0x8100_0081_0042_3000);
        let sorted = |features: Vec<usize>| {
            let mut features = features;
            features.sort_unstable();
            features
        };
        let exchanged = geometry.features([black, white]).map(|feature| equals[feature][1]).collect();
        assert_eq!(sorted(exchanged), sorted(geometry.features([white, black]).collect()));
        // Turned by half a circle, every line is seen from its other end.
        let turned = geometry.features([black, white]).map(|feature| equals[feature][0]).collect();
        let half = [black, white].map(u64::reverse_bits);
        assert_eq!(sorted(turned), sorted(geometry.features(half).collect()));
    }
}
