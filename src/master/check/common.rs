//! Steps that several protocols share.

use std::str::FromStr;

use anyhow::Result;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Subject;
use super::finding::{Finding, ShownBoard};
use super::walk::{Requirement, StepResult, Walk, required};
use crate::league::League;
use crate::league::clock_rules::Spent;
use crate::record::{EndReason, FaultKind, Replay, Violation};
use crate::referee::{Answer, Ask, GameSetup, NoObserver, Player, referee};
use crate::sandbox::{JobEnd, JobLimits, Output};
use kingline::draw::Board;
use kingline::game::{Color, Game, ParseError};

pub(super) struct Asked<M> {
    pub(super) asked: String,
    pub(super) shown: ShownBoard,
    /// The answer, parsed leniently.
    pub(super) answer: Answer<M>,
    /// A slip in the answer's form that did not prevent parsing it.
    pub(super) slip: Option<Violation>,
}

impl<M> Asked<M> {
    fn slip_found(&self) -> Option<Finding> {
        self.slip.as_ref().map(|slip| Finding::new(self.asked.clone(), Some(self.shown), slip))
    }

    /// Adds the findings; returns true if the answer is a legal move, even one with a slip in its form.
    pub(super) fn add_to(&self, found: &mut StepResult) -> bool {
        found.findings.extend(self.slip_found());
        found.answered(&self.asked, self.shown, &self.answer)
    }
}

/// A step on the way to a first answer, with the faults that fail it.
pub(super) type Rung = Requirement<&'static [FaultKind]>;

pub(super) const STARTS: Rung = required("§2", "the program can be started", &[FaultKind::NotStarted]);
pub(super) const ENDS: Rung = required(
    "§2",
    "it ends on its own, within its limits",
    &[FaultKind::OverTime, FaultKind::Hung, FaultKind::OverMemory, FaultKind::OverDisk, FaultKind::OverOutput],
);
/// Faults of an agent that gives no answer.
pub(super) const SILENT: &[FaultKind] =
    &[FaultKind::Crashed, FaultKind::NoAnswer, FaultKind::EmptyAnswer, FaultKind::NotAFile, FaultKind::TooLong];

/// Reports the first answer as steps; returns true if the program can be started. If it cannot, no other step makes
/// sense.
pub(super) fn climb<M>(walk: &mut Walk, rungs: &[Rung], first: &Asked<M>) -> bool {
    let kind = first.answer.mv.as_ref().err().map(|wrong| wrong.kind);
    let fell = kind.map(|kind| rungs.iter().position(|rung| rung.asks.contains(&kind)).unwrap_or(rungs.len() - 1));
    for (index, &Requirement { section, title, asks, .. }) in rungs.iter().enumerate() {
        let mut found = StepResult::did("looked at its first answer");
        match fell {
            Some(fell) if index > fell => {
                walk.skip(section, title, "an earlier step failed");
                continue;
            }
            Some(fell) if index == fell => {
                found.answered(&first.asked, first.shown, &first.answer);
            }
            None if index == 0 => found.count(&first.answer),
            _ => {}
        }
        if asks.contains(&FaultKind::IllFormed) {
            found.findings.extend(first.slip_found());
        }
        walk.done(section, title, found);
    }
    let is_started = kind != Some(FaultKind::NotStarted);
    if !is_started {
        walk.skip("§1", "all other steps", "the program cannot be started");
    }
    is_started
}

/// Number of turns of a game, counting both sides: enough for a capture or two.
pub(super) const TURNS: u32 = 24;

/// Plays random legal moves and takes no time.
struct AtRandom(StdRng);

impl<G: Game> Player<G> for AtRandom {
    fn choose(&mut self, ask: &Ask<G>) -> Result<Answer<G::Move>> {
        let list = ask.history.position().legal_moves();
        let mv = list[self.0.random_range(0..list.len())];
        Ok(Answer::new(Ok(mv), Spent::default()))
    }
}

/// Plays some turns of a game against random moves, with the agent as `side`.
pub(super) fn some_turns<G: Board + FromStr<Err = ParseError>>(
    league: &League,
    side: Color,
    agent: &mut dyn Player<G>,
    shown: fn(G) -> ShownBoard,
) -> Result<StepResult> {
    let (names, budgets) = (Default::default(), [league.clock.game; 2]);
    let setup = GameSetup { names, budgets, seed: 1, started: None, tier: String::new() };
    let mut random = AtRandom(StdRng::seed_from_u64(side.index() as u64));
    let players: [&mut dyn Player<G>; 2] =
        if side == Color::Black { [agent, &mut random] } else { [&mut random, agent] };
    let record = referee(league, setup, players, &mut NoObserver);
    let turns = record.turns.len();
    let mut found = StepResult::did(format!("{turns} turns of a game as {side}, against random moves"));
    for turn in record.turns.iter().filter(|turn| turn.side == side) {
        turn.notes.iter().for_each(|note| found.note(note));
        found.took(turn.fault.as_ref().map(|fault| fault.kind), turn.spent);
    }
    match record.verdict.reason.clone() {
        EndReason::Failed(failure) => Err(failure.into()),
        EndReason::Fault(fault) => {
            let last = Replay::<G>::of(&record)?.last();
            let asked = format!("turn {} of the game, as {side}:", fault.turn);
            Ok(found.wrong(Finding::new(asked, Some(shown(last)), &fault.violation())))
        }
        _ => Ok(found),
    }
}

/// Shell script that runs the agent, pauses for processes that are about to end, and then finds those that remain by
/// sending signal 0 to all. The shell must be the first process in its namespace; elsewhere, it could not tell them
/// from the user's other processes.
const LOOK_AROUND: &str = "\"$@\"; [ $$ = 1 ] || exit 98; sleep 0.2; kill -s 0 -- -1 2>/dev/null && exit 99; exit 0";

/// Checks that no process outlives the agent after a last request: files in its working directory, or standard input.
pub(super) fn left_behind(
    walk: &mut Walk,
    section: &'static str,
    subject: Subject,
    files: &[(&str, &str)],
    input: &str,
) -> Result<()> {
    walk.step(section, "it leaves no processes behind", || {
        let Subject { workspace, league, contestant } = subject;
        let mut cell = workspace.cell(Color::White, &league.limits, contestant)?;
        for (name, content) in files {
            cell.write(name, content.as_bytes())?;
        }
        let limits = league.limits.of_job(None, JobLimits::default().wall);
        let mut job = contestant.job(&cell, &contestant.agent().player, input.into(), Output::Discard, limits);
        let mut arguments = vec!["-c".into(), LOOK_AROUND.into(), "sh".into(), job.program.into_os_string()];
        arguments.append(&mut job.arguments);
        (job.program, job.arguments) = ("/bin/sh".into(), arguments);
        let run = cell.run(&job)?;
        let mut found = StepResult::did("looked for processes after it ended");
        found.spent += Spent { cpu: run.cpu, wall: run.wall };
        match run.end {
            JobEnd::Exited(0) => {}
            JobEnd::Exited(98) => found.notes.push("cannot be checked on this machine".into()),
            JobEnd::Exited(99) => {
                let expected = "none: the referee kills remaining processes";
                found = found
                    .wrong(Finding::plain("after its answer:", "processes that keep running", expected))
                    .unwise("no rule forbids it, but the referee kills them");
            }
            end => found.notes.push(format!("cannot be checked: {end}")),
        }
        Ok(found)
    })
}
