//! Running and judging a test.

use std::path::Path;

use super::beside::{err, out, out_tmp, std};
use super::compare::{expected, failures_in_the_course, joined, lines_2015, lines_2020};
use super::language2015;
use super::language2020::Script2020;
use super::report::{Language, TestReport, TestVerdict};
use super::rules::rules;
use super::settings::{Comparison, Leftovers, ScriptSettings, Tester};
use super::suite::{Script, Test};
use super::test_run::{TestRun, run_test};
use super::trace::Tracer;
use crate::files::write_synced;
use kingline::game::Outcome;

/// Verdict on a test, with warnings and details.
#[derive(Debug)]
struct Judged {
    verdict: TestVerdict,
    warnings: Vec<String>,
    announced: Vec<Outcome>,
    details: Vec<(String, String)>,
}

/// Runs a test.
pub(super) fn judge(test: &Test, settings: &ScriptSettings, tracer: &Tracer) -> TestReport {
    let judged = test.scripts.as_ref().map_err(String::clone).and_then(|scripts| match test.language {
        Language::Of2020 => judge_2020(scripts, settings, tracer),
        Language::Of2015 => judge_2015(&scripts[0], settings, tracer),
    });
    let Judged { verdict, warnings, announced, details } = judged.unwrap_or_else(|reason| Judged {
        verdict: TestVerdict::Invalid(reason),
        warnings: Vec::new(),
        announced: Vec::new(),
        details: Vec::new(),
    });
    TestReport { name: test.name.clone(), language: test.language, verdict, warnings, announced, details }
}

fn judge_2020(scripts: &[Script], settings: &ScriptSettings, tracer: &Tracer) -> Result<Judged, String> {
    let read = |script: &Script| {
        Script2020::read(&script.bytes, scripts.len(), &settings.replacements)
            .map_err(|error| format!("{}: {error}", script.path.display()))
    };
    let roles = scripts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let run = run_test(&roles, rules(Language::Of2020, settings.tester), tracer);
    let mut judged = Judged::before_comparison(&run);
    for (Script { path, bytes }, record) in scripts.iter().zip(&run.records) {
        let output = joined(&record.output);
        let errors = format!("{}Ending: {}\n", record.errors, record.ending);
        let right = expected(&std(path));
        judged.details.extend([
            (shown(path), String::from_utf8_lossy(bytes).into_owned()),
            (shown(&out(path)), output.clone()),
            (shown(&err(path)), errors.clone()),
            (shown(&std(path)), right.clone().unwrap_or_default().unwrap_or_default()),
        ]);
        if settings.leftovers == Leftovers::Keep {
            write(&out(path), &output)?;
            write(&err(path), &errors)?;
        }
        if judged.verdict == TestVerdict::Passed {
            match settings.comparison {
                Comparison::Write => write(&out_tmp(path), &output)?,
                Comparison::Compare => judged.compare_2020(&shown(&std(path)), right?, &output, settings.tester),
            }
        }
    }
    Ok(judged)
}

fn judge_2015(script: &Script, settings: &ScriptSettings, tracer: &Tracer) -> Result<Judged, String> {
    let Script { path, bytes } = script;
    let roles =
        language2015::read::read(bytes, &settings.replacements, settings.time).map_err(|error| error.to_string())?;
    let run = run_test(&roles, rules(Language::Of2015, settings.tester), tracer);
    let mut judged = Judged::before_comparison(&run);
    let numbered = (1..).zip(&run.records);
    let output: String =
        numbered.map(|(number, record)| format!("Program #{number}:\n{}", joined(&record.output))).collect();
    let right = expected(&out(path));
    judged.details.extend([
        (shown(path), String::from_utf8_lossy(bytes).into_owned()),
        ("output".to_string(), output.clone()),
        (shown(&out(path)), right.clone().unwrap_or_default().unwrap_or_default()),
        ("errors".to_string(), run.records.iter().map(|record| record.errors.as_str()).collect()),
    ]);
    if judged.verdict == TestVerdict::Passed {
        match settings.comparison {
            Comparison::Write => write(&out_tmp(path), &output)?,
            Comparison::Compare => match right? {
                Some(right) if lines_2015(&right) != lines_2015(&output) => {
                    judged.verdict = differs_from(&shown(&out(path)));
                }
                _ => {}
            },
        }
    }
    Ok(judged)
}

impl Judged {
    fn before_comparison(run: &TestRun) -> Judged {
        let verdict = match &run.failure {
            None => TestVerdict::Passed,
            Some(failure) if run.records.len() == 1 => TestVerdict::Failed(failure.reason.clone()),
            Some(failure) => TestVerdict::Failed(format!("program {}: {}", failure.program + 1, failure.reason)),
        };
        Judged { verdict, warnings: Vec::new(), announced: run.announced.clone(), details: Vec::new() }
    }

    /// Compares the output of a program with `std`, the text of the file `name`, if there is one (§1).
    fn compare_2020(&mut self, name: &str, std: Option<String>, output: &str, tester: Tester) {
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
        match (tester, stricter.first()) {
            (Tester::Course, Some(reason)) => self.verdict = TestVerdict::Failed(reason.clone()),
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
