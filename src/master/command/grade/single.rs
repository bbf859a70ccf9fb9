//! `master grade` with one agent.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::super::memory::games_at_once;
use super::super::options::Purpose;
use super::super::running::RunningDisplay;
use super::super::screen::{paint, progress_bar};
use super::arguments::GradeArguments;
use super::results_file::{GrowingResults, ResultsFile};
use super::reviews::reviews;
use super::rules::{build_opponents, rules, seed};
use crate::exam::grade::{
    Course, ExamPart, Grade, GradingRules, GradingTerms, Mark, NotAnExam, NotGraded, Results, UnfinishedExam, grade,
    markdown,
};
use crate::intake::agent::{Agent, Intake, Refused, agent_at};
use crate::intake::build::build;
use crate::record::transcript;
use crate::report::student_page;
use crate::reviews::LostGames;
use crate::sandbox::Workspace;
use kingline_players::exit::BadInput;
use kingline_players::figures::{Figure, Topic};
use kingline_players::files::{FileId, FileKind, check_target, write_whole};
use kingline_players::progress::Progress;
use kingline_players::terminal::{escaped, escaped_lines, stderr_line, stdout_drawing, stdout_json, stdout_line};

/// Grades the agent.
pub(super) fn run(arguments: &GradeArguments, course: &Course, intake: &Intake) -> Result<()> {
    let results = ResultsFile::of(arguments)?;
    let mut rules = rules(arguments, course, intake, 1)?;
    ready_to_write(arguments, course)?;
    let agent = agent_at(&arguments.submission, intake);
    let agent = agent.map_err(|refused| cannot_play(results.as_ref(), &rules, &refused))?;
    let (sandbox, stop) = arguments.sandbox.sandbox(Purpose::Official, &[&arguments.submission])?;
    let folder = tempfile::tempdir().context("cannot create a folder for the exam")?;
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept: folder.path() };
    let refused = |why| cannot_play(results.as_ref(), &rules, &Refused::new(&arguments.submission, why));
    let agent = build(workspace, &rules.league, &agent)?.result.map_err(refused)?;
    build_opponents(workspace, &mut rules)?;
    rules.jobs = games_at_once(&sandbox, &rules.league, rules.jobs);
    let mut exam = begun(arguments, &agent, &rules, &rules.league.measurement(&sandbox))?;
    let terms = rules.with_seed(exam.seed());
    let bar = announced(arguments, &terms, exam.done(&agent, &terms.exam))?;
    let growing = results.as_ref().map(|file| GrowingResults::new(file, terms.exam.steps(), terms.exam.of()));
    let mut growing = growing.transpose()?;
    let mut explained = BTreeMap::new();
    let mut watch = |_: usize, mark: &Mark| {
        bar.inc(1);
        let number = mark.explanation().map(|why| *explained.entry((mark.part, why)).or_insert(mark.number));
        let same_as = number.filter(|&number| number != mark.number);
        growing.iter_mut().for_each(|growing| growing.add(mark));
        if !arguments.json && !stop.is_requested() {
            // A closed stdout becomes an error once everything is done.
            let _ = bar.suspend(|| stdout_drawing(mark_text(mark, same_as)));
        }
    };
    let observer = RunningDisplay::of(&bar);
    let mut grades = grade(workspace, &terms, std::slice::from_ref(&agent), &mut exam, &stop, &mut watch, &observer)?;
    bar.finish_and_clear();
    let grade = grades.pop().context("no grade")?;
    if let Some(file) = &results {
        file.write(&Results::of_grade(&grade))?;
    }
    if let Some(error) = &grade.failed {
        bail!("the agent could not be prepared: {error}");
    }
    let reviews = reviews(arguments, std::slice::from_ref(&grade), None, &stop)?;
    write(arguments, &grade, &reviews.of_students[0])?;
    if arguments.json {
        stdout_json(serde_json::to_string_pretty(&grade)?)?;
    } else {
        stdout_line(total(&grade))?;
    }
    ended_well(&grade, &exam)?;
    reviews.all_there()?;
    exam.finish()?;
    arguments.figures.record(Topic::Referee, [figure(&grade)])
}

/// Returns the error about a submission that cannot play. Its results have the reason, so that an autograder shows it.
fn cannot_play(results: Option<&ResultsFile>, rules: &GradingRules, refused: &Refused) -> anyhow::Error {
    let write = |file: &ResultsFile| {
        let of = rules.clone().with_seed(0).exam.of();
        file.write(&Results::of_refused(&NotGraded::of(refused), of))
    };
    match results.map_or(Ok(()), write) {
        Ok(()) => BadInput::new(refused.to_string()).into(),
        Err(error) => error,
    }
}

/// Prints the seed and how much is already done; returns the progress bar.
fn announced(arguments: &GradeArguments, terms: &GradingTerms, done: usize) -> Result<Progress> {
    let (steps, seed) = (terms.exam.steps(), terms.seed);
    let bar = progress_bar(steps as u64, "{spinner} {pos} of {len} moves and games, {elapsed}: {wide_msg}");
    if done > 0 {
        bar.suspend(|| stderr_line(format_args!("continuing an exam: {done} of {steps} moves and games are done")));
    }
    if !arguments.json {
        bar.suspend(|| stdout_line(format_args!("seed {seed}: --seed {seed} gives the same exam again")))?;
    }
    Ok(bar)
}

/// Returns an error if the exam was stopped or could not be graded completely.
fn ended_well(grade: &Grade, exam: &UnfinishedExam) -> Result<()> {
    if !grade.is_finished {
        let done = grade.marks.iter().filter(|mark| mark.failed.is_none()).count();
        let steps = grade.steps;
        match exam.path() {
            Some(path) => bail!(
                "stopped: {done} of {steps} moves and games are graded, and kept in {}; help: run the same command again to \
                 continue",
                path.display()
            ),
            None => {
                bail!(
                    "stopped: {done} of {steps} moves and games are graded, and not kept; the next run starts a new exam"
                )
            }
        }
    }
    let failed = grade.marks.iter().filter(|mark| mark.failed.is_some()).count();
    ensure!(
        failed == 0,
        "{failed} moves or games could not be graded; help: run the same command again to repeat them"
    );
    Ok(())
}

/// The points as a figure.
pub(super) fn figure(grade: &Grade) -> Figure {
    Figure::new(format!("points of `{}`", escaped(&grade.agent)), format!("{} of {}", grade.points, grade.of))
}

/// Begins the exam, or continues it if a part of it was kept. Keeps no answers if no file can be written.
fn begun(arguments: &GradeArguments, agent: &Agent, rules: &GradingRules, tier: &str) -> Result<UnfinishedExam> {
    let seed = seed(arguments);
    let beside = arguments.report.as_ref().and_then(|report| report.parent());
    let folder = beside.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    UnfinishedExam::of_agent(folder, agent, rules, seed, tier).or_else(|error| {
        if error.is::<NotAnExam>() {
            return Err(BadInput::new(error.to_string()).into());
        }
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if !matches!(kind, Some(ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)) {
            return Err(error);
        }
        stderr_line(format_args!("master: answers are not kept, so a stopped exam cannot continue: {error:#}"));
        Ok(UnfinishedExam::not_kept(seed))
    })
}

/// Checks the output files, so that errors appear before an hour of games, not after it.
fn ready_to_write(arguments: &GradeArguments, course: &Course) -> Result<()> {
    if let Some(folder) = &arguments.save {
        fs::create_dir_all(folder).map_err(|error| BadInput::new(format!("--save: {}: {error}", folder.display())))?;
    }
    if let Some(report) = &arguments.report {
        check_target(report, if is_html(report) { PAGE } else { REPORT })
            .map_err(|error| BadInput::new(format!("--report: {error:#}")))?;
        let is_game = |path: PathBuf| FileId::of(&path) == FileId::of(report);
        let mut saved = arguments.save.iter().flat_map(|folder| course.saved_games().map(|name| folder.join(name)));
        if saved.any(is_game) {
            return Err(BadInput::new(format!("--report: {} would be overwritten by a game", report.display())).into());
        }
    }
    Ok(())
}

pub(super) const REPORT: FileKind = FileKind {
    name: "a report from an earlier grading",
    is_start: |start| {
        let first = String::from_utf8_lossy(start);
        let first = first.lines().next().unwrap_or_default();
        first.starts_with("# ") && first.ends_with(" points")
    },
};

pub(super) const PAGE: FileKind =
    FileKind { name: "a page from an earlier grading", is_start: |start| start.starts_with(b"<!DOCTYPE html>") };

pub(super) fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html"))
}

fn write(arguments: &GradeArguments, grade: &Grade, reviews: &LostGames) -> Result<()> {
    if let Some(folder) = &arguments.save {
        for (name, record) in grade.marks.iter().flat_map(Mark::saved_games) {
            write_whole(&folder.join(name), transcript::write(record)?.as_bytes())?;
        }
    }
    if let Some(report) = &arguments.report {
        let text = if is_html(report) { student_page(grade, None, reviews) } else { markdown(grade) };
        write_whole(report, text.as_bytes())?;
    }
    Ok(())
}

/// A line about a mark, with an explanation of lost points unless the mark with another number has the same.
pub(super) fn mark_text(mark: &Mark, same_as: Option<usize>) -> String {
    let part = mark.part.word();
    let (points, cpu) = (format!("{}/{}", mark.points, mark.of), mark.spent.cpu.as_secs_f64());
    let [title, result] = [&mark.title, &mark.result].map(|text| escaped(text));
    let mut text = format!("{part} {:2}  {title:16} {points:>5}  {result}; {cpu:.3} s CPU time", mark.number);
    let mut add = |lines: &str| lines.lines().for_each(|line| text += &format!("\n    {line}"));
    if let Some(number) = same_as {
        add(&format!("the same as in {part} {number}"));
        return text;
    }
    mark.notes.iter().for_each(|note| add(&format!("note: {}", escaped_lines(note))));
    mark.lost.iter().for_each(|lost| add(&lost.in_words(paint())));
    text
}

fn total(grade: &Grade) -> String {
    let so_far = if grade.is_finished { "" } else { "not finished, so far " };
    let [moves, games, thresholds] = ExamPart::ALL.map(|part| grade.points_of(part));
    let has_thresholds = grade.marks.iter().any(|mark| mark.part == ExamPart::Threshold);
    let parts = match has_thresholds {
        false => format!("{moves} for single moves and {games} for games"),
        true => format!("{moves} for single moves, {games} for games and {thresholds} for thresholds"),
    };
    format!("{}: {so_far}{} of {} points, {parts}", escaped(&grade.agent), grade.points, grade.of)
}
