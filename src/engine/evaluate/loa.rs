//! The evaluation for Lines of Action: a small network, learned from self-play.
//!
//! Its input features are the quads of both sides; see [`quads`]. The contents of lines determine all moves and bypass
//! the hidden neurons; see [`lines`]. The sum of the lines is updated move by move, the rest is computed for each evaluation.

pub mod lines;
pub mod quads;

use std::sync::Arc;

use super::network::{HIDDEN_ONE, Network, Row, Shape, Source, WeightsError};
use crate::game::{Color, Evaluator, Game, zobrist};
use crate::loa::bitboard::Bitboard;
use crate::loa::{Move, Position};
use crate::score::Score;
use lines::{LINES, Pattern, content};

/// Number of hidden neurons per side.
pub const HIDDEN: usize = 64;
/// Number of stages.
pub const STAGES: usize = 1;
/// Number of position buckets, each with its own last layer.
pub const BUCKETS: usize = 4;

type Weights = Network<HIDDEN, STAGES, BUCKETS>;

/// The embedded weight file for the 8x8 board.
pub const LARGE: &[u8] = include_bytes!("loa/large.weights");
/// The embedded weight file for the 6x6 board, also used on smaller ones.
pub const SMALL: &[u8] = include_bytes!("loa/small.weights");
/// The embedded weights of the features, decoded at compile time.
static LARGE_INPUTS: [Row<HIDDEN>; quads::inputs(8)] = Weights::decode_inputs(LARGE);
static SMALL_INPUTS: [Row<HIDDEN>; quads::inputs(6)] = Weights::decode_inputs(SMALL);
static LARGE_INSIDE: Weights = Network::decode(LARGE, shape(8), &LARGE_INPUTS);
static SMALL_INSIDE: Weights = Network::decode(SMALL, shape(6), &SMALL_INPUTS);

/// Returns the shape of the network for a board of `n` columns and rows, 8 or 6.
pub const fn shape(n: usize) -> Shape {
    Shape {
        game: if n == 8 { "loa" } else { "loa6" },
        inputs: quads::inputs(n),
        most_input: 5 * HIDDEN_ONE / 2,
        direct: lines::patterns(n),
    }
}

/// Returns the bucket of positions with `pieces` pieces on a board of `n` columns and rows, 8 or 6.
#[inline]
pub const fn bucket(n: usize, pieces: u32) -> usize {
    // A game begins with 24 or 16 pieces. With few left, there is nothing to tell apart.
    let full: usize = if n == 8 { 24 } else { 16 };
    let bucket = full.saturating_sub(pieces as usize) * BUCKETS / (full - 4);
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// The evaluation for Lines of Action, by default with the embedded weights. Learning took 100 as a 73 % chance to win. At
/// the score of a search, the chances are better: it has looked ahead.
#[derive(Clone, Debug)]
pub struct Evaluation<const N: usize> {
    network: Source<Weights>,
    /// Seed of the noise; 0 means no noise.
    variety: u64,
}

/// The embedded weights, without noise.
impl<const N: usize> Default for Evaluation<N> {
    fn default() -> Evaluation<N> {
        Evaluation { network: Source::Embedded(if N == 8 { &LARGE_INSIDE } else { &SMALL_INSIDE }), variety: 0 }
    }
}

/// The contents of all lines, and the sum of their values, Black's minus White's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    patterns: [Pattern; LINES],
    sum: i32,
}

/// Largest noise in either direction, in hundredths.
const VARIETY: u64 = 4;

impl<const N: usize> Evaluation<N> {
    /// Columns and rows of the board that the network knows: smaller boards are its lower left corner.
    const BOARD: usize = if N == 8 { 8 } else { 6 };
    const POWERS: &'static [[Pattern; 64]; 4] = if N == 8 { &lines::powers::<8>() } else { &lines::powers::<6>() };
    const FIRST: &'static [Pattern; LINES] =
        if N == 8 { &lines::first_patterns::<8>() } else { &lines::first_patterns::<6>() };

    /// Reads weights from the bytes of a file.
    ///
    /// # Errors
    /// The bytes are not weights for this board, or are damaged.
    pub fn read(bytes: &[u8]) -> Result<Evaluation<N>, WeightsError> {
        let network = Source::Read(Arc::new(Network::read(bytes, shape(Self::BOARD))?));
        Ok(Evaluation { network, variety: 0 })
    }

    /// Adds noise of a few hundredths, so that games vary. `variety` is the seed; 0 means no noise.
    #[must_use]
    pub fn with_variety(self, variety: u64) -> Evaluation<N> {
        Evaluation { variety, ..self }
    }

    /// Adds `content` to the digit of `square` in the patterns of its four lines.
    #[inline(always)]
    fn change(&self, state: &mut Lines, square: usize, content: Pattern) {
        let values = self.network.direct();
        for axis in 0..4 {
            let line = lines::line(axis, square);
            let pattern = &mut state.patterns[line];
            let value = |pattern: Pattern| i32::from(values.get(usize::from(Self::FIRST[line] + pattern)));
            state.sum -= value(*pattern);
            *pattern = pattern.wrapping_add(content.wrapping_mul(Self::POWERS[axis][square]));
            state.sum += value(*pattern);
        }
    }

    /// Noise for a position; always the same for the same position.
    #[inline(always)]
    fn noise(&self, position: &Position<N>) -> i32 {
        if self.variety == 0 {
            return 0;
        }
        let number = zobrist::number(position.key() ^ self.variety);
        (number % (2 * VARIETY + 1)) as i32 - VARIETY as i32
    }
}

impl<const N: usize> Evaluator<Position<N>> for Evaluation<N> {
    type State = Lines;

    const IS_COSTLY: bool = true;

    fn start(&self, position: &Position<N>) -> Lines {
        let mut state = Lines { patterns: [0; LINES], sum: 0 };
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
        let sides = [position.turn(), !position.turn()].map(|color| position.pieces[color.index()]);
        let lines = if position.turn() == Color::Black { state.sum } else { -state.sum };
        Score::estimate(value_of(&self.network, Self::BOARD, sides, lines) + self.noise(position))
    }
}

/// The network's value on a board of `board` columns and rows, 8 or 6.
// Neither generic nor inlined: other crates would compile its loops with less optimization.
#[inline(never)]
fn value_of(network: &Weights, board: usize, sides: [Bitboard; 2], lines: i32) -> i32 {
    let pieces = (sides[0] | sides[1]).count_ones();
    let [own, theirs] = if board == 8 { quads::seen::<8>(sides) } else { quads::seen::<6>(sides) };
    let quads = quads::count(board);
    network.value(0, bucket(board, pieces), [&own[..quads], &theirs[..quads]], lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::Square;

    #[test]
    fn the_embedded_weights_are_those_of_their_files() {
        assert!(*Evaluation::<8>::read(LARGE).unwrap().network == LARGE_INSIDE);
        assert!(*Evaluation::<6>::read(SMALL).unwrap().network == SMALL_INSIDE);
    }

    #[test]
    fn weights_of_another_board_are_refused() {
        let error = Evaluation::<8>::read(SMALL).unwrap_err().to_string();
        assert_eq!(error, "found weights for loa6, expected weights for loa");
    }

    #[test]
    fn buckets_follow_the_number_of_pieces() {
        let buckets = |n, pieces: [u32; 6]| pieces.map(|pieces| bucket(n, pieces));
        assert_eq!(buckets(8, [24, 20, 19, 14, 9, 2]), [0, 0, 1, 2, 3, 3]);
        assert_eq!(buckets(6, [16, 14, 13, 10, 7, 2]), [0, 0, 1, 2, 3, 3]);
    }

    fn value<const N: usize>(position: &Position<N>) -> Score {
        let evaluation = Evaluation::<N>::default();
        evaluation.evaluate(&evaluation.start(position), position)
    }

    #[test]
    fn exchanged_colors_have_the_same_value() {
        let mut position = Position::<8>::start();
        for turn in 0..60 {
            let list = position.legal_moves();
            position = position.play(list[turn * 7 % list.len()]);
            assert_eq!(value(&position), value(&position.exchanged()), "{position}");
        }
    }

    #[test]
    fn the_side_with_the_better_shape_has_the_higher_value() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let near = ["d4", "d5", "e4", "e5", "c4", "f6"].map(|name| (square(name), Color::Black));
        let far = ["a1", "h8", "a8", "h1", "a4", "h5"].map(|name| (square(name), Color::White));
        let position = Position::<8>::new(Color::Black, near.into_iter().chain(far));
        assert!(value(&position) > Score::estimate(100), "{}", value(&position));
        assert!(value(&position.with_turn(Color::White)) < Score::estimate(-100));
    }

    #[test]
    fn variety_changes_values_by_a_few_hundredths() {
        let position = Position::<8>::start();
        let plain = value(&position).value();
        let varied = |seed| {
            let evaluation = Evaluation::<8>::default().with_variety(seed);
            evaluation.evaluate(&evaluation.start(&position), &position).value()
        };
        assert!((1..50).all(|seed| varied(seed).abs_diff(plain) <= VARIETY as u16 && varied(seed) == varied(seed)));
        assert!((1..50).any(|seed| varied(seed) != plain));
    }
}
