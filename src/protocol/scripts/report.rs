//! What a user sees of the tests, while they run and at their end.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::game;
use crate::protocol::commands::grammar::ended;

/// Detail of a failure is cut after so many characters of a file.
const SHOWN: usize = 10_000;

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    /// The programs have failed.
    Failed(String),
    /// There was nothing to test by.
    Invalid(String),
}

/// In whose words a test is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Of2020,
    Of2015,
}

/// All that is to be told of a test.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) language: Language,
    pub(super) verdict: Verdict,
    /// Who won, where that is the result of the test.
    pub(super) announced: Vec<game::Outcome>,
    /// Names and texts of what shows why it failed.
    pub(super) details: Vec<(String, String)>,
}

/// Tests so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    tests: usize,
    failures: usize,
}

/// Tells outcomes, and counts them.
pub(super) struct Report<'a> {
    output: &'a mut dyn Write,
    /// Failures that are still to be told in detail.
    details: usize,
    tally: Tally,
}

impl<'a> Report<'a> {
    /// The first `details` failures are told in detail.
    pub(super) fn new(output: &'a mut dyn Write, details: usize) -> Report<'a> {
        Report { output, details, tally: Tally::default() }
    }

    pub(super) fn tell(&mut self, outcome: &Outcome) -> io::Result<()> {
        let Outcome { name, language, verdict, .. } = outcome;
        for &result in &outcome.announced {
            writeln!(self.output, "{name}: {}", ended(result))?;
        }
        let line = match (language, verdict) {
            (Language::Of2020, Verdict::Passed) => format!("** {name} PASSED."),
            (Language::Of2020, Verdict::Failed(reason) | Verdict::Invalid(reason)) => {
                format!("** {name} FAILED ({reason})")
            }
            (Language::Of2015, Verdict::Passed) => format!("{name}: OK"),
            (Language::Of2015, Verdict::Failed(reason)) => format!("{name}: FAIL ({reason})"),
            (Language::Of2015, Verdict::Invalid(reason)) => format!("{name}: ERROR ({reason})"),
        };
        writeln!(self.output, "{line}")?;
        self.tally.tests += 1;
        if *verdict != Verdict::Passed {
            self.tally.failures += 1;
            if self.details > 0 {
                self.details -= 1;
                self.tell_details(outcome)?;
            }
        }
        self.output.flush()
    }

    fn tell_details(&mut self, outcome: &Outcome) -> io::Result<()> {
        for (title, text) in &outcome.details {
            writeln!(self.output, "---- {title}")?;
            let mut shown: String = text.chars().take(SHOWN).collect();
            if shown.len() < text.len() {
                shown += "\n(and more)";
            }
            for line in shown.lines() {
                writeln!(self.output, "{line}")?;
            }
        }
        writeln!(self.output, "---- end of {}\n", outcome.name)
    }

    /// Sums up.
    pub(super) fn end(self) -> io::Result<Tally> {
        let Tally { tests, failures } = self.tally;
        match failures {
            0 => writeln!(self.output, "\nPassed all {tests} tests.")?,
            _ => writeln!(self.output, "\nPassed {} out of {tests} tests.", tests - failures)?,
        }
        self.output.flush()?;
        Ok(self.tally)
    }
}

impl Tally {
    /// The number of tests that failed, at most 254.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(u8::try_from(self.failures).unwrap_or(u8::MAX).min(254))
    }
}
