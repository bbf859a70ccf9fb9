//! The language of 2015 (§2): one file for one or two programs, with instructions that begin with `%`.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clocks::Clocks;
use super::lines::ScriptLine;
use super::message::{Message, ended};
use super::play::{Actor, Halt, Part};
use super::replace::{Replacement, replaced};
use crate::game::{Color, ParseError};
use crate::loa::sgf::GameResult;

/// An end of a game comes within this time of its instruction (§2).
const END_TIME: Duration = Duration::from_secs(6);
/// Of a color over the whole run, where no command names another (§2).
const USUAL_TIME: Duration = Duration::from_secs(15);
/// No time is longer: a day.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The line before the first program's lines.
const FIRST: &str = "===#1===";
/// The line before the second program's lines.
const SECOND: &str = "===#2===";
/// In the place of a command: there is no such program.
const NONE: &str = "None";

/// A program's part of a script.
#[derive(Debug)]
pub(super) struct Script {
    /// For the shell.
    command: String,
    steps: Vec<Step>,
    /// Of both parts.
    clocks: Arc<Clocks>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Send(Vec<u8>),
    /// The other program's move of a color is sent here.
    Insert(Color),
    /// This program moves for a color.
    Make(Color),
    /// This program plays both sides, a color first.
    PlayAlone(Color),
    /// The other program moves for a color, this one for the other, until the end.
    PlayAgainst(Color),
    /// The end of a game.
    End(Wanted, Use),
}

/// Which end of a game is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Any,
    Only(GameResult),
}

/// What becomes of the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Nothing,
    /// It is the test's result.
    Announced,
}

/// Whether the text is a script of this language.
pub(super) fn is_script(bytes: &[u8]) -> bool {
    ScriptLine::all(bytes).any(|line| line.text() == FIRST)
}

/// Reads a script: a part for each program.
///
/// # Errors
/// Says what is wrong, and in which line.
pub(super) fn read(bytes: &[u8], replacements: &[Replacement]) -> Result<Vec<Script>, String> {
    let is_said = |line: &ScriptLine| !line.text().is_empty() && !line.text().starts_with('#');
    let mut lines = ScriptLine::all(bytes).filter(is_said);
    let mut header = |expected: &str| lines.next().ok_or_else(|| ends_early(expected));
    let first = command(header("the command of program 1")?)?;
    let second = command(header("the command of program 2, or None")?)?;
    let mark = header(FIRST)?;
    if mark.text() != FIRST {
        return Err(mark.wrong(ParseError::new(&mark.text(), FIRST)));
    }
    let commands: Vec<String> = [first, second].into_iter().filter(|command| command != NONE).collect();
    let lines: Vec<ScriptLine> = lines.collect();
    let bodies: Vec<&[ScriptLine]> = match lines.iter().position(|line| line.text() == SECOND) {
        Some(place) if commands.len() == 1 => {
            return Err(lines[place].wrong(ParseError::new(SECOND, "nothing of a program 2: its command is None")));
        }
        Some(place) => vec![&lines[..place], &lines[place + 1..]],
        None if commands.len() == 2 => return Err(ends_early(SECOND)),
        None => vec![&lines],
    };
    let clocks = Arc::new(Clocks::new(time(&commands)));
    let part = |(command, body): (&String, &[ScriptLine])| {
        let steps = body.iter().map(|&line| step(line, commands.len()).map_err(|error| line.wrong(error)));
        let steps = steps.collect::<Result<_, String>>()?;
        Ok(Script { command: replaced(command, replacements), steps, clocks: Arc::clone(&clocks) })
    };
    commands.iter().zip(bodies).map(part).collect()
}

fn ends_early(expected: &str) -> String {
    format!("found the end of the script, expected {expected}")
}

fn command(line: ScriptLine) -> Result<String, String> {
    let text = line.text();
    if text == FIRST {
        return Err(line.wrong(ParseError::new(&text, "two commands before it; the second may be None")));
    }
    Ok(text.into_owned())
}

/// Of each color: the larger of the times that the commands name (§2).
fn time(commands: &[String]) -> Duration {
    let words = commands.iter().flat_map(|command| command.split_whitespace());
    let minutes = words.filter_map(|word| word.strip_prefix("--time=")?.parse::<f64>().ok());
    let times = minutes
        .filter(|&minutes| minutes > 0.0)
        .map(|minutes| Duration::try_from_secs_f64(60.0 * minutes).map_or(LONGEST, |time| time.min(LONGEST)));
    times.max().unwrap_or(USUAL_TIME)
}

fn step(line: ScriptLine, programs: usize) -> Result<Step, ParseError> {
    let text = line.text();
    let word = text.split_whitespace().next().unwrap_or_default();
    let (black, white) = (Color::Black, Color::White);
    let step = match word {
        "%ib" => Step::Insert(black),
        "%iw" => Step::Insert(white),
        "%mb" => Step::Make(black),
        "%mw" => Step::Make(white),
        "%bw" => Step::PlayAlone(black),
        "%wb" => Step::PlayAlone(white),
        "%ib..." => Step::PlayAgainst(black),
        "%iw..." => Step::PlayAgainst(white),
        "%e" => Step::End(Wanted::Any, Use::Nothing),
        "%eb" => Step::End(Wanted::Only(GameResult::Win(black)), Use::Nothing),
        "%ew" => Step::End(Wanted::Only(GameResult::Win(white)), Use::Nothing),
        "%et" => Step::End(Wanted::Only(GameResult::Draw), Use::Nothing),
        "%ae" => Step::End(Wanted::Any, Use::Announced),
        _ if word.starts_with('%') => {
            let all = "one of %ib %iw %mb %mw %bw %wb %ib... %iw... %e %eb %ew %et %ae";
            return Err(ParseError::new(word, all));
        }
        // A last line without an end is a line too.
        _ => Step::Send([line.bytes.strip_suffix(b"\n").unwrap_or(line.bytes), b"\n"].concat()),
    };
    match step {
        Step::Insert(_) | Step::PlayAgainst(_) if programs == 1 => {
            Err(ParseError::new(word, "no other program's move: the second command is None"))
        }
        step => Ok(step),
    }
}

impl Part for Script {
    fn command(&self) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(&self.command);
        command
    }

    fn perform(&self, actor: &Actor) -> Result<(), Halt> {
        let game = Game { actor, clocks: &self.clocks };
        for step in &self.steps {
            match *step {
                Step::Send(ref bytes) => actor.send(bytes),
                Step::Insert(color) => game.insert(color)?,
                Step::Make(color) => game.make(color)?,
                Step::PlayAlone(color) => game.play_alone(color)?,
                Step::PlayAgainst(color) => game.play_against(color)?,
                Step::End(wanted, then) => game.end(wanted, then)?,
            }
        }
        Ok(())
    }
}

/// The game of one program.
struct Game<'a> {
    actor: &'a Actor<'a>,
    clocks: &'a Clocks,
}

impl Game<'_> {
    fn insert(&self, color: Color) -> Result<(), Halt> {
        match self.others(color)? {
            Message::Move { text, .. } => self.actor.send_move(&text),
            end => return Err(unexpected(&end, &format!("the other program's {}", move_of(color)))),
        }
        Ok(())
    }

    fn make(&self, color: Color) -> Result<(), Halt> {
        match self.own(color)? {
            moved @ Message::Move { .. } => self.actor.pass_on(moved),
            end => return Err(unexpected(&end, &move_of(color))),
        }
        Ok(())
    }

    fn play_alone(&self, mut color: Color) -> Result<(), Halt> {
        while let Message::Move { .. } = self.own(color)? {
            color = !color;
        }
        Ok(())
    }

    fn play_against(&self, color: Color) -> Result<(), Halt> {
        while let Message::Move { text, .. } = self.others(color)? {
            self.actor.send_move(&text);
            let own = self.own(!color)?;
            let is_end = matches!(own, Message::End(_));
            self.actor.pass_on(own);
            if is_end {
                break;
            }
        }
        Ok(())
    }

    fn end(&self, wanted: Wanted, then: Use) -> Result<(), Halt> {
        let awaited = match wanted {
            Wanted::Any => "the end of the game",
            Wanted::Only(result) => ended(result),
        };
        let taken = self.actor.take(Instant::now() + END_TIME, awaited)?;
        match taken.message {
            Message::End(result) if wanted == Wanted::Any || wanted == Wanted::Only(result) => {
                if then == Use::Announced {
                    self.actor.announce(result);
                }
                Ok(())
            }
            other => Err(unexpected(&other, awaited)),
        }
    }

    /// This program's next message: a move of `color`, or an end, which stays unread.
    fn own(&self, color: Color) -> Result<Message, Halt> {
        let awaited = move_of(color);
        let message = self.clocks.during(color, |deadline| self.actor.next(deadline, &awaited))?;
        if let Message::End(_) = message {
            return Ok(message);
        }
        self.actor.take(Instant::now(), &awaited)?;
        check(message, color)
    }

    /// The other program's next message: a move of `color`, or an end.
    fn others(&self, color: Color) -> Result<Message, Halt> {
        let awaited = format!("the other program's {}", move_of(color));
        check(self.clocks.during(color, |deadline| self.actor.take_other(deadline, &awaited))?, color)
    }
}

/// A move must be one of `color`.
fn check(message: Message, color: Color) -> Result<Message, Halt> {
    match message {
        Message::Move { by, .. } if by != Some(color) => Err(unexpected(&message, &move_of(color))),
        message => Ok(message),
    }
}

fn move_of(color: Color) -> String {
    format!("move of {color}")
}

fn unexpected(found: &Message, expected: &str) -> Halt {
    Halt::Failed(ParseError::new(&found.to_string(), expected).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_time_counts_and_fifteen_seconds_if_there_is_none() {
        for (commands, seconds) in [
            (&["java loa.Main"][..], 15.0),
            (&["loa --time=0.25"], 15.0),
            (&["loa --time=0.5 --strict", "staff --time=2"], 120.0),
            (&["loa --time=2", "staff --time=.01"], 120.0),
            (&["loa --time=x", "staff --time=0.1"], 6.0),
            (&["loa --time=0", "staff --time=-1 --time=nan"], 15.0),
            (&["loa --time=inf"], 86_400.0),
            (&["loa --time=1e300"], 86_400.0),
        ] {
            let commands: Vec<String> = commands.iter().map(ToString::to_string).collect();
            assert_eq!(time(&commands), Duration::from_secs_f64(seconds), "{commands:?}");
        }
    }
}
