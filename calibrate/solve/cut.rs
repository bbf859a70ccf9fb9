//! Cuts a complete strategy down to the positions that a solver needs.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use anyhow::{Result, bail};
use kingline::game::{Canonical, Color, Game, Outcome};
use kingline::knowledge::solved::{ENDLESS, Strategy};
use kingline::loa::Position;
use kingline::play::solved::{known_choice, proved_choice};
use kingline::search::Limits;
use kingline::terminal::stderr_line;

use super::goal::{self, Goal};
use super::node::Aim;
use super::walk::{Taken, Walk};
use crate::threads::Threads;
use kingline::terminal::in_thousands;

/// Positions of a strategy by form, with their plies.
type Positions = HashMap<u128, u8>;

/// Solver answers by form: the form after its move, and its number of nodes; `None` if it finds no win.
type Answers = Mutex<HashMap<u128, Option<(u128, u64)>>>;

/// Returns the file of positions that `loa6` needs to reach these goals: those with at least `fewest` plies, and others
/// in which its solver finds no win, returns to an earlier position, or takes longer than promised.
///
/// # Errors
/// Fails if the strategy is incomplete.
pub(super) fn cut(
    whole: &Strategy<'_, Position<6>>,
    goals: &[Goal<Position<6>>],
    fewest: u8,
    threads: Threads,
) -> Result<Vec<u8>> {
    let starts = &goal::turns_of_winner(goals, whole);
    // Kept to tell that they are lost.
    let lost: Vec<u128> = goals.iter().map(|it| it.start.form()).filter(|&it| whole.plies(it).is_some()).collect();
    let all = needed(whole, &lost, starts, threads)?;
    let bytes = Strategy::<Position<6>>::to_bytes(all.iter().map(|(&form, &plies)| (form, plies)), 0);
    // Moves elsewhere would leave what is needed.
    let whole = &Strategy::open(&bytes)?;
    let is_kept = |&(form, plies): &(u128, u8)| plies >= fewest || lost.contains(&form);
    let mut kept: Positions = all.iter().map(|(&form, &plies)| (form, plies)).filter(is_kept).collect();
    let answers = Answers::default();
    loop {
        keep_from_going_astray::<Position<6>>(&all, &mut kept);
        let bytes = Strategy::<Position<6>>::to_bytes(kept.iter().map(|(&form, &plies)| (form, plies)), fewest);
        let part = Strategy::open(&bytes)?;
        let policy = |position: &Position<6>| answer(position, &part, &answers);
        let walk = Walk::of(starts, &policy, threads)?;
        // In a cycle, one better move is enough.
        let mut bad: Vec<Vec<usize>> = walk.stuck().into_iter().map(|place| vec![place]).collect();
        if bad.is_empty() {
            match walk.played() {
                Ok(_) => return Ok(bytes),
                Err(around) => bad = around,
            }
        }
        let mut wanted: Positions = Positions::new();
        for places in &bad {
            let here = || places.iter().map(|&place| better(&walk, place, whole));
            let before = || {
                let way = std::iter::successors(places.first().copied(), |&place| walk.before(place));
                way.map(|place| better(&walk, place, whole))
            };
            if here().flatten().any(|form| wanted.contains_key(&form)) {
                continue;
            }
            let new = here().chain(before()).flatten().find(|form| !kept.contains_key(form));
            wanted.extend(new.map(|form| (form, all[&form])));
        }
        if wanted.is_empty() {
            bail!("the strategy has no better move at {} positions", bad.len());
        }
        let [bad, size] = [bad.len(), kept.len()].map(|count| in_thousands(count as u64));
        stderr_line(format_args!("{size} positions kept; more are needed at {bad}"));
        kept.extend(wanted);
    }
}

/// Returns the positions that a player who follows the strategy from `starts` moves to, and these lost ones.
fn needed(
    whole: &Strategy<'_, Position<6>>,
    lost: &[u128],
    starts: &[Position<6>],
    threads: Threads,
) -> Result<Positions> {
    let policy = |position: &Position<6>| Some(Taken::of(position, &known_choice(position, whole)?));
    let walk = Walk::of(starts, &policy, threads)?;
    let moved_to = (0..walk.len()).filter_map(|place| better(&walk, place, whole));
    let forms: HashSet<u128> = moved_to.chain(lost.iter().copied()).collect();
    Ok(whole.positions().filter(|(form, _)| forms.contains(form)).collect())
}

/// Returns the move of a player who knows this part of a strategy. The solver is called only once for each form.
fn answer(position: &Position<6>, part: &Strategy<'_, Position<6>>, answers: &Answers) -> Option<Taken<Position<6>>> {
    if let Some(choice) = known_choice(position, part) {
        return Some(Taken::of(position, &choice));
    }
    let form = position.form();
    let known = answers.lock().ok()?.get(&form).copied();
    let (form, nodes) = known.unwrap_or_else(|| {
        let choice = proved_choice(position, Limits::default());
        let found = choice.map(|choice| (position.play(choice.best).form(), choice.why.nodes()));
        if let Ok(mut answers) = answers.lock() {
            answers.insert(form, found);
        }
        found
    })?;
    Some(Taken { aim: Aim::Win, after: Position::of_form(form, !position.turn())?, nodes })
}

/// Returns the form that the complete strategy moves to at `place`; `None` if it does not know the place or ends the
/// game.
fn better(walk: &Walk, place: usize, whole: &Strategy<'_, Position<6>>) -> Option<u128> {
    let position = Position::<6>::of_form(walk.form(place), Color::Black)?;
    let after = position.play(known_choice(&position, whole)?.best);
    after.outcome().is_none().then(|| after.form())
}

/// Adds positions so that, after each reply to a kept position, either some move leads to a kept position with fewer
/// plies, or the player has to call its solver. Where the position is not lost, the player must not hold if it can win.
fn keep_from_going_astray<G: Canonical>(all: &Positions, kept: &mut Positions) {
    loop {
        let missing: Vec<u128> = kept.iter().flat_map(|(&form, &plies)| astray::<G>(form, plies, all, kept)).collect();
        if missing.is_empty() {
            return;
        }
        kept.extend(missing.into_iter().map(|form| (form, all[&form])));
    }
}

/// Returns the positions that must be added so that the plies decrease after each reply to this position.
fn astray<G: Canonical>(form: u128, plies: u8, all: &Positions, kept: &Positions) -> Vec<u128> {
    let Some(position) = G::of_form(form, Color::White) else { return Vec::new() };
    let mut missing = Vec::new();
    for mv in position.legal_moves() {
        let reply = position.play(mv);
        if reply.outcome().is_some() {
            continue;
        }
        let after: Vec<G> = reply.legal_moves().into_iter().map(|mv| reply.play(mv)).collect();
        if after.iter().any(|after| after.outcome() == Some(Outcome::Win(reply.turn()))) {
            continue;
        }
        let forms: Vec<u128> = after.iter().filter(|after| after.outcome().is_none()).map(Canonical::form).collect();
        let least = |set: &Positions| forms.iter().filter_map(|form| Some((*set.get(form)?, *form))).min();
        let best = least(all);
        let is_astray = |stays: u8| match plies {
            ENDLESS => stays == ENDLESS && best.is_some_and(|(plies, _)| plies != ENDLESS),
            plies => u16::from(stays) + 2 > plies.into(),
        };
        if least(kept).is_some_and(|(stays, _)| is_astray(stays)) {
            missing.extend(best.map(|(_, form)| form));
        }
    }
    missing
}
