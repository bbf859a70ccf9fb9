//! All weights, in hundredths of a man: on a full board and on an empty one.

use super::Tapered;
use super::features::COUNT;
use crate::checkers::square::Square;

/// Pieces on a full board.
pub(super) const FULL_BOARD: i32 = 24;

/// For the side on turn.
pub(super) const TURN: Tapered = Tapered::new(4, 4);

/// For having the move, with equal numbers of pieces.
pub(super) const THE_MOVE: Tapered = Tapered::new(0, 4);

/// Times the difference in pieces, divided by their number.
pub(super) const AHEAD: i32 = 250;

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
    Tapered::new(12, 6),    // the bridge is held
    Tapered::new(4, 2),     // men on the back rank while the foe has men
    Tapered::new(2, 2),     // men that cannot be taken from behind
    Tapered::new(2, 3),     // safe squares for men
    Tapered::new(-3, -6),   // men that cannot move
    Tapered::new(2, 4),     // safe squares for kings
    Tapered::new(-25, -30), // kings without one
    Tapered::new(30, 40),   // runaway men one step from the far rank
    Tapered::new(20, 30),   // two steps
    Tapered::new(12, 20),   // three or four steps
    Tapered::new(10, 10),   // landing squares of jumps, for the side not on turn
    Tapered::new(3, 2),     // pieces in the middle
];

/// Men by square, as their owner sees the board, the far rank first.
pub(super) const MEN: [Tapered; 32] = by_square([
    [(100, 100), (100, 100), (100, 100), (100, 100)],
    [(118, 125), (118, 125), (118, 125), (118, 125)],
    [(110, 115), (112, 116), (112, 116), (110, 115)],
    [(105, 108), (108, 110), (108, 110), (104, 108)],
    [(102, 104), (106, 106), (106, 106), (102, 104)],
    [(100, 101), (103, 102), (103, 102), (100, 101)],
    [(99, 98), (100, 99), (100, 99), (99, 98)],
    [(100, 96), (102, 96), (100, 96), (102, 96)],
]);

/// Kings by square, likewise.
pub(super) const KINGS: [Tapered; 32] = by_square([
    [(135, 132), (135, 130), (132, 128), (128, 124)],
    [(132, 132), (138, 138), (138, 138), (134, 132)],
    [(134, 134), (142, 142), (142, 142), (136, 134)],
    [(134, 134), (144, 144), (144, 144), (136, 136)],
    [(134, 136), (144, 144), (144, 144), (136, 134)],
    [(134, 134), (142, 142), (142, 142), (136, 134)],
    [(132, 132), (138, 138), (138, 138), (134, 132)],
    [(124, 124), (132, 128), (135, 130), (135, 132)],
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
