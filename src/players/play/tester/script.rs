//! Scripts of both editions, read into one list of steps.
//!
//! A 2020 script (§1) is one file per program, with instructions that look like comments. A 2015 script (§2) is one file
//! for one or two programs, with instructions that begin with `%`.

use std::borrow::Cow;
use std::process::Command;
use std::str::FromStr;
use std::time::Duration;

use kingline::game::{Color, LineError, Outcome, ParseError};

#[derive(Debug)]
pub(super) struct Script {
    /// Program and arguments, at least one word.
    words: Vec<String>,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Send(Vec<u8>),
    /// 2020: sets the limits of later instructions.
    Limit(WaitLimits),
    /// 2020: waits for this program's move.
    Move,
    /// 2020: waits for this program's moves for both sides, until the game ends.
    LocalGame(EndUse),
    /// 2020: waits for the end of the game.
    Win,
    /// 2020: plays against the other program, until both have announced the winner.
    RemoteGame(EndUse),
    /// 2015: sends this program the other program's move for a color.
    Insert(Color),
    /// 2015: waits for this program's move for a color.
    Make(Color),
    /// 2015: lets this program play both sides, starting with a color.
    PlayAlone(Color),
    /// 2015: lets the other program play a color and this one the opposite color, until the game ends.
    PlayAgainst(Color),
    /// 2015: waits for the end of a game; for any, if none is given.
    End(Option<Outcome>, EndUse),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WaitLimits {
    pub(super) event: Duration,
    /// Longest total wait for all its events.
    pub(super) instruction: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndUse {
    Nothing,
    /// 2020: part of the compared output.
    Recorded,
    /// 2015: result of the test.
    Announced,
}

/// Longest wait: a year, so that no clock overflows.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);
/// 2015: default time per color for the whole run (§2).
const USUAL_TIME: Duration = Duration::from_secs(15);
/// 2015: line before the first program's lines.
const FIRST: &str = "===#1===";
/// 2015: line before the second program's lines.
const SECOND: &str = "===#2===";
/// 2015: placeholder for the command of a missing program.
const NONE: &str = "None";

impl Script {
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    /// Reads the 2020 script of one program, in a test of `programs` programs.
    pub(super) fn read_2020(bytes: &[u8], programs: usize, replacements: &[Replacement]) -> Result<Script, String> {
        let no_command = || "could not find initial command line".to_string();
        let counts = |line: &ScriptLine| {
            let text = line.text();
            !text.is_empty() && (!text.starts_with('#') || text.starts_with("#*"))
        };
        let first = ScriptLine::all(bytes).find(counts).ok_or_else(no_command)?;
        let text = first.text();
        let command = text.strip_prefix("#*").map(str::trim).filter(|text| !text.is_empty()).ok_or_else(no_command)?;
        let words = words(&replaced(command, replacements));
        let mut steps = Vec::new();
        for line in ScriptLine::all(bytes).skip(first.number) {
            let step = match line.text().strip_prefix("#*") {
                Some(text) => step_2020(text.trim()).map_err(|error| line.wrong(error).to_string())?,
                None => Step::Send(line.bytes.to_vec()),
            };
            if matches!(step, Step::RemoteGame(_)) && programs == 1 {
                let error = ParseError::new(&line.text(), "no remote game, since there is no second program");
                return Err(line.wrong(error).to_string());
            }
            steps.push(step);
        }
        Ok(Script { words, steps })
    }

    /// Reads a 2015 script, which has a part for each program. Also returns the time of each color, `usual_time` if no
    /// command sets one.
    pub(super) fn read_2015(
        bytes: &[u8],
        replacements: &[Replacement],
        usual_time: Option<Duration>,
    ) -> Result<(Vec<Script>, Duration), LineError> {
        let counts = |line: &ScriptLine| !line.text().is_empty() && !line.text().starts_with('#');
        let mut lines = ScriptLine::all(bytes).filter(counts);
        let after_last = ScriptLine::all(bytes).count() + 1;
        let end = |expected: &str| LineError::missing(after_last, "the end of the script", expected);
        let mut header = |expected: &str| lines.next().ok_or_else(|| end(expected));
        let first_line = header("the command of program 1")?;
        let first = command_2015(first_line)?;
        if first == NONE {
            let expected = "the command of program 1; only program 2 may be None";
            return Err(first_line.wrong(ParseError::new(NONE, expected)));
        }
        let second = command_2015(header("the command of program 2, or None")?)?;
        let mark = header(FIRST)?;
        if mark.text() != FIRST {
            return Err(mark.wrong(ParseError::new(&mark.text(), FIRST)));
        }
        let commands: Vec<String> = [first, second].into_iter().filter(|command| command != NONE).collect();
        let lines: Vec<ScriptLine> = lines.collect();
        let bodies: Vec<&[ScriptLine]> = match lines.iter().position(|line| line.text() == SECOND) {
            // The lines of a program that is None are ignored (§2).
            Some(place) if commands.len() == 1 => vec![&lines[..place]],
            Some(place) => vec![&lines[..place], &lines[place + 1..]],
            None if commands.len() == 2 => return Err(end(SECOND)),
            None => vec![&lines],
        };
        let part = |(command, body): (&String, &[ScriptLine])| {
            let steps = body.iter().map(|&line| step_2015(line, commands.len()).map_err(|error| line.wrong(error)));
            let words = vec!["sh".to_string(), "-c".to_string(), replaced(command, replacements)];
            Ok(Script { words, steps: steps.collect::<Result<_, LineError>>()? })
        };
        let scripts = commands.iter().zip(bodies).map(part).collect::<Result<_, LineError>>()?;
        Ok((scripts, time_2015(&commands).or(usual_time).unwrap_or(USUAL_TIME)))
    }
}

/// Reads a 2020 instruction. Instructions are matched by prefix (§1).
fn step_2020(text: &str) -> Result<Step, ParseError> {
    let game = |text: &str| {
        let rest = text.strip_prefix("move/win")?;
        Some(if rest.starts_with('+') { EndUse::Recorded } else { EndUse::Nothing })
    };
    let remote = text.strip_prefix("remote").filter(|rest| rest.starts_with(char::is_whitespace));
    let step = if let Some(then) = game(text) {
        Some(Step::LocalGame(then))
    } else if let Some(then) = remote.and_then(|rest| game(rest.trim_start())) {
        Some(Step::RemoteGame(then))
    } else if text.starts_with("move") {
        Some(Step::Move)
    } else if text.starts_with("win+") {
        Some(Step::Win)
    } else {
        text.strip_prefix("time").and_then(limits).map(Step::Limit)
    };
    step.ok_or_else(|| {
        let all = "#*time MOVE GAME, #*move, #*move/win, #*move/win+, #*win+, #*remote move/win or #*remote move/win+";
        ParseError::new(&format!("#*{text}"), all)
    })
}

/// Reads ` MOVE GAME`: decimal seconds, then whole seconds. Further text is ignored.
fn limits(text: &str) -> Option<WaitLimits> {
    let mut words = text.strip_prefix(char::is_whitespace)?.split_whitespace();
    let (event, instruction) = (words.next()?, words.next()?);
    let is_decimal = event.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let event = event.parse().ok().filter(|_| is_decimal)?;
    let digits = instruction.bytes().take_while(u8::is_ascii_digit).count();
    Some(WaitLimits { event: wait(event), instruction: wait(instruction[..digits].parse().ok()?) })
}

fn wait(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).map_or(LONGEST_WAIT, |time| time.min(LONGEST_WAIT))
}

pub(super) fn is_of_2015(bytes: &[u8]) -> bool {
    ScriptLine::all(bytes).any(|line| line.text() == FIRST)
}

fn command_2015(line: ScriptLine) -> Result<String, LineError> {
    let text = line.text();
    if text == FIRST {
        return Err(line.wrong(ParseError::new(&text, "two commands before it; the second may be None")));
    }
    Ok(text.into_owned())
}

/// Time per color: the larger of the times in the commands (§2).
fn time_2015(commands: &[String]) -> Option<Duration> {
    let words = commands.iter().flat_map(|command| command.split_whitespace());
    words.filter_map(|word| minutes(word.strip_prefix("--time=")?).ok()).max()
}

/// Reads a number of minutes, as in `--time=MINUTES`.
pub(super) fn minutes(text: &str) -> Result<Duration, ParseError> {
    let minutes = text.parse::<f64>().ok().filter(|&minutes| minutes > 0.0);
    minutes.map(|minutes| wait(60.0 * minutes)).ok_or_else(|| ParseError::new(text, "a number of minutes above 0"))
}

fn step_2015(line: ScriptLine, programs: usize) -> Result<Step, ParseError> {
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
        "%e" => Step::End(None, EndUse::Nothing),
        "%eb" => Step::End(Some(Outcome::Win(black)), EndUse::Nothing),
        "%ew" => Step::End(Some(Outcome::Win(white)), EndUse::Nothing),
        "%et" => Step::End(Some(Outcome::Draw), EndUse::Nothing),
        "%ae" => Step::End(None, EndUse::Announced),
        _ if word.starts_with('%') => {
            let all = "one of %ib %iw %mb %mw %bw %wb %ib... %iw... %e %eb %ew %et %ae";
            return Err(ParseError::new(word, all));
        }
        // The last line may lack its newline.
        _ => Step::Send([line.bytes.strip_suffix(b"\n").unwrap_or(line.bytes), b"\n"].concat()),
    };
    match step {
        Step::Insert(_) | Step::PlayAgainst(_) if programs == 1 => {
            Err(ParseError::new(word, "no move of another program, since the second command is None"))
        }
        step => Ok(step),
    }
}

#[derive(Clone, Copy, Debug)]
struct ScriptLine<'a> {
    /// Line number, 1-based.
    number: usize,
    /// Bytes as in the file, with the newline.
    bytes: &'a [u8],
}

impl<'a> ScriptLine<'a> {
    fn all(script: &'a [u8]) -> impl Iterator<Item = ScriptLine<'a>> {
        (1..).zip(script.split_inclusive(|&byte| byte == b'\n')).map(|(number, bytes)| ScriptLine { number, bytes })
    }

    /// Text without surrounding blanks. Invalid UTF-8 becomes U+FFFD.
    fn text(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes.trim_ascii())
    }

    fn wrong(self, error: ParseError) -> LineError {
        LineError { line: self.number, error }
    }
}

/// Replacement `NAME=COMMAND`: if a script's command begins with the words of NAME, COMMAND replaces these words. The
/// rest of the command stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    name: Vec<String>,
    command: String,
}

impl FromStr for Replacement {
    type Err = ParseError;

    /// Reads `NAME=COMMAND`. The first `=` ends the name.
    fn from_str(text: &str) -> Result<Replacement, ParseError> {
        match text.split_once('=').map(|(name, command)| (words(name), command.trim())) {
            Some((name, command)) if !name.is_empty() && !command.is_empty() => {
                Ok(Replacement { name, command: command.to_string() })
            }
            _ => Err(ParseError::new(text, "NAME=COMMAND")),
        }
    }
}

/// Command to run for `command` in a script. The longest matching name applies; of equal names, the last one.
fn replaced(command: &str, replacements: &[Replacement]) -> String {
    let fits = |replacement: &&Replacement| rest(command, &replacement.name).is_some();
    let best = replacements.iter().filter(fits).max_by_key(|replacement| replacement.name.len());
    match best.and_then(|best| Some((best, rest(command, &best.name)?))) {
        Some((best, "")) => best.command.clone(),
        Some((best, rest)) => format!("{} {rest}", best.command),
        None => command.to_string(),
    }
}

/// Rest of `command` after `name`, unchanged; `None` if the command does not start with it.
fn rest<'a>(command: &'a str, name: &[String]) -> Option<&'a str> {
    let mut rest = command.trim();
    for word in name {
        let (first, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if first != word {
            return None;
        }
        rest = after.trim_start();
    }
    Some(rest)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_time_that_a_command_names_counts() {
        for (commands, seconds) in [
            (&["java loa.Main"][..], None),
            (&["loa --time=0.25"], Some(15.0)),
            (&["loa --time=0.5 --strict", "staff --time=2"], Some(120.0)),
            (&["loa --time=2", "staff --time=.01"], Some(120.0)),
            (&["loa --time=x", "staff --time=0.1"], Some(6.0)),
            (&["loa --time=0", "staff --time=-1 --time=nan"], None),
            (&["loa --time=2000"], Some(120_000.0)),
            (&["loa --time=inf"], Some(LONGEST_WAIT.as_secs_f64())),
            (&["loa --time=1e300"], Some(LONGEST_WAIT.as_secs_f64())),
        ] {
            let commands: Vec<String> = commands.iter().map(ToString::to_string).collect();
            assert_eq!(time_2015(&commands), seconds.map(Duration::from_secs_f64), "{commands:?}");
        }
    }

    #[test]
    fn the_longest_matching_name_is_replaced() {
        let texts = ["java=short", "java -ea  loa.Main = loa --time=1 ", "staff-loa=staff", "staff-loa=other"];
        let replacements: Vec<Replacement> = texts.iter().map(|text| text.parse().unwrap()).collect();
        for (command, expected) in [
            ("java -ea loa.Main", "loa --time=1"),
            ("java  -ea\tloa.Main --strict 'a  b' | tee x", "loa --time=1 --strict 'a  b' | tee x"),
            ("java -ea loa.Mainly", "short -ea loa.Mainly"),
            ("javac -ea loa.Main", "javac -ea loa.Main"),
            ("staff-loa --time=0.25", "other --time=0.25"),
            ("nice staff-loa", "nice staff-loa"),
            ("", ""),
        ] {
            assert_eq!(replaced(command, &replacements), expected);
        }
    }

    #[test]
    fn replacements_require_a_name_and_a_command() {
        for text in ["", "loa", "=loa", " =loa", "loa=", "loa= "] {
            assert_eq!(text.parse::<Replacement>().unwrap_err().expected, "NAME=COMMAND", "{text}");
        }
    }
}
