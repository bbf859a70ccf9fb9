//! `test-loa`: scripted tests of `loa` programs, in the languages of two editions of a course (§1: 2020, §2: 2015).
//!
//! A script runs one or two programs, sends them its lines, passes moves from one to the other, and compares the
//! reliable part of their output: dumps and winners. Sections (§) are those of the contract that the README
//! summarizes. These rules cover what the contract leaves open:
//!
//! - A line `===#1===` makes a file a 2015 script; every other file is a 2020 script. Scripts are named `FILE.in`,
//!   except those in pairs. An unreadable script is reported in the 2020 form. `T-2.in` belongs to the test of
//!   `T-1.in`; if only `T-2.in` is named, it is a separate test. A pair is named after its first script, and runs after
//!   the files.
//! - Without `--keep`, a run writes no `.out` or `.err` file, and deletes none from an earlier run. If a run would
//!   overwrite a file that it reads, nothing runs.
//! - Instructions are checked before anything runs.
//! - A malformed message fails the test as soon as the program prints it, even if no instruction would have read it. In
//!   2020, `--as-the-course` waits for an instruction that reads it.
//! - 2020: blanks may precede a `*`. The end of a game is compared in the place where the program printed it. A program
//!   has too many unread messages if it prints another after 98 and its script reads none for a second. No script waits
//!   for messages from one that is done.
//! - 2015: before a line of the script is sent, the program has 0.125 s to end, so that a line after its end fails in
//!   every run. A color's clock runs while either script waits for its move. Blank lines and comments are never sent.
//!   `ERROR` means that the script is invalid, `FAIL` that a program misbehaved. As in 2020, a closed program is killed
//!   if it does not end within five seconds; until then its output still counts for a script that waits for it. A line
//!   left in the pipe of an ended program counts as not sent.
//! - Invalid UTF-8 is dropped from printed and from expected output. Only the start of a line of more than 16 MiB
//!   counts; in a dump such a line fails the test, and so do more than 64 MiB of dumps.
//! - `--program` replaces a command in a script, which may name a missing program. The command in the script
//!   still sets the time of its color.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `suite` | which files are a test, and which files must not be overwritten |
//! | `script` | what a script means |
//! | `rules` | what programs may do in each edition, and how a trace shows it |
//! | `run`, `steps` | how a test begins and ends, and how a script goes on |
//! | `exchange` | what the programs of a test have printed, and what is still unread |
//! | `program` | how a program is run, and how it is killed with everything it started |
//! | `report` | whether the output is right, and how that is reported |

mod exchange;
mod program;
mod report;
mod rules;
mod run;
mod script;
mod steps;
mod suite;

use std::io::{self, Write};

use thiserror::Error;

pub use program::end_programs_on_signals;
pub use report::SuiteTally;
pub use suite::TestLoaArguments;

use report::SuiteReport;
use rules::Tracer;

/// Reason why tests could not be run or reported.
#[derive(Debug, Error)]
pub enum RunError {
    /// A test file would be overwritten, or the log cannot be opened. Nothing has run.
    #[error("{0}")]
    Refused(String),
    /// The report or the log could not be written.
    #[error(transparent)]
    Unwritable(#[from] io::Error),
}

/// Runs tests, and reports their results.
///
/// # Errors
/// If the run would overwrite a file that it reads, nothing runs. If the report cannot be written, the remaining tests
/// do not run. If the log cannot be written, all tests still run.
pub fn run(arguments: &TestLoaArguments, output: &mut dyn Write) -> Result<SuiteTally, RunError> {
    let tests = suite::tests(arguments);
    suite::check(&tests, arguments).map_err(RunError::Refused)?;
    let tracer = Tracer::open(&arguments.trace).map_err(RunError::Refused)?;
    let mut report = SuiteReport { output, details: arguments.show, tally: SuiteTally::default() };
    for test in &tests {
        report.add(&report::judge(test, arguments, &tracer))?;
    }
    let tally = report.end()?;
    tracer.end()?;
    Ok(tally)
}
