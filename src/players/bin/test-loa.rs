//! `test-loa`: runs `loa` programs through the scripts of two editions of a course.

use std::process::ExitCode;

use kingline_players::terminal::stderr_line;

/// Exit code for bad usage and for a report that cannot be written. It is never a number of failed tests.
const UNUSABLE: u8 = 255;

#[cfg(unix)]
fn main() -> ExitCode {
    use clap::Parser;
    use kingline_players::play::arguments::{self, TestLoaArguments as Arguments};

    let mut words: Vec<_> = arguments::given().collect();
    if words.len() <= 1 {
        // Without arguments, it prints the format of the scripts.
        words = ["test-loa", "--help"].map(Into::into).into();
    }
    match Arguments::try_parse_from(words) {
        Ok(arguments) => run(arguments),
        Err(error) => {
            let _ = error.print();
            if error.use_stderr() { ExitCode::from(UNUSABLE) } else { ExitCode::SUCCESS }
        }
    }
}

#[cfg(unix)]
fn run(arguments: kingline_players::play::arguments::TestLoaArguments) -> ExitCode {
    use kingline_players::protocol::scripts::{self, RunError};
    use std::io::{self, ErrorKind};

    let (named, settings) = arguments.into_run(|line| stderr_line(line));
    let tally = scripts::end_programs_on_signals()
        .map_err(RunError::Unwritable)
        .and_then(|()| scripts::run(&named, &settings, &mut io::stdout()));
    match tally {
        Ok(tally) => tally.exit_code(),
        Err(RunError::Refused(reason)) => {
            stderr_line(format_args!("test-loa: {reason}"));
            ExitCode::FAILURE
        }
        // The reader of the report has closed the pipe.
        Err(RunError::Unwritable(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(UNUSABLE),
        Err(RunError::Unwritable(error)) => {
            stderr_line(format_args!("test-loa: {error}"));
            ExitCode::from(UNUSABLE)
        }
    }
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    stderr_line("test-loa requires Unix: it kills programs, with everything they started, by process group");
    ExitCode::from(UNUSABLE)
}
