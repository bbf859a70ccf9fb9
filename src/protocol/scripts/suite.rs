//! Which files are a test, and how is it run and judged?

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::compare::{cannot_read, expected, joined, lines_2015, lines_2020};
use super::report::{Language, TestReport, TestVerdict};
use super::rules::{RULES_2015, RULES_2020};
use super::settings::{Comparison, Leftovers, ScriptSettings};
use super::test_run::{TestRun, run_test};
use super::{language2015, language2020};
use crate::files::{read_bytes, write_whole};
use crate::game::Outcome;

/// A test: the script of 2015, or the one or two of 2020.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test(Vec<PathBuf>);

/// What became of a test.
#[derive(Debug)]
struct Judged {
    verdict: TestVerdict,
    announced: Vec<Outcome>,
    details: Vec<(String, String)>,
}

/// The tests in these files: `T-2.in` belongs to `T-1.in`, if that is named too.
pub(super) fn tests(paths: &[PathBuf]) -> Vec<Test> {
    let seconds: Vec<PathBuf> = paths.iter().filter_map(|path| second_of(path)).collect();
    let firsts = paths.iter().filter(|path| !seconds.contains(path));
    firsts.map(|path| Test([path.clone()].into_iter().chain(second_of(path)).collect())).collect()
}

/// `T-2.in` beside `T-1.in`, if it is there, and that is no script of 2015.
fn second_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix("-1.in")?;
    let second = path.with_file_name(format!("{name}-2.in"));
    let is_one_of_two =
        second.exists() && !read_script(path).is_ok_and(|script| language2015::read::is_script(&script));
    is_one_of_two.then_some(second)
}

impl Test {
    pub(super) fn run(&self, settings: &ScriptSettings) -> TestReport {
        let path = &self.0[0];
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (language, judged) = match read_script(path) {
            Err(reason) => (Language::Of2020, Err(reason)),
            Ok(script) if language2015::read::is_script(&script) => {
                (Language::Of2015, run_2015(path, &script, settings))
            }
            Ok(script) => (Language::Of2020, run_2020(&self.0, script, settings)),
        };
        let Judged { verdict, announced, details } = judged.unwrap_or_else(|reason| Judged {
            verdict: TestVerdict::Invalid(reason),
            announced: Vec::new(),
            details: Vec::new(),
        });
        TestReport { name, language, verdict, announced, details }
    }
}

/// Only a name FILE.in is accepted: the files that are written share its stem, and must never overwrite the script.
fn read_script(path: &Path) -> Result<Vec<u8>, String> {
    if path.extension() != Some(OsStr::new("in")) {
        return Err(format!("cannot read {}: expected a script FILE.in", path.display()));
    }
    read_bytes(path).map_err(|error| cannot_read(path, &error))
}

fn run_2020(paths: &[PathBuf], first: Vec<u8>, settings: &ScriptSettings) -> Result<Judged, String> {
    let mut scripts = vec![first];
    for path in &paths[1..] {
        scripts.push(read_script(path)?);
    }
    let read = |(path, script): (&PathBuf, &Vec<u8>)| {
        language2020::Script2020::read(script, paths.len(), &settings.replacements)
            .map_err(|error| format!("{}: {error}", path.display()))
    };
    let roles = paths.iter().zip(&scripts).map(read).collect::<Result<Vec<_>, _>>()?;
    let run = run_test(&roles, &RULES_2020, settings.trace);
    let mut verdict = verdict_of(&run);
    let mut details = Vec::new();
    for ((path, script), record) in paths.iter().zip(&scripts).zip(&run.records) {
        let output = joined(&record.output);
        let errors = format!("{}Ending: {}\n", record.errors, record.ending);
        let std_path = path.with_extension("std");
        let std = expected(&std_path);
        details.extend([
            (shown(path), String::from_utf8_lossy(script).into_owned()),
            (shown(&path.with_extension("out")), output.clone()),
            (shown(&path.with_extension("err")), errors.clone()),
            (shown(&std_path), std.clone().unwrap_or_default().unwrap_or_default()),
        ]);
        leave(path, &output, &errors, settings.leftovers)?;
        if verdict == TestVerdict::Passed {
            verdict = match settings.comparison {
                Comparison::Write => write_expected(path, &output)?,
                Comparison::Compare => match std? {
                    Some(std) if lines_2020(&std) == lines_2020(&output) => TestVerdict::Passed,
                    None if lines_2020(&output).is_empty() => TestVerdict::Passed,
                    _ => TestVerdict::Failed(format!("output differs from {}", shown(&std_path))),
                },
            };
        }
    }
    Ok(Judged { verdict, announced: run.announced, details })
}

fn run_2015(path: &Path, script: &[u8], settings: &ScriptSettings) -> Result<Judged, String> {
    let roles = language2015::read::read(script, &settings.replacements).map_err(|error| error.to_string())?;
    let run = run_test(&roles, &RULES_2015, settings.trace);
    let mut verdict = verdict_of(&run);
    let numbered = (1..).zip(&run.records);
    let output: String =
        numbered.map(|(number, record)| format!("Program #{number}:\n{}", joined(&record.output))).collect();
    let expected_path = path.with_extension("out");
    let right = expected(&expected_path);
    let mut details = vec![
        (shown(path), String::from_utf8_lossy(script).into_owned()),
        ("output".to_string(), output.clone()),
        (shown(&expected_path), right.clone().unwrap_or_default().unwrap_or_default()),
    ];
    let errors = run.records.iter().map(|record| record.errors.as_str()).collect::<String>();
    details.push(("errors".to_string(), errors));
    if verdict == TestVerdict::Passed {
        verdict = match settings.comparison {
            Comparison::Write => write_expected(path, &output)?,
            Comparison::Compare => match right? {
                Some(right) if lines_2015(&right) != lines_2015(&output) => {
                    TestVerdict::Failed(format!("output differs from {}", shown(&expected_path)))
                }
                _ => TestVerdict::Passed,
            },
        };
    }
    Ok(Judged { verdict, announced: run.announced, details })
}

/// The verdict before anything is compared.
fn verdict_of(run: &TestRun) -> TestVerdict {
    match &run.failure {
        None => TestVerdict::Passed,
        Some(failure) if run.records.len() == 1 => TestVerdict::Failed(failure.reason.clone()),
        Some(failure) => TestVerdict::Failed(format!("program {}: {}", failure.program + 1, failure.reason)),
    }
}

/// Writes `T-k.out` and `T-k.err`, or deletes them.
fn leave(path: &Path, output: &str, errors: &str, leftovers: Leftovers) -> Result<(), String> {
    for (extension, text) in [("out", output), ("err", errors)] {
        let path = path.with_extension(extension);
        match leftovers {
            Leftovers::Keep => write(&path, text)?,
            // Most often there is none, and one that cannot be deleted does no harm.
            Leftovers::Delete => drop(fs::remove_file(path)),
        }
    }
    Ok(())
}

/// `FILE.out.tmp`.
fn write_expected(path: &Path, output: &str) -> Result<TestVerdict, String> {
    write(&path.with_extension("out.tmp"), output)?;
    Ok(TestVerdict::Passed)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    write_whole(path, text.as_bytes()).map_err(|error| format!("{error:#}"))
}

fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
