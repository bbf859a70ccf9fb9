//! How is an agent of 8x8 Lines of Action asked for moves? By text commands.

use std::time::Duration;

use anyhow::Context;

use super::contestant::{AgentProgram, Contestant};
use super::last_words;
use super::limits::{Overloaded, is_spoilt, wrong_end};
use super::way_out::with_way_out;
use crate::game::{Color, Game, Outcome};
use crate::loa::{Move, Position};
use crate::master::clock_rules::{ClockRules, Spent, TimeUsage};
use crate::master::league::{League, Protocol};
use crate::master::record::{FaultKind, Violation};
use crate::master::referee::{Answer, Ask, GameEnd, Player};
use crate::master::sandbox::{Cell, JobEnd, LineTimeout, NextLine, Output, Peak, Process, WallTime};
use crate::protocol::commands::grammar::{self, Event, Grammar, Listener};

/// Plays 8x8 Lines of Action by text commands, in one process a game (§3, §4 of that contract).
///
/// Both sides are manual until the opening is on the board; then the agent's side becomes automatic.
pub struct ConsolePlayer<'a> {
    contestant: &'a Contestant,
    league: &'a League,
    cell: Cell,
    process: Option<Process>,
    listener: Listener,
    side: Color,
    /// How many moves of the game the agent knows.
    known: usize,
    /// Whether its side is automatic yet.
    handed_over: bool,
}

/// For a program that has closed its output to end.
const LAST_MOMENTS: Duration = Duration::from_millis(500);
/// No game in one process may take longer.
const LONGEST_GAME: Duration = Duration::from_secs(24 * 3600);

impl<'a> ConsolePlayer<'a> {
    /// An agent in a cell of its own.
    pub fn new(contestant: &'a Contestant, league: &'a League, cell: Cell) -> ConsolePlayer<'a> {
        let listener = Listener::new(grammar_of(league.protocol));
        ConsolePlayer {
            contestant,
            league,
            cell,
            process: None,
            listener,
            side: Color::Black,
            known: 0,
            handed_over: false,
        }
    }

    /// Sends lines; an agent that does not read them is found out when it does not answer.
    fn send(&mut self, lines: &[String]) {
        if let Some(process) = &mut self.process {
            for line in lines {
                let _ = process.send(line);
            }
        }
    }

    /// CPU time that the agent has used in this game, and wall time that has passed for it.
    fn times(&mut self) -> anyhow::Result<(Duration, WallTime)> {
        let Some(process) = &mut self.process else { return Ok(Default::default()) };
        Ok((process.cpu()?, process.time()?))
    }

    /// The commands that make both sides manual, and set the league's limit.
    fn preparation(&self) -> Vec<String> {
        let mut lines = vec!["manual black".to_owned(), "manual white".to_owned()];
        match self.league.protocol {
            Protocol::Console2015 => lines.push("start".into()),
            _ => lines.extend(self.limit().map(|limit| format!("limit {limit}"))),
        }
        lines
    }

    /// The limit as agents know it: moves of each side (§3).
    fn limit(&self) -> Option<u32> {
        self.league.longest.filter(|longest| longest % 2 == 0).map(|longest| longest / 2)
    }

    /// The commands that make the agent's side automatic.
    fn handing_over(&self) -> Vec<String> {
        let side = if self.side == Color::Black { "black" } else { "white" };
        let mut lines = vec![format!("auto {side}")];
        if self.league.protocol == Protocol::Console2015 {
            lines.push("start".into());
        }
        lines
    }

    /// The violation of a program that is gone, with what is known of its end.
    fn how_it_ended(&mut self, gone: Violation) -> anyhow::Result<Violation> {
        let Some(mut process) = self.process.take() else { return Ok(gone) };
        process.thaw()?;
        let run = process.finish(LAST_MOMENTS)?;
        let violation = match &run.end {
            JobEnd::NotStarted(why) => Violation {
                kind: FaultKind::NotStarted,
                read: why.clone(),
                expected: "a program that runs here".into(),
            },
            end => Violation { read: format!("{}; {end}{}", gone.read, last_words(&run)), ..gone },
        };
        Ok(with_way_out(violation, self.contestant.agent(), &run.stderr))
    }

    /// The next event, which must come within this much wall time of the agent's own.
    fn hear(&mut self, within: Duration) -> anyhow::Result<Result<Event, Violation>> {
        let clock = &self.league.clock;
        let Some(process) = &mut self.process else { return Ok(Err(gone("no process"))) };
        let (cpu, start) = (process.cpu()?, process.time()?);
        let until = start.own + within;
        loop {
            let wall = until.saturating_sub(process.time()?.own);
            match process.line(LineTimeout { cpu: None, wall })? {
                NextLine::Line(line) => match self.listener.hear(&line) {
                    grammar::Line::Ignored | grammar::Line::Dump(_) => {}
                    grammar::Line::Malformed(read) => {
                        let expected = "a move or the end of the game".into();
                        return Ok(Err(Violation { kind: FaultKind::IllFormed, read, expected }));
                    }
                    grammar::Line::Event(event) => return Ok(Ok(event)),
                },
                NextLine::Closed => return Ok(Err(gone("the end of its output"))),
                NextLine::Over(JobEnd::Starved) => return Err(Overloaded.into()),
                NextLine::Over(end) => {
                    let (cpu, time) = (process.cpu()?.saturating_sub(cpu), process.time()? - start);
                    let usage = TimeUsage { spent: Spent { cpu, wall: time.own }, waited: time.waited };
                    let wrong = wrong_end(&end, clock, within, usage).unwrap_or_else(|| gone(&end.to_string()));
                    return Ok(Err(with_way_out(wrong, self.contestant.agent(), &[])));
                }
            }
        }
    }
}

/// The move in `position` that an event names.
fn read_move(position: &Position<8>, event: Event) -> Result<Move, Violation> {
    match event {
        Event::Move { text, .. } => {
            position.parse_move(&text).map_err(|error| Violation::parsing(FaultKind::Illegal, error))
        }
        other => Err(wrong_winner(&other, "a move: the game goes on")),
    }
}

/// The grammar of a protocol.
fn grammar_of(protocol: Protocol) -> &'static Grammar {
    if protocol == Protocol::Console2015 { &grammar::GRAMMAR_2015 } else { &grammar::GRAMMAR_2020 }
}

fn gone(what: &str) -> Violation {
    Violation { kind: FaultKind::Crashed, read: what.to_owned(), expected: "a program that runs until `quit`".into() }
}

fn wrong_winner(said: &Event, expected: &str) -> Violation {
    Violation { kind: FaultKind::WrongWinner, read: format!("\"{said}\""), expected: expected.to_owned() }
}

impl Player<Position<8>> for ConsolePlayer<'_> {
    fn begin(&mut self, side: Color) -> anyhow::Result<()> {
        self.contestant.settle(&self.cell, &[])?;
        (self.side, self.known, self.handed_over) = (side, 0, false);
        self.listener = Listener::new(grammar_of(self.league.protocol));
        let limits = self.league.limits.of_job(None, LONGEST_GAME);
        let output = Output::Keep { bytes: self.league.limits.output };
        let job = self.contestant.job(&self.cell, AgentProgram::Player, Vec::new(), output, limits);
        self.process = Some(self.cell.start(&job).context("cannot start an agent")?);
        let lines = self.preparation();
        self.send(&lines);
        // It starts in its first turn, and so takes nothing from the other side's.
        self.process.as_mut().map_or(Ok(()), Process::freeze)?;
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<Position<8>>) -> anyhow::Result<Answer<Move>> {
        self.process.as_mut().map_or(Ok(()), Process::thaw)?;
        let (cpu, start) = self.times()?;
        let unknown: Vec<String> = ask.moves[self.known..].iter().map(Move::to_string).collect();
        self.send(&unknown);
        if !std::mem::replace(&mut self.handed_over, true) {
            let lines = self.handing_over();
            self.send(&lines);
        }
        self.known = ask.moves.len() + 1;
        let heard = self.hear(ask.within)?;
        let (cpu_now, now) = self.times()?;
        let (cpu, time) = (cpu_now.saturating_sub(cpu), now - start);
        if is_spoilt(&self.league.clock, None, time.unseen) {
            return Err(Overloaded.into());
        }
        let spent = Spent { cpu, wall: time.own };
        self.process.as_mut().map_or(Ok(()), Process::freeze)?;
        let peak = self.process.as_mut().map_or(Peak::default(), Process::take_peak);
        let mv = match heard {
            Ok(event) => read_move(&ask.history.position(), event),
            Err(wrong) if wrong.kind == FaultKind::Crashed => Err(self.how_it_ended(wrong)?),
            Err(wrong) => Err(wrong),
        };
        Ok(Answer { mv, spent, waited: time.waited, peak, notes: Vec::new() })
    }

    fn finish(&mut self, end: &GameEnd<Position<8>>) -> anyhow::Result<Option<Violation>> {
        self.process.as_mut().map_or(Ok(()), Process::thaw)?;
        let unknown: Vec<String> =
            end.moves.get(self.known..).unwrap_or_default().iter().map(Move::to_string).collect();
        self.send(&unknown);
        // The agent does not know of a limit of the league's own.
        let knows = end.winner.is_some() || (self.league.protocol == Protocol::Console2020 && self.limit().is_some());
        let ClockRules { patience, .. } = self.league.clock;
        let wrong = match knows.then(|| self.hear(patience)).transpose()? {
            None => None,
            Some(Ok(said)) if said == the_end(end.winner) => None,
            Some(Ok(other)) => Some(wrong_winner(&other, &format!("\"{}\"", the_end(end.winner)))),
            Some(Err(wrong)) => Some(Violation { expected: format!("\"{}\"", the_end(end.winner)), ..wrong }),
        };
        self.send(&["quit".to_owned()]);
        if let Some(process) = self.process.take() {
            process.finish(patience)?;
        }
        Ok(wrong)
    }
}

/// What programs print when this side has won, or nobody has.
fn the_end(winner: Option<Color>) -> Event {
    Event::End(winner.map_or(Outcome::Draw, Outcome::Win))
}
