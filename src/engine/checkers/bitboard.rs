//! Sets of squares: a `u32`, laid out so that every step is one rotation.
//!
//! ```text
//!   8 |    05  31  25  19
//!   7 | 04  30  24  18          ne: rotate left 1      nw: rotate left 7
//!   6 |    29  23  17  11       sw: rotate right 1     se: rotate right 7
//!   5 | 28  22  16  10
//!   4 |    21  15  09  03       Rotating the board by 180° reverses the bits.
//!   3 | 20  14  08  02
//!   2 |    13  07  01  27       (the bit of each dark square, White below)
//!   1 | 12  06  00  26
//!      +----------------
//!       a b c d e f g h
//! ```
//!
//! The layout is Jonathan Kreuzer's (3dkingdoms.com, "Checkers bitboards"), rotated so that turning the board by 180°
//! simply reverses the bits.
//!
//! A step masks out the squares (`.`) from which it would leave the board, then rotates the rest (`x`):
//!
//! ```text
//!     north-east, rotate left 1    north-west, rotate left 7
//!   8 |   .   .   .   .          8 |   .   .   .   .
//!   7 | x   x   x   x            7 | .   x   x   x
//!   6 |   x   x   x   .          6 |   x   x   x   x
//!   5 | x   x   x   x            5 | .   x   x   x
//!   4 |   x   x   x   .          4 |   x   x   x   x
//!   3 | x   x   x   x            3 | .   x   x   x
//!   2 |   x   x   x   .          2 |   x   x   x   x
//!   1 | x   x   x   x            1 | .   x   x   x
//!     +----------------            +----------------
//!       a b c d e f g h              a b c d e f g h
//! ```
//!
//! South-east and south-west mask out rank 1 instead of rank 8, and rotate right by 7 and 1.

/// A step to a diagonal neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
}

impl Direction {
    pub(crate) const ALL: [Direction; 4] =
        [Direction::NorthEast, Direction::NorthWest, Direction::SouthEast, Direction::SouthWest];

    /// Squares one step from those in `set`; pieces at the edge step off the board.
    #[inline(always)]
    pub(crate) const fn step(self, set: u32) -> u32 {
        match self {
            Direction::NorthEast => (set & !(RANK_8 | FILE_H)).rotate_left(1),
            Direction::NorthWest => (set & !(RANK_8 | FILE_A)).rotate_left(7),
            Direction::SouthEast => (set & !(RANK_1 | FILE_H)).rotate_right(7),
            Direction::SouthWest => (set & !(RANK_1 | FILE_A)).rotate_right(1),
        }
    }

    /// Returns the bit `steps` steps back from bit `index`.
    #[inline(always)]
    pub(crate) const fn back(self, index: usize, steps: usize) -> usize {
        let by = match self {
            Direction::NorthEast => 31,
            Direction::NorthWest => 25,
            Direction::SouthEast => 7,
            Direction::SouthWest => 1,
        };
        (index + steps * by) & 31
    }
}

/// Returns the bit of the dark square in column 0 (a) to 7 (h), row 0 (rank 1) to 7 (rank 8).
pub(crate) const fn index(column: i32, row: i32) -> usize {
    // The square is u steps north-east and v steps north-west of a1, whose bit is CORNER.
    const CORNER: i32 = 12;
    let (u, v) = ((row + column) / 2, (row - column) / 2);
    (CORNER + u + 7 * v).rem_euclid(32) as usize
}

/// Returns the set drawn as eight rows, rank 8 first, with `x` on its squares.
pub(crate) const fn draw(rows: [&str; 8]) -> u32 {
    let mut set = 0;
    let mut row = 0;
    while row < 8 {
        let line = rows[7 - row].as_bytes();
        let mut column = 0;
        while column < 8 {
            if line[column] == b'x' {
                assert!((row + column) % 2 == 0, "a light square");
                set |= 1 << index(column as i32, row as i32);
            }
            column += 1;
        }
        row += 1;
    }
    set
}

pub(crate) const RANK_1: u32 =
    draw(["........", "........", "........", "........", "........", "........", "........", "x.x.x.x."]);
pub(crate) const RANK_8: u32 = RANK_1.reverse_bits();
pub(crate) const FILE_A: u32 =
    draw(["........", "x.......", "........", "x.......", "........", "x.......", "........", "x......."]);
pub(crate) const FILE_H: u32 = FILE_A.reverse_bits();

#[cfg(test)]
mod tests {
    use super::*;

    fn squares() -> impl Iterator<Item = (i32, i32)> {
        (0..8).flat_map(|row| (0..8).map(move |column| (column, row))).filter(|(c, r)| (c + r) % 2 == 0)
    }

    #[test]
    fn every_dark_square_has_its_own_bit() {
        assert_eq!(squares().fold(0u32, |set, (c, r)| set | 1 << index(c, r)), u32::MAX);
    }

    #[test]
    fn steps_keep_their_direction_and_stop_at_the_edge() {
        for (column, row) in squares() {
            for direction in Direction::ALL {
                let (dc, dr) = match direction {
                    Direction::NorthEast => (1, 1),
                    Direction::NorthWest => (-1, 1),
                    Direction::SouthEast => (1, -1),
                    Direction::SouthWest => (-1, -1),
                };
                let (c, r) = (column + dc, row + dr);
                let expected = if (0..8).contains(&c) && (0..8).contains(&r) { 1 << index(c, r) } else { 0 };
                assert_eq!(direction.step(1 << index(column, row)), expected);
                if expected != 0 {
                    assert_eq!(direction.back(index(c, r), 1), index(column, row));
                }
            }
        }
    }

    #[test]
    fn reversal_rotates_the_board_by_180_degrees() {
        for (column, row) in squares() {
            assert_eq!((1u32 << index(column, row)).reverse_bits(), 1 << index(7 - column, 7 - row));
        }
    }
}
