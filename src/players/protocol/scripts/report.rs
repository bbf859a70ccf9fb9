//! Report on the tests, while they run and at the end.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::protocol::commands::grammar::ended;
use kingline::game::Outcome;

/// Maximum number of characters of a file printed in the details of a failure.
const SHOWN: usize = 10_000;

/// Verdict on a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TestVerdict {
    Passed,
    /// A program misbehaved: `FAIL`.
    Failed(String),
    /// The script is invalid: `ERROR`.
    Invalid(String),
}

/// Language of a script, which decides the form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Of2020,
    Of2015,
}

/// Reported facts about a test.
#[derive(Debug)]
pub(super) struct TestReport {
    pub(super) name: String,
    pub(super) language: Language,
    pub(super) verdict: TestVerdict,
    /// Warnings about a test that passed.
    pub(super) warnings: Vec<String>,
    /// Winners announced as the result of the test, in place of `OK` (§2).
    pub(super) announced: Vec<Outcome>,
    /// Titles and texts that show why the test failed.
    pub(super) details: Vec<(String, String)>,
}

/// Counts of tests so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteTally {
    tests: usize,
    failures: usize,
}

/// Printer and counter of verdicts.
pub(super) struct SuiteReport<'a> {
    output: &'a mut dyn Write,
    /// Number of failures still to be reported in detail.
    details: usize,
    tally: SuiteTally,
}

impl<'a> SuiteReport<'a> {
    /// Report that shows the first `details` failures in detail.
    pub(super) fn new(output: &'a mut dyn Write, details: usize) -> SuiteReport<'a> {
        SuiteReport { output, details, tally: SuiteTally::default() }
    }

    pub(super) fn add(&mut self, outcome: &TestReport) -> io::Result<()> {
        let TestReport { name, language, verdict, .. } = outcome;
        let announced: Vec<&str> =
            outcome.announced.iter().map(|&result| ended(result).trim_end_matches('.')).collect();
        let line = match (language, verdict) {
            (Language::Of2020, TestVerdict::Passed) => format!("** {name} PASSED."),
            (Language::Of2020, TestVerdict::Failed(reason) | TestVerdict::Invalid(reason)) => {
                format!("** {name} FAILED ({reason})")
            }
            (Language::Of2015, TestVerdict::Passed) if announced.is_empty() => format!("{name}: OK"),
            (Language::Of2015, TestVerdict::Passed) => format!("{name}: {}", announced.join(", ")),
            (Language::Of2015, TestVerdict::Failed(reason)) => format!("{name}: FAIL ({reason})"),
            (Language::Of2015, TestVerdict::Invalid(reason)) => format!("{name}: ERROR ({reason})"),
        };
        writeln!(self.output, "{line}")?;
        self.tally.tests += 1;
        if *verdict == TestVerdict::Passed {
            for warning in &outcome.warnings {
                writeln!(self.output, "warning: {warning}")?;
            }
        } else {
            self.tally.failures += 1;
            if self.details > 0 {
                self.details -= 1;
                self.show_details(outcome)?;
            }
        }
        self.output.flush()
    }

    fn show_details(&mut self, outcome: &TestReport) -> io::Result<()> {
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

    /// Prints the summary.
    pub(super) fn end(self) -> io::Result<SuiteTally> {
        let SuiteTally { tests, failures } = self.tally;
        match failures {
            0 => writeln!(self.output, "\nPassed all {tests} tests.")?,
            _ => writeln!(self.output, "\nPassed {} out of {tests} tests.", tests - failures)?,
        }
        self.output.flush()?;
        Ok(self.tally)
    }
}

impl SuiteTally {
    /// Exit code: the number of failed tests, at most 254.
    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(u8::try_from(self.failures).unwrap_or(u8::MAX).min(254))
    }
}
