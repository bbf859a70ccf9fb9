//! Verifies that `loa6` wins, or does not lose, with a cut strategy and its solver.

use anyhow::{Result, bail};
use kingline::clock::Clock;
use kingline::figures::Figure;
use kingline::game::{Canonical, Color};
use kingline::knowledge::solved::Strategy;
use kingline::loa::Position;
use kingline::play::solved::solved_choice;
use kingline::search::Limits;
use kingline::terminal::stdout_line;

use super::walk::{Taken, Walk};
use crate::progress::Status;
use crate::threads::Threads;

/// Verifies that `loa6` wins or holds from these positions with this part of a strategy. Returns the figure.
///
/// # Errors
/// Fails if it does neither.
pub(super) fn run(
    strategy: &Strategy<'_, Position<6>>,
    starts: &[Position<6>],
    threads: Threads,
    mut status: Status,
) -> Result<Figure> {
    let began = Clock::Process.now();
    let policy = |position: &Position<6>| {
        let choice = solved_choice(position, Some(strategy), Limits::default());
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
