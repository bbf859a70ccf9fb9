//! Parser for 2015 scripts.

use std::sync::Arc;
use std::time::Duration;

use super::{EndUse, Script2015, Step2015, Wanted};
use crate::protocol::scripts::clocks::Clocks;
use crate::protocol::scripts::lines::ScriptLine;
use crate::protocol::scripts::replace::{Replacement, replaced};
use crate::protocol::scripts::rules::LONGEST_WAIT;
use kingline::game::{Color, LineError, Outcome, ParseError};

/// Default time per color for the whole run (§2).
const USUAL_TIME: Duration = Duration::from_secs(15);

/// Line before the first program's lines.
const FIRST: &str = "===#1===";
/// Line before the second program's lines.
const SECOND: &str = "===#2===";
/// Placeholder for the command of a missing program.
const NONE: &str = "None";

/// Returns true if the text is a script of this language.
pub(in crate::protocol::scripts) fn is_script(bytes: &[u8]) -> bool {
    ScriptLine::all(bytes).any(|line| line.text() == FIRST)
}

/// Reads a script, which has a part for each program. Each color has `usual_time` if no command sets a time.
///
/// # Errors
/// A line is wrong; the error names the first one.
pub(in crate::protocol::scripts) fn read(
    bytes: &[u8],
    replacements: &[Replacement],
    usual_time: Option<Duration>,
) -> Result<Vec<Script2015>, LineError> {
    let counts = |line: &ScriptLine| !line.text().is_empty() && !line.text().starts_with('#');
    let mut lines = ScriptLine::all(bytes).filter(counts);
    let after_last = ScriptLine::all(bytes).count() + 1;
    let end = |expected: &str| LineError::missing(after_last, "the end of the script", expected);
    let mut header = |expected: &str| lines.next().ok_or_else(|| end(expected));
    let first_line = header("the command of program 1")?;
    let first = command(first_line)?;
    if first == NONE {
        return Err(first_line.wrong(ParseError::new(NONE, "the command of program 1; only program 2 may be None")));
    }
    let second = command(header("the command of program 2, or None")?)?;
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
    let clocks = Arc::new(Clocks::new(time(&commands).or(usual_time).unwrap_or(USUAL_TIME)));
    let part = |(command, body): (&String, &[ScriptLine])| {
        let steps = body.iter().map(|&line| step(line, commands.len()).map_err(|error| line.wrong(error)));
        let steps = steps.collect::<Result<_, LineError>>()?;
        Ok(Script2015 { command: replaced(command, replacements), steps, clocks: Arc::clone(&clocks) })
    };
    commands.iter().zip(bodies).map(part).collect()
}

fn command(line: ScriptLine) -> Result<String, LineError> {
    let text = line.text();
    if text == FIRST {
        return Err(line.wrong(ParseError::new(&text, "two commands before it; the second may be None")));
    }
    Ok(text.into_owned())
}

/// Time per color: the larger of the times in the commands (§2).
fn time(commands: &[String]) -> Option<Duration> {
    let words = commands.iter().flat_map(|command| command.split_whitespace());
    words.filter_map(|word| minutes(word.strip_prefix("--time=")?).ok()).max()
}

/// Reads a number of minutes, as in `--time=MINUTES`.
///
/// # Errors
/// The text is not a number, or not above 0.
pub fn minutes(text: &str) -> Result<Duration, ParseError> {
    let minutes = text.parse::<f64>().ok().filter(|&minutes| minutes > 0.0);
    let minutes = minutes.ok_or_else(|| ParseError::new(text, "a number of minutes above 0"))?;
    Ok(Duration::try_from_secs_f64(60.0 * minutes).map_or(LONGEST_WAIT, |time| time.min(LONGEST_WAIT)))
}

fn step(line: ScriptLine, programs: usize) -> Result<Step2015, ParseError> {
    let text = line.text();
    let word = text.split_whitespace().next().unwrap_or_default();
    let (black, white) = (Color::Black, Color::White);
    let step = match word {
        "%ib" => Step2015::Insert(black),
        "%iw" => Step2015::Insert(white),
        "%mb" => Step2015::Make(black),
        "%mw" => Step2015::Make(white),
        "%bw" => Step2015::PlayAlone(black),
        "%wb" => Step2015::PlayAlone(white),
        "%ib..." => Step2015::PlayAgainst(black),
        "%iw..." => Step2015::PlayAgainst(white),
        "%e" => Step2015::End(Wanted::Any, EndUse::Nothing),
        "%eb" => Step2015::End(Wanted::Only(Outcome::Win(black)), EndUse::Nothing),
        "%ew" => Step2015::End(Wanted::Only(Outcome::Win(white)), EndUse::Nothing),
        "%et" => Step2015::End(Wanted::Only(Outcome::Draw), EndUse::Nothing),
        "%ae" => Step2015::End(Wanted::Any, EndUse::Announced),
        _ if word.starts_with('%') => {
            let all = "one of %ib %iw %mb %mw %bw %wb %ib... %iw... %e %eb %ew %et %ae";
            return Err(ParseError::new(word, all));
        }
        // The last line may lack its newline.
        _ => Step2015::Send([line.bytes.strip_suffix(b"\n").unwrap_or(line.bytes), b"\n"].concat()),
    };
    match step {
        Step2015::Insert(_) | Step2015::PlayAgainst(_) if programs == 1 => {
            Err(ParseError::new(word, "no move of another program, since the second command is None"))
        }
        step => Ok(step),
    }
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
            assert_eq!(time(&commands), seconds.map(Duration::from_secs_f64), "{commands:?}");
        }
    }
}
