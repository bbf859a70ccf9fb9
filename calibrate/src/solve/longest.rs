//! Longest game of a complete strategy.

use anyhow::{Context, Result};
use kingline::game::{Canonical, Color, Game, Outcome};
use kingline::knowledge::solved::Strategy;
use kingline::loa::sgf::{About, Record};
use kingline::loa::{Move, Position};

/// Plays the game in which the winner makes the move that leaves the fewest plies and the other side the one that
/// leaves the most. Among equal moves, the first is played.
///
/// # Errors
/// Fails if the strategy is incomplete or neither side wins `start` with it.
pub(super) fn game<const N: usize>(strategy: &Strategy<'_, Position<N>>, start: Position<N>) -> Result<Record<N>> {
    let mut record = Record::new(start);
    let (winner, plies) = match strategy.plies(start.form()) {
        Some(plies) => (!start.turn(), plies.into()),
        None => (start.turn(), strategy.winning_move(&start).context("no move leads to a lost position")?.1),
    };
    for _ in 0..plies {
        let position = record.position();
        if position.outcome().is_some() {
            break;
        }
        let mv = if position.turn() == winner {
            strategy.winning_move(&position).map(|(mv, _)| mv)
        } else {
            longest_reply(strategy, &position)
        };
        record.play(mv.with_context(|| format!("the strategy is incomplete: it has no move in {position}"))?);
    }
    let player = if winner == Color::Black { "first" } else { "second" };
    let comment = format!("won in {plies} plies: the longest game of the {player} player's winning strategy");
    record.set_about(About { comment, ..About::default() });
    record.set_result(record.position().outcome());
    Ok(record)
}

fn longest_reply<const N: usize>(strategy: &Strategy<'_, Position<N>>, position: &Position<N>) -> Option<Move> {
    let plies = |mv: &Move| {
        let after = position.play(*mv);
        let is_lost = after.outcome() == Some(Outcome::Win(after.turn()));
        if is_lost { 0 } else { strategy.winning_move(&after).map_or(0, |(_, plies)| plies) }
    };
    // Reversed, since `max_by_key` returns the last of several maxima.
    position.legal_moves().into_iter().rev().max_by_key(plies)
}
