//! Verifies that `loa6` wins with a cut strategy and its solver.

use anyhow::{Result, bail};
use kingline::clock::Clock;
use kingline::figures::Figure;
use kingline::game::{Canonical, Color, Game};
use kingline::knowledge::solved::Strategy;
use kingline::loa::Position;
use kingline::play::solved::winning_choice;
use kingline::search::Limits;
use kingline::terminal::stdout_line;

use super::walk::Walk;
use crate::threads::Threads;

/// Verifies that `loa6` wins from these positions with this part of a strategy. Returns the figure.
///
/// # Errors
/// Fails if it does not win.
pub(super) fn run(strategy: &Strategy<'_, Position<6>>, starts: &[Position<6>], threads: Threads) -> Result<Figure> {
    let began = Clock::Process.now();
    let policy = |position: &Position<6>| {
        let choice = winning_choice(position, Some(strategy), Limits::default())?;
        Some((position.play(choice.best), choice.why.nodes()))
    };
    let walk = Walk::of(starts, &policy, threads)?;
    let shown =
        |place| Position::<6>::of_form(walk.form(place), Color::Black).map_or(String::new(), |it| it.to_string());
    if let Some(place) = walk.stuck().next() {
        bail!("the player knows no win in {} positions, for example {}", walk.stuck().count(), shown(place));
    }
    let played = match walk.played() {
        Ok(played) => played.to_string(),
        Err(around) => {
            bail!("the player can move in {} cycles, for example through {}", around.len(), shown(around[0][0]))
        }
    };
    stdout_line(&played)?;
    let cpu = (Clock::Process.now() - began).as_secs_f64();
    stdout_line(format_args!("all games are won; {cpu:.0} s of CPU time"))?;
    let measured = format!("all games are won; {played}; {cpu:.0} s of CPU time");
    Ok(Figure::new("`loa6` with its part of the strategy, against every reply", measured))
}
