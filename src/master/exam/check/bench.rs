//! Asks a checkers agent turn by turn and watches for forbidden habits.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use super::ShownBoard;
use super::asked::Asked;
use super::start_up::StartUp;
use super::step::{Finding, StepResult};
use crate::league::{Format, League};
use crate::record::{FaultKind, Violation};
use crate::referee::players::{Contestant, Reading, TurnFilesPlayer, ill_formed};
use crate::referee::{Answer, Player};
use crate::sandbox::Workspace;
use kingline::checkers::{Move, Position};
use kingline::game::Color;
use kingline_players::protocol::turn_files::{
    AnswerError, CALIBRATION, INPUT, Mode, OUTPUT, PLAYDATA, TurnRequest, line_slip, read_answer,
};

/// A checkers agent being checked. It is asked turn by turn, in its own working directory, and watched for forbidden
/// habits.
pub(super) struct TurnFilesBench<'a> {
    contestant: &'a Contestant,
    /// Reads answers by their squares: a slip in the form is reported once and hides nothing else.
    pub(super) player: TurnFilesPlayer<'a>,
    /// The league's strictness about the form of answers.
    format: Format,
    /// Descriptions of the slips in the form of output.txt so far.
    slips: BTreeSet<String>,
    pub(super) start_up: StartUp,
    /// Stray files that it left in its working directory.
    strays: BTreeSet<String>,
    /// Number of turns that changed input.txt.
    altered: u32,
    turns: u32,
}

/// Maximum length of an answer, in bytes.
const LONGEST_ANSWER: usize = 1 << 12;

impl<'a> TurnFilesBench<'a> {
    pub(super) fn new(
        workspace: Workspace,
        league: &'a League,
        contestant: &'a Contestant,
    ) -> anyhow::Result<TurnFilesBench<'a>> {
        let mut player =
            TurnFilesPlayer::new(contestant, league, workspace.cell(Color::Black, &league.limits, contestant)?);
        player.read_as(Reading::BySquares);
        let mut bench = TurnFilesBench {
            contestant,
            player,
            format: league.format,
            slips: BTreeSet::new(),
            start_up: StartUp::new(league.clock.counts),
            strays: BTreeSet::new(),
            altered: 0,
            turns: 0,
        };
        bench.reset()?;
        Ok(bench)
    }

    /// Resets the directory to its state before a game: the agent's files and calibration.txt.
    pub(super) fn reset(&mut self) -> anyhow::Result<()> {
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
    ) -> anyhow::Result<Asked<Move>> {
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

    /// Checks how a turn changed the working directory.
    fn look_around(&mut self, input: &str) -> anyhow::Result<()> {
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
    pub(super) fn ask(
        &mut self,
        there: &str,
        mode: Mode,
        position: Position,
        left: f64,
    ) -> anyhow::Result<Asked<Move>> {
        self.player.cell().remove(OUTPUT)?;
        let request = TurnRequest { mode, left: Duration::from_secs_f64(left), position, warnings: Vec::new() };
        self.turn(format!("{there}{}", in_words(&request)), &request.to_string(), &position, request.left)
    }

    /// Asks for a turn in a reset directory and adds the result. A late answer that a slow start explains becomes a
    /// note.
    pub(super) fn ask_after_reset(
        &mut self,
        found: &mut StepResult,
        mode: Mode,
        position: Position,
        left: f64,
    ) -> anyhow::Result<()> {
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

/// Describes a request.
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
