//! Where a side's pieces lie, and how closely together.
//!
//! After M. Winands, H. van den Herik, J. Uiterwijk, "An evaluation function for Lines of Action", 2003.

use crate::loa::bitboard::{Bitboard, STRIDE, board, left, right};
use crate::loa::connection::{Quads, euler_number};

/// Number of features.
pub(super) const COUNT: usize = 15;

/// What squares are near to what, on a board of one size.
pub(super) struct Distances {
    /// By square and distance: the squares at least so far away, a king's steps counted.
    beyond: [[Bitboard; 8]; 64],
    /// By distance from the edge: 0 is the edge itself.
    rings: [Bitboard; 4],
    /// By square: its distance from the edge.
    ring: [u8; 64],
    corners: Bitboard,
    /// By number of pieces: the least sum of their distances from their middle.
    least: [u16; 65],
}

/// The distances of a board of `N` columns and rows.
pub(super) const fn distances<const N: usize>() -> Distances {
    let mut table = Distances { beyond: [[0; 8]; 64], rings: [0; 4], ring: [0; 64], corners: 0, least: [0; 65] };
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            if board::<N>() >> other & 1 != 0 {
                let columns = (square % STRIDE).abs_diff(other % STRIDE);
                let rows = (square / STRIDE).abs_diff(other / STRIDE);
                let far = if columns > rows { columns } else { rows };
                let mut distance = 0;
                while distance <= far {
                    table.beyond[square][distance] |= 1 << other;
                    distance += 1;
                }
            }
            other += 1;
        }
        if board::<N>() >> square & 1 != 0 {
            let (column, row) = (square % STRIDE, square / STRIDE);
            let near = [column, N - 1 - column, row, N - 1 - row];
            let mut ring = N;
            let mut side = 0;
            while side < 4 {
                if near[side] < ring {
                    ring = near[side];
                }
                side += 1;
            }
            table.rings[ring] |= 1 << square;
            table.ring[square] = ring as u8;
            if (column == 0 || column == N - 1) && (row == 0 || row == N - 1) {
                table.corners |= 1 << square;
            }
        }
        square += 1;
    }
    let mut pieces = 2;
    while pieces <= 64 {
        // One in the middle, 8 around it, 16 around those, 24, ...
        let ring = if pieces <= 9 {
            1
        } else if pieces <= 25 {
            2
        } else if pieces <= 49 {
            3
        } else {
            4
        };
        table.least[pieces] = table.least[pieces - 1] + ring;
        pieces += 1;
    }
    table
}

/// The features of one side's pieces.
pub(super) type Features = [i32; COUNT];

/// Counts the features of a side that has pieces; the weights tell their names.
#[inline]
pub(super) fn features(pieces: Bitboard, distances: &Distances) -> Features {
    let count = |squares: Bitboard| squares.count_ones() as i32;
    let number = count(pieces);
    let middle = centre_of_mass(pieces, number);
    let beyond = &distances.beyond[middle];
    let mut spread = 0;
    for outside in &beyond[1..] {
        let far = count(pieces & outside);
        if far == 0 {
            break;
        }
        spread += far;
    }
    let surplus = spread - i32::from(distances.least[number as usize]);
    let Quads { here, right: beside, above, across } = Quads::of(pieces);
    let pairs = count(here & beside) + count(here & above) + count(here & across) + count(beside & above);
    let four = here & beside & above & across;
    let three = (here & beside & (above | across) | above & across & (here | beside)) & !four;
    let near = !beyond[3];
    let alone = count(pieces & !neighbours(pieces));
    let ring = |ring: usize| count(pieces & distances.rings[ring]);
    let corner = count(pieces & distances.corners);
    [
        number,
        surplus,
        32 * surplus / number,
        corner,
        ring(0) - corner,
        ring(1),
        ring(2),
        i32::from(distances.ring[middle]),
        count(three & near),
        count(four & near),
        pairs,
        32 * pairs / number,
        area(pieces),
        euler_number(pieces),
        alone,
    ]
}

/// The square nearest to the middle of all pieces.
#[inline]
fn centre_of_mass(pieces: Bitboard, number: i32) -> usize {
    const COLUMNS: [Bitboard; 3] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    const ROWS: [Bitboard; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
    let sum = |bits: [Bitboard; 3]| -> u32 { (0..3).map(|bit| (pieces & bits[bit]).count_ones() << bit).sum() };
    let number = number as u32;
    let rounded = |sum: u32| ((2 * sum + number) / (2 * number)) as usize;
    (STRIDE * rounded(sum(ROWS)) + rounded(sum(COLUMNS))) & 63
}

/// Squares that touch a piece.
#[inline(always)]
fn neighbours(pieces: Bitboard) -> Bitboard {
    let beside = left(pieces) | right(pieces);
    let wide = pieces | beside;
    beside | wide << STRIDE | wide >> STRIDE
}

/// Squares of the smallest rectangle around all pieces.
#[inline(always)]
fn area(pieces: Bitboard) -> i32 {
    let mut columns = pieces | pieces >> 32;
    columns |= columns >> 16;
    columns |= columns >> 8;
    let columns = columns as u8;
    let width = 8 - columns.leading_zeros() - columns.trailing_zeros();
    let height = 8 - pieces.leading_zeros() / 8 - pieces.trailing_zeros() / 8;
    (width * height) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISTANCES: Distances = distances::<8>();

    #[test]
    fn the_middle_is_the_nearest_square() {
        assert_eq!(centre_of_mass(1 | 1 << 63, 2), 36, "halves are rounded up");
        assert_eq!(centre_of_mass(1 << 10 | 1 << 12, 2), 11);
        assert_eq!(centre_of_mass(1 << 57, 1), 57);
    }

    #[test]
    fn rectangles_have_their_area() {
        assert_eq!(area(1), 1);
        assert_eq!(area(1 | 1 << 63), 64);
        assert_eq!(area(1 << 9 | 1 << 12), 4);
        assert_eq!(area(1 << 9 | 1 << 33), 4);
    }

    #[test]
    fn a_block_is_as_close_together_as_can_be() {
        let block = 7 << 18 | 7 << 26 | 7 << 34;
        let features = features(block, &DISTANCES);
        assert_eq!(features[..3], [9, 0, 0], "nine pieces, no surplus distance");
        assert_eq!(features[9], 4, "four full quads");
        assert_eq!(features[10], 6 + 6 + 4 + 4, "touching pairs");
        assert_eq!(features[12..], [9, 1, 0], "area, one group, none alone");
    }

    #[test]
    fn the_start_is_spread_along_two_edges() {
        let rows = 0x7e | 0x7e << 56;
        let features = features(rows, &DISTANCES);
        assert_eq!((features[0], features[3], features[4]), (12, 0, 12), "all on the edge, none in a corner");
        assert_eq!((features[10], features[12], features[13]), (10, 48, 2));
    }
}
