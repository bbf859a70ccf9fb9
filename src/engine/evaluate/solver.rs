//! The hand-written evaluation for Lines of Action: the moves of both sides, line by line, and the shape of their pieces.
//!
//! Only the solver of 6x6 uses it: the embedded strategy leaves out what the solver proves with this evaluation. With the
//! [learned](super::loa) one, its proofs of neighboring positions may lead in cycles.
//!
//! The features are those of M. Winands, H. van den Herik, J. Uiterwijk, "An evaluation function for Lines of
//! Action", 2003. The value of the moves is updated move by move; the shapes are computed for each evaluation.

mod features;

use std::ops::{AddAssign, Mul, SubAssign};
use std::sync::LazyLock;

use super::loa::lines::{LINES, Pattern, content, line, powers};
use crate::game::{Color, Evaluator, Game};
use crate::loa::{Move, Position};
use crate::score::Score;
use features::{COUNT, LineValues};

/// The evaluation for boards of `N` columns and rows, up to six. Its weights were fitted to the results of self-play on
/// 6x6, so that 100 means a 73 % chance to win.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<const N: usize> {
    values: &'static Values,
}

/// Lookup tables, computed once from the weights.
#[derive(Debug)]
struct Values {
    weights: &'static Weights,
    lines: LineValues,
    /// Weights of a shape's features, by the number of pieces on the board.
    shape: Vec<[i32; COUNT]>,
}

/// The contents of all lines, and the value of all moves on them, Black's minus White's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    patterns: [Pattern; LINES],
    moves: Tapered,
}

static VALUES: LazyLock<Values> = LazyLock::new(|| Values::new::<6>(&WEIGHTS));

impl<const N: usize> Evaluation<N> {
    const POWERS: &'static [[Pattern; 64]; 4] = &powers::<N>();
    const DISTANCES: &'static features::Distances = &features::distances::<N>();

    /// Adds `content` to the digit of `square` in the patterns of its four lines.
    #[inline(always)]
    fn change(&self, state: &mut Lines, square: usize, content: Pattern) {
        for axis in 0..4 {
            let line = line(axis, square);
            let pattern = &mut state.patterns[line];
            state.moves -= self.values.lines.get(line, *pattern);
            *pattern = pattern.wrapping_add(content.wrapping_mul(Self::POWERS[axis][square]));
            state.moves += self.values.lines.get(line, *pattern);
        }
    }

    #[inline(always)]
    fn shape(&self, position: &Position<N>, color: Color) -> features::Features {
        let [pieces, enemies] = [color, !color].map(|color| position.pieces[color.index()]);
        if pieces == 0 { [0; COUNT] } else { features::features::<N>(pieces, enemies, Self::DISTANCES) }
    }
}

impl Values {
    fn new<const N: usize>(weights: &'static Weights) -> Values {
        let at = |pieces| weights.shape.map(|weight| weight.with_pieces(pieces, weights.pieces));
        Values { weights, lines: LineValues::new::<N>(weights), shape: (0..=64).map(at).collect() }
    }
}

impl<const N: usize> Default for Evaluation<N> {
    fn default() -> Evaluation<N> {
        Evaluation { values: &VALUES }
    }
}

impl<const N: usize> Evaluator<Position<N>> for Evaluation<N> {
    type State = Lines;

    fn start(&self, position: &Position<N>) -> Lines {
        let mut state = Lines { patterns: [0; LINES], moves: Tapered::default() };
        for (square, color) in position.placed() {
            self.change(&mut state, square.index(), content(color));
        }
        state
    }

    #[inline]
    fn advance(&self, state: &Lines, before: &Position<N>, mv: Move, _: &Position<N>, next: &mut Lines) {
        *next = *state;
        let us = content(before.turn());
        self.change(next, mv.from.index(), us.wrapping_neg());
        let taken = if before.captures(mv) { content(!before.turn()) } else { 0 };
        self.change(next, mv.to.index(), us.wrapping_sub(taken));
    }

    /// The state does not depend on the side to move.
    fn passed(&self, state: &Lines, _: &Position<N>, next: &mut Lines) {
        *next = *state;
    }

    #[inline]
    fn evaluate(&self, state: &Lines, position: &Position<N>) -> Score {
        let Values { weights, shape, .. } = self.values;
        let pieces = position.count(Color::Black) + position.count(Color::White);
        let (black, white) = (self.shape(position, Color::Black), self.shape(position, Color::White));
        let features = black.iter().zip(white).map(|(black, white)| black - white);
        let shape: i32 = features.zip(&shape[pieces as usize]).map(|(feature, weight)| feature * weight).sum();
        let black = state.moves.with_pieces(pieces, weights.pieces) + shape;
        let value = match position.turn() {
            Color::Black => black,
            Color::White => -black,
        };
        let turn = weights.turn.with_pieces(pieces, weights.pieces);
        Score::estimate((value + turn) / SCALE)
    }
}

/// Number of kinds of moves. `lines` defines their order.
const KINDS: usize = 8;

/// Weight units per hundredth of the evaluation's unit.
const SCALE: i32 = 10;

#[derive(Debug)]
struct Weights {
    /// Piece counts between which the weights are interpolated.
    pieces: PieceRange,
    moves: [Tapered; KINDS],
    shape: [Tapered; COUNT],
    turn: Tapered,
}

const fn w(full: i32, few: i32) -> Tapered {
    Tapered::new(full, few)
}

const WEIGHTS: Weights = Weights {
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

/// A value on a full board and a value with few pieces, interpolated linearly in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tapered {
    full: i32,
    few: i32,
}

#[derive(Clone, Copy, Debug)]
struct PieceRange {
    full: u32,
    /// Number of pieces that count as few; below `full`.
    few: u32,
}

impl Tapered {
    const fn new(full: i32, few: i32) -> Tapered {
        Tapered { full, few }
    }

    /// Interpolates the value for `pieces` pieces on the board.
    #[inline(always)]
    fn with_pieces(self, pieces: u32, range: PieceRange) -> i32 {
        let PieceRange { full, few } = range;
        let more = (pieces.clamp(few, full) - few) as i32;
        let all = (full - few) as i32;
        (self.full * more + self.few * (all - more)) / all
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        self.full += other.full;
        self.few += other.few;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        self.full -= other.full;
        self.few -= other.few;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, count: i32) -> Tapered {
        Tapered { full: self.full * count, few: self.few * count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_follows_the_moves_and_exchanged_colors_have_the_same_value() {
        let evaluation = Evaluation::<6>::default();
        let mut position = Position::start();
        let mut state = evaluation.start(&position);
        for turn in 0..200 {
            let list = position.legal_moves();
            if list.is_empty() || position.outcome().is_some() {
                position = Position::start();
                state = evaluation.start(&position);
                continue;
            }
            let (before, mv) = (position, list[turn * 7 % list.len()]);
            position = before.play(mv);
            let mut next = state;
            evaluation.advance(&state, &before, mv, &position, &mut next);
            state = next;
            assert_eq!(state, evaluation.start(&position), "{position}");
            let exchanged = position.exchanged();
            let value = evaluation.evaluate(&evaluation.start(&exchanged), &exchanged);
            assert_eq!(value, evaluation.evaluate(&state, &position), "{position}");
        }
    }

    #[test]
    fn values_change_evenly_between_full_and_few() {
        let range = PieceRange { full: 24, few: 8 };
        let value = Tapered::new(100, -60);
        let seen = [0, 8, 12, 16, 24, 30].map(|pieces| value.with_pieces(pieces, range));
        assert_eq!(seen, [-60, -60, -20, 20, 100, 100]);
    }

    #[test]
    fn sums_apply_to_both_values() {
        let mut sum = Tapered::new(1, 2);
        sum += Tapered::new(10, 20) * 3;
        sum -= Tapered::new(1, 1);
        assert_eq!(sum, Tapered::new(30, 61));
    }
}
