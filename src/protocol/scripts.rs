//! How are `loa` programs tested by scripts, in the languages of two editions of a course (§1: 2020, §2: 2015)?
//!
//! A script runs one or two programs, sends them its lines, passes moves from one to the other, and
//! compares what can be relied on: dumps and winners. Sections (§) are those of the contract that the
//! README sums up. Where it is silent:
//!
//! - A line `===#1===` makes a file a script of 2015; every other file is one of 2020. Scripts are named
//!   `FILE.in`, but for pairs; an unreadable one is reported in the form of 2020. `T-2.in` alone is a test of
//!   its own; beside a named `T-1.in` it is a part of that test. A pair is named after its first script, and
//!   runs after the files.
//! - Without `--keep` no `.out` and `.err` is written, and none of an earlier run is deleted. Where a run would
//!   write over a file that it reads, nothing runs.
//! - Instructions are checked before anything runs.
//! - 2020: blanks may stand before a `*`. A malformed message fails the test as soon as it is printed,
//!   whether an instruction would have read it or not. The end of a game is compared at the place where
//!   the program printed it. A program with 98 unread messages that nobody reads for a second has left
//!   too many. Nothing is awaited from a script that is done.
//! - 2015: a color's clock runs while anybody waits for its move, in either script. Blank lines and
//!   comments are never sent. `ERROR`: the script is invalid. `FAIL`: a program misbehaved. A closed
//!   program has five seconds to end, as in 2020, before it is killed; until then its output still counts
//!   for a script that waits for it. A line that a program has left in its pipe when it ends could not be
//!   sent.
//! - Invalid UTF-8 is dropped wherever a program prints it, and from what is expected. Of a line
//!   of more than 16 MiB only the start counts; in a dump it fails the test, and so do dumps of 64 MiB.
//! - `--program` replaces a command of a script, which may name a program that is not there: see
//!   [`Replacement`]. Times of colors are read from the command as the script has it.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `settings` | how tests are run |
//! | `suite` | which files are a test, and in which language |
//! | `judge` | how a test is run and judged |
//! | `beside` | which files lie beside a script, and which must not be written over |
//! | `language2020`, `language2015` | what a script means, and how it is carried out |
//! | `lines` | what a line of a script is, as bytes and as text, and what is the text of output |
//! | `clocks` | how much time a color has left |
//! | `rules` | what programs may do, in each language |
//! | `test_run` | what scripts can do, and how a test begins and ends |
//! | `exchange` | what the programs of a test have printed, and who may still read it |
//! | `program`, `groups` | how a program is run, and how all that it started is killed |
//! | `trace` | how input and output are shown on the way |
//! | `replace` | which command is run in place of another |
//! | `compare`, `report` | whether the output is right, and how that is reported |

mod beside;
mod clocks;
mod compare;
mod exchange;
mod groups;
mod judge;
mod language2015;
mod language2020;
mod lines;
mod program;
mod replace;
mod report;
mod rules;
mod settings;
mod suite;
mod test_run;
mod trace;

use std::io::{self, Write};

pub use groups::end_programs_on_signals;
pub use language2015::read::minutes;
pub use replace::Replacement;
pub use report::SuiteTally;
pub use settings::{Comparison, Leftovers, ScriptSettings};
pub use suite::NamedScripts;
pub use trace::Trace;

use report::SuiteReport;
use trace::Tracer;

/// Why there is no number of failed tests.
#[derive(Debug)]
pub enum RunError {
    /// A file of a test would be written over, or the log cannot be opened; nothing has run.
    Refused(String),
    /// The report or the log cannot be written.
    Unwritable(io::Error),
}

/// Runs the tests in these files, and reports how they went.
///
/// # Errors
/// Nothing is run where a file that is read would be written over. Where the report cannot be written, no more tests are
/// run; where the log cannot be, all are.
pub fn run(named: &NamedScripts, settings: &ScriptSettings, output: &mut dyn Write) -> Result<SuiteTally, RunError> {
    let tests = suite::tests(named);
    beside::check(&tests, settings).map_err(RunError::Refused)?;
    let tracer = Tracer::open(&settings.trace).map_err(RunError::Refused)?;
    let mut report = SuiteReport::new(output, settings.details);
    for test in &tests {
        report.add(&judge::judge(test, settings, &tracer))?;
    }
    let tally = report.end()?;
    tracer.end()?;
    Ok(tally)
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> RunError {
        RunError::Unwritable(error)
    }
}
