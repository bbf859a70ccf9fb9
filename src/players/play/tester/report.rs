use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::program::printed_text;
use super::rules::Tracer;
use super::rules::rules;
use super::run::{TestRun, run_test};
use super::script::Script;
use super::suite::TestLoaArguments;
use super::suite::{ERR, OUT, OUT_TMP, STD, ScriptFile, Test, cannot_read};
use crate::files::{read_bytes, write_synced};
use crate::protocol::commands::Edition;
use crate::protocol::commands::grammar::ended;
use kingline::game::Outcome;

/// Maximum number of characters of a file printed in the details of a failure.
const SHOWN: usize = 10_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TestVerdict {
    Passed,
    /// A program misbehaved: `FAIL`.
    Failed(String),
    /// The script is invalid: `ERROR`.
    Invalid(String),
}

#[derive(Debug)]
pub(super) struct TestReport {
    pub(super) name: String,
    pub(super) edition: Edition,
    pub(super) verdict: TestVerdict,
    /// Warnings about a test that passed.
    pub(super) warnings: Vec<String>,
    /// Winners announced as the result of the test, in place of `OK` (§2).
    pub(super) announced: Vec<Outcome>,
    /// Titles and texts that show why the test failed.
    pub(super) details: Vec<(String, String)>,
}

impl TestReport {
    pub(super) fn new(name: &str, edition: Edition) -> TestReport {
        let (warnings, announced, details) = (Vec::new(), Vec::new(), Vec::new());
        TestReport { name: name.to_owned(), edition, verdict: TestVerdict::Passed, warnings, announced, details }
    }

    /// The verdict in the form of the edition.
    fn line(&self) -> String {
        let name = &self.name;
        let announced: Vec<&str> = self.announced.iter().map(|&result| ended(result).trim_end_matches('.')).collect();
        match (self.edition, &self.verdict) {
            (Edition::Of2020, TestVerdict::Passed) => format!("** {name} PASSED."),
            (Edition::Of2020, TestVerdict::Failed(reason) | TestVerdict::Invalid(reason)) => {
                format!("** {name} FAILED ({reason})")
            }
            (Edition::Of2015, TestVerdict::Passed) if announced.is_empty() => format!("{name}: OK"),
            (Edition::Of2015, TestVerdict::Passed) => format!("{name}: {}", announced.join(", ")),
            (Edition::Of2015, TestVerdict::Failed(reason)) => format!("{name}: FAIL ({reason})"),
            (Edition::Of2015, TestVerdict::Invalid(reason)) => format!("{name}: ERROR ({reason})"),
        }
    }
}

/// Printer and counter of verdicts.
pub(super) struct SuiteReport<'a> {
    pub(super) output: &'a mut dyn Write,
    /// Number of failures still to be reported in detail.
    pub(super) details: usize,
    pub(super) tally: SuiteTally,
}

/// Counts of tests so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteTally {
    tests: usize,
    failures: usize,
}

impl SuiteReport<'_> {
    pub(super) fn add(&mut self, report: &TestReport) -> io::Result<()> {
        writeln!(self.output, "{}", report.line())?;
        self.tally.tests += 1;
        if report.verdict == TestVerdict::Passed {
            for warning in &report.warnings {
                writeln!(self.output, "warning: {warning}")?;
            }
        } else {
            self.tally.failures += 1;
            if self.details > 0 {
                self.details -= 1;
                self.show_details(report)?;
            }
        }
        self.output.flush()
    }

    fn show_details(&mut self, report: &TestReport) -> io::Result<()> {
        for (title, text) in &report.details {
            writeln!(self.output, "---- {title}")?;
            let mut shown: String = text.chars().take(SHOWN).collect();
            if shown.len() < text.len() {
                shown += "\n(and more)";
            }
            for line in shown.lines() {
                writeln!(self.output, "{line}")?;
            }
        }
        writeln!(self.output, "---- end of {}\n", report.name)
    }

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

pub(super) fn judge(test: &Test, arguments: &TestLoaArguments, tracer: &Tracer) -> TestReport {
    let mut report = TestReport::new(&test.name, test.edition);
    let judged = test.files.as_ref().map_err(String::clone).and_then(|files| match test.edition {
        Edition::Of2020 => report.judge_2020(files, arguments, tracer),
        Edition::Of2015 => report.judge_2015(&files[0], arguments, tracer),
    });
    match judged {
        Ok(()) => report,
        Err(reason) => {
            TestReport { verdict: TestVerdict::Invalid(reason), ..TestReport::new(&test.name, test.edition) }
        }
    }
}

impl TestReport {
    fn judge_2020(
        &mut self,
        files: &[ScriptFile],
        arguments: &TestLoaArguments,
        tracer: &Tracer,
    ) -> Result<(), String> {
        let read = |file: &ScriptFile| {
            Script::read_2020(&file.bytes, files.len(), &arguments.programs)
                .map_err(|error| format!("{}: {error}", file.path.display()))
        };
        let scripts = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let run = run_test(&scripts, Duration::ZERO, rules(self.edition, arguments.as_the_course), tracer);
        self.enter(&run);
        for (ScriptFile { path, bytes }, record) in files.iter().zip(&run.records) {
            let beside = [OUT, ERR, STD].map(|name| path.with_extension(name));
            let [out, err, std] = &beside;
            let errors = format!("{}Ending: {}\n", record.errors, record.ending);
            let right = expected(std);
            self.details.extend([
                (shown(path), String::from_utf8_lossy(bytes).into_owned()),
                (shown(out), record.output.clone()),
                (shown(err), errors.clone()),
                (shown(std), right.clone().unwrap_or_default().unwrap_or_default()),
            ]);
            if arguments.keep {
                write(out, &record.output)?;
                write(err, &errors)?;
            }
            match self.verdict {
                TestVerdict::Passed if arguments.std => write(&path.with_extension(OUT_TMP), &record.output)?,
                TestVerdict::Passed => self.compare_2020(&shown(std), right?, &record.output, arguments.as_the_course),
                _ => {}
            }
        }
        Ok(())
    }

    fn judge_2015(&mut self, file: &ScriptFile, arguments: &TestLoaArguments, tracer: &Tracer) -> Result<(), String> {
        let ScriptFile { path, bytes } = file;
        let (scripts, time) =
            Script::read_2015(bytes, &arguments.programs, arguments.time).map_err(|error| error.to_string())?;
        let run = run_test(&scripts, time, rules(self.edition, arguments.as_the_course), tracer);
        self.enter(&run);
        let numbered = (1..).zip(&run.records);
        let output: String =
            numbered.map(|(number, record)| format!("Program #{number}:\n{}", record.output)).collect();
        let out = path.with_extension(OUT);
        let right = expected(&out);
        self.details.extend([
            (shown(path), String::from_utf8_lossy(bytes).into_owned()),
            ("output".to_string(), output.clone()),
            (shown(&out), right.clone().unwrap_or_default().unwrap_or_default()),
            ("errors".to_string(), run.records.iter().map(|record| record.errors.as_str()).collect()),
        ]);
        if self.verdict == TestVerdict::Passed {
            if arguments.std {
                write(&path.with_extension(OUT_TMP), &output)?;
            } else if right?.is_some_and(|right| lines_2015(&right) != lines_2015(&output)) {
                self.verdict = differs_from(&shown(&out));
            }
        }
        Ok(())
    }

    /// Enters the result before the comparison.
    fn enter(&mut self, run: &TestRun) {
        self.announced.clone_from(&run.announced);
        self.verdict = match &run.failure {
            None => TestVerdict::Passed,
            Some(failure) if run.records.len() == 1 => TestVerdict::Failed(failure.reason.clone()),
            Some(failure) => TestVerdict::Failed(format!("program {}: {}", failure.program + 1, failure.reason)),
        };
    }

    /// Compares the output of a program with `std`, the text of the file `name`, if there is one (§1).
    fn compare_2020(&mut self, name: &str, std: Option<String>, output: &str, as_the_course: bool) {
        let nothing_compared = || vec![format!("nothing compared: no {name}")];
        let stricter = match std {
            None if lines_2020(output).is_empty() => return self.warnings.extend(nothing_compared()),
            None => nothing_compared(),
            Some(std) if lines_2020(&std) == lines_2020(output) => failures_in_the_course(name, &std, output),
            Some(_) => {
                self.verdict = differs_from(name);
                return;
            }
        };
        match stricter.first() {
            Some(reason) if as_the_course => self.verdict = TestVerdict::Failed(reason.clone()),
            _ => {
                let warning = |reason| format!("{reason}; the course's tester would fail this test");
                self.warnings.extend(stricter.into_iter().map(warning));
            }
        }
    }
}

fn differs_from(name: &str) -> TestVerdict {
    TestVerdict::Failed(format!("output differs from {name}"))
}

/// Writes a file completely or not at all, even in a folder that allows no new files.
fn write(path: &Path, text: &str) -> Result<(), String> {
    write_synced(path, &[text.as_bytes()]).map_err(|error| format!("{error:#}"))
}

fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the text of a file; `None` if there is no such file.
fn expected(path: &Path) -> Result<Option<String>, String> {
    match read_bytes(path) {
        Ok(bytes) => Ok(Some(printed_text(bytes))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot_read(path, &error)),
    }
}

/// Lines without comments, trailing blanks and empty lines (§1).
fn lines_2020(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|line| line.split_once('#').map_or(line, |(line, _)| line).trim_end());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Reasons why the course's own tester would fail a test whose output is equal to its `.std`: that tester keeps a comment
/// after `===` and the blanks before any other, and loses the end of a last line without a newline (§1).
fn failures_in_the_course(name: &str, std: &str, output: &str) -> Vec<String> {
    let filtered = |line| match str::split_once(line, '#') {
        Some((text, _)) if !line.starts_with("===") => text,
        _ => line.trim_end(),
    };
    let numbered = |text| (1..).zip(str::lines(text)).filter(|(_, line)| !lines_2020(line).is_empty());
    let mut pairs = numbered(std).zip(numbered(output));
    let mut failures = Vec::new();
    if let Some(((number, _), _)) = pairs.find(|((_, right), (_, line))| filtered(right) != filtered(line)) {
        failures.push(format!("{name}: line {number}: found a comment at the end of the line"));
    }
    if !std.is_empty() && !std.ends_with('\n') {
        failures.push(format!("{name}: found no newline after the last line"));
    }
    failures
}

/// Lines without surrounding blanks (§2), up to the last nonempty one.
fn lines_2015(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_blanks_do_not_count_in_2020() {
        let text = "# what it is\n\n===\r\n    - b \t\n  \n# why\n===   # end\n\n";
        assert_eq!(lines_2020(text), ["===", "    - b", "==="]);
        assert_ne!(lines_2020(" ==="), lines_2020("==="), "leading blanks count");
        assert_eq!(lines_2020("# nothing\n\n"), [""; 0]);
    }

    #[test]
    fn stricter_rules_of_the_course() {
        for (std, output, count) in [
            ("===\n - b  \n===\n", "===\n - b \n===\n", 0),
            ("===\n - b# why\n===\n", "===\n - b \n===\n", 0),
            ("===\n - b # why\n===\n", "===\n - b \n===\n", 1),
            ("===\n - b # why\n===\n", "===\n - b # x\n===\n", 0),
            ("* Tie game.\t# why\n", "* Tie game.\n", 1),
            ("", "", 0),
            ("# ===\n  #=== # why\n", "\n", 0),
            ("===\n===", "===\n===\n", 1),
            ("=== # why\n===# why", "===\n===\n", 2),
        ] {
            assert_eq!(failures_in_the_course("t.std", std, output).len(), count, "{std}");
        }
        let expected = ["t.std: line 3: found a comment at the end of the line"];
        assert_eq!(failures_in_the_course("t.std", "# a dump\n===\n=== # why\n", "===\n===\n"), expected);
    }

    #[test]
    fn blanks_around_lines_do_not_count_in_2015() {
        let text = " Program #1:\r\n===\n    - b \n\n===\n\n\n";
        assert_eq!(lines_2015(text), ["Program #1:", "===", "- b", "", "==="]);
        assert_ne!(lines_2015("- b"), lines_2015("-  b"));
    }
}
