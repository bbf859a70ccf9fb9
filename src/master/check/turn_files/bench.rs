//! A checkers agent that is asked turn by turn and watched for forbidden habits.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use anyhow::Result;

use super::super::Subject;
use super::super::common::Asked;
use super::super::finding::{Finding, ShownBoard};
use super::super::walk::StepResult;
use crate::league::Format;
use crate::league::clock_rules::{Allowance, Spent};
use crate::record::{FaultKind, Violation};
use crate::referee::players::{Contestant, Reading, TurnFilesPlayer, ill_formed};
use crate::referee::{Answer, Player};
use kingline::checkers::{Move, Position};
use kingline::game::Color;
use kingline_players::protocol::turn_files::{
    AnswerError, CALIBRATION, INPUT, Mode, OUTPUT, PLAYDATA, TurnRequest, line_slip, read_answer,
};

/// A checkers agent in its own working directory.
pub(super) struct TurnFilesBench<'a> {
    contestant: &'a Contestant,
    /// Reads answers by their squares: a slip in the form is reported once and hides nothing else.
    pub(super) player: TurnFilesPlayer<'a>,
    format: Format,
    /// Descriptions of the slips in the form of output.txt so far.
    slips: BTreeSet<String>,
    pub(super) start_up: StartUp,
    strays: BTreeSet<String>,
    /// Number of turns that changed input.txt.
    altered: u32,
    turns: u32,
}

const LONGEST_ANSWER: usize = 1 << 12;

impl<'a> TurnFilesBench<'a> {
    pub(super) fn new(subject: Subject<'a>) -> Result<TurnFilesBench<'a>> {
        let Subject { workspace, league, contestant } = subject;
        let mut player =
            TurnFilesPlayer::new(contestant, league, workspace.cell(Color::Black, &league.limits, contestant)?);
        player.read_as(Reading::BySquares);
        let mut bench = TurnFilesBench {
            contestant,
            player,
            format: league.format,
            slips: BTreeSet::new(),
            start_up: StartUp { counts: league.clock.counts, quickest: None },
            strays: BTreeSet::new(),
            altered: 0,
            turns: 0,
        };
        bench.reset()?;
        Ok(bench)
    }

    /// Resets the directory to its state before a game: the agent's files and calibration.txt.
    pub(super) fn reset(&mut self) -> Result<()> {
        self.player.begin(Color::Black)
    }

    /// Asks for a turn in `position`, with `input` as input.txt; `asked` describes the request. Keeps the files in the
    /// directory, even a stale answer.
    pub(super) fn turn(
        &mut self,
        asked: impl Into<String>,
        input: &str,
        position: &Position,
        left: Duration,
    ) -> Result<Asked<Move>> {
        let mut answer = self.player.ask(input, position, left)?;
        self.turns += 1;
        let slip = self.slip(position, &mut answer);
        if answer.mv.is_ok() {
            self.start_up.add(&answer.spent);
        }
        self.look_around(input)?;
        Ok(Asked { asked: asked.into(), shown: ShownBoard::Checkers(*position), answer, slip })
    }

    /// Returns the slip in the form of a readable answer, if the league forbids it and it is the first of its kind. A
    /// slip that the league allows becomes a note.
    fn slip(&mut self, position: &Position, answer: &mut Answer<Move>) -> Option<Violation> {
        if answer.mv.as_ref().is_err_and(|wrong| wrong.kind != FaultKind::Illegal) {
            return None;
        }
        let bytes = self.player.cell().read(OUTPUT, LONGEST_ANSWER).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        if let Err(AnswerError::IllFormed(error)) = read_answer(&text, position) {
            let line = text.split('\n').nth(error.line - 1).unwrap_or_default();
            // No league accepts more than slips in blanks, letter case and line endings.
            let small = line_slip(line);
            let is_accepted = small.is_some() && self.format == Format::Lenient;
            let is_new = self.slips.insert(small.unwrap_or_else(|| error.error.expected.clone()));
            let violation = ill_formed(&text, error);
            if is_new && !is_accepted {
                return Some(violation);
            } else if is_new {
                answer.notes.push(format!("{}: this league accepts it, but others may not", violation.read));
            }
        } else if !text.ends_with('\n') && self.slips.insert("has no end".to_owned()) {
            answer.notes.push(format!(
                "the last line of {OUTPUT} does not end in LF: it is accepted, but lines should end in LF"
            ));
        }
        None
    }

    fn look_around(&mut self, input: &str) -> Result<()> {
        let cell = self.player.cell();
        self.altered += u32::from(cell.read(INPUT, 1 << 16).ok().as_deref() != Some(input.as_bytes()));
        let own = |name: &str| self.contestant.files().iter().any(|own| own == name);
        for entry in fs::read_dir(cell.dir())? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if ![INPUT, OUTPUT, PLAYDATA, CALIBRATION].contains(&name.as_str()) && !own(&name) {
                cell.remove(&name)?;
                self.strays.insert(name);
            }
        }
        Ok(())
    }

    /// Asks for a turn. Keeps the files in the directory, except a stale answer. `there` is a remark about the
    /// directory.
    pub(super) fn ask(&mut self, there: &str, mode: Mode, position: Position, left: f64) -> Result<Asked<Move>> {
        self.player.cell().remove(OUTPUT)?;
        let request = TurnRequest { mode, left: Duration::from_secs_f64(left), position, warnings: Vec::new() };
        self.turn(format!("{there}{}", in_words(&request)), &request.to_string(), &position, request.left)
    }

    pub(super) fn ask_after_reset(
        &mut self,
        found: &mut StepResult,
        mode: Mode,
        position: Position,
        left: f64,
    ) -> Result<()> {
        self.reset()?;
        let asked = self.ask("", mode, position, left)?;
        self.add(found, &asked, Duration::from_secs_f64(left));
        Ok(())
    }

    /// Adds the result of a turn with this budget. A late answer that a slow start explains becomes a note.
    pub(super) fn add(&self, found: &mut StepResult, asked: &Asked<Move>, budget: Duration) {
        match asked.answer.mv.as_ref().err().and_then(|wrong| self.start_up.excuse(wrong, budget)) {
            Some(excuse) => {
                found.count(&asked.answer);
                found.note(&excuse);
            }
            None => {
                asked.add_to(found);
            }
        }
    }
}

pub(super) fn in_words(request: &TurnRequest) -> String {
    let text = request.to_string();
    let head: Vec<&str> = text.lines().take(3).collect();
    format!("{} s", head.join(", "))
}

/// Steps about the agent's habits, as observed over all its turns.
pub(super) fn habits(bench: &TurnFilesBench) -> [(&'static str, &'static str, StepResult); 2] {
    let turns = bench.turns;
    let mut strays = StepResult::did(format!("looked through its working directory after each of {turns} turns"));
    if !bench.strays.is_empty() {
        let names: Vec<&str> = bench.strays.iter().map(String::as_str).collect();
        let allowed = format!("only {OUTPUT}, {PLAYDATA} and {CALIBRATION}");
        strays = strays.wrong(Finding::plain("its stray files:", names.join(", "), allowed));
    }
    let mut altered = StepResult::did(format!("read {INPUT} again after each of {turns} turns"));
    if bench.altered > 0 {
        let read = format!("a changed {INPUT} after {} of {turns} turns", bench.altered);
        altered = altered.wrong(Finding::plain("its input after the turn:", read, "the same as before"));
    }
    [
        ("§2", "it writes no files but output.txt, playdata.txt and calibration.txt", strays),
        ("§2", "it leaves input.txt as it is", altered.unwise("no rule forbids it: the master writes a new one")),
    ]
}

/// Minimum time of a turn, estimated by the quickest turn so far. Most of it is startup time, which is long with an
/// interpreter or a virtual machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct StartUp {
    counts: Allowance,
    pub(super) quickest: Option<Duration>,
}

/// With a budget below this multiple of the quickest turn, an agent may run out of time by chance: on a busy machine,
/// one turn of a shell script took 11 ms and another 4 ms.
const MARGIN: u32 = 3;

impl StartUp {
    fn add(&mut self, spent: &Spent) {
        let time = self.counts.of(spent);
        self.quickest = Some(self.quickest.map_or(time, |quickest| quickest.min(time)));
    }

    /// Excuses a timeout, with the reason, if the budget is too short for this startup time. The fault is then unwise
    /// rather than wrong.
    fn excuse(&self, wrong: &Violation, budget: Duration) -> Option<String> {
        let quickest = self.quickest.filter(|&quickest| budget < quickest * MARGIN)?;
        let than = if budget <= quickest { "less" } else { "not much more" };
        (wrong.kind == FaultKind::OverTime).then(|| {
            format!(
                "{} s is {than} than the {:.3} s that this agent needs to start; near the end of a game it would lose on time",
                budget.as_secs_f64(),
                quickest.as_secs_f64()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_late_answer_to_a_short_budget_is_excused() {
        let violation = |kind| Violation { kind, read: String::new(), expected: String::new() };
        let late = violation(FaultKind::OverTime);
        let millis = Duration::from_millis;
        let mut start_up = StartUp { counts: Allowance::Cpu, quickest: None };
        assert_eq!(start_up.excuse(&late, millis(10)), None);
        for cpu in [180, 140, 160] {
            start_up.add(&Spent { cpu: millis(cpu), wall: millis(5) });
        }
        let said = "0.01 s is less than the 0.140 s that this agent needs to start; ";
        assert!(start_up.excuse(&late, millis(10)).is_some_and(|excuse| excuse.starts_with(said)));
        assert!(start_up.excuse(&late, millis(400)).is_some_and(|excuse| excuse.contains("0.4 s is not much more")));
        assert_eq!(start_up.excuse(&late, millis(420)), None);
        assert_eq!(start_up.excuse(&violation(FaultKind::Crashed), millis(10)), None);
    }
}
