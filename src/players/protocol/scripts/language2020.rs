//! 2020 scripts (§1): one file per program, with instructions that look like comments.

use std::process::Command;
use std::time::{Duration, Instant};

use super::exchange::TakenEvent;
use super::lines::ScriptLine;
use super::replace::{Replacement, replaced};
use super::rules::{Fault, LONGEST_WAIT};
use super::test_run::{Actor, Halt, Role};
use crate::protocol::commands::grammar::Event;
use kingline::game::{Outcome, ParseError};

/// Longest wait of `#*win+` (§1).
const WIN_TIME: Duration = Duration::from_secs(5);

/// Script of one program.
#[derive(Debug)]
pub(super) struct Script2020 {
    /// Program and arguments, at least one word.
    words: Vec<String>,
    steps: Vec<Step2020>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step2020 {
    Send(Vec<u8>),
    Time(WaitLimits),
    Move,
    LocalGame(Wins),
    Win,
    RemoteGame(Wins),
}

/// Limits on the waits of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WaitLimits {
    /// Longest wait for one event.
    event: Duration,
    /// Longest total wait for all its events.
    instruction: Duration,
}

/// Use of a game's end in the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wins {
    Recorded,
    Ignored,
}

/// Names of awaited events in errors.
const NEXT: &str = "a move or the end of a game";
const OTHERS_NEXT: &str = "the other program's move";

/// First line that is neither blank nor a comment.
fn first_line(bytes: &[u8]) -> Option<ScriptLine<'_>> {
    ScriptLine::all(bytes).find(|line| {
        let text = line.text();
        !text.is_empty() && (!text.starts_with('#') || text.starts_with("#*"))
    })
}

impl Script2020 {
    /// Reads one program's script, in a test of `programs` programs.
    ///
    /// # Errors
    /// A line is wrong; the error names the first one.
    pub(super) fn read(bytes: &[u8], programs: usize, replacements: &[Replacement]) -> Result<Script2020, String> {
        let no_command = || "could not find initial command line".to_string();
        let first = first_line(bytes).ok_or_else(no_command)?;
        let text = first.text();
        let command = text.strip_prefix("#*").map(str::trim).filter(|text| !text.is_empty()).ok_or_else(no_command)?;
        let words = replaced(command, replacements).split_whitespace().map(str::to_string).collect();
        let mut steps = Vec::new();
        for line in ScriptLine::all(bytes).skip(first.number) {
            let step = match line.text().strip_prefix("#*") {
                Some(text) => instruction(text.trim()).map_err(|error| line.wrong(error).to_string())?,
                None => Step2020::Send(line.bytes.to_vec()),
            };
            if matches!(step, Step2020::RemoteGame(_)) && programs == 1 {
                let error = ParseError::new(&line.text(), "no remote game, since there is no second program");
                return Err(line.wrong(error).to_string());
            }
            steps.push(step);
        }
        Ok(Script2020 { words, steps })
    }
}

/// Reads an instruction. Instructions are matched by prefix (§1).
fn instruction(text: &str) -> Result<Step2020, ParseError> {
    let remote = text.strip_prefix("remote").filter(|rest| rest.starts_with(char::is_whitespace));
    let step = if let Some(wins) = game(text) {
        Some(Step2020::LocalGame(wins))
    } else if let Some(wins) = remote.and_then(|rest| game(rest.trim_start())) {
        Some(Step2020::RemoteGame(wins))
    } else if text.starts_with("move") {
        Some(Step2020::Move)
    } else if text.starts_with("win+") {
        Some(Step2020::Win)
    } else {
        text.strip_prefix("time").and_then(limits).map(Step2020::Time)
    };
    step.ok_or_else(|| {
        let all = "#*time MOVE GAME, #*move, #*move/win, #*move/win+, #*win+, #*remote move/win or #*remote move/win+";
        ParseError::new(&format!("#*{text}"), all)
    })
}

fn game(text: &str) -> Option<Wins> {
    let rest = text.strip_prefix("move/win")?;
    Some(if rest.starts_with('+') { Wins::Recorded } else { Wins::Ignored })
}

/// Reads ` MOVE GAME`: decimal seconds, then whole seconds. Further text is ignored.
fn limits(text: &str) -> Option<WaitLimits> {
    let mut words = text.strip_prefix(char::is_whitespace)?.split_whitespace();
    let (event, instruction) = (words.next()?, words.next()?);
    let is_decimal = event.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let event = event.parse().ok().filter(|_| is_decimal)?;
    let digits = instruction.bytes().take_while(u8::is_ascii_digit).count();
    let instruction: f64 = instruction[..digits].parse().ok()?;
    Some(WaitLimits { event: seconds(event), instruction: seconds(instruction) })
}

fn seconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number).map_or(LONGEST_WAIT, |time| time.min(LONGEST_WAIT))
}

impl Role for Script2020 {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    fn perform(&self, actor: &Actor) -> Result<(), Halt> {
        let mut limits = WaitLimits { event: Duration::from_secs(10), instruction: Duration::from_secs(60) };
        for step in &self.steps {
            let wait = Instruction { actor, event: limits.event, until: Instant::now() + limits.instruction };
            match *step {
                Step2020::Send(ref bytes) => actor.send_line(bytes),
                Step2020::Time(new) => limits = new,
                Step2020::Move => wait.own_move()?,
                Step2020::LocalGame(wins) => wait.local_game(wins)?,
                Step2020::Win => Instruction { event: limits.event.min(WIN_TIME), ..wait }.win()?,
                Step2020::RemoteGame(wins) => wait.remote_game(wins)?,
            }
        }
        Ok(())
    }
}

/// Instruction in progress.
struct Instruction<'a> {
    actor: &'a Actor<'a>,
    /// Longest wait for an event.
    event: Duration,
    /// Deadline for all events.
    until: Instant,
}

impl Instruction<'_> {
    fn own_move(&self) -> Result<(), Halt> {
        let taken = match self.own("a move") {
            Err(Halt::Silent(_)) if self.actor.rules().ended_before_move == Fault::Forgiven => return Ok(()),
            taken => taken?,
        };
        match taken.event {
            Event::Move { .. } => Ok(()),
            Event::End(_) => Err(Halt::unexpected(&taken.event, "a move")),
        }
    }

    fn local_game(&self, wins: Wins) -> Result<(), Halt> {
        loop {
            let taken = self.own(NEXT)?;
            if let Event::End(_) = taken.event {
                self.record(&taken, wins);
                return Ok(());
            }
        }
    }

    fn win(&self) -> Result<(), Halt> {
        let taken = self.own("the end of the game")?;
        match taken.event {
            Event::End(_) => self.record(&taken, Wins::Recorded),
            Event::Move { .. } => return Err(Halt::unexpected(&taken.event, "the end of the game")),
        }
        Ok(())
    }

    /// Alternately takes an event of the other program and one of this program, until both have announced the winner.
    fn remote_game(&self, wins: Wins) -> Result<(), Halt> {
        let mut others_end = None;
        let mut own_end: Option<(Outcome, TakenEvent)> = None;
        loop {
            match self.others(OTHERS_NEXT)? {
                Event::Move { text, .. } if own_end.is_none() => self.actor.send_move(&text),
                Event::End(result) => others_end = Some(result),
                moved => return Err(Halt::unexpected(&moved, "the end of the game, as announced by this program")),
            }
            if own_end.is_none() {
                let taken = self.own(NEXT)?;
                match taken.event {
                    Event::End(result) => own_end = Some((result, taken)),
                    Event::Move { .. } if others_end.is_none() => {}
                    Event::Move { .. } => {
                        return Err(Halt::unexpected(
                            &taken.event,
                            "the end of the game, as announced by the other program",
                        ));
                    }
                }
            }
            if let (Some(others), Some((own, taken))) = (others_end, &own_end) {
                if others != *own {
                    let expected = format!("{}, as announced by the other program", Event::End(others));
                    return Err(Halt::unexpected(&taken.event, &expected));
                }
                self.record(taken, wins);
                return Ok(());
            }
        }
    }

    /// Takes the program's next event, and queues it for the other program.
    fn own(&self, awaited: &str) -> Result<TakenEvent, Halt> {
        let taken = self.actor.take(self.deadline(), awaited)?;
        self.actor.pass_on(taken.event.clone());
        Ok(taken)
    }

    fn others(&self, awaited: &str) -> Result<Event, Halt> {
        self.actor.take_other(self.deadline(), awaited)
    }

    fn deadline(&self) -> Instant {
        self.until.min(Instant::now() + self.event)
    }

    fn record(&self, taken: &TakenEvent, wins: Wins) {
        if wins == Wins::Recorded {
            self.actor.record(taken);
        }
    }
}
