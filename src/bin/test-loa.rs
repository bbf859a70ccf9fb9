//! `test-loa`: runs `loa` programs through the scripts of two editions of a course.

use std::process::ExitCode;
#[cfg(unix)]
use std::{io, path::PathBuf};

#[cfg(unix)]
use clap::Parser;
#[cfg(unix)]
use kingline::protocol::scripts::{self, Comparison, Leftovers, Replacement, ScriptSettings, Trace};
use kingline::terminal::stderr_line;

/// Bad usage, or a report that cannot be written: no number of failed tests.
const UNUSABLE: u8 = 255;

/// Runs `loa` programs through scripts, in the languages of 2020 (FILE-1.in, and FILE-2.in where it is
/// there) and 2015 (FILE.in).
///
/// Exit codes: the number of tests that failed, at most 254; 255 bad usage, or the report cannot be written.
#[cfg(unix)]
#[derive(Parser)]
#[command(name = "test-loa", version)]
struct Arguments {
    /// Show on standard error all that goes in and out of the programs.
    #[arg(long)]
    verbose: bool,
    /// Tell the first N failures in detail: scripts, outputs, expected outputs, errors.
    #[arg(long, value_name = "N", default_value_t = 0)]
    show: usize,
    /// 2020: keep FILE-1.out and FILE-1.err, the output that was compared and what was written on
    /// standard error.
    #[arg(long)]
    keep: bool,
    /// Write the output to FILE.out.tmp instead of comparing it.
    #[arg(long)]
    std: bool,
    /// Run COMMAND where a script's command begins with the words NAME; the words that follow them are
    /// kept. Of several names that fit the longest one counts. NAME ends at the first `=`. 2020: COMMAND is
    /// split at blanks; 2015: it goes through the shell.
    #[arg(long = "program", value_name = "NAME=COMMAND")]
    programs: Vec<Replacement>,
    /// The scripts.
    #[arg(value_name = "FILE.in", required = true)]
    files: Vec<PathBuf>,
}

#[cfg(unix)]
fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(UNUSABLE) } else { ExitCode::SUCCESS };
        }
    };
    let settings = ScriptSettings {
        replacements: arguments.programs,
        details: arguments.show,
        leftovers: if arguments.keep { Leftovers::Keep } else { Leftovers::Delete },
        comparison: if arguments.std { Comparison::Write } else { Comparison::Compare },
        trace: if arguments.verbose { Trace::To(|line| stderr_line(line)) } else { Trace::Off },
    };
    let files = &arguments.files;
    match scripts::end_programs_on_signals().and_then(|()| scripts::run(files, &settings, &mut io::stdout())) {
        Ok(tally) => tally.exit_code(),
        Err(error) => {
            if error.kind() != io::ErrorKind::BrokenPipe {
                stderr_line(format_args!("test-loa: {error}"));
            }
            ExitCode::from(UNUSABLE)
        }
    }
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    stderr_line("test-loa is for Unix: it holds what programs start by process groups");
    ExitCode::from(UNUSABLE)
}
