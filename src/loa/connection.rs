//! Connection: whether pieces form one group, in which each piece touches another in one of eight directions (§1).

use super::bitboard::{Bitboard, STRIDE, grown, left};

/// Returns true if there are pieces and they form one group.
#[inline]
pub(crate) fn is_connected(pieces: Bitboard) -> bool {
    // An Euler number above 1 means several groups. It is cheap to compute and settles nearly every position.
    pieces != 0 && euler_number(pieces) <= 1 && group(pieces) == pieces
}

/// Number of groups minus the number of holes in them.
///
/// S. Gray, "Local properties of binary images in two dimensions", 1971, computes it as a sum over quads, the windows
/// of two by two squares. This function uses Euler's formula: pieces, minus pairs, plus triples, minus quadruples of
/// pieces that all touch each other. Each of these lies in one quad.
///
/// ```text
///   # # . .      # # #
///   . . # .      # . #
///   . . . .      # # #
///   # . . .
///   2 groups     1 group, 1 hole
///   number 2     number 0
/// ```
#[inline]
pub(crate) fn euler_number(pieces: Bitboard) -> i32 {
    let count = |squares: Bitboard| squares.count_ones() as i32;
    let Quads { here, right, above, across } = Quads::of(pieces);
    let pairs = count(here & right) + count(here & above) + count(here & across) + count(right & above);
    let triples = count(here & right & above)
        + count(here & right & across)
        + count(here & above & across)
        + count(right & above & across);
    count(pieces) - pairs + triples - count(here & right & above & across)
}

/// Pieces on the four squares of each quad, at the bit of the quad's lower left square.
///
/// ```text
///   above across
///   here  right
/// ```
#[derive(Clone, Copy)]
pub(crate) struct Quads {
    pub(crate) here: Bitboard,
    pub(crate) right: Bitboard,
    pub(crate) above: Bitboard,
    pub(crate) across: Bitboard,
}

impl Quads {
    #[inline(always)]
    pub(crate) fn of(pieces: Bitboard) -> Quads {
        Quads { here: pieces, right: left(pieces), above: pieces >> STRIDE, across: left(pieces >> STRIDE) }
    }

    /// Quads with at least one piece.
    #[inline(always)]
    pub(crate) fn any(self) -> Bitboard {
        self.here | self.right | self.above | self.across
    }
}

/// Flood-fills the group of the lowest piece.
#[inline]
fn group(pieces: Bitboard) -> Bitboard {
    let mut found = pieces & pieces.wrapping_neg();
    loop {
        let more = grown(found) & pieces;
        if more == found {
            return found;
        }
        found = more;
    }
}

#[cfg(test)]
mod tests {
    use super::super::bitboard::right;
    use super::*;
    use crate::game::bits::bits;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Counts the groups of pieces square by square, without bit tricks.
    fn groups(pieces: Bitboard, touches: fn(i32, i32) -> bool) -> i32 {
        let mut left: Vec<usize> = bits(pieces).collect();
        let mut groups = 0;
        while let Some(first) = left.pop() {
            groups += 1;
            let mut border = vec![first];
            while let Some(square) = border.pop() {
                let (row, column) = ((square / 8) as i32, (square % 8) as i32);
                let near = |&other: &usize| touches((other / 8) as i32 - row, (other % 8) as i32 - column);
                border.extend(left.iter().copied().filter(near));
                left.retain(|other| !near(other));
            }
        }
        groups
    }

    /// Counts the groups of empty squares, connected by their sides, that do not reach beyond the board.
    fn holes(pieces: Bitboard) -> i32 {
        // The 6x6 board lies in the middle of an 8x8 board, so the outside is one group.
        groups(!pieces, |rows, columns| rows.abs() + columns.abs() <= 1) - 1
    }

    #[test]
    fn connection_and_euler_number_match_a_flood_fill() {
        let mut rng = StdRng::seed_from_u64(3);
        let mut connected = 0;
        for round in 0..40_000 {
            let mut pieces = 0;
            if round % 2 == 0 {
                for _ in 0..rng.random_range(0..16) {
                    pieces |= 1 << rng.random_range(0..64);
                }
            } else {
                // Each piece lies beside an earlier one, so most sets are connected.
                pieces = 1 << rng.random_range(0..64);
                for _ in 0..rng.random_range(0..24) {
                    let near: Vec<usize> = bits(grown(pieces) & !pieces).collect();
                    pieces |= 1 << near[rng.random_range(0..near.len())];
                }
                pieces &= !(1 << rng.random_range(0..64));
            }
            let touching = groups(pieces, |rows, columns| rows.abs().max(columns.abs()) <= 1);
            assert_eq!(is_connected(pieces), touching == 1, "{pieces:#x}");
            connected += usize::from(touching == 1);
            let inside = pieces & 0x007e_7e7e_7e7e_7e00;
            let touching = groups(inside, |rows, columns| rows.abs().max(columns.abs()) <= 1);
            assert_eq!(euler_number(inside), touching - holes(inside), "{inside:#x}");
            assert_eq!(euler_number(right(inside)), euler_number(inside), "the same one column to the right");
        }
        assert!(connected > 10_000, "{connected}");
    }

    #[test]
    fn one_piece_is_connected_and_none_is_not() {
        assert!(!is_connected(0));
        assert!(is_connected(1 << 63));
    }
}
