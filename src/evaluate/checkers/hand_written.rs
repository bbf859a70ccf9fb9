//! What is a position of checkers worth? A value for each piece on each square, and a few features of each side, each
//! with one weight for a full board and one for an empty one.
//!
//! The sum of the pieces' values is updated move by move; the features are counted when asked.

use super::features::{Features, Side};
use super::weights::{AHEAD, BACK_RANK, BOARD, DRAWISH, FEATURES, KINGS, MEN, THE_MOVE, TURN};
use crate::checkers::{Move, Piece, Position, Square};
use crate::evaluate::tapered::Tapered;
use crate::game::bits::bits;
use crate::game::{Color, Evaluator, Game};
use crate::score::Score;

/// The evaluation of checkers. 100 is about one man.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandWritten(());

/// The value of a piece on a square, for its owner.
#[inline(always)]
fn placed(color: Color, piece: Piece, square: Square) -> Tapered {
    // Black sees the board turned by half a turn, which reverses the bits.
    let index = match color {
        Color::White => square.index(),
        Color::Black => 31 - square.index(),
    };
    match piece {
        Piece::Man => MEN[index],
        Piece::King => KINGS[index],
    }
}

impl Evaluator<Position> for HandWritten {
    /// The value of all pieces on their squares, White's less Black's.
    type State = Tapered;

    fn start(&self, position: &Position) -> Tapered {
        let mut sum = Tapered::default();
        for square in Square::all() {
            if let Some((color, piece)) = position.at(square) {
                sum += placed(color, piece, square) * sign(color);
            }
        }
        sum
    }

    #[inline]
    fn advance(&self, state: &Tapered, before: &Position, mv: Move, after: &Position) -> Tapered {
        let mut state = *state;
        let us = before.turn();
        state -= placed(us, before.piece_on(mv.from().bit()), mv.from()) * sign(us);
        state += placed(us, after.piece_on(mv.to().bit()), mv.to()) * sign(us);
        for index in bits(mv.captured) {
            let square = Square::from_index(index);
            state += placed(!us, before.piece_on(1 << index), square) * sign(us);
        }
        state
    }

    /// The state does not depend on the side to move.
    fn passed(&self, state: &Tapered, _: &Position) -> Tapered {
        *state
    }

    #[inline]
    fn evaluate(&self, state: &Tapered, position: &Position) -> Score {
        let us = position.turn();
        let ours = Side::of(position, us);
        let theirs = Side::of(position, !us);
        let mut sum = Tapered::default();
        sum += *state * sign(us);
        sum += TURN;
        sum += BACK_RANK[ours.back_rank()];
        sum -= BACK_RANK[theirs.back_rank()];
        for ((&ours, &theirs), &weight) in
            Features::of(&ours).counts().iter().zip(Features::of(&theirs).counts()).zip(&FEATURES)
        {
            sum += weight * (ours - theirs);
        }
        let (our_count, their_count) = (position.count(us) as i32, position.count(!us) as i32);
        let pieces = our_count + their_count;
        let difference = our_count - their_count;
        if difference == 0 {
            sum += THE_MOVE * ours.has_the_move();
        }
        // The side ahead wants trades: the same difference is worth more among fewer pieces.
        let mut value = sum.with_pieces(pieces as u32, BOARD) + AHEAD * difference / pieces.max(1);
        // Kings on both sides and a difference of at most one piece: hard to win.
        if ours.kings != 0 && theirs.kings != 0 && difference.abs() <= 1 && pieces <= DRAWISH.pieces {
            value = value * DRAWISH.percent / 100;
        }
        Score::estimate(value)
    }
}

#[inline(always)]
const fn sign(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(position: &Position) -> Score {
        let evaluation = HandWritten::default();
        evaluation.evaluate(&evaluation.start(position), position)
    }

    #[test]
    fn flipped_positions_have_the_same_value() {
        for text in ["B:W18,24,K27:B12,K16,20", "W:W21,22,30:B1,2,K11", "B:WK1:BK32,K31"] {
            let position: Position = text.parse().unwrap();
            assert_eq!(value(&position), value(&position.flipped()), "{text}");
        }
    }

    #[test]
    fn pieces_count_and_the_side_ahead_wants_trades() {
        let of = |text: &str| value(&text.parse().unwrap());
        assert!(of("W:W21,22,23:B1,2") > Score::estimate(60));
        assert!(of("W:WK21,22:B1,2") > of("W:W21,22:B1,2"));
        assert!(of("W:W25,26,27:B1,2") > of("W:W25,26,27,28,29:B1,2,3,4"));
    }

    #[test]
    fn incremental_state_equals_from_scratch() {
        let evaluation = HandWritten::default();
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
