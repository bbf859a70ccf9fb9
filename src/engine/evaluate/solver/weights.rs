//! Weights, fitted to the results of self-play so that a score of 100 means a 73 % chance to win.

use super::shape::COUNT;
use super::tapered::{PieceRange, Tapered};

/// Number of kinds of moves. `lines` defines their order.
pub(super) const KINDS: usize = 8;

/// Weight units per hundredth of the evaluation's unit.
pub(super) const SCALE: i32 = 10;

/// Weights of an evaluation.
#[derive(Debug)]
pub(super) struct Weights {
    /// Piece counts between which the weights are interpolated.
    pub(super) pieces: PieceRange,
    /// Weight of each kind of move.
    pub(super) moves: [Tapered; KINDS],
    /// Weight of each feature of a shape.
    pub(super) shape: [Tapered; COUNT],
    /// Bonus for the side to move.
    pub(super) turn: Tapered,
}

const fn w(full: i32, few: i32) -> Tapered {
    Tapered::new(full, few)
}

/// Weights for the 6x6 board.
pub(super) const WEIGHTS: Weights = Weights {
    pieces: PieceRange { full: 16, few: 6 },
    moves: [
        w(6, 201),   // within the inner board
        w(121, 171), // from the edge to the inner board
        w(13, 79),   // to the edge
        w(359, 222), // captures: the same three kinds
        w(508, 378),
        w(45, -86),
        w(-75, -100), // blocked toward the middle: walls
        w(-9, 28),    // blocked otherwise
    ],
    shape: [
        w(651, -437),  // pieces
        w(-32, -156),  // surplus distance from their center (concentration)
        w(4, -16),     // the same per piece, times 32
        w(-405, -419), // in corners (centralization)
        w(-248, -220), // on the edge
        w(347, -58),   // a step from the edge
        w(628, -189),  // two steps
        w(-103, -411), // half steps from the edge to the center of mass
        w(235, -281),  // quads of three near that center
        w(438, -1245), // quads of four
        w(-86, 713),   // pairs that touch (connectedness)
        w(-9, -47),    // the same per piece, times 32
        w(15, -102),   // area of the bounding rectangle (uniformity)
        w(-320, -473), // groups minus holes
        w(441, -249),  // 1 if that number is at most one
        w(129, 756),   // 1 if it is two
        w(76, 341),    // isolated pieces
        w(-154, -369), // enemies within a step of the center
        w(34, -313),   // enemies that touch
    ],
    turn: w(453, 614),
};
