//! Verifies a strategy by the rules alone, without a solver, search or tables.
//!
//! A strategy is a set of positions, each with a number of plies. It is correct if in each position every move either
//! loses at once, or leads to a position in which the other side wins at once or has a move to a position in the set
//! with fewer plies. Since the plies only decrease, the other side wins every game in which it follows the set.
//!
//! Some positions may only be not won, whatever the plies. There, every move must be one after which the other side does
//! not lose at once, and can end the game or has a move to any position in the set. The other side can go on so forever.

use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Result, bail};
use kingline::clock::Clock;
use kingline::game::{Canonical, Color, Outcome};
use kingline::knowledge::solved::{ENDLESS, Strategy};
use kingline_players::figures::Figure;
use kingline_players::terminal::stdout_line;

use super::goal::Goal;
use super::node::{Aim, Whose};
use super::report::Verdict;
use crate::progress::Progress;
use crate::threads::Threads;
use kingline_players::terminal::in_thousands;

/// Number of positions that a thread verifies at a time.
const CHUNK: usize = 4096;
/// Number of failures to print; all are counted.
const SHOWN: usize = 10;

/// Target for the CPU time of a verification.
const MOST: Duration = Duration::from_secs(60);

/// Wrong position in the set, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    position: String,
    what: String,
}

/// Set of positions that are lost or not won, for fast lookup.
pub(super) struct Known(HashMap<u128, u8>);

/// Result of a thread's verification.
#[derive(Clone, Debug, Default)]
struct Verified {
    moves: u64,
    failures: Vec<Failure>,
}

/// Verifies a complete strategy, and that it reaches these goals. Returns the figure.
///
/// # Errors
/// Fails if the strategy is wrong.
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
    let verified = threads.map(&chunks, |chunk| {
        let mut verified = Verified::default();
        for &(form, plies) in *chunk {
            match check::<G>(&known, form, plies) {
                Ok(moves) => verified.moves += moves,
                Err(failure) => verified.failures.push(failure),
            }
        }
        if let Ok(mut progress) = progress.lock() {
            progress.step("");
        }
        Ok(verified)
    })?;
    drop(progress);
    let mut failures: Vec<Failure> = verified.iter().flat_map(|verified| verified.failures.clone()).collect();
    for goal in goals {
        match known.verdict(goal) {
            Some(verdict) => stdout_line(format_args!("{}: {verdict}", goal.start))?,
            None => failures.push(Failure::new(&goal.start, missing(goal))),
        }
    }
    let moves: u64 = verified.iter().map(|verified| verified.moves).sum();
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

/// Checks that a position in the set is lost within `plies` plies, or not won. Returns the number of its moves.
pub(super) fn check<G: Canonical>(known: &Known, form: u128, plies: u8) -> Result<u64, Failure> {
    let Some(position) = G::of_form(form, Color::White) else {
        return Err(Failure { position: format!("{form:#x}"), what: "no position has this form".into() });
    };
    if position.outcome().is_some() {
        return Err(Failure::new(&position, "the game is over"));
    }
    let moves = position.legal_moves();
    for &mv in &moves {
        let after = position.play(mv);
        if plies == ENDLESS {
            if known.is_lost(&after) {
                let what = format!("after {} the other side has no move that holds", position.notation(mv));
                return Err(Failure::new(&position, what));
            }
            continue;
        }
        let in_plies = known.takes(&after);
        if in_plies >= u16::from(plies) {
            let found = match in_plies {
                u16::MAX => "is not known to win".into(),
                more => format!("wins in {more} plies"),
            };
            let what = format!(
                "after {} the other side {found}, expected a win in fewer than {plies} plies",
                position.notation(mv)
            );
            return Err(Failure::new(&position, what));
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

impl Failure {
    fn new(position: &impl fmt::Display, what: impl Into<String>) -> Failure {
        Failure { position: position.to_string(), what: what.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.what)
    }
}
