//! All weights. They were fitted to the results of self-play: a score of 100 is a chance to win of 73 %.

use super::lines::KINDS;
use super::shape::COUNT;

/// Weights are in tenths of a hundredth.
pub(super) const SCALE: i32 = 10;

/// The weights of one board size.
#[derive(Debug)]
pub(super) struct Weights {
    /// Of each kind of move of a side.
    pub(super) moves: [i32; KINDS],
    /// Of each feature of a side's shape.
    pub(super) shape: [i32; COUNT],
    /// For the side to move.
    pub(super) turn: i32,
}

/// For the 8x8 board.
pub(super) const LARGE: Weights = Weights {
    moves: [
        6,   // to the inner board
        56,  // from the edge to the inner board
        15,  // to the edge
        149, // captures likewise
        260, 10, -38, // barred toward the middle: walls
        17,  // barred otherwise
    ],
    shape: [
        445,  // pieces
        74,   // surplus distance from their middle (concentration)
        -61,  // 32 times the same, a piece
        -196, // in corners (centralisation)
        -328, // on the edge
        -133, // a step from the edge
        -74,  // two steps
        -168, // steps from the edge to the middle of all pieces (centre of mass)
        85,   // quads of three near that middle
        138,  // quads of four
        -138, // pairs that touch (connectedness)
        31,   // 32 times the same, a piece
        -24,  // area of the smallest rectangle around all pieces (uniformity)
        -219, // groups less holes
        73,   // pieces alone
    ],
    turn: 303,
};

/// For the 6x6 board, in the same order.
pub(super) const SMALL: Weights = Weights {
    moves: [40, 122, 40, 206, 479, 56, -103, 7],
    shape: [350, 186, -80, -137, -125, 227, 397, -255, 325, 805, -152, -18, -29, -721, 185],
    turn: 500,
};
