//! The hand-written evaluation for Lines of Action: the moves of both sides, line by line, and the shape of their pieces.
//!
//! Only the solver of 6x6 uses it: the embedded strategy leaves out what the solver proves with this evaluation. With the
//! [learned](super::loa) one, its proofs of neighboring positions may lead in cycles.
//!
//! The features are those of M. Winands, H. van den Herik, J. Uiterwijk, "An evaluation function for Lines of
//! Action", 2003. The value of the moves is updated move by move; the shapes are computed for each evaluation.

mod lines;
mod shape;
mod tapered;
mod weights;

use std::sync::LazyLock;

use crate::evaluate::loa::lines::{LINES, Pattern, line, powers};
use crate::game::{Color, Evaluator, Game};
use crate::loa::{Move, Position};
use crate::score::Score;
use lines::LineValues;
use shape::COUNT;
use tapered::Tapered;
use weights::{SCALE, Weights};

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

static VALUES: LazyLock<Values> = LazyLock::new(|| Values::new::<6>(&weights::WEIGHTS));

impl<const N: usize> Evaluation<N> {
    const POWERS: &'static [[Pattern; 64]; 4] = &powers::<N>();
    const DISTANCES: &'static shape::Distances = &shape::distances::<N>();

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

    /// Features of a side's shape.
    #[inline(always)]
    fn shape(&self, position: &Position<N>, color: Color) -> shape::Features {
        let [pieces, enemies] = [color, !color].map(|color| position.pieces[color.index()]);
        if pieces == 0 { [0; COUNT] } else { shape::features::<N>(pieces, enemies, Self::DISTANCES) }
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

/// Digit of a piece in the pattern of a line.
const fn content(color: Color) -> Pattern {
    1 + color as Pattern
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
}
