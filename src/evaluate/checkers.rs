//! What is a position of checkers worth? A small network, learned from games of the engine with itself.

use std::sync::Arc;

use super::network::{Hidden, Input, Network, WeightsError};
use crate::checkers::{Move, Piece, Position, Square};
use crate::game::bits::bits;
use crate::game::{Color, Evaluator, Game};
use crate::score::Score;

/// Hidden numbers of each side.
pub const HIDDEN: usize = 128;
/// Stages of a game, each with its own first layer.
pub const STAGES: usize = 4;
/// Kinds of positions, each with its own last layer.
pub const BUCKETS: usize = 16;
/// The name of the game in files of weights.
const GAME: &str = "checkers";

type Weights = Network<HIDDEN, STAGES, BUCKETS>;

/// The file of weights inside the program.
pub const EMBEDDED: &[u8] = include_bytes!("checkers/embedded.weights");
/// Laid out when the program is compiled: used where it lies, of which only what a search needs is loaded.
static INSIDE: Weights = Network::decode(EMBEDDED);

/// The evaluation of checkers. 100 is about one man.
///
/// By default with the weights inside the program.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Weights of a file; all evaluations that are cloned from one share them.
    own: Option<Arc<Weights>>,
}

impl Evaluation {
    /// The evaluation with the weights in the bytes of a file.
    ///
    /// # Errors
    /// Says what was found, and what was expected.
    pub fn read(bytes: &[u8]) -> Result<Evaluation, WeightsError> {
        Ok(Evaluation { own: Some(Arc::new(Network::read(bytes, GAME)?)) })
    }

    #[inline(always)]
    fn network(&self) -> &Weights {
        self.own.as_deref().unwrap_or(&INSIDE)
    }
}

/// The bucket of positions with this many pieces, 1 to 24, of which this many are kings: three numbers of pieces share
/// one, and kings change the game.
#[inline]
pub const fn bucket(pieces: u32, kings: u32) -> usize {
    let by_pieces = (pieces.saturating_sub(1) / 3) & 7;
    (by_pieces << 1 | (kings != 0) as u32) as usize
}

/// The stage of positions with this many pieces, of which this many are kings.
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

/// The inputs of a piece: men are bits 0 to 31 of their side, kings 32 to 63, by rows as the side sees the board.
const INPUTS: [[[Input; 32]; 2]; 2] = {
    let mut inputs = [[[[0; 2]; 32]; 2]; 2];
    let mut index = 0;
    while index < 32 {
        let square = Square::from_index(index);
        let white = 4 * square.row() + square.column() / 2;
        let black = 31 - white;
        let mut piece = 0;
        while piece < 2 {
            let [black, white] = [black + 32 * piece, white + 32 * piece];
            inputs[Color::Black.index()][piece][index] = [black, 64 + white];
            inputs[Color::White.index()][piece][index] = [64 + black, white];
            piece += 1;
        }
        index += 1;
    }
    inputs
};

#[inline(always)]
const fn input(color: Color, piece: Piece, square: Square) -> Input {
    INPUTS[color.index()][piece as usize][square.index()]
}

impl Evaluator<Position> for Evaluation {
    type State = Hidden<HIDDEN>;

    fn start(&self, position: &Position) -> Hidden<HIDDEN> {
        let placed = Color::ALL.into_iter().flat_map(|color| {
            bits(position.pieces[color.index()])
                .map(move |index| input(color, position.piece_on(1 << index), Square::from_index(index)))
        });
        self.network().hidden(stage_of(position), placed)
    }

    #[inline]
    fn advance(&self, state: &Hidden<HIDDEN>, before: &Position, mv: Move, after: &Position) -> Hidden<HIDDEN> {
        let stage = stage_of(after);
        if stage != stage_of(before) {
            return self.start(after);
        }
        let us = before.turn();
        let from = input(us, before.piece_on(mv.from().bit()), mv.from());
        let to = input(us, after.piece_on(mv.to().bit()), mv.to());
        let mut hidden = self.network().moved(stage, state, from, to);
        for index in bits(mv.captured) {
            let square = Square::from_index(index);
            self.network().remove(stage, &mut hidden, input(!us, before.piece_on(1 << index), square));
        }
        hidden
    }

    /// The state does not depend on the side to move.
    fn passed(&self, state: &Hidden<HIDDEN>, _: &Position) -> Hidden<HIDDEN> {
        state.clone()
    }

    #[inline]
    fn evaluate(&self, state: &Hidden<HIDDEN>, position: &Position) -> Score {
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
    fn it_sees_who_stands_better_where_material_is_level() {
        // The side to move is in trouble, as deep searches find.
        for text in ["B:W11,22,23,24,30,31:B2,3,9,13,16,21", "W:W12,13,21,25,27,28,29,30,31,32:B1,2,3,5,6,7,8,15,18,20"]
        {
            assert!(value(text) <= Score::estimate(-15), "{text}: {}", value(text));
        }
    }

    #[test]
    fn kings_and_every_third_piece_have_a_bucket_of_their_own() {
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
            state = evaluation.advance(&state, &position, mv, &after);
            position = after;
            assert_eq!(state, evaluation.start(&position), "turn {turn}");
        }
    }
}
