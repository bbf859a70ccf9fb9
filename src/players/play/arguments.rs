//! Arguments of the players, shared by their programs and the manual.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;

use super::reference::Cost;
use super::{Console, Session, Strictness, Typing, used_files};
use crate::exit::ExitStatus;
use crate::help::GuidePage;
use crate::protocol::commands::{Dialect, Pace};
use crate::terminal::stderr_line;
use kingline::evaluate::loa::Evaluation;
use kingline::game::ParseError;

/// Arguments of the process. A typographic dash before the name of an option, as in a text from which it was copied,
/// counts as hyphens: `–display` is `--display`, and `–h` is `-h`.
pub fn given() -> impl Iterator<Item = OsString> {
    let mut options = true;
    std::env::args_os().map(move |argument| {
        options &= argument != "--";
        argument.to_str().filter(|_| options).and_then(with_hyphens).map_or(argument, OsString::from)
    })
}

/// Reads the arguments of this process. Ends it like [`refuse`] if they are wrong or ask for help.
pub fn parsed<A: Parser>() -> A {
    A::try_parse_from(given()).unwrap_or_else(|error| refuse(&error))
}

/// Prints what is wrong with the arguments, or the help for which they ask, and ends the process: with 2, or with 0; with 1
/// if the help cannot be written.
pub fn refuse(error: &clap::Error) -> ! {
    let printed = error.print().and_then(|()| io::stdout().flush());
    let code = match printed {
        Err(unwritten) if !error.use_stderr() && unwritten.kind() != ErrorKind::BrokenPipe => {
            stderr_line(format_args!("cannot write to standard output: {unwritten}"));
            ExitStatus::Failed as i32
        }
        _ => error.exit_code(),
    };
    std::process::exit(code)
}

/// The option with hyphens, if a typographic dash is before its name.
fn with_hyphens(option: &str) -> Option<String> {
    let is_dash =
        |letter| matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}');
    let name = option.trim_start_matches(is_dash);
    let is_typographic = !option[..option.len() - name.len()].is_ascii();
    let hyphens = if name.len() == 1 { "-" } else { "--" };
    (is_typographic && name.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        .then(|| format!("{hyphens}{name}"))
}

/// Plays one turn of checkers through files: reads input.txt, searches within its CPU time, writes output.txt.
///
/// In a game it keeps playdata.txt for its next turn. It applies calibration.txt, which `calibrate` writes, if that
/// file exists.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Debug, Parser)]
#[command(name = "homework", version, after_help = GuidePage::Turns.line())]
pub struct HomeworkArguments {
    /// Folder with input.txt and output.txt.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub directory: PathBuf,
}

impl HomeworkArguments {
    /// Reads the arguments of this process. Ends it if they are wrong or ask for help.
    ///
    /// A master passes none: then the parser, a tenth of a short turn, is left out.
    pub fn of_process() -> HomeworkArguments {
        match std::env::args_os().len() {
            0 | 1 => HomeworkArguments { directory: PathBuf::from(".") },
            _ => parsed(),
        }
    }
}

/// Plays and analyzes checkers for board programs, by the protocol Hub on standard input and output.
///
/// Exit codes: 0 done, 1 an answer cannot be written, 2 bad usage.
#[derive(Debug, Parser)]
#[command(name = "hub", version, after_help = GuidePage::BoardPrograms.line())]
pub struct HubArguments {
    /// Accepted and ignored, since clients pass it to select the protocol.
    #[arg(value_parser = ["hub"])]
    protocol: Option<String>,
}

/// Plays Lines of Action by text commands; the command `help` lists them.
///
/// In a terminal, lines can be edited, the arrow keys go back to earlier lines, and Tab completes a command.
///
/// The input, the output and the log must be three different files.
///
/// Exit codes: 0 done, 1 a file cannot be opened or written, or bad usage, 2 an error with --strict.
#[derive(Debug, Parser)]
#[command(name = "loa", version, after_help = GuidePage::Loa.line())]
pub struct LoaArguments {
    /// Edition of the course whose commands it understands: 2020 or 2015.
    #[arg(long, value_name = "EDITION", default_value = "2020", value_parser = Dialect::named)]
    pub dialect: &'static Dialect,
    /// Understand `analyze`, which thinks about the position until `stop`, and prints what it finds.
    #[arg(long, conflicts_with = "display")]
    pub analyze: bool,
    /// Accepted and ignored, since the course's skeletons pass it.
    #[arg(long, value_name = "N")]
    pub debug: Option<i64>,
    /// Show the board in a browser, beside the commands in the terminal.
    #[arg(long)]
    pub display: bool,
    /// Port for the board in the browser. Default: 6280, or any free one if that is taken.
    #[arg(long, value_name = "N", requires = "display")]
    pub port: Option<u16>,
    /// Use the evaluation in FILE, written by `calibrate fit loa`. Default: the built-in one, which is also used if FILE is
    /// unusable.
    #[arg(long, value_name = "FILE")]
    pub evaluation: Option<PathBuf>,
    /// Write all commands and automatic moves to FILE.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// End at the first error, with exit code 2.
    #[arg(long)]
    pub strict: bool,
    /// Wall-clock seconds for each automatic move, above 0, at most 3600. Default: a share of the 4 s that each side
    /// has per game.
    #[arg(long, value_name = "SECONDS", value_parser = Pace::constant, overrides_with = "time")]
    pub time: Option<Pace>,
    /// Threads of each search, 1 to 256; no more than there are free cores. Moves that are limited by positions, as after
    /// `seed`, take one.
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub threads: NonZero<usize>,
    /// Command file; `-` is standard input.
    #[arg(value_name = "INPUT-FILE", default_value = "-")]
    pub input: PathBuf,
    /// Output file; `-` is standard output.
    #[arg(value_name = "OUTPUT-FILE", default_value = "-")]
    pub output: PathBuf,
}

impl LoaArguments {
    /// Opens the console with the named streams.
    ///
    /// # Errors
    /// See [`Console::open`].
    pub fn console(&self) -> Result<Console<'static>> {
        // The editor cannot share the screen with text that the page or an analysis causes at any time.
        let typing = if self.display || self.analyze { Typing::Plain } else { Typing::Edited(self.dialect) };
        Console::open(&self.input, &self.output, self.log.as_deref(), typing)
    }

    /// Session in the named dialect. Its `save` never replaces the console's files.
    pub fn session(&self) -> Session {
        let mut session = Session::new(self.dialect, self.time).with_threads(self.threads);
        session.state.analyzes = self.analyze;
        session.state.used = used_files(&self.input, &self.output, self.log.as_deref());
        session
    }

    /// The named evaluation, or the built-in one.
    ///
    /// # Errors
    /// The file cannot be read, or is not an evaluation of this game.
    pub fn evaluation(&self) -> Result<Evaluation<8>> {
        let Some(path) = &self.evaluation else { return Ok(Evaluation::default()) };
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Evaluation::read(&bytes).with_context(|| format!("cannot use {}", path.display()))
    }

    /// Effect of an error in the commands.
    pub fn strictness(&self) -> Strictness {
        if self.strict { Strictness::EndAtError } else { Strictness::GoOn }
    }
}

/// Answers one 6x6 Lines of Action request, `identify` or `move`: reads it from standard input, and prints the answer.
///
/// Exit codes: 0 done, 1 the answer cannot be written, 2 bad request or usage, 3 the game is over.
#[derive(Debug, Parser)]
#[command(name = "loa6", version, after_help = GuidePage::Solved.line())]
pub struct Loa6Arguments {
    /// Wall-clock seconds from the start of the process until the end of a search, above 0, at most 2. The strategies and
    /// the solver come first; they take 0.1 s of CPU time at most.
    #[arg(long, value_name = "SECONDS", default_value = "1.5", value_parser = thinking_time)]
    pub time: Duration,
    /// Threads of the search, 1 to 256; no more than there are free cores. The solver takes one.
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub threads: NonZero<usize>,
}

fn thinking_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= 2.0);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds above 0, at most 2".to_owned())
}

/// Plays one turn of checkers by plain minimax of depth 4, with the same files as `homework`.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Debug, Parser)]
#[command(name = "reference", version, after_help = GuidePage::Turns.line())]
pub struct ReferenceArguments {
    /// Seed for the choice among moves that are nearly the best: the same seed gives the same moves. Default: the time of
    /// day, for a choice among the best.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// CPU seconds to spend on a whole game, by repeated searches; above 0, at most 10000. Default: hardly any.
    ///
    /// A single move takes a twentieth of it. The moves do not change. The course's own reference agent took 5 to 8 s a
    /// game. With little time left it spends less, and it leaves the last half second untouched. In a game,
    /// playdata.txt records the time of earlier turns; without that file, every turn takes as much as the first one.
    #[arg(long, value_name = "SECONDS")]
    cost: Option<Cost>,
    /// Step of the referee's clock, which counts only whole steps of each turn; at most 1. With --cost, turns then take
    /// whole steps. Default: the clock counts everything.
    #[arg(long, value_name = "SECONDS", value_parser = step)]
    step: Option<Duration>,
    /// Folder with input.txt and output.txt.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub directory: PathBuf,
}

impl ReferenceArguments {
    /// CPU time to spend on a game, as the referee's clock counts it.
    pub fn cost(&self) -> Option<Cost> {
        self.cost.map(|cost| cost.in_steps(self.step.unwrap_or_default()))
    }
}

fn step(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| (0.0..=1.0).contains(&seconds));
    let wrong = || ParseError::new(text, "seconds, a number from 0 to 1").to_string();
    seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
}

/// Largest number of threads of a search.
pub const MOST_THREADS: usize = 256;

/// Reads a number of threads.
pub(super) fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let threads = text.parse().ok().filter(|threads: &NonZero<usize>| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a number of threads from 1 to {MOST_THREADS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typographic_dashes_before_options_are_hyphens() {
        for (given, option) in [
            ("–display", Some("--display")),
            ("—time=0.5", Some("--time=0.5")),
            ("−−strict", Some("--strict")),
            ("-–log", Some("--log")),
            ("‑h", Some("-h")),
            ("--log=a–b", None),
            ("-h", None),
            ("a–b", None),
            ("–", None),
            ("–5", None),
            ("", None),
        ] {
            assert_eq!(with_hyphens(given).as_deref(), option, "{given}");
        }
    }

    #[test]
    fn without_arguments_the_parser_gives_the_current_folder() {
        assert_eq!(HomeworkArguments::parse_from(["homework"]).directory, PathBuf::from("."));
    }
}
