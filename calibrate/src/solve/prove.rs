//! Proves goals one after another, each reply of a losing side in turn.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use kingline::clock::Clock;
use kingline::game::{Canonical, Color};
use kingline::knowledge::solved::Strategy;
use kingline::search::{Limits, Searcher};
use kingline_players::figures::Figure;
use kingline_players::files;
use kingline_players::terminal::{in_thousands, stdout_line};

use super::decide::{Report, Verdict};
use super::goal::{Aim, Claim, Goal, Whose};
use super::notes::Notes;
use super::run::Solver;
use super::store::{Fact, Store};
use super::work::Evaluated;
use super::{SolveArguments, strategy};
use crate::options::Shard;

/// Nodes of an attempt at a reply in the first plan.
const BUDGET: u64 = 40_000_000;
/// Node limit of a search that tells which reply is the hardest.
const SHORT_SEARCH: u64 = 500_000;

/// Proves the goals, or a shard of their parts, and writes the strategy if requested. Returns the figures.
pub(super) fn run<G: Evaluated>(arguments: &SolveArguments, path: &Path, goals: &[Goal<G>]) -> Result<Vec<Figure>> {
    let store = &Store::open::<G>(path)?;
    let (threads, bytes) = (arguments.threads.threads(), (arguments.memory as usize) << 20);
    let [every, save] = [arguments.progress, arguments.save].map(|seconds| Duration::from_secs(seconds.into()));
    let solver = Solver { store, threads, bytes, save, budget: BUDGET };
    if let Some(shard) = arguments.shard {
        prove_shard(&solver, goals, shard, every)?;
        return Ok(Vec::new());
    }
    let board = arguments.board;
    let mut figures = Vec::new();
    let steps = |goal: &Goal<G>| if goal.aim == Aim::Hold { 1 } else { goal.parts().len() };
    let mut notes = Notes::new(store, goals.iter().map(steps).sum(), every);
    let after = arguments.after.iter().map(|moves| moves.trim()).chain(std::iter::repeat(""));
    for (goal, after) in goals.iter().zip(after) {
        let place = if after.is_empty() { "from the start".to_owned() } else { format!("after {after}") };
        let known = store.lost_positions() as u64;
        let report = prove(&solver, goal, &mut notes)?;
        // A proof that continues from known facts costs less.
        let before = if known == 0 { String::new() } else { format!(", {} of them before", in_thousands(known)) };
        let name = format!("proof of {board}x{board} Lines of Action {place}");
        figures.push(Figure::new(name, format!("{}{before}", report.in_words())));
        stdout_line(report)?;
    }
    drop(notes);
    if let Some(output) = &arguments.strategy {
        let bytes = Strategy::<G>::to_bytes(strategy::whole(store, goals)?, 0);
        files::write_synced(output, &[&bytes])?;
        let positions = in_thousands(Strategy::<G>::open(&bytes)?.len() as u64);
        stdout_line(format_args!("{}: {positions} positions", output.display()))?;
        figures.push(Figure::new("positions of the whole strategy", positions));
    }
    Ok(figures)
}

/// Proves a goal: if its winner should win and is not to move, one reply after another.
pub(super) fn prove<G: Evaluated>(solver: &Solver<'_>, goal: &Goal<G>, notes: &mut Notes) -> Result<Report<G>> {
    let began = Clock::Process.now();
    let verdict = match (goal.whose(), goal.aim) {
        (Some(Whose::Defender), Aim::Win) => after_replies(solver, goal, notes)?,
        _ => {
            let verdict = solver.decide(goal, notes)?;
            notes.step(solver.store);
            verdict
        }
    };
    let (lost_positions, cpu) = (solver.store.lost_positions(), Clock::Process.now() - began);
    let report = Report { start: goal.start, verdict, lost_positions, cpu };
    // All facts are kept, even if they do not answer the question.
    solver.store.save()?;
    check(goal, &report)?;
    Ok(report)
}

/// Fails if the side that should win, or not lose, does not.
fn check<G: Canonical>(goal: &Goal<G>, report: &Report<G>) -> Result<()> {
    let is_as_expected = match (goal.whose(), report.verdict) {
        (Some(Whose::Winner), Verdict::Won(_)) | (Some(Whose::Defender), Verdict::Lost(_)) | (None, _) => true,
        (Some(Whose::Winner), Verdict::NotLost) | (Some(Whose::Defender), Verdict::NotWon) => goal.aim == Aim::Hold,
        _ => false,
    };
    if is_as_expected {
        return Ok(());
    }
    let player = if goal.winner == Some(Color::Black) { "first" } else { "second" };
    let does = if goal.aim == Aim::Hold { "loses" } else { "does not win" };
    bail!("the {player} player {does}: {}: {}", report.start, report.verdict)
}

/// Proves that every reply to the goal's start loses, the hardest first, until one does not.
fn after_replies<G: Evaluated>(solver: &Solver<'_>, goal: &Goal<G>, notes: &mut Notes) -> Result<Verdict> {
    let (store, start) = (solver.store, &goal.start);
    let (known, mut open): (Vec<_>, Vec<_>) =
        goal.parts().into_iter().partition(|part| store.won(&part.start).is_some());
    known.iter().for_each(|_| notes.skip());
    if !open.is_empty() && solver.is_held(start, Whose::Winner, solver.budget, notes)? {
        // It may even win.
        solver.attempt(start, &[Claim { whose: Whose::Winner, aim: Aim::Win }], solver.budget, notes)?;
        return Ok(store.won(start).map_or(Verdict::NotLost, Verdict::Won));
    }
    let mut searcher = Searcher::new(G::for_search());
    open.sort_by_cached_key(|part| searcher.search(part.start, Limits::nodes(SHORT_SEARCH), &mut ()).score);
    for part in open {
        // The proofs of the others may have shown it.
        if store.won(&part.start).is_some() {
            notes.skip();
            continue;
        }
        match solver.decide(&part, notes)? {
            Verdict::Won(_) => notes.step(store),
            Verdict::Lost(plies) => return Ok(Verdict::Won(store.won(start).unwrap_or(plies + 1))),
            _ => return Ok(Verdict::NotLost),
        }
    }
    let Some(loss @ Fact::Lost(plies)) = store.by_replies(start, Aim::Win) else {
        // A reply ends the game.
        return Ok(store.won(start).map_or(Verdict::NotLost, Verdict::Won));
    };
    store.add(start.form(), loss);
    Ok(Verdict::Lost(plies))
}

fn prove_shard<G: Evaluated>(solver: &Solver<'_>, goals: &[Goal<G>], shard: Shard, every: Duration) -> Result<()> {
    let mut forms = HashSet::new();
    let all: Vec<Goal<G>> = goals.iter().flat_map(Goal::parts).filter(|part| forms.insert(part.start.form())).collect();
    let count = all.len();
    let parts = shard.share(all);
    let mut notes = Notes::new(solver.store, parts.len(), every);
    for part in &parts {
        if solver.store.reaches(&part.start, part.aim) {
            notes.skip();
        } else {
            stdout_line(prove(solver, part, &mut notes)?)?;
        }
    }
    drop(notes);
    stdout_line(format_args!("shard {}/{}: {} of {count} positions decided", shard.number, shard.of, parts.len()))
}
