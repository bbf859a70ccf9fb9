//! Which weights? Fitted to the results of self-play: a score of 100 is a 73 % chance to win.

use super::shape::COUNT;
use crate::evaluate::tapered::{PieceRange, Tapered};

/// Kinds of moves that have a weight of their own, in the order of [`count`](super::lines::count).
pub(super) const KINDS: usize = 8;

/// Weights are in tenths of a hundredth.
pub(super) const SCALE: i32 = 10;

/// The weights of one board size.
#[derive(Debug)]
pub(super) struct Weights {
    /// The numbers of pieces that the weights are for: at the start, and few.
    pub(super) pieces: PieceRange,
    /// Of each kind of move of a side.
    pub(super) moves: [Tapered; KINDS],
    /// Of each feature of a side's shape.
    pub(super) shape: [Tapered; COUNT],
    /// For the side to move.
    pub(super) turn: Tapered,
}

const fn w(full: i32, few: i32) -> Tapered {
    Tapered::new(full, few)
}

/// For the 8x8 board.
pub(super) const LARGE: Weights = Weights {
    pieces: PieceRange { full: 24, few: 8 },
    moves: [
        w(-7, 61),   // to the inner board
        w(22, 120),  // from the edge to the inner board
        w(-5, 31),   // to the edge
        w(110, 178), // captures likewise
        w(172, 458),
        w(25, 6),
        w(-44, -27), // barred toward the middle: walls
        w(4, 33),    // barred otherwise
    ],
    shape: [
        w(759, 176),   // pieces
        w(5, -65),     // surplus distance from their middle (concentration)
        w(-1, -25),    // 32 times the same, a piece
        w(-527, -227), // in corners (centralization)
        w(-426, -312), // on the edge
        w(-176, 7),    // a step from the edge
        w(-96, 70),    // two steps
        w(-170, -257), // half steps from the edge to the middle of all pieces (center of mass)
        w(122, 39),    // quads of three near that middle
        w(437, -221),  // quads of four
        w(-133, 10),   // pairs that touch (connectedness)
        w(15, 2),      // 32 times the same, a piece
        w(3, -60),     // area of the smallest rectangle around all pieces (uniformity)
        w(-118, -491), // groups less holes
        w(614, 74),    // one such, or none
        w(170, 649),   // two
        w(14, 277),    // pieces alone
        w(-28, -342),  // enemies within a step of the middle
        w(33, -298),   // enemies that touch
    ],
    turn: w(236, 452),
};

/// For the 6x6 board, in the same order.
pub(super) const SMALL: Weights = Weights {
    pieces: PieceRange { full: 16, few: 6 },
    moves: [
        w(6, 201),   // to the inner board
        w(121, 171), // from the edge to the inner board
        w(13, 79),   // to the edge
        w(359, 222), // captures likewise
        w(508, 378),
        w(45, -86),
        w(-75, -100), // barred toward the middle: walls
        w(-9, 28),    // barred otherwise
    ],
    shape: [
        w(651, -437),  // pieces
        w(-32, -156),  // surplus distance from their middle (concentration)
        w(4, -16),     // 32 times the same, a piece
        w(-405, -419), // in corners (centralization)
        w(-248, -220), // on the edge
        w(347, -58),   // a step from the edge
        w(628, -189),  // two steps
        w(-103, -411), // half steps from the edge to the middle of all pieces (center of mass)
        w(235, -281),  // quads of three near that middle
        w(438, -1245), // quads of four
        w(-86, 713),   // pairs that touch (connectedness)
        w(-9, -47),    // 32 times the same, a piece
        w(15, -102),   // area of the smallest rectangle around all pieces (uniformity)
        w(-320, -473), // groups less holes
        w(441, -249),  // one such, or none
        w(129, 756),   // two
        w(76, 341),    // pieces alone
        w(-154, -369), // enemies within a step of the middle
        w(34, -313),   // enemies that touch
    ],
    turn: w(453, 614),
};
