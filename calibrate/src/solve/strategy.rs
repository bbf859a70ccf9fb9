//! Positions that the winner needs, or the side that does not lose.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, bail};
use kingline::game::{Canonical, Color, Game, Outcome};
use kingline::knowledge::solved::{ENDLESS, Strategy};
use kingline::loa::sgf::{About, Record};
use kingline::loa::{Move, Position};

use super::goal::{Aim, Goal, Whose};
use super::store::Store;

/// Returns the complete strategies of the winners of these goals: the form and plies of each lost position that the
/// winner may move to, if it always makes the move that leaves the fewest plies, and of the starts in which the side to
/// move loses. Where the store knows no winner, these are strategies with which a side does not lose, or both sides if
/// the goal is for either; positions that are not won have [`ENDLESS`] plies.
pub(super) fn whole<G: Canonical>(store: &Store, goals: &[Goal<G>]) -> Result<Vec<(u128, u8)>> {
    let mut needed: HashMap<u128, u8> = HashMap::new();
    let mut left = Vec::new();
    for goal in goals {
        let start = &goal.start;
        let [holds, is_held] = [store.reaches(start, Aim::Hold), store.misses(start.form(), Aim::Win)];
        let [for_mover, for_other] = match goal.whose() {
            Some(Whose::Winner) => [holds, false],
            Some(Whose::Defender) => [false, is_held],
            None => [holds, is_held],
        };
        if for_mover {
            left.extend(move_from(store, start)?);
        }
        if for_other {
            left.push(start.form());
        }
        if !for_mover && !for_other {
            bail!("the store does not know who wins: {start}");
        }
    }
    while let Some(form) = left.pop() {
        if needed.contains_key(&form) {
            continue;
        }
        needed.insert(form, plies_of(store, form)?);
        left.extend(next(store, &position_of::<G>(form)?)?);
    }
    Ok(needed.into_iter().collect())
}

/// Returns the positions that the player with this role only holds from `start` by its strategy, with the other side to
/// move. A position comes after those that it leads to, apart from repetitions. There are none if the store knows no hold
/// from `start`.
pub(super) fn only_held<G: Canonical>(store: &Store, start: &G, whose: Whose) -> Result<Vec<G>> {
    let first = match whose {
        Whose::Winner if store.reaches(start, Aim::Hold) => move_from(store, start)?,
        Whose::Defender if store.misses(start.form(), Aim::Win) => Some(start.form()),
        _ => None,
    };
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut left: Vec<(u128, bool)> = first.map(|form| (form, false)).into_iter().collect();
    while let Some((form, is_followed)) = left.pop() {
        let position: G = position_of(form)?;
        if is_followed {
            found.push(position);
        } else if store.lost(form).is_none() && seen.insert(form) {
            left.push((form, true));
            left.extend(next(store, &position)?.into_iter().map(|form| (form, false)));
        }
    }
    Ok(found)
}

fn position_of<G: Canonical>(form: u128) -> Result<G> {
    G::of_form(form, Color::White).context("found a form without a position")
}

/// Returns the forms of the positions that the other side goes to after each move in a position.
fn next<G: Canonical>(store: &Store, position: &G) -> Result<Vec<u128>> {
    let after = position.legal_moves().into_iter().map(|mv| position.play(mv)).filter(|it| it.outcome().is_none());
    after.filter_map(|after| move_from(store, &after).transpose()).collect()
}

/// Returns the plies of a position that is lost, or else [`ENDLESS`].
fn plies_of(store: &Store, form: u128) -> Result<u8> {
    let Some(plies) = store.lost(form) else { return Ok(ENDLESS) };
    let kept = u8::try_from(plies).ok().filter(|&plies| plies < ENDLESS);
    kept.with_context(|| format!("found a position lost in {plies} plies, expected fewer than {ENDLESS}"))
}

/// Returns the form of the position that the side to move goes to in order to win, or else not to lose; `None` if a move
/// ends the game.
fn move_from<G: Canonical>(store: &Store, position: &G) -> Result<Option<u128>> {
    let after: Vec<G> = position.legal_moves().into_iter().map(|mv| position.play(mv)).collect();
    let outcomes = || after.iter().filter_map(G::outcome);
    if outcomes().any(|outcome| outcome == Outcome::Win(position.turn())) {
        return Ok(None);
    }
    let forms = || after.iter().filter(|after| after.outcome().is_none()).map(Canonical::form);
    let quickest = forms().filter_map(|form| Some((store.lost(form)?, form))).min_by_key(|&(plies, _)| plies);
    if let Some((_, form)) = quickest {
        return Ok(Some(form));
    }
    if outcomes().any(|outcome| outcome == Outcome::Draw) {
        return Ok(None);
    }
    let held = forms().find(|&form| store.misses(form, Aim::Win));
    Ok(Some(held.with_context(|| format!("the store does not know that the side to move does not lose: {position}"))?))
}

/// Plays the game in which the winner makes the move that leaves the fewest plies and the other side the one that
/// leaves the most. Among equal moves, the first is played.
pub(super) fn longest_game<const N: usize>(
    strategy: &Strategy<'_, Position<N>>,
    start: Position<N>,
) -> Result<Record<N>> {
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
