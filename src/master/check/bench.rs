//! How is a checkers agent asked turn by turn, and watched for what it must not do?

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use super::ShownBoard;
use super::step::{Finding, StepResult};
use crate::checkers::{Move, Position};
use crate::game::Color;
use crate::master::league::League;
use crate::master::players::{Contestant, TurnFilesPlayer, Workspace};
use crate::master::referee::{Answer, Player};
use crate::protocol::turn_files::{CALIBRATION, INPUT, Mode, OUTPUT, PLAYDATA, TurnRequest};

/// A checkers agent that is checked: in a working directory of its own, asked turn by turn, and watched for what it
/// must not do in any turn.
pub(super) struct TurnFilesBench<'a> {
    pub(super) contestant: &'a Contestant,
    pub(super) player: TurnFilesPlayer<'a>,
    /// What it has left in its working directory, besides its files and those of the protocol.
    pub(super) strays: BTreeSet<String>,
    /// The number of turns that changed input.txt.
    pub(super) altered: u32,
    pub(super) turns: u32,
}

impl<'a> TurnFilesBench<'a> {
    pub(super) fn new(
        workspace: Workspace,
        league: &'a League,
        contestant: &'a Contestant,
    ) -> anyhow::Result<TurnFilesBench<'a>> {
        let player =
            TurnFilesPlayer::new(contestant, league, workspace.cell(Color::Black, &league.limits, contestant)?);
        let mut bench = TurnFilesBench { contestant, player, strays: BTreeSet::new(), altered: 0, turns: 0 };
        bench.reset()?;
        Ok(bench)
    }

    /// Resets the directory as before a game: the agent's files and calibration.txt, nothing else.
    pub(super) fn reset(&mut self) -> anyhow::Result<()> {
        self.player.begin(Color::Black)
    }

    /// Asks for a turn; files in the directory stay, also a stale answer.
    pub(super) fn turn(&mut self, input: &str, position: &Position, left: Duration) -> anyhow::Result<Answer<Move>> {
        let answer = self.player.ask(input, position, left)?;
        self.turns += 1;
        let cell = self.player.cell();
        self.altered += u32::from(cell.read(INPUT, 1 << 16).ok().as_deref() != Some(input.as_bytes()));
        let own = |name: &str| self.contestant.files().iter().any(|(own, _)| own == name);
        for entry in fs::read_dir(cell.dir())? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if ![INPUT, OUTPUT, PLAYDATA, CALIBRATION].contains(&name.as_str()) && !own(&name) {
                cell.remove(&name)?;
                self.strays.insert(name);
            }
        }
        Ok(answer)
    }

    /// Asks for a turn; files in the directory stay, but for a stale answer.
    pub(super) fn ask(&mut self, mode: Mode, position: Position, left: f64) -> anyhow::Result<Asked> {
        self.player.cell().remove(OUTPUT)?;
        let request = TurnRequest { mode, left: Duration::from_secs_f64(left), position, warnings: Vec::new() };
        let answer = self.turn(&request.to_string(), &position, request.left)?;
        Ok(Asked { request, answer })
    }

    /// Asks in a reset directory, and adds the result.
    pub(super) fn ask_after_reset(
        &mut self,
        found: &mut StepResult,
        mode: Mode,
        position: Position,
        left: f64,
    ) -> anyhow::Result<()> {
        self.reset()?;
        self.ask(mode, position, left)?.add_to(found, "");
        Ok(())
    }
}

/// A turn that was asked for.
pub(super) struct Asked {
    request: TurnRequest,
    pub(super) answer: Answer<Move>,
}

impl Asked {
    /// Adds the result, with a remark about the directory before it; returns whether the answer was right.
    pub(super) fn add_to(&self, found: &mut StepResult, there: &str) -> bool {
        let asked = format!("{there}{}", asked(&self.request));
        found.answered(&asked, ShownBoard::Checkers(self.request.position), &self.answer)
    }
}

/// What a request asks for, in words.
pub(super) fn asked(request: &TurnRequest) -> String {
    let text = request.to_string();
    let head: Vec<&str> = text.lines().take(3).collect();
    format!("{} s", head.join(", "))
}

/// The agent's habits, seen in all its turns.
pub(super) fn habits(bench: &TurnFilesBench) -> [(&'static str, &'static str, StepResult); 2] {
    let turns = bench.turns;
    let mut strays = StepResult::did(format!("looked through its working directory after each of {turns} turns"));
    if !bench.strays.is_empty() {
        let names: Vec<&str> = bench.strays.iter().map(String::as_str).collect();
        let allowed = format!("only {OUTPUT}, {PLAYDATA} and {CALIBRATION}");
        strays = strays.wrong(Finding::plain("files that it left behind:", names.join(", "), allowed));
    }
    let mut altered = StepResult::did(format!("read {INPUT} again after each of {turns} turns"));
    if bench.altered > 0 {
        let read = format!("another {INPUT} after {} of {turns} turns", bench.altered);
        altered = altered.wrong(Finding::plain("what it did to its input:", read, "the same as before"));
    }
    [
        ("§2", "it writes no files but output.txt, playdata.txt and calibration.txt", strays),
        ("§2", "it leaves input.txt as it is", altered),
    ]
}
