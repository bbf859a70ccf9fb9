use std::time::{Duration, Instant};

use anyhow::Context;

use super::contestant::{Contestant, Program};
use super::limits::wrong_end;
use crate::game::{Color, parse_move};
use crate::loa::{Move, Position};
use crate::master::league::{Clock, League, Protocol};
use crate::master::record::{FaultKind, Spent};
use crate::master::referee::{Answer, Ask, End, Player, Wrong};
use crate::master::sandbox::{Cell, Heard, Limits, Output, Process, Wait};

/// Plays 8x8 Lines of Action by text commands, in one process a game (§3, §4 of that contract).
///
/// Both sides are manual until the opening is on the board; then the agent's side becomes automatic.
pub struct Console<'a> {
    contestant: &'a Contestant,
    league: &'a League,
    cell: Cell,
    process: Option<Process>,
    side: Color,
    /// How many moves of the game the agent knows.
    known: usize,
    /// Whether its side is automatic already.
    handed_over: bool,
}

/// What a line of the agent's says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Message {
    /// A move, `a2-c2`.
    Move(String),
    /// A game's end; `None`: a tie.
    Ended(Option<Color>),
    /// What looks like a message, but is none.
    Malformed,
    /// Nothing that matters.
    Noise,
}

/// Longer games than this in one process are not played.
const LONGEST_GAME: Duration = Duration::from_secs(24 * 3600);
/// All that an agent may print in a game, in bytes.
const LONGEST_OUTPUT: usize = 1 << 20;

impl<'a> Console<'a> {
    /// An agent in a cell of its own.
    pub fn new(contestant: &'a Contestant, league: &'a League, cell: Cell) -> Console<'a> {
        Console { contestant, league, cell, process: None, side: Color::Black, known: 0, handed_over: false }
    }

    /// Sends lines; an agent that reads none is found out when its answer is waited for.
    fn send(&mut self, lines: &[String]) {
        if let Some(process) = &mut self.process {
            for line in lines {
                let _ = process.send(line);
            }
        }
    }

    /// CPU time that the agent has used in this game.
    fn cpu(&mut self) -> anyhow::Result<Duration> {
        Ok(self.process.as_mut().map_or(Ok(Duration::ZERO), Process::cpu)?)
    }

    /// What makes both sides manual, with the league's limit.
    fn preparation(&self) -> Vec<String> {
        let mut lines = vec!["manual black".to_owned(), "manual white".to_owned()];
        match self.league.protocol {
            Protocol::Console2015 => lines.push("start".into()),
            _ => lines.extend(self.limit().map(|limit| format!("limit {limit}"))),
        }
        lines
    }

    /// The limit that agents can be told: moves of each side (§3).
    fn limit(&self) -> Option<u32> {
        self.league.longest.filter(|longest| longest % 2 == 0).map(|longest| longest / 2)
    }

    /// What gives the agent its side.
    fn handing_over(&self) -> Vec<String> {
        let side = if self.side == Color::Black { "black" } else { "white" };
        let mut lines = vec![format!("auto {side}")];
        if self.league.protocol == Protocol::Console2015 {
            lines.push("start".into());
        }
        lines
    }

    /// The next message, which must come before `deadline`.
    fn hear(&mut self, deadline: Instant, within: Duration) -> anyhow::Result<Result<Message, Wrong>> {
        let clock = &self.league.clock;
        let Some(process) = &mut self.process else { return Ok(Err(gone("no process"))) };
        loop {
            let wall = deadline.saturating_duration_since(Instant::now());
            match process.line(Wait { cpu: None, wall })? {
                Heard::Line(line) => match message(self.league.protocol, &line) {
                    Message::Noise => {}
                    Message::Malformed => {
                        let read = format!("\"{}\"", line.trim());
                        let expected = "a move or the end of the game".into();
                        return Ok(Err(Wrong { kind: FaultKind::IllFormed, read, expected }));
                    }
                    message => return Ok(Ok(message)),
                },
                Heard::Closed => return Ok(Err(gone("the end of its output"))),
                Heard::Over(end) => {
                    return Ok(Err(wrong_end(&end, clock, within).unwrap_or_else(|| gone(&end.to_string()))));
                }
            }
        }
    }
}

/// The move in `position` that a message names.
fn read_move(position: &Position<8>, message: Message) -> Result<Move, Wrong> {
    match message {
        Message::Move(text) => parse_move(position, &text).map_err(|error| Wrong {
            kind: FaultKind::Illegal,
            read: error.found,
            expected: error.expected,
        }),
        other => Err(wrong_winner(&other, "a move: the game goes on")),
    }
}

fn gone(what: &str) -> Wrong {
    Wrong { kind: FaultKind::Crashed, read: what.to_owned(), expected: "a program that runs until `quit`".into() }
}

fn wrong_winner(said: &Message, expected: &str) -> Wrong {
    let read = match said {
        Message::Ended(Some(winner)) => format!("{winner} wins"),
        Message::Ended(None) => "a tie".to_owned(),
        Message::Move(text) => format!("a move, {text}"),
        Message::Malformed | Message::Noise => "nothing".to_owned(),
    };
    Wrong { kind: FaultKind::WrongWinner, read, expected: expected.to_owned() }
}

/// What a line says, after its prompt.
fn message(protocol: Protocol, line: &str) -> Message {
    let line = line.rsplit('>').next().unwrap_or_default().trim();
    let (body, sided) = match protocol {
        Protocol::Console2015 => match line.strip_prefix("B::").or_else(|| line.strip_prefix("W::")) {
            Some(mv) => (mv, true),
            None => (line, false),
        },
        _ => match line.strip_prefix('*') {
            Some(rest) => (rest.trim(), true),
            None => return Message::Noise,
        },
    };
    let ended = match body.strip_suffix('.').unwrap_or(body) {
        "Black wins" => Some(Message::Ended(Some(Color::Black))),
        "White wins" => Some(Message::Ended(Some(Color::White))),
        "Tie game" => Some(Message::Ended(None)),
        _ => None,
    };
    let mv = body.split_whitespace().next().unwrap_or_default().to_lowercase();
    match ended {
        Some(ended) => ended,
        None if sided && mv.contains('-') => Message::Move(mv),
        None if sided => Message::Malformed,
        None => Message::Noise,
    }
}

impl Player<Position<8>> for Console<'_> {
    fn begin(&mut self, side: Color) -> anyhow::Result<()> {
        self.cell.sweep(&[])?;
        self.contestant.furnish(&self.cell)?;
        (self.side, self.known, self.handed_over) = (side, 0, false);
        let limits = Limits { cpu: None, wall: LONGEST_GAME, ..Limits::default() };
        let job = self.contestant.job(
            &self.cell,
            Program::Player,
            Vec::new(),
            Output::Keep { bytes: LONGEST_OUTPUT },
            limits,
        );
        self.process = Some(self.cell.start(&job).context("cannot start an agent")?);
        let lines = self.preparation();
        self.send(&lines);
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<Position<8>>) -> anyhow::Result<Answer<Move>> {
        let start = Instant::now();
        let before = self.cpu()?;
        let news: Vec<String> = ask.moves[self.known..].iter().map(Move::to_string).collect();
        self.send(&news);
        if !std::mem::replace(&mut self.handed_over, true) {
            let lines = self.handing_over();
            self.send(&lines);
        }
        self.known = ask.moves.len() + 1;
        let heard = self.hear(start + ask.within, ask.within)?;
        let wall = start.elapsed();
        let spent = Spent { cpu: self.cpu()?.saturating_sub(before), wall };
        let mv = heard.and_then(|message| read_move(&ask.history.position(), message));
        Ok(Answer { mv, spent, notes: Vec::new() })
    }

    fn finish(&mut self, end: &End<Position<8>>) -> anyhow::Result<Option<Wrong>> {
        let news: Vec<String> = end.moves.get(self.known..).unwrap_or_default().iter().map(Move::to_string).collect();
        self.send(&news);
        // A limit of the league's own is no end that the agent knows.
        let knows = end.winner.is_some() || (self.league.protocol == Protocol::Console2020 && self.limit().is_some());
        let Clock { patience, .. } = self.league.clock;
        let wrong = match knows.then(|| self.hear(Instant::now() + patience, patience)).transpose()? {
            None => None,
            Some(Ok(Message::Ended(winner))) if winner == end.winner => None,
            Some(Ok(other)) => Some(wrong_winner(&other, &the_end(end.winner))),
            Some(Err(wrong)) => Some(Wrong { expected: the_end(end.winner), ..wrong }),
        };
        self.send(&["quit".to_owned()]);
        if let Some(process) = self.process.take() {
            process.finish(patience)?;
        }
        Ok(wrong)
    }
}

fn the_end(winner: Option<Color>) -> String {
    winner.map_or("a tie".to_owned(), |winner| format!("that {winner} wins"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_from_noise() {
        let mv = |text: &str| Message::Move(text.into());
        for (line, expected) in [
            ("b> -> * a2-c2", mv("a2-c2")),
            ("* A2-C2 (capture)", mv("a2-c2")),
            ("w> * White wins.", Message::Ended(Some(Color::White))),
            ("* Tie game.", Message::Ended(None)),
            ("* hello", Message::Malformed),
            ("a2-c2", Message::Noise),
            ("Black wins.", Message::Noise),
            ("", Message::Noise),
        ] {
            assert_eq!(message(Protocol::Console2020, line), expected, "{line}");
        }
        for (line, expected) in [
            ("-> B::g1-g3", mv("g1-g3")),
            ("W::a2-c2", mv("a2-c2")),
            ("Black wins.", Message::Ended(Some(Color::Black))),
            ("* a2-c2", Message::Noise),
            ("B::nothing", Message::Malformed),
        ] {
            assert_eq!(message(Protocol::Console2015, line), expected, "{line}");
        }
    }
}
