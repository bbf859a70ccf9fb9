//! A program that plays Lines of Action by commands, as `loa` does in the edition of 2020.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use kingline::game::{Color, Game};
use kingline::loa::{Move, Position, Square};
use kingline_players::protocol::commands::grammar::{Event, GRAMMAR_2020, Line, LineParser};

use super::process::{NextLine, Process};
use super::{ProgramFile, patience};
use crate::agent_dir::AgentDir;

/// Program that plays one game by commands, in one process.
///
/// Both sides are manual until its first turn, then its side is automatic.
pub(in crate::matches) struct CommandPlayer {
    process: Process,
    parser: LineParser,
    side: Color,
    limit: Duration,
    /// CPU time at the end of its last turn.
    used: Duration,
    is_automatic: bool,
    // Dropped after the process.
    _folder: AgentDir,
}

/// Move of a program.
pub(in crate::matches) struct ProgramMove {
    /// Legal move; `None` if it did not answer in time.
    pub(in crate::matches) mv: Option<Move>,
    /// CPU time since its last move or its start.
    pub(in crate::matches) used: Duration,
}

impl CommandPlayer {
    /// Starts a game from `opening`, in which the program plays `side`, with `limit` for each move and a tie after
    /// `plies` moves.
    ///
    /// # Errors
    /// Fails if the program cannot be started.
    pub(in crate::matches) fn start(
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

    /// Tells the program the other side's move.
    pub(in crate::matches) fn tell(&mut self, mv: Move) {
        self.process.send(&mv.to_string());
    }

    /// Waits for the program's move.
    ///
    /// # Errors
    /// Fails if it exits, or prints anything but a legal move where one is due.
    pub(in crate::matches) fn turn(&mut self, position: &Position<8>) -> Result<ProgramMove> {
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
            return Ok(ProgramMove { mv, used: self.used.saturating_sub(before) });
        }
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
