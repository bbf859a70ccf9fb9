//! All weights, in hundredths of a man: on a full board and on an empty one.

use super::Tapered;
use super::features::COUNT;
use crate::checkers::square::Square;

/// Pieces on a full board.
pub(super) const FULL_BOARD: i32 = 24;

/// For the side on turn.
pub(super) const TURN: Tapered = Tapered::new(0, 2);

/// For having the move, with equal numbers of pieces.
pub(super) const THE_MOVE: Tapered = Tapered::new(-5, 6);

/// Times the difference in pieces, divided by their number.
pub(super) const AHEAD: i32 = 271;

/// Endings that are hard to win.
pub(super) struct Drawish {
    /// With at most this many pieces.
    pub(super) pieces: i32,
    /// What is left of the value.
    pub(super) percent: i32,
}

/// See [`Drawish`].
pub(super) const DRAWISH: Drawish = Drawish { pieces: 6, percent: 60 };

/// Of the features of each side, in their order.
pub(super) const FEATURES: [Tapered; COUNT] = [
    Tapered::new(12, -5),  // men that cannot be taken from behind
    Tapered::new(9, 8),    // safe squares for men
    Tapered::new(2, 3),    // men that cannot move
    Tapered::new(15, -5),  // safe squares for kings
    Tapered::new(20, -25), // kings without one
    Tapered::new(-6, 19),  // runaway men one step from the far rank
    Tapered::new(-19, 16), // two steps
    Tapered::new(-62, 31), // three or four steps
    Tapered::new(29, 16),  // landing squares of jumps, for the side not on turn
    Tapered::new(28, -1),  // pieces in the middle
];

/// Of the men on the back rank: which of a1 (1), c1 (2), e1 (4), g1 (8) they hold, as their owner
/// sees the board, while the foe has men.
pub(super) const BACK_RANK: [Tapered; 16] = [
    Tapered::new(0, 0),
    Tapered::new(46, -14),
    Tapered::new(46, -14),
    Tapered::new(92, -28),
    Tapered::new(46, -14),
    Tapered::new(92, -28),
    Tapered::new(92, -28),
    Tapered::new(138, -42),
    Tapered::new(46, -14),
    Tapered::new(92, -28),
    Tapered::new(92, 15),
    Tapered::new(138, 1),
    Tapered::new(92, -28),
    Tapered::new(138, -42),
    Tapered::new(138, 1),
    Tapered::new(184, -13),
];

/// Men by square, as their owner sees the board, the far rank first.
pub(super) const MEN: [Tapered; 32] = by_square([
    [(86, 86), (86, 86), (86, 86), (86, 86)],
    [(77, 103), (113, 96), (106, 94), (44, 119)],
    [(81, 109), (56, 118), (61, 112), (134, 89)],
    [(114, 104), (77, 99), (60, 108), (89, 104)],
    [(105, 95), (101, 90), (110, 73), (139, 87)],
    [(136, 78), (106, 77), (120, 76), (143, 65)],
    [(142, 67), (155, 71), (158, 63), (154, 66)],
    [(104, 78), (118, 98), (125, 119), (113, 95)],
]);

/// Kings by square, likewise.
pub(super) const KINGS: [Tapered; 32] = by_square([
    [(122, 124), (145, 116), (152, 110), (88, 108)],
    [(100, 135), (149, 117), (176, 100), (114, 113)],
    [(139, 121), (132, 106), (101, 113), (128, 104)],
    [(195, 96), (138, 103), (132, 107), (144, 107)],
    [(173, 94), (134, 112), (134, 103), (139, 102)],
    [(178, 93), (103, 122), (126, 109), (126, 117)],
    [(111, 113), (140, 117), (107, 132), (92, 133)],
    [(105, 73), (79, 137), (180, 99), (98, 131)],
]);

/// Turns ranks of squares, left to right as White sees them, into a table by bits.
const fn by_square(ranks: [[(i32, i32); 4]; 8]) -> [Tapered; 32] {
    let mut table = [Tapered::new(0, 0); 32];
    let mut number = 0;
    while number < 32 {
        if let Some(square) = Square::from_number(number + 1) {
            let (full, empty) = ranks[number / 4][number % 4];
            table[square.index()] = Tapered::new(full, empty);
        }
        number += 1;
    }
    table
}
