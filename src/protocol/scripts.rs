//! Scripts that test `loa` programs, in the languages of two editions of a course (§1: 2020, §2: 2015).
//!
//! A script runs one or two programs, sends them its lines, passes moves from one to the other, and
//! compares what can be relied on: dumps and winners. Sections (§) are those of the contract that the
//! README sums up. Where it is silent:
//!
//! - A line `===#1===` makes a file a script of 2015; every other file is one of 2020. Scripts are named
//!   `FILE.in`; one that cannot be read is reported in the words of 2020. `T-2.in` alone is a test of its
//!   own; beside a `T-1.in` that is named, too, it is no test but a part of one.
//! - Instructions are checked before anything runs.
//! - 2020: blanks may stand before a `*`. What follows one and is no message fails the test as soon as it
//!   is printed, whether an instruction would have read it or not. The end of a game is compared at the
//!   place where the program told it. A program whose messages nobody reads for a second, with 100 of
//!   them unread, has left too many. What the other script will not say any more is not waited for.
//! - 2015: a color's clock runs while anybody waits for its move, in either script. Blank lines and
//!   comments are never sent. `FAIL` is what programs do wrong, `ERROR` what keeps a script from being a
//!   test. A program that is closed has five seconds, as in 2020, and then is ended; what it says until
//!   then still counts for a script that waits for it.
//! - A command of a script can be replaced, since it may name what is not there: see [`Replacement`].
//!   Times of colors are read from the command as the script has it.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `suite` | which files are a test, and what it is judged by |
//! | `language2020`, `language2015` | what a script says, and how it is carried out |
//! | `lines` | what a line of a script is, as bytes and as text |
//! | `clocks` | how much time a color has left |
//! | `rules` | what programs may do, in each language |
//! | `play` | what scripts can do, and how a test begins and ends |
//! | `exchange` | what the programs of a test have said |
//! | `program`, `groups` | how a program is run, and how nothing of it is left |
//! | `trace` | what is shown of it on the way |
//! | `replace` | which command is run in the place of another |
//! | `compare`, `report` | whether the output is right, and what is told of it |

mod clocks;
mod compare;
mod exchange;
mod groups;
mod language2015;
mod language2020;
mod lines;
mod play;
mod program;
mod replace;
mod report;
mod rules;
mod suite;
mod trace;

use std::io::{self, Write};
use std::path::PathBuf;

pub use groups::end_programs_on_signals;
pub use replace::Replacement;
pub use report::Tally;
pub use trace::Trace;

use report::Report;

/// How tests are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Programs that stand in for those that scripts name.
    pub replacements: Vec<Replacement>,
    /// So many failures are told in detail.
    pub details: usize,
    /// What becomes of `T-k.out` and `T-k.err` (§1).
    pub leftovers: Leftovers,
    /// What is done with the output of programs.
    pub comparison: Comparison,
    /// Whether all that goes in and out of programs is shown.
    pub trace: Trace,
}

/// What becomes of the output of the programs of 2020, and of their errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftovers {
    /// They are left in files.
    Keep,
    /// There are no such files after a test.
    Delete,
}

/// What is done with the output of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is compared with the file that holds the right one.
    Compare,
    /// It is written to `FILE.out.tmp`, to become that file.
    Write,
}

/// Runs the tests in these files, and tells how they went.
///
/// # Errors
/// The report cannot be written; then no more tests are run.
pub fn run(paths: &[PathBuf], settings: &Settings, output: &mut dyn Write) -> io::Result<Tally> {
    let mut report = Report::new(output, settings.details);
    for test in suite::tests(paths) {
        report.tell(&test.run(settings))?;
    }
    report.end()
}
