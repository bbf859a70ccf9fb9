//! `test-loa`: runs `loa` programs through the scripts of two editions of a course.

use std::process::ExitCode;
#[cfg(unix)]
use std::{io, path::PathBuf, time::Duration};

#[cfg(unix)]
use clap::Parser;
#[cfg(unix)]
use kingline::help::GuidePage;
#[cfg(unix)]
use kingline::protocol::scripts::{
    self, Comparison, Leftovers, NamedScripts, Replacement, RunError, ScriptSettings, SuiteTally, Trace,
};
use kingline::terminal::stderr_line;

/// Bad usage, or a report that cannot be written: no number of failed tests.
const UNUSABLE: u8 = 255;

/// Runs `loa` programs through scripts of two editions of a course, and compares their output.
///
/// A test of 2020 is FILE-1.in, with FILE-2.in if that exists; one of 2015 is FILE.in.
///
/// Exit codes: the number of failed tests, at most 254; 1 also if nothing was run, since a file of a test would be
/// overwritten or the log cannot be opened; 255 bad usage, or the report or the log cannot be written.
#[cfg(unix)]
#[derive(Parser)]
#[command(name = "test-loa", version, after_help = GuidePage::Scripts.line())]
struct Arguments {
    /// 2020: run these two scripts, of any names, as one pair. May be repeated.
    #[arg(long, num_args = 2, value_names = ["A.in", "B.in"])]
    pair: Vec<PathBuf>,
    /// Print on standard error what goes in and out of the programs.
    #[arg(long)]
    verbose: bool,
    /// 1 or more: as --verbose.
    #[arg(long, value_name = "N", default_value_t = 0)]
    verbosity: u32,
    /// Write to FILE what --verbose prints.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the first N failures in detail: scripts, outputs, expected outputs, errors.
    #[arg(long, value_name = "N", default_value_t = 0)]
    show: usize,
    /// 2020: keep FILE-1.out, the output that was compared, and FILE-1.err, what was written on standard error.
    #[arg(long)]
    keep: bool,
    /// Write the output to FILE.out.tmp instead of comparing it.
    #[arg(long)]
    std: bool,
    /// 2015: minutes of each color for the whole run, unless a command of the script sets them; above 0. Default: 0.25.
    #[arg(long, value_name = "MINUTES", value_parser = scripts::minutes)]
    time: Option<Duration>,
    /// Run COMMAND where a script's command begins with the words NAME. May be repeated.
    ///
    /// The words after NAME are kept. If several names fit, the longest one counts. NAME ends at the first `=`. 2020:
    /// COMMAND is split at blanks; 2015: it is run by the shell.
    #[arg(long = "program", value_name = "NAME=COMMAND")]
    programs: Vec<Replacement>,
    /// Scripts to run.
    #[arg(value_name = "FILE.in", required_unless_present = "pair")]
    files: Vec<PathBuf>,
}

#[cfg(unix)]
fn main() -> ExitCode {
    #[cfg(feature = "manual")]
    if let Some(code) = kingline::manual::write_if_asked::<Arguments>() {
        return code;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(UNUSABLE) } else { ExitCode::SUCCESS };
        }
    };
    match run(arguments) {
        Ok(tally) => tally.exit_code(),
        Err(RunError::Refused(reason)) => {
            stderr_line(format_args!("test-loa: {reason}"));
            ExitCode::FAILURE
        }
        Err(RunError::Unwritable(error)) => {
            if error.kind() != io::ErrorKind::BrokenPipe {
                stderr_line(format_args!("test-loa: {error}"));
            }
            ExitCode::from(UNUSABLE)
        }
    }
}

#[cfg(unix)]
fn run(arguments: Arguments) -> Result<SuiteTally, RunError> {
    let pairs = arguments.pair.chunks_exact(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
    let settings = ScriptSettings {
        replacements: arguments.programs,
        details: arguments.show,
        leftovers: if arguments.keep { Leftovers::Keep } else { Leftovers::Discard },
        comparison: if arguments.std { Comparison::Write } else { Comparison::Compare },
        time: arguments.time,
        trace: match arguments.log {
            Some(log) => Trace::Log(log),
            None if arguments.verbose || arguments.verbosity > 0 => Trace::To(|line| stderr_line(line)),
            None => Trace::Off,
        },
    };
    scripts::end_programs_on_signals()?;
    scripts::run(&NamedScripts { files: arguments.files, pairs }, &settings, &mut io::stdout())
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    stderr_line("test-loa is for Unix: it holds what programs start by process groups");
    ExitCode::from(UNUSABLE)
}
