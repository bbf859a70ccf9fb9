//! Players that are other programs, such as another build of `homework` or `loa`.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use kingline::checkers;
use kingline::game::{Color, Game};
use kingline::loa::{Move, Position, Square};
use kingline_players::protocol::commands::grammar::{Event, GRAMMAR_2020, Line, LineParser};
use kingline_players::protocol::turn_files::CALIBRATION;

use super::process::{NextLine, Process, ProgramFile};
use crate::program::AgentDir;

/// CPU time by which a move may exceed its limit if a program plays. Of 3,000 turns of `homework` on a busy machine, the
/// longest took 4.3 ms more than the median.
const ALLOWANCE: Duration = Duration::from_millis(10);

pub(super) fn is_over(used: Duration, limit: Duration) -> bool {
    used > limit + ALLOWANCE
}

/// Wall time after which a program is killed. Other processes may slow it down, so this is long.
fn patience(limit: Duration) -> Duration {
    const LEAST: Duration = Duration::from_secs(10);
    LEAST.saturating_add(limit.saturating_mul(10))
}

/// Kind of the requests to a program.
#[derive(Clone, Copy, Debug)]
pub(super) enum TurnRules {
    /// Single turns, each with this much CPU time. The program knows nothing of the game.
    Single(Duration),
    /// Turns of a game with this much CPU time, in one folder with its playdata.txt.
    Game(Duration),
}

/// Program that plays one game by turn files, in a temporary folder.
pub(super) struct TurnFilesPlayer {
    program: ProgramFile,
    rules: TurnRules,
    folder: AgentDir,
    used: Duration,
}

impl TurnFilesPlayer {
    /// Makes a folder for one game. A `frugality` goes into its calibration.txt.
    pub(super) fn new(program: ProgramFile, rules: TurnRules, frugality: Option<f64>) -> Result<TurnFilesPlayer> {
        let folder = AgentDir::new("match")?;
        if let Some(frugality) = frugality {
            let path = folder.path().join(CALIBRATION);
            let text = serde_json::json!({ "frugality": frugality }).to_string();
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(TurnFilesPlayer { program, rules, folder, used: Duration::ZERO })
    }

    /// Runs the program for one turn. Returns its legal turn, or `None` if it was killed for taking too long, and its CPU
    /// time from its start to its end.
    pub(super) fn turn(&mut self, position: &checkers::Position) -> Result<(Option<checkers::Move>, Duration)> {
        let (mode, left) = match self.rules {
            TurnRules::Single(limit) => ("SINGLE", limit),
            TurnRules::Game(limit) => ("GAME", limit.saturating_sub(self.used)),
        };
        self.folder.ask(mode, position, left.as_secs_f64())?;
        let mut process = Process::start(&self.program, &[], self.folder.path())?;
        let Some((used, status)) = process.end(Instant::now() + patience(left))? else {
            return Ok((None, process.cpu()?));
        };
        self.used += used;
        if !status.success() {
            bail!("the program failed with {status}: {}", process.name_and_last_words());
        }
        let answer = self.folder.answer(position);
        let mv = answer.with_context(|| format!("no legal turn by {}", process.name_and_last_words()))?;
        Ok((Some(mv), used))
    }
}

/// Program that plays one game of Lines of Action by the commands of 2020, in one process.
///
/// Both sides are manual until its first turn, then its side is automatic.
pub(super) struct CommandPlayer {
    process: Process,
    parser: LineParser,
    side: Color,
    limit: Duration,
    used: Duration,
    is_automatic: bool,
    // Dropped after the process.
    _folder: AgentDir,
}

impl CommandPlayer {
    /// Starts a game from `opening`, in which the program plays `side`, with `limit` for each move and a tie after
    /// `plies` moves.
    pub(super) fn start(
        program: &ProgramFile,
        limit: Duration,
        opening: &Position<8>,
        side: Color,
        plies: u16,
    ) -> Result<CommandPlayer> {
        let folder = AgentDir::new("match")?;
        let mut process = Process::start(program, &[format!("--time={}", limit.as_secs_f64())], folder.path())?;
        for line in ["manual black", "manual white", &format!("limit {}", plies / 2)] {
            process.send(line);
        }
        let next = name(opening.turn());
        for square in Square::all::<8>() {
            let piece = opening.at(square).map_or("-", name);
            process.send(&format!("set {square} {piece} {next}"));
        }
        let parser = LineParser::new(&GRAMMAR_2020);
        Ok(CommandPlayer { process, parser, side, limit, used: Duration::ZERO, is_automatic: false, _folder: folder })
    }

    pub(super) fn tell(&mut self, mv: Move) {
        self.process.send(&mv.to_string());
    }

    /// Waits for the program's move. Returns `None` if it did not answer in time, and its CPU time since its last move or its
    /// start.
    pub(super) fn turn(&mut self, position: &Position<8>) -> Result<(Option<Move>, Duration)> {
        if !self.is_automatic {
            self.process.send(&format!("auto {}", name(self.side)));
            self.is_automatic = true;
        }
        let deadline = Instant::now() + patience(self.limit);
        let wrong = |found: &str, process: &Process| {
            format!("found {found}, expected a legal move of {}", process.name_and_last_words())
        };
        loop {
            let mv = match self.process.line(deadline) {
                NextLine::Late => None,
                NextLine::Closed => bail!(wrong("the end of the output", &self.process)),
                NextLine::Line(line) => match self.parser.parse_line(line.trim_end()) {
                    Line::Ignored | Line::Dump(_) => continue,
                    Line::Malformed(found) => bail!(wrong(&found, &self.process)),
                    Line::Event(Event::End(end)) => bail!(wrong(&format!("\"{end:?}\""), &self.process)),
                    Line::Event(Event::Move { text, .. }) => {
                        let mv = position.parse_move(&text);
                        Some(mv.with_context(|| wrong(&text, &self.process))?)
                    }
                },
            };
            let before = self.used;
            self.used = self.process.cpu()?;
            return Ok((mv, self.used.saturating_sub(before)));
        }
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
