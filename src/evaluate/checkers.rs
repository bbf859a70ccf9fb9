//! The evaluation for checkers: a small network, learned from self-play.

mod features;

use std::sync::Arc;

use super::network::{Accumulator, Network, WeightsError};
use crate::checkers::{Move, Piece, Position, Square};
use crate::game::bits::bits;
use crate::game::{Color, Evaluator, Game};
use crate::score::Score;
pub use features::{
    BUCKETS, INPUTS, PATTERNS, PLACES, STAGES, TILES, bucket, counts, features, first_input, is_tiled, places, stage,
    tiles, turn_around,
};
use features::{Patterns, man, patterns, place, sides};

/// Number of hidden neurons per side.
pub const HIDDEN: usize = 64;
/// Name of the game in weight files.
const GAME: &str = "checkers";

type Weights = Network<INPUTS, HIDDEN, STAGES, BUCKETS>;

/// The embedded weight file.
pub const EMBEDDED: &[u8] = include_bytes!("checkers/embedded.weights");
/// The embedded weights, decoded at compile time. They are used in place, so the system loads only the pages that a
/// search touches.
static INSIDE: Weights = Network::decode(EMBEDDED);

/// The evaluation for checkers, by default with the embedded weights. 100 is about one man.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Weights read from a file; clones share them.
    own: Option<Arc<Weights>>,
}

impl Evaluation {
    /// Reads weights from the bytes of a file.
    ///
    /// # Errors
    /// The bytes are not checkers weights, or are damaged.
    pub fn read(bytes: &[u8]) -> Result<Evaluation, WeightsError> {
        Ok(Evaluation { own: Some(Arc::new(Network::read(bytes, GAME)?)) })
    }

    #[inline(always)]
    fn network(&self) -> &Weights {
        self.own.as_deref().unwrap_or(&INSIDE)
    }
}

#[inline(always)]
fn stage_of(position: &Position) -> usize {
    let [black, white] = position.pieces;
    stage((black | white).count_ones(), position.kings.count_ones())
}

/// Accumulator and tile patterns of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    accumulator: Accumulator<HIDDEN>,
    /// Patterns as Black and as White see them, in stages with tiles.
    patterns: [Patterns; 2],
}

impl Evaluator<Position> for Evaluation {
    type State = State;

    fn start(&self, position: &Position) -> State {
        let (stage, sides) = (stage_of(position), sides(position));
        State {
            accumulator: self.network().accumulator(stage, sides.map(|sides| features(stage, sides))),
            patterns: if is_tiled(stage) { sides.map(patterns) } else { Default::default() },
        }
    }

    #[inline]
    fn advance(&self, state: &State, before: &Position, mv: Move, after: &Position, next: &mut State) {
        let stage = stage_of(after);
        if stage != stage_of(before) {
            *next = self.start(after);
            return;
        }
        let (us, captured) = (before.turn(), bits(mv.captured).map(Square::from_index));
        let (network, first) = (self.network(), first_input(stage));
        if is_tiled(stage) {
            let (removed, added) = (man(us, mv.from()), man(us, mv.to()));
            let moved = |side: usize| state.patterns[side].without(removed[side]).with(added[side]);
            next.patterns = [moved(0), moved(1)];
            for men in captured.map(|square| man(!us, square)) {
                next.patterns = [next.patterns[0].without(men[0]), next.patterns[1].without(men[1])];
            }
            for side in 0..2 {
                let mut changes = [[0; 2]; TILES];
                let mut count = 0;
                state.patterns[side].changes(next.patterns[side], |removed, added| {
                    changes[count] = [first + removed, first + added];
                    count += 1;
                });
                network.exchange(&state.accumulator, side, &changes[..count], &mut next.accumulator);
            }
        } else {
            next.patterns = state.patterns;
            let seen = |position: &Position, color: Color, square: Square| {
                place(color, position.piece_on(square.bit()) == Piece::King, square)
            };
            let (removed, added) = (seen(before, us, mv.from()), seen(after, us, mv.to()));
            for (side, (removed, added)) in removed.into_iter().zip(added).enumerate() {
                let change = [first + removed, first + added];
                network.exchange(&state.accumulator, side, &[change], &mut next.accumulator);
            }
            for removed in captured.map(|square| seen(before, !us, square)) {
                for (side, removed) in removed.into_iter().enumerate() {
                    network.remove(&mut next.accumulator, side, first + removed);
                }
            }
        }
    }

    /// The state does not depend on the side to move.
    fn passed(&self, state: &State, _: &Position, next: &mut State) {
        next.clone_from(state);
    }

    #[inline(always)]
    fn evaluate(&self, state: &State, position: &Position) -> Score {
        let [black, white] = position.pieces;
        let bucket = bucket((black | white).count_ones(), position.kings.count_ones());
        Score::estimate(self.network().value(&state.accumulator, position.turn().index(), bucket))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Score {
        let (evaluation, position) = (Evaluation::default(), text.parse().unwrap());
        evaluation.evaluate(&evaluation.start(&position), &position)
    }

    #[test]
    fn the_embedded_weights_are_undamaged() {
        Evaluation::read(EMBEDDED).unwrap();
    }

    #[test]
    fn flipped_positions_have_the_same_value() {
        let evaluation = Evaluation::default();
        for text in ["B:W18,24,K27:B12,K16,20", "W:W21,22,30:B1,2,K11", "B:WK1:BK32,K31"] {
            let flipped = text.parse::<Position>().unwrap().flipped();
            assert_eq!(value(text), evaluation.evaluate(&evaluation.start(&flipped), &flipped), "{text}");
        }
    }

    #[test]
    fn pieces_count() {
        for (more, fewer) in [
            ("W:W21,22,23,27:B1,2,3,6", "W:W21,22,23:B1,2,3,6"),
            ("W:WK21,22,30:B1,2,6", "W:W21,22,30:B1,2,6"),
            ("B:W21,22,23,24,25,26:B1,2,3,4,5,6", "B:W21,22,23,24,25,26:B1,2,3,4,5"),
        ] {
            assert!(value(more) > value(fewer), "{more}: {}, {fewer}: {}", value(more), value(fewer));
        }
    }

    #[test]
    fn with_level_material_the_better_side_has_the_higher_value() {
        // Deep searches find the side to move in trouble.
        for text in ["B:W11,22,23,24,30,31:B2,3,9,13,16,21", "W:W12,13,21,25,27,28,29,30,31,32:B1,2,3,5,6,7,8,15,18,20"]
        {
            assert!(value(text) <= Score::estimate(-15), "{text}: {}", value(text));
        }
    }

    #[test]
    fn incremental_state_equals_from_scratch() {
        let evaluation = Evaluation::default();
        let mut position = Position::start();
        let mut state = evaluation.start(&position);
        for turn in 0..200 {
            let list = position.legal_moves();
            if list.is_empty() {
                break;
            }
            let mv = list[turn * 7 % list.len()];
            let after = position.play(mv);
            let mut next = evaluation.start(&Position::start());
            evaluation.advance(&state, &position, mv, &after, &mut next);
            (position, state) = (after, next);
            assert_eq!(state, evaluation.start(&position), "turn {turn}");
        }
    }
}
