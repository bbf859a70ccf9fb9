//! The move that decided a game.

use super::mark::Mark;
use super::reviewed::ReviewedMove;
use kingline::game::{Color, Outcome};

/// Losses this close count as equal.
const CLOSE: f64 = 0.02;

/// Index of the move that lost the most chances, among the faults of the loser, or of both sides if nobody has lost; of
/// about equal losses the last. None if no such move has a mark.
pub(super) fn turning_point(moves: &[ReviewedMove], result: Option<Outcome>) -> Option<usize> {
    let loser: Option<Color> = match result {
        Some(Outcome::Win(winner)) => Some(!winner),
        _ => None,
    };
    let is_candidate = |mv: &ReviewedMove| mv.mark >= Some(Mark::Mistake) && loser.is_none_or(|loser| mv.side == loser);
    let largest = moves.iter().filter(|mv| is_candidate(mv)).map(|mv| mv.loss).fold(0.0, f64::max);
    moves.iter().rposition(|mv| is_candidate(mv) && mv.loss >= largest - CLOSE)
}
