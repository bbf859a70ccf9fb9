//! Steps of a walk and their results.

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::finding::{Finding, ShownBoard};
use crate::league::clock_rules::Spent;
use crate::record::FaultKind;
use crate::referee::Answer;
use crate::sandbox::{JobEnd, Run};
use kingline::game::Color;

/// A step of a walk and its result.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct CheckStep {
    /// Section of the contract that states the requirement.
    pub(crate) section: &'static str,
    /// Requirement.
    pub(crate) title: String,
    /// Result.
    pub(crate) status: Status,
    /// The referee's action, in words.
    pub(crate) did: String,
    /// Everything that was wrong or unwise.
    pub(crate) findings: Vec<Finding>,
    /// Oddities that are not wrong, and reasons why a finding is merely unwise.
    pub(crate) notes: Vec<String>,
    /// Total time of its turns.
    pub(crate) spent: Spent,
}

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::Display)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Status {
    /// Everything is right.
    Ok,
    /// The contract is met, but something is odd or unwise.
    Note,
    /// A requirement of the contract is not met.
    #[strum(serialize = "WRONG")]
    Wrong,
    /// The step was skipped because it no longer made sense.
    Skipped,
}

pub(super) struct Requirement<T> {
    pub(super) section: &'static str,
    pub(super) title: &'static str,
    pub(super) asks: T,
    /// Reason why a failure is unwise rather than wrong: the contract excludes the situation, or does not decide it.
    unwise: Option<&'static str>,
}

pub(super) const fn required<T: Copy>(section: &'static str, title: &'static str, asks: T) -> Requirement<T> {
    Requirement { section, title, asks, unwise: None }
}

pub(super) const fn wise<T: Copy>(
    section: &'static str,
    title: &'static str,
    asks: T,
    unwise: &'static str,
) -> Requirement<T> {
    Requirement { section, title, asks, unwise: Some(unwise) }
}

#[derive(Debug, Default)]
pub(super) struct StepResult {
    pub(super) did: String,
    pub(super) findings: Vec<Finding>,
    pub(super) notes: Vec<String>,
    pub(super) spent: Spent,
    ends: Vec<TurnEnd>,
    unwise: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnEnd {
    /// An answer, right or wrong.
    Answered,
    Silent,
    /// After this much wall time.
    TimedOut(Duration),
}

/// Ends of the turns so far. An agent that hangs or never answers is given up.
#[derive(Clone, Debug, Default)]
struct GivingUp {
    /// Length of the current streak of costly turns.
    in_a_row: u32,
    /// Total wall time of the turns that ran out of time.
    lost: Duration,
    silent: u32,
    has_answered: bool,
}

/// Wall time from which a timeout is costly. A turn that times out sooner did not hang; it had a short budget.
const COSTLY: Duration = Duration::from_millis(2500);
/// The check gives up on an agent after this many costly turns in a row ...
const MOST_IN_A_ROW: u32 = 3;
/// ... or after losing this much time in total ...
const MOST_LOST: Duration = Duration::from_secs(60);
/// ... or after this many turns without a single answer.
const MOST_SILENT: u32 = 6;

pub(super) struct Walk<'a> {
    steps: Vec<CheckStep>,
    giving_up: GivingUp,
    /// True once a step has reported that all others are skipped.
    skips_all: bool,
    watch: &'a mut dyn FnMut(&CheckStep),
}

impl StepResult {
    pub(super) fn did(what: impl Into<String>) -> StepResult {
        StepResult { did: what.into(), ..StepResult::default() }
    }

    #[must_use]
    pub(super) fn wrong(mut self, finding: Finding) -> StepResult {
        self.findings.push(finding);
        self
    }

    /// Marks its findings as unwise rather than wrong; `why` says why the contract does not require this step.
    #[must_use]
    pub(super) fn unwise(self, why: &'static str) -> StepResult {
        StepResult { unwise: Some(why), ..self }
    }

    /// Adds a note, unless it is already there.
    pub(super) fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }

    /// Adds an answer; returns true if it is correct.
    pub(super) fn answered<M>(&mut self, asked: &str, shown: ShownBoard, answer: &Answer<M>) -> bool {
        self.count(answer);
        let wrong = answer.mv.as_ref().err();
        self.findings.extend(wrong.map(|wrong| Finding::new(asked.to_owned(), Some(shown), wrong)));
        wrong.is_none()
    }

    /// Adds the time, notes and end of a turn, but no finding.
    pub(super) fn count<M>(&mut self, answer: &Answer<M>) {
        answer.notes.iter().for_each(|note| self.note(note));
        self.took(answer.mv.as_ref().err().map(|wrong| wrong.kind), answer.spent);
    }

    /// Adds the time and end of a turn, with or without a fault.
    pub(super) fn took(&mut self, fault: Option<FaultKind>, spent: Spent) {
        self.spent += spent;
        self.ends.push(match fault {
            None | Some(FaultKind::IllFormed | FaultKind::Illegal | FaultKind::WrongWinner) => TurnEnd::Answered,
            Some(FaultKind::OverTime | FaultKind::Hung) => TurnEnd::TimedOut(spent.wall),
            Some(_) => TurnEnd::Silent,
        });
    }

    /// Adds the time and end of a run that is not a turn: it counts as hung if it did not end, and as silent if it
    /// failed without output.
    pub(super) fn ran(&mut self, run: &Run) {
        let fault = match run.end {
            JobEnd::OverCpu | JobEnd::OverWall => Some(FaultKind::Hung),
            JobEnd::Exited(0) => None,
            _ => run.stdout.is_empty().then_some(FaultKind::Crashed),
        };
        self.took(fault, Spent { cpu: run.cpu, wall: run.wall });
    }

    /// Asks for each of these, until a turn hangs.
    pub(super) fn for_each<T>(
        mut self,
        all: impl IntoIterator<Item = T>,
        mut ask: impl FnMut(T, &mut StepResult) -> Result<()>,
    ) -> Result<StepResult> {
        for one in all {
            ask(one, &mut self)?;
            if self.is_stuck() {
                break;
            }
        }
        Ok(self)
    }

    /// True if its last turn hung, so that repeating the step would be pointless.
    pub(super) fn is_stuck(&self) -> bool {
        self.ends.last().is_some_and(|end| end.is_costly())
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(watch: &'a mut dyn FnMut(&CheckStep)) -> Walk<'a> {
        Walk { steps: Vec::new(), giving_up: GivingUp::default(), skips_all: false, watch }
    }

    pub(super) fn into_steps(self) -> Vec<CheckStep> {
        self.steps
    }

    /// Runs a step. Once the check has given up on the agent, all remaining steps are reported together as one skipped
    /// step.
    pub(super) fn step(
        &mut self,
        section: &'static str,
        title: &str,
        step: impl FnOnce() -> Result<StepResult>,
    ) -> Result<()> {
        match self.giving_up.reason() {
            Some(_) if self.skips_all => {}
            Some(why) => {
                self.skips_all = true;
                self.skip(section, "all other turns", &why);
            }
            None => self.done(section, title, step()?),
        }
        Ok(())
    }

    pub(super) fn steps<T: Copy>(
        &mut self,
        table: &[Requirement<T>],
        mut ask: impl FnMut(T) -> Result<StepResult>,
    ) -> Result<()> {
        table.iter().try_for_each(|&Requirement { section, title, asks, unwise }| {
            self.step(section, title, || Ok(StepResult { unwise, ..ask(asks)? }))
        })
    }

    pub(super) fn games(
        &mut self,
        section: &'static str,
        mut play: impl FnMut(Color) -> Result<StepResult>,
    ) -> Result<()> {
        Color::ALL.into_iter().try_for_each(|side| self.step(section, &format!("a game as {side}"), || play(side)))
    }

    pub(super) fn done(&mut self, section: &'static str, title: &str, mut found: StepResult) {
        // Optional steps are no reason to give up on an agent.
        if found.unwise.is_none() {
            found.ends.iter().for_each(|&end| self.giving_up.add(end));
        }
        let status = match (found.findings.is_empty(), found.unwise) {
            (false, None) => Status::Wrong,
            (false, Some(why)) => {
                found.note(why);
                Status::Note
            }
            (true, _) if found.notes.is_empty() => Status::Ok,
            (true, _) => Status::Note,
        };
        self.push(section, title, status, found);
    }

    pub(super) fn skip(&mut self, section: &'static str, title: &str, why: &str) {
        self.push(section, title, Status::Skipped, StepResult::did(why));
    }

    fn push(&mut self, section: &'static str, title: &str, status: Status, found: StepResult) {
        let StepResult { did, findings, notes, spent, .. } = found;
        let step = CheckStep { section, title: title.to_owned(), status, did, findings, notes, spent };
        (self.watch)(&step);
        self.steps.push(step);
    }
}

impl TurnEnd {
    /// True if the turn took so long that the agent may be hanging.
    fn is_costly(self) -> bool {
        matches!(self, TurnEnd::TimedOut(after) if after >= COSTLY)
    }
}

impl GivingUp {
    fn add(&mut self, end: TurnEnd) {
        match end {
            TurnEnd::Answered => self.has_answered = true,
            TurnEnd::Silent => self.silent += 1,
            TurnEnd::TimedOut(after) => self.lost += after,
        }
        self.in_a_row = if end.is_costly() { self.in_a_row + 1 } else { 0 };
    }

    /// The reason to stop asking, if any; skipped steps show it.
    fn reason(&self) -> Option<String> {
        if self.in_a_row >= MOST_IN_A_ROW {
            return Some(format!("it ran out of time {MOST_IN_A_ROW} times in a row"));
        }
        if self.lost >= MOST_LOST {
            return Some(format!("{:.0} s were lost on turns that ran out of time", self.lost.as_secs_f64()));
        }
        (!self.has_answered && self.silent >= MOST_SILENT).then(|| format!("it gave no answer in {MOST_SILENT} turns"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_finding_decides_the_status_of_a_step() {
        let finding = || Finding::plain("y", "1", "2");
        let mut seen = Vec::new();
        let mut watch = |step: &CheckStep| seen.push(step.status);
        let mut walk = Walk::new(&mut watch);
        walk.done("§1", "a", StepResult::did("x"));
        walk.done("§1", "b", StepResult { notes: vec!["odd".into()], ..StepResult::default() });
        walk.done("§1", "c", StepResult::did("x").wrong(finding()));
        walk.done("§1", "d", StepResult::did("x").wrong(finding()).unwise("nobody asks for it"));
        walk.skip("§1", "e", "c was wrong");
        let steps = walk.into_steps();
        assert_eq!((steps.len(), &steps[3].notes[..]), (5, &["nobody asks for it".to_owned()][..]));
        assert_eq!(seen, [Status::Ok, Status::Note, Status::Wrong, Status::Note, Status::Skipped]);
        assert_eq!(format!("{:8}|", Status::Wrong), "WRONG   |");
    }

    #[test]
    fn an_agent_that_hangs_is_given_up() {
        let mut watch = |_: &CheckStep| {};
        let mut walk = Walk::new(&mut watch);
        for _ in 0..5 {
            let hung = || {
                let mut found = StepResult::did("x").wrong(Finding::plain("y", "1", "2"));
                found.took(Some(FaultKind::Hung), Spent { wall: Duration::from_secs(10), ..Spent::default() });
                Ok(found)
            };
            walk.step("§1", "a", hung).unwrap();
        }
        let steps = walk.into_steps();
        assert_eq!(steps.iter().filter(|step| step.status == Status::Wrong).count(), 3);
        assert_eq!((steps.len(), &*steps[3].did), (4, "it ran out of time 3 times in a row"));
    }

    const HUNG: TurnEnd = TurnEnd::TimedOut(Duration::from_secs(5));
    const LATE: TurnEnd = TurnEnd::TimedOut(Duration::from_millis(15));
    const LONG: TurnEnd = TurnEnd::TimedOut(Duration::from_secs(61));

    #[test]
    fn an_agent_that_always_hangs_or_never_answers_is_given_up() {
        for (ends, reason) in [
            (vec![HUNG; 2], None),
            (vec![HUNG; 3], Some("it ran out of time 3 times in a row")),
            (vec![LONG], Some("61 s were lost on turns that ran out of time")),
            // One that sometimes answers is kept.
            ([HUNG, HUNG, TurnEnd::Answered].repeat(3), None),
            // Short budgets.
            (vec![LATE; 20], None),
            ([&[TurnEnd::Answered][..], &[TurnEnd::Silent; 20]].concat(), None),
            (vec![TurnEnd::Silent; 5], None),
            (vec![TurnEnd::Silent; 6], Some("it gave no answer in 6 turns")),
        ] {
            let mut so_far = GivingUp::default();
            ends.iter().for_each(|&end| so_far.add(end));
            assert_eq!(so_far.reason().as_deref(), reason, "{ends:?}");
        }
    }
}
