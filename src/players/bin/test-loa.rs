//! `test-loa`: runs `loa` programs through the scripts of two editions of a course.

use std::process::ExitCode;

use kingline_players::terminal::stderr_line;

/// Exit code for bad usage and for a report that cannot be written. It is never a number of failed tests.
const UNUSABLE: u8 = 255;

#[cfg(unix)]
fn main() -> ExitCode {
    use clap::Parser;
    use kingline_players::play::arguments;
    use kingline_players::play::tester::{self, RunError, TestLoaArguments as Arguments};
    use std::io::{self, ErrorKind};

    let mut words: Vec<_> = arguments::given().collect();
    if words.len() <= 1 {
        // Without arguments, it prints the format of the scripts.
        words = ["test-loa", "--help"].map(Into::into).into();
    }
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => {
            if !error.use_stderr() {
                arguments::refuse(&error);
            }
            let _ = error.print();
            return ExitCode::from(UNUSABLE);
        }
    };
    let ready = tester::end_programs_on_signals().map_err(RunError::from);
    match ready.and_then(|()| tester::run(&arguments, &mut io::stdout())) {
        Ok(tally) => tally.exit_code(),
        // The reader of the report has closed the pipe.
        Err(RunError::Unwritable(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(UNUSABLE),
        Err(error) => {
            stderr_line(format_args!("test-loa: {error}"));
            ExitCode::from(if matches!(error, RunError::Refused(_)) { 1 } else { UNUSABLE })
        }
    }
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    stderr_line("test-loa requires Unix: it kills programs, with everything they started, by process group");
    ExitCode::from(UNUSABLE)
}
