//! Which weights? In hundredths of a man, one on a full board and one on an empty one.

use super::features::COUNT;
use crate::checkers::Square;
use crate::evaluate::tapered::{PieceRange, Tapered};

/// The numbers of pieces that the weights are for.
pub(super) const BOARD: PieceRange = PieceRange { full: 24, few: 0 };

/// For the side to move.
pub(super) const TURN: Tapered = Tapered::new(2, 2);

/// For having "the move", with equal numbers of pieces.
pub(super) const THE_MOVE: Tapered = Tapered::new(-2, 3);

/// Times the difference in pieces, divided by their number.
pub(super) const AHEAD: i32 = 150;

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
    Tapered::new(7, -2),   // men that cannot be captured from behind
    Tapered::new(9, 3),    // safe squares for men
    Tapered::new(1, 4),    // men that cannot move
    Tapered::new(14, -6),  // safe squares for kings
    Tapered::new(-12, -5), // kings without one
    Tapered::new(21, 7),   // runaway men one step from the far rank
    Tapered::new(6, -1),   // two steps
    Tapered::new(-39, 16), // three or four steps
    Tapered::new(19, 18),  // landing squares of jumps, for the side not to move
    Tapered::new(8, -4),   // pieces in the middle
];

/// Of the men on the back rank: which of a1 (1), c1 (2), e1 (4), g1 (8) they hold, as their owner
/// sees the board, while the enemy has men.
pub(super) const BACK_RANK: [Tapered; 16] = [
    Tapered::new(-50, -10),
    Tapered::new(-35, -14),
    Tapered::new(-11, -16),
    Tapered::new(3, -15),
    Tapered::new(-2, -21),
    Tapered::new(4, -14),
    Tapered::new(15, -7),
    Tapered::new(24, 2),
    Tapered::new(-13, -22),
    Tapered::new(1, -24),
    Tapered::new(11, 17),
    Tapered::new(19, 23),
    Tapered::new(19, -19),
    Tapered::new(20, -4),
    Tapered::new(28, 38),
    Tapered::new(35, 39),
];

/// Men by square, as their owner sees the board, the far rank first.
pub(super) const MEN: [Tapered; 32] = by_square([
    [(93, 93), (93, 93), (93, 93), (93, 93)],
    [(75, 93), (113, 85), (124, 83), (104, 89)],
    [(77, 107), (67, 120), (69, 116), (113, 88)],
    [(93, 107), (77, 109), (70, 113), (81, 102)],
    [(90, 101), (102, 96), (100, 91), (111, 98)],
    [(113, 91), (103, 90), (119, 80), (115, 80)],
    [(120, 78), (136, 82), (136, 77), (128, 79)],
    [(116, 72), (120, 88), (128, 102), (123, 90)],
]);

/// Kings by square, likewise.
pub(super) const KINGS: [Tapered; 32] = by_square([
    [(152, 95), (159, 97), (158, 96), (113, 88)],
    [(150, 97), (154, 102), (155, 104), (139, 103)],
    [(150, 102), (147, 111), (141, 111), (156, 88)],
    [(176, 92), (144, 111), (156, 109), (148, 101)],
    [(154, 104), (153, 106), (139, 117), (143, 98)],
    [(172, 92), (152, 103), (152, 108), (119, 121)],
    [(128, 108), (157, 100), (144, 117), (130, 108)],
    [(94, 84), (148, 91), (160, 100), (135, 108)],
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
