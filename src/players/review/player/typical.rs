//! A player's typical mistakes: those that lost the most.

use serde::{Deserialize, Serialize};

use super::super::mark::Mark;
use super::super::reviewed::{Review, ReviewedMove};
use kingline::game::Color;

/// Mistakes that a summary shows.
const SHOWN: usize = 3;

/// A mistake with all that is needed to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypicalMistake {
    /// Number of the game.
    pub game: i64,
    /// The opponent's name; empty if unknown.
    pub opponent: String,
    /// Index among the moves of the game.
    pub index: usize,
    /// Number of the move as records count it: `12...`.
    pub number: String,
    /// The move, with the board before it and the better line.
    pub mv: ReviewedMove,
}

/// Adds the mistakes of one side of a game, and keeps those with the largest losses: first one of each game, then
/// others. Of equal losses, earlier games come first.
pub(super) fn add(kept: &mut Vec<TypicalMistake>, game: i64, review: &Review, side: Color) {
    let faults =
        review.moves.iter().enumerate().filter(|(_, mv)| mv.side == side && mv.mark.is_some_and(Mark::is_fault));
    kept.extend(faults.map(|(index, mv)| TypicalMistake {
        game,
        opponent: review.players[(!side).index()].clone(),
        index,
        number: review.number(index),
        mv: mv.clone(),
    }));
    kept.sort_by(|one, other| other.mv.loss.total_cmp(&one.mv.loss));
    let mut seen = Vec::new();
    let (mut firsts, others): (Vec<_>, Vec<_>) = kept.drain(..).partition(|mistake| {
        let is_first = !seen.contains(&mistake.game);
        seen.push(mistake.game);
        is_first
    });
    firsts.extend(others);
    firsts.truncate(SHOWN);
    *kept = firsts;
}
