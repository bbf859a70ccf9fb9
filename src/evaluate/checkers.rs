//! The evaluation for checkers: a small network, learned from self-play.

use std::sync::Arc;

use super::network::{Accumulator, Feature, Network, WeightsError};
use crate::checkers::{Move, Piece, Position, Square};
use crate::game::bits::bits;
use crate::game::{Color, Evaluator, Game};
use crate::score::Score;

/// Number of hidden neurons per side.
pub const HIDDEN: usize = 128;
/// Number of game stages, each with its own first layer.
pub const STAGES: usize = 4;
/// Number of position buckets, each with its own last layer.
pub const BUCKETS: usize = 16;
/// Name of the game in weight files.
const GAME: &str = "checkers";

type Weights = Network<HIDDEN, STAGES, BUCKETS>;

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

/// Returns the bucket of positions with `pieces` pieces (1 to 24), of which `kings` are kings. Three piece counts share
/// a bucket; positions with kings have separate buckets, because kings change the game.
#[inline]
pub const fn bucket(pieces: u32, kings: u32) -> usize {
    let by_pieces = (pieces.saturating_sub(1) / 3) & 7;
    (by_pieces << 1 | (kings != 0) as u32) as usize
}

/// Returns the stage of positions with `pieces` pieces, of which `kings` are kings.
#[inline]
pub const fn stage(pieces: u32, kings: u32) -> usize {
    match kings {
        0 => (pieces < 17) as usize,
        _ => 2 + (pieces < 11) as usize,
    }
}

#[inline(always)]
fn stage_of(position: &Position) -> usize {
    let [black, white] = position.pieces;
    stage((black | white).count_ones(), position.kings.count_ones())
}

/// The features of each color's men and kings on each square.
///
/// From each side's point of view, features 0 to 31 are its men and 32 to 63 its kings; the other side's pieces follow
/// from 64. Each side numbers the squares by rows as it sees the board.
const FEATURES: [[[Feature; 32]; 2]; 2] = {
    let mut features = [[[[0; 2]; 32]; 2]; 2];
    let mut index = 0;
    while index < 32 {
        let square = Square::from_index(index);
        let white = 4 * square.row() + square.column() / 2;
        let black = 31 - white;
        let mut piece = 0;
        while piece < 2 {
            let [black, white] = [black + 32 * piece, white + 32 * piece];
            features[Color::Black.index()][piece][index] = [black, 64 + white];
            features[Color::White.index()][piece][index] = [64 + black, white];
            piece += 1;
        }
        index += 1;
    }
    features
};

#[inline(always)]
const fn feature(color: Color, piece: Piece, square: Square) -> Feature {
    FEATURES[color.index()][piece as usize][square.index()]
}

impl Evaluator<Position> for Evaluation {
    type State = Accumulator<HIDDEN>;

    fn start(&self, position: &Position) -> Accumulator<HIDDEN> {
        let mut features = [[0; 2]; 32];
        let mut count = 0;
        for color in Color::ALL {
            for index in bits(position.pieces[color.index()]) {
                features[count & 31] = feature(color, position.piece_on(1 << index), Square::from_index(index));
                count += 1;
            }
        }
        self.network().accumulator(stage_of(position), &features[..count])
    }

    #[inline]
    fn advance(
        &self,
        state: &Accumulator<HIDDEN>,
        before: &Position,
        mv: Move,
        after: &Position,
        next: &mut Accumulator<HIDDEN>,
    ) {
        let stage = stage_of(after);
        if stage != stage_of(before) {
            *next = self.start(after);
            return;
        }
        let us = before.turn();
        let removed = feature(us, before.piece_on(mv.from().bit()), mv.from());
        let added = feature(us, after.piece_on(mv.to().bit()), mv.to());
        self.network().exchange(stage, state, removed, added, next);
        for index in bits(mv.captured) {
            let square = Square::from_index(index);
            self.network().remove(stage, next, feature(!us, before.piece_on(1 << index), square));
        }
    }

    /// The state does not depend on the side to move.
    fn passed(&self, state: &Accumulator<HIDDEN>, _: &Position, next: &mut Accumulator<HIDDEN>) {
        next.clone_from(state);
    }

    #[inline(always)]
    fn evaluate(&self, state: &Accumulator<HIDDEN>, position: &Position) -> Score {
        let [black, white] = position.pieces;
        let bucket = bucket((black | white).count_ones(), position.kings.count_ones());
        Score::estimate(self.network().value(state, position.turn().index(), bucket))
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
    fn kings_and_every_third_piece_change_the_bucket() {
        assert_eq!([1, 3, 4, 24].map(|pieces| bucket(pieces, 0)), [0, 0, 2, 14]);
        assert_eq!([1, 3, 4, 24].map(|pieces| bucket(pieces, 1)), [1, 1, 3, 15]);
        assert!((0..=32).all(|pieces| bucket(pieces, 3) < BUCKETS));
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
