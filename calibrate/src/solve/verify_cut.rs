//! Verifies a cut strategy with a solver: that `loa6` wins with it, or does not lose, or that its positions are lost.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use kingline::clock::Clock;
use kingline::game::{Canonical, Color, Game, Outcome};
use kingline::knowledge::solved::Strategy;
use kingline::loa::Position;
use kingline::search::Limits;
use kingline_players::figures::Figure;
use kingline_players::play::solved::{proved_choice, solved_choice};
use kingline_players::terminal::{in_thousands, stdout_line};

use super::goal::Goal;
use super::verify::Known;
use super::walk::{Taken, Walk};
use crate::progress::Status;
use crate::threads::Threads;

/// Verifies that `loa6` wins or holds from these positions with this part of a strategy, and a solver that gets `nodes`
/// nodes. Returns the figure.
///
/// # Errors
/// Fails if it does neither.
pub(super) fn run(
    strategy: &Strategy<'_, Position<6>>,
    starts: &[Position<6>],
    nodes: u64,
    threads: Threads,
    mut status: Status,
) -> Result<Figure> {
    let began = Clock::Process.now();
    let policy = |position: &Position<6>| {
        let choice = solved_choice(position, Some(strategy), Limits::nodes(nodes));
        Ok(choice.map(|choice| Taken::of(position, &choice)))
    };
    let walk = Walk::of(starts, &policy, threads, &mut status)?;
    drop(status);
    let shown =
        |place| Position::<6>::of_form(walk.form(place), Color::Black).map_or(String::new(), |it| it.to_string());
    let stuck = walk.stuck();
    if let Some(&place) = stuck.first() {
        bail!("the player knows no move in {} positions, for example {}", stuck.len(), shown(place));
    }
    let played = match walk.played() {
        Ok(played) => played.to_string(),
        Err(around) => {
            bail!("the player can move in {} cycles, for example through {}", around.len(), shown(around[0][0]))
        }
    };
    stdout_line(&played)?;
    let cpu = (Clock::Process.now() - began).as_secs_f64();
    let result = if walk.held().next().is_none() { "all games are won" } else { "no game is lost" };
    stdout_line(format_args!("{result}; {cpu:.0} s of CPU time"))?;
    let measured = format!("{result}; {played}; {cpu:.0} s of CPU time");
    Ok(Figure::new("`loa6` with its part of the strategy, against every reply", measured))
}

/// Verifies that all positions of this part of a strategy are lost, and so these goals. After each move in them the other
/// side has won, wins at once, moves to a position of the part with fewer plies, or wins according to the solver, which
/// gets `nodes` nodes. Returns the figure.
///
/// # Errors
/// Fails if the solver does not prove a win. Each such position is printed.
pub(super) fn closed(
    strategy: &Strategy<'_, Position<6>>,
    goals: &[Goal<Position<6>>],
    nodes: u64,
    threads: Threads,
    status: Status,
) -> Result<Figure> {
    let began = Clock::Process.now();
    let positions: Vec<(u128, u8)> = strategy.positions().collect();
    let known = Known::new(&positions);
    let mut open = BTreeSet::new();
    for &(form, plies) in &positions {
        let position = Position::<6>::of_form(form, Color::White).context("found a form without a position")?;
        for after in position.legal_moves().into_iter().map(|mv| position.play(mv)) {
            match after.outcome() {
                Some(outcome) if outcome != Outcome::Win(after.turn()) => bail!("not lost: {position}"),
                None if known.takes(&after) >= plies.into() => _ = open.insert(after.form()),
                _ => {}
            }
        }
    }
    let open: Vec<u128> = open.into_iter().collect();
    let state = Mutex::new((status, 0, 0));
    let unproved = threads.map(&open, |&form| {
        let position = Position::<6>::of_form(form, Color::Black).context("found a form without a position")?;
        let proved = proved_choice(&position, Limits::nodes(nodes));
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let (status, done, unproved) = &mut *state;
        (*done, *unproved) = (*done + 1, *unproved + u64::from(proved.is_none()));
        let [done, all, unproved] = [*done, open.len() as u64, *unproved].map(in_thousands);
        status.show(|| format!("{done} of {all} replies that leave the file tried, {unproved} of them not proved"));
        Ok(proved.is_none().then_some(position))
    })?;
    drop(state);
    let unproved: Vec<Position<6>> = unproved.into_iter().flatten().collect();
    for goal in goals {
        let verdict = known.verdict(goal).with_context(|| format!("the strategy does not reach {}", goal.start))?;
        stdout_line(format_args!("{}: {verdict}", goal.start))?;
    }
    let cpu = (Clock::Process.now() - began).as_secs_f64();
    let [lost, left, failed] = [positions.len(), open.len(), unproved.len()].map(|count| in_thousands(count as u64));
    let most = in_thousands(nodes);
    let measured = format!(
        "{lost} positions; {left} replies leave the file, {failed} of them not proved won with {most} nodes each; {cpu:.0} s of CPU time"
    );
    stdout_line(&measured)?;
    unproved.iter().try_for_each(stdout_line)?;
    if !unproved.is_empty() {
        bail!("{failed} replies are not proved; help: try more --nodes");
    }
    Ok(Figure::new("a cut strategy whose side to move loses, closed by the solver", measured))
}
