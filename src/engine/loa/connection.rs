//! Connection: whether pieces form one group, in which each piece touches another in one of eight directions (§1).

use super::bitboard::{Bitboard, STRIDE, grown, left, right};

/// Returns true if there are pieces and they form one group.
#[inline]
pub(crate) fn is_connected(pieces: Bitboard) -> bool {
    // An Euler number above 1 means several groups. It is cheap to compute and settles nearly every position.
    pieces != 0 && euler_number(pieces) <= 1 && group(pieces) == pieces
}

/// Number of groups minus the number of holes in them.
///
/// S. Gray, "Local properties of binary images in two dimensions", 1971, shows that such a number is a sum over small
/// windows. Here the pieces are added row by row, each row from the left. A piece with none to the left, below or at the
/// lower left begins a group. If there is one at the lower right and none below, the piece joins that one's group to its
/// own, or closes a hole if they are the same.
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
    let below = pieces << STRIDE;
    // Squares with a piece to the left, below or at the lower left.
    let joined = right(pieces | below) | below;
    let begin = pieces & !joined;
    let close = pieces & left(below) & !below;
    begin.count_ones() as i32 - close.count_ones() as i32
}

/// Squares, occupied or not, that touch all groups of pieces but at most one. A move connects all pieces only to one of
/// these: the group that the target does not touch may have been the moved piece alone.
#[inline]
pub(crate) fn joints(pieces: Bitboard) -> Bitboard {
    // Squares that touch all groups so far, and all but at most one.
    let (mut all, mut all_but_one) = (!0, !0);
    let mut rest = pieces;
    while rest != 0 && all_but_one != 0 {
        let group = group(rest);
        let near = grown(group);
        all_but_one = all_but_one & near | all;
        all &= near;
        rest ^= group;
    }
    all_but_one
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
    use crate::game::bits;
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
    fn joints_touch_all_groups_but_one() {
        let mut rng = StdRng::seed_from_u64(4);
        let mut numbers = [0; 3];
        for _ in 0..20_000 {
            let pieces = (0..rng.random_range(1..8)).fold(0, |pieces, _| pieces | 1 << rng.random_range(0..64));
            let (mut groups, mut rest) = (Vec::new(), pieces);
            while rest != 0 {
                groups.push(group(rest));
                rest ^= group(rest);
            }
            for square in 0..64 {
                let apart = groups.iter().filter(|&&group| grown(group) & 1 << square == 0).count();
                assert_eq!(joints(pieces) >> square & 1 == 1, apart <= 1, "{square} of {pieces:#x}");
                numbers[apart.min(2)] += 1;
            }
        }
        assert!(numbers.into_iter().all(|number| number > 10_000), "{numbers:?}");
    }

    #[test]
    fn one_piece_is_connected_and_none_is_not() {
        assert!(!is_connected(0));
        assert!(is_connected(1 << 63));
    }
}
