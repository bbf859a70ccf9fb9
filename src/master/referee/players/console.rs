//! 8x8 Lines of Action players that take text commands.

use std::time::Duration;

use anyhow::Context;

use super::contestant::Contestant;
use super::violation::{explained, is_spoiled, last_words, overloaded, wrong_end};
use crate::league::clock_rules::{ClockRules, Spent, TimeUsage};
use crate::league::{League, Protocol};
use crate::record::{FaultKind, Violation};
use crate::referee::player::{Answer, Ask, GameEnd, Player};
use crate::sandbox::{Cell, JobEnd, NextLine, Output, Peak, Process, WallTime};
use kingline::game::{Color, Game, Outcome};
use kingline::loa::{Move, Position};
use kingline_players::protocol::commands::grammar::{self, Event, Grammar, LineParser};

/// Plays 8x8 Lines of Action through text commands, with one process per game (§3 and §4 of its contract).
///
/// Both sides are manual during the opening; then the agent's side becomes automatic.
pub struct ConsolePlayer<'a> {
    contestant: &'a Contestant,
    league: &'a League,
    cell: Cell,
    process: Option<Process>,
    parser: LineParser,
    side: Color,
    known: usize,
    handed_over: bool,
}

/// Time that a program has to exit after closing its output.
const LAST_MOMENTS: Duration = Duration::from_millis(500);
/// Maximum wall time of a game in one process.
const LONGEST_GAME: Duration = Duration::from_secs(24 * 3600);

impl<'a> ConsolePlayer<'a> {
    /// A player for an agent in its own cell.
    pub fn new(contestant: &'a Contestant, league: &'a League, cell: Cell) -> ConsolePlayer<'a> {
        let parser = LineParser::new(grammar_of(league.protocol));
        ConsolePlayer {
            contestant,
            league,
            cell,
            process: None,
            parser,
            side: Color::Black,
            known: 0,
            handed_over: false,
        }
    }

    /// Sends lines. If the agent does not read them, its answer will be missing.
    fn send(&mut self, lines: &[String]) {
        if let Some(process) = &mut self.process {
            for line in lines {
                let _ = process.send(line);
            }
        }
    }

    /// CPU time and wall time of the agent in this game so far.
    fn times(&mut self) -> anyhow::Result<(Duration, WallTime)> {
        let Some(process) = &mut self.process else { return Ok(Default::default()) };
        Ok((process.cpu()?, process.time()?))
    }

    /// Commands that make both sides manual and set the league's limit.
    fn preparation(&self) -> Vec<String> {
        let mut lines = vec!["manual black".to_owned(), "manual white".to_owned()];
        match self.league.protocol {
            Protocol::Console2015 => lines.push("start".into()),
            _ => lines.extend(self.limit().map(|limit| format!("limit {limit}"))),
        }
        lines
    }

    /// The league's limit as agents count it, in moves per side (§3).
    fn limit(&self) -> Option<u32> {
        self.league.longest.filter(|longest| longest % 2 == 0).map(|longest| longest / 2)
    }

    /// Commands that make the agent's side automatic.
    fn handing_over(&self) -> Vec<String> {
        let side = if self.side == Color::Black { "black" } else { "white" };
        let mut lines = vec![format!("auto {side}")];
        if self.league.protocol == Protocol::Console2015 {
            lines.push("start".into());
        }
        lines
    }

    /// Extends a violation with the way in which the exited program ended.
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
            end if end.is_machines() => return Err(overloaded()),
            JobEnd::OverMemory => wrong_end(&run.end, self.league, LAST_MOMENTS, TimeUsage::default()).unwrap_or(gone),
            end => Violation { read: format!("{}; {end}{}", gone.read, last_words(&run)), ..gone },
        };
        explained(violation, self.contestant.agent(), &run.stderr, self.league)
    }

    /// Waits for the next event, for at most `within` of the agent's wall time.
    fn hear(&mut self, within: Duration) -> anyhow::Result<Result<Event, Violation>> {
        let Some(process) = &mut self.process else { return Ok(Err(gone("no process"))) };
        let (cpu, start) = (process.cpu()?, process.time()?);
        let until = start.own + within;
        loop {
            let wall = until.saturating_sub(process.time()?.own);
            match process.line(wall)? {
                NextLine::Line(line) => match self.parser.parse_line(&line) {
                    grammar::Line::Ignored | grammar::Line::Dump(_) => {}
                    grammar::Line::Malformed(read) => {
                        let expected = "a move or the end of the game".into();
                        return Ok(Err(Violation { kind: FaultKind::IllFormed, read, expected }));
                    }
                    grammar::Line::Event(event) => return Ok(Ok(event)),
                },
                NextLine::Closed => return Ok(Err(gone("the end of its output"))),
                NextLine::Over(end) if end.is_machines() => return Err(overloaded()),
                NextLine::Over(end) => {
                    let (cpu, time) = (process.cpu()?.saturating_sub(cpu), process.time()? - start);
                    let usage = TimeUsage { spent: Spent { cpu, wall: time.own }, waited: time.waited };
                    let wrong = wrong_end(&end, self.league, within, usage).unwrap_or_else(|| gone(&end.to_string()));
                    return Ok(Err(explained(wrong, self.contestant.agent(), &[], self.league)?));
                }
            }
        }
    }
}

fn read_move(position: &Position<8>, event: Event) -> Result<Move, Violation> {
    match event {
        Event::Move { text, .. } => {
            position.parse_move(&text).map_err(|error| Violation::parsing(FaultKind::Illegal, error))
        }
        other => Err(wrong_winner(&other, "a move: the game goes on")),
    }
}

fn grammar_of(protocol: Protocol) -> &'static Grammar {
    if protocol == Protocol::Console2015 { &grammar::GRAMMAR_2015 } else { &grammar::GRAMMAR_2020 }
}

fn gone(what: &str) -> Violation {
    Violation { kind: FaultKind::Crashed, read: what.to_owned(), expected: "a program that runs until `quit`".into() }
}

fn wrong_winner(found: &Event, expected: &str) -> Violation {
    Violation { kind: FaultKind::WrongWinner, read: format!("\"{found}\""), expected: expected.to_owned() }
}

impl Player<Position<8>> for ConsolePlayer<'_> {
    fn begin(&mut self, side: Color) -> anyhow::Result<()> {
        self.contestant.settle(&mut self.cell, None)?;
        (self.side, self.known, self.handed_over) = (side, 0, false);
        self.parser = LineParser::new(grammar_of(self.league.protocol));
        let limits = self.league.limits.of_job(None, LONGEST_GAME);
        let output = Output::Keep { bytes: self.league.limits.output };
        let job = self.contestant.job(&self.cell, &self.contestant.agent().player, Vec::new(), output, limits);
        self.process = Some(self.cell.start(&job).context("cannot start an agent")?);
        let lines = self.preparation();
        self.send(&lines);
        // The agent starts up in its own first turn and takes no time from the other side's turn.
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
        let event = self.hear(ask.within)?;
        let (cpu_now, now) = self.times()?;
        let (cpu, time) = (cpu_now.saturating_sub(cpu), now - start);
        if is_spoiled(&self.league.clock, None, time.unseen) {
            return Err(overloaded());
        }
        let spent = Spent { cpu, wall: time.own };
        self.process.as_mut().map_or(Ok(()), Process::freeze)?;
        let peak = self.process.as_mut().map_or(Peak::default(), Process::take_peak);
        let mv = match event {
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
        // The agent does not know about a limit that only the league sets.
        let knows = end.winner.is_some() || (self.league.protocol == Protocol::Console2020 && self.limit().is_some());
        let ClockRules { patience, .. } = self.league.clock;
        let wrong = match knows.then(|| self.hear(patience)).transpose()? {
            None => None,
            Some(Ok(event)) if event == the_end(end.winner) => None,
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

/// Event that programs print at the end of a game with this winner; `None` means a draw.
fn the_end(winner: Option<Color>) -> Event {
    Event::End(winner.map_or(Outcome::Draw, Outcome::Win))
}
