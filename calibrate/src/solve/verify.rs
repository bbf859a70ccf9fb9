//! Verifies a strategy by the rules alone, without a solver, search or tables.
//!
//! A strategy is a set of positions, each with a number of plies. It is correct if in each position every move either
//! loses at once, or leads to a position in which the other side wins at once or has a move to a position in the set
//! with fewer plies. Since the plies only decrease, the other side wins every game in which it follows the set.
//!
//! Some positions may only be not won, whatever the plies. There, every move must be one after which the other side does
//! not lose at once, and can end the game or has a move to any position in the set. The other side can go on so forever.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use kingline::clock::Clock;
use kingline::game::{Canonical, Color, Game, Outcome};
use kingline::knowledge::solved::{ENDLESS, Strategy};
use kingline::loa::Position;
use kingline::search::Limits;
use kingline_players::figures::Figure;
use kingline_players::play::solved::{proved_choice, solved_choice};
use kingline_players::terminal::{in_thousands, stdout_line};
use kingline_players::threads::Threads;

use super::decide::Verdict;
use super::goal::{Aim, Goal, Whose};
use super::walk::{Taken, Walk};
use kingline_players::progress::{Progress, Status};

/// Number of positions that a thread verifies at a time.
const CHUNK: usize = 4096;
/// Number of failures to print; all are counted.
const SHOWN: usize = 10;

/// Target for the CPU time of a verification.
const MOST: Duration = Duration::from_secs(60);

/// Set of positions that are lost or not won, for fast lookup.
pub(super) struct Known(HashMap<u128, u8>);

/// Verifies a complete strategy, and that it reaches these goals. Returns the figure.
pub(super) fn run<G: Canonical + Sync>(
    strategy: &Strategy<'_, G>,
    goals: &[Goal<G>],
    threads: Threads,
) -> Result<Figure> {
    let began = Clock::Process.now();
    if strategy.fewest_plies() > 0 {
        let fewest = strategy.fewest_plies();
        bail!("found a strategy that lacks the positions of fewer than {fewest} plies, expected a complete one");
    }
    let positions: Vec<(u128, u8)> = strategy.positions().collect();
    let known = Known::new(&positions);
    let chunks: Vec<&[(u128, u8)]> = positions.chunks(CHUNK).collect();
    let progress = Mutex::new(Progress::new("verify", chunks.len()));
    let checked = threads.map(&chunks, |chunk| {
        let checked: Vec<_> = chunk.iter().map(|&(form, plies)| check::<G>(&known, form, plies)).collect();
        if let Ok(mut progress) = progress.lock() {
            progress.step("");
        }
        Ok(checked)
    })?;
    drop(progress);
    let (mut moves, mut failures) = (0, Vec::new());
    for checked in checked.into_iter().flatten() {
        match checked {
            Ok(count) => moves += count,
            Err(failure) => failures.push(failure),
        }
    }
    for goal in goals {
        match known.verdict(goal) {
            Some(verdict) => stdout_line(format_args!("{}: {verdict}", goal.start))?,
            None => failures.push(format!("{}: {}", goal.start, missing(goal))),
        }
    }
    let (lost, endless): (Vec<u8>, Vec<u8>) =
        positions.iter().map(|&(_, plies)| plies).partition(|&plies| plies != ENDLESS);
    let longest = lost.into_iter().max().unwrap_or(0);
    let endless = match endless.len() {
        0 => String::new(),
        count => format!("{} of them only not won, ", in_thousands(count as u64)),
    };
    let cpu = Clock::Process.now() - began;
    let measured = format!(
        "{} positions, {endless}{} replies, the longest line {longest} plies: {} failures; {:.1} s of CPU time",
        in_thousands(positions.len() as u64),
        in_thousands(moves),
        failures.len(),
        cpu.as_secs_f64(),
    );
    stdout_line(&measured)?;
    failures.iter().take(SHOWN).try_for_each(stdout_line)?;
    if !failures.is_empty() {
        bail!("the strategy is wrong: {} failures", failures.len());
    }
    let target = format!("0 failures, at most {} s", MOST.as_secs());
    Ok(Figure::new("the whole strategy, verified by the rules alone", measured).against(target, cpu <= MOST))
}

/// Checks that a position in the set is lost within `plies` plies, or not won. Returns the number of its moves, or the
/// position and what is wrong.
pub(super) fn check<G: Canonical>(known: &Known, form: u128, plies: u8) -> Result<u64, String> {
    let position = G::of_form(form, Color::White).ok_or_else(|| format!("{form:#x}: no position has this form"))?;
    if position.outcome().is_some() {
        return Err(format!("{position}: the game is over"));
    }
    let moves = position.legal_moves();
    for &mv in &moves {
        let (after, shown) = (position.play(mv), position.notation(mv));
        if plies == ENDLESS {
            if known.is_lost(&after) {
                return Err(format!("{position}: after {shown} the other side has no move that holds"));
            }
            continue;
        }
        let in_plies = known.takes(&after);
        if in_plies >= u16::from(plies) {
            let found = match in_plies {
                u16::MAX => "is not known to win".into(),
                more => format!("wins in {more} plies"),
            };
            return Err(format!(
                "{position}: after {shown} the other side {found}, expected a win in fewer than {plies} plies"
            ));
        }
    }
    Ok(moves.len() as u64)
}

impl Known {
    pub(super) fn new(positions: &[(u128, u8)]) -> Known {
        Known(positions.iter().copied().collect())
    }

    /// Returns what the set proves about a goal; `None` if it does not reach it.
    pub(super) fn verdict<G: Canonical>(&self, goal: &Goal<G>) -> Option<Verdict> {
        let entry = self.0.get(&goal.start.form()).copied();
        let won = || self.won(&goal.start).map(Verdict::Won);
        let lost = || entry.filter(|&plies| plies != ENDLESS).map(|plies| Verdict::Lost(plies.into()));
        let neither = || match (entry, self.holds(&goal.start)) {
            (Some(_), true) => Some(Verdict::Neither),
            (Some(_), false) => Some(Verdict::NotWon),
            (None, true) => Some(Verdict::NotLost),
            (None, false) => None,
        };
        let is_hold = goal.aim == Aim::Hold;
        match goal.whose() {
            Some(Whose::Winner) => won().or((is_hold && self.holds(&goal.start)).then_some(Verdict::NotLost)),
            Some(Whose::Defender) => lost().or((is_hold && entry.is_some()).then_some(Verdict::NotWon)),
            None => won().or_else(lost).or_else(neither),
        }
    }

    /// True if a position is over and lost for the side to move, or no move in it holds.
    fn is_lost<G: Canonical>(&self, position: &G) -> bool {
        match position.outcome() {
            Some(outcome) => outcome == Outcome::Win(!position.turn()),
            None => !self.holds(position),
        }
    }

    /// True if a move ends the game without a loss or leads to a position in the set.
    fn holds<G: Canonical>(&self, position: &G) -> bool {
        let loss = Outcome::Win(!position.turn());
        position.legal_moves().into_iter().map(|mv| position.play(mv)).any(|after| match after.outcome() {
            Some(outcome) => outcome != loss,
            None => self.0.contains_key(&after.form()),
        })
    }

    /// Returns the largest number of plies that the side to move takes to win, 0 if it has won, `u16::MAX` if it is not
    /// known to win.
    pub(super) fn takes<G: Canonical>(&self, position: &G) -> u16 {
        match position.outcome() {
            Some(outcome) if outcome == Outcome::Win(position.turn()) => 0,
            Some(_) => u16::MAX,
            None => self.won(position).unwrap_or(u16::MAX),
        }
    }

    /// Returns the largest number of plies in which the side to move wins, at once or by a move to a position in the
    /// set.
    pub(super) fn won<G: Canonical>(&self, position: &G) -> Option<u16> {
        let after = || position.legal_moves().into_iter().map(|mv| position.play(mv));
        let won = Some(Outcome::Win(position.turn()));
        if after().any(|after| after.outcome() == won) {
            return Some(1);
        }
        let known = after().filter_map(|after| self.0.get(&after.form()).copied()).filter(|&plies| plies != ENDLESS);
        known.min().map(|plies| u16::from(plies) + 1)
    }
}

/// Describes why a strategy does not reach a goal.
fn missing<G: Canonical>(goal: &Goal<G>) -> &'static str {
    match (goal.whose(), goal.aim) {
        (Some(Whose::Winner), Aim::Win) => "no move leads to a lost position",
        (Some(Whose::Winner), Aim::Hold) => "no move leads to a lost position or one that is not won",
        (Some(Whose::Defender), Aim::Win) => "it is not known to be lost",
        (Some(Whose::Defender), Aim::Hold) => "it is not known to be lost or not won",
        (None, _) => "no move leads to a lost position or one that is not won, and it is neither itself",
    }
}

/// Verifies that `loa6` wins or holds from these positions with this part of a strategy, and a solver that gets `nodes`
/// nodes. Returns the figure.
pub(super) fn with_solver(
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
