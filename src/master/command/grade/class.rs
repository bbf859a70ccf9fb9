//! `master grade` with a class.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail, ensure};

use super::super::intake::{Builders, agents_found, build_all};
use super::super::memory::games_at_once;
use super::super::options::Purpose;
use super::super::running::RunningDisplay;
use super::arguments::{ClassOptions, GradeArguments};
use super::outputs::{Outputs, copy_aside, set_aside};
use super::progress::Progress;
use super::reviews::reviews;
use super::rules::{build_opponents, rules, seed};
use super::single::{figure, mark_text};
use crate::exam::grade::{
    ClassGrades, Course, Exam, Grade, GradingRules, GradingTerms, Mark, NotAnExam, NotGraded, UnfinishedExam, grade,
};
use crate::intake::agent::{Agent, FoundAgents, Intake, Refused};
use crate::sandbox::Workspace;
use kingline_players::exit::BadInput;
use kingline_players::figures::Topic;
use kingline_players::terminal::{escaped, escaped_path, stderr_line, stdout_drawing, stdout_json, stdout_line};

/// Grades all submissions in a folder.
pub(super) fn run(arguments: &GradeArguments, folder: &Path, course: &Course, intake: &Intake) -> Result<()> {
    let mut found = submissions(folder, intake)?;
    keep_only(&arguments.of_class.only, &mut found)?;
    let jobs = available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2);
    let mut rules = rules(arguments, course, intake, jobs)?;
    // Questions come with a seed. Nothing may be set aside for one that does not exist.
    let check = |seed| terms_asked(arguments, rules.clone(), seed).map(drop);
    arguments.seed.map_or(Ok(()), check)?;
    let outputs = Outputs::of(arguments)?;
    let private = [arguments.submission.as_path(), &outputs.store, &outputs.secret];
    let (sandbox, stop) = arguments.sandbox.sandbox(Purpose::Official, &private)?;
    rules.jobs = games_at_once(&sandbox, &rules.league, rules.jobs);
    let begin = |rules: &GradingRules| begun(arguments, &outputs.store, rules, &rules.league.measurement(&sandbox));
    let ClassOptions { regrade, only, questions, .. } = &arguments.of_class;
    let regrades_all = *regrade && only.is_empty();
    let open = if regrades_all { None } else { Some(begin(&rules)?) };
    let folder = tempfile::tempdir().context("cannot create a folder for the exam")?;
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept: &outputs.files };
    fs::create_dir_all(&outputs.files).with_context(|| format!("cannot create {}", outputs.files.display()))?;
    build_opponents(workspace, &mut rules)?;
    let builders = Builders { sandbox: &sandbox, jobs: rules.jobs.get(), stop: &stop };
    build_all(&builders, &rules.league, &outputs.files, &mut found)?;
    // Only now, so that a run that is stopped earlier sets nothing aside.
    let mut exam = match open {
        Some(exam) => exam,
        None => {
            set_aside(&outputs.store)?;
            begin(&rules)?
        }
    };
    exam.note_options(arguments.terms())?;
    let terms = terms_asked(arguments, rules, exam.seed())?;
    if *regrade && !regrades_all {
        copy_aside(&outputs.store)?;
        exam.set_aside(&found.agents, &terms.exam)?;
    }
    let FoundAgents { agents, refused, exports, .. } = found;
    let students = exports.into_iter().flat_map(|export| export.students);
    let late = students.filter(|student| student.is_late).map(|student| student.name).collect();
    let known = announced(&agents, &refused, &exam, &terms.exam, &outputs.store);
    let mut not_graded: Vec<NotGraded> = refused.iter().map(NotGraded::of).collect();
    not_graded.sort_by(|a, b| a.name.cmp(&b.name));
    let names = agents.iter().map(|agent| &agent.name).chain(not_graded.iter().map(|refused| &refused.name));
    let names = names.cloned().collect();
    // With --only, the others are still there.
    let withdrawn = if only.is_empty() { exam.withdrawn(&names)? } else { Vec::new() };
    for name in &withdrawn {
        stderr_line(format_args!("withdrawn since an earlier run: {}", escaped(name)));
    }
    let mut progress = Progress::new(&terms.exam, agents.len(), known);
    let observer = RunningDisplay::of(&progress.bar);
    let mut watch = |_: usize, mark: &Mark| progress.advance(mark);
    let grades = grade(workspace, &terms, &agents, &mut exam, &stop, &mut watch, &observer)?;
    progress.bar.finish_and_clear();
    let (name, of) = (course.name.clone(), terms.exam.of());
    let class = ClassGrades { course: name, of, seed: terms.seed, grades, not_graded, withdrawn, late };
    let reviews = reviews(arguments, &class.grades, Some(&outputs.files.join("reviews")), &stop)?;
    outputs.write(&class, outputs.pseudonyms(&exam).as_ref(), &reviews.of_students)?;
    if arguments.json {
        stdout_json(serde_json::to_string_pretty(&class)?)?;
    } else {
        stdout_line(table(&class).trim_end())?;
        let marks = class.grades.iter().flat_map(|grade| &grade.marks).filter(|_| !questions.is_empty());
        marks.map(|mark| mark_text(mark, None)).try_for_each(stdout_drawing)?;
    }
    stderr_line(outputs.in_words());
    let again = if *regrade { "again, without --regrade," } else { "again" };
    ended_well(&class, again)?;
    reviews.all_there()?;
    arguments.figures.record(Topic::Referee, class.grades.iter().map(figure))
}

/// Returns the submissions in a folder; there must be at least one, and no two of one name.
fn submissions(class: &Path, intake: &Intake) -> Result<FoundAgents> {
    let found = agents_found(&[class.to_owned()], intake)?;
    if found.agents.is_empty() && found.refused.is_empty() {
        let class = class.display();
        return Err(
            BadInput::new(format!("{class}: found no submissions, expected a folder or an archive for each")).into()
        );
    }
    if let Some([one, other]) = found.namesakes.as_ref().map(|both| both.each_ref().map(escaped_path)) {
        // Answers, pages and lines of the gradebook go by the name.
        let found = format!("{one} and {other}: two submissions of one name, ignoring letter case");
        return Err(BadInput::new(format!("{found}; help: rename one of them, or move it away")).into());
    }
    Ok(found)
}

/// Leaves out all submissions but these, if any are named.
fn keep_only(only: &[String], found: &mut FoundAgents) -> Result<()> {
    if only.is_empty() {
        return Ok(());
    }
    let is_named = |name: &str| only.iter().any(|named| named == name);
    found.agents.retain(|agent| is_named(&agent.name));
    found.refused.retain(|refused| is_named(&NotGraded::of(refused).name));
    let is_there = |name: &String| {
        let refused = found.refused.iter().any(|refused| NotGraded::of(refused).name == **name);
        refused || found.agents.iter().any(|agent| agent.name == *name)
    };
    match only.iter().find(|name| !is_there(name)) {
        Some(name) => {
            Err(BadInput::new(format!("--only: the class has no submission called {}", escaped(name))).into())
        }
        None => Ok(()),
    }
}

/// The terms with this seed; only the questions that are named, if any, are asked.
fn terms_asked(arguments: &GradeArguments, rules: GradingRules, seed: u64) -> Result<GradingTerms> {
    let terms = rules.with_seed(seed);
    let questions = &arguments.of_class.questions;
    if questions.is_empty() {
        return Ok(terms);
    }
    let exam = terms.exam.only(questions).map_err(|error| BadInput::new(format!("--question: {error}")))?;
    Ok(GradingTerms { exam, ..terms })
}

/// Begins the exam, or continues it if the store has answers.
fn begun(arguments: &GradeArguments, store: &Path, rules: &GradingRules, tier: &str) -> Result<UnfinishedExam> {
    UnfinishedExam::of_class(store, rules, seed(arguments), tier).map_err(|error| match error.downcast::<NotAnExam>() {
        Ok(not) => BadInput::new(not.to_string()).into(),
        Err(error) => error,
    })
}

/// Prints which submissions cannot play, and how much is already done; returns the number of steps done.
fn announced(agents: &[Agent], refused: &[Refused], exam: &UnfinishedExam, asked: &Exam, store: &Path) -> usize {
    for refused in refused {
        stderr_line(format_args!("master: cannot play: {refused}"));
    }
    let known: usize = agents.iter().map(|agent| exam.done(agent, asked)).sum();
    stderr_line(format_args!(
        "{} submissions, {known} of {} moves and games are done, seed {}, store {}",
        agents.len() + refused.len(),
        agents.len() * asked.steps(),
        exam.seed(),
        store.display()
    ));
    known
}

/// Points of all submissions, for a terminal.
fn table(class: &ClassGrades) -> String {
    let names =
        class.grades.iter().map(|grade| &grade.agent).chain(class.not_graded.iter().map(|refused| &refused.name));
    let width = names.map(|name| name.chars().count()).max().unwrap_or_default().min(40);
    let mut lines: Vec<(String, String)> = Vec::new();
    for grade in &class.grades {
        let so_far = if grade.is_finished { "" } else { ", so far" };
        lines.push((grade.agent.clone(), format!("{:>4} of {}{so_far}", grade.points, grade.of)));
    }
    for refused in &class.not_graded {
        let points = if refused.is_machines { "   -".to_owned() } else { format!("   0 of {}", class.of) };
        let why = refused.why.lines().next().unwrap_or_default();
        lines.push((refused.name.clone(), format!("{points}  {why}")));
    }
    lines.sort();
    lines.into_iter().map(|(name, points)| format!("{:width$}  {points}\n", escaped(&name))).collect()
}

/// Returns an error if the exam was stopped or could not be graded completely; `again` says how to run the command again.
fn ended_well(class: &ClassGrades, again: &str) -> Result<()> {
    let failed = |grade: &&Grade| grade.failed.is_some() || grade.marks.iter().any(|mark| mark.failed.is_some());
    let all = class.grades.len() + class.not_graded.len();
    let open = class.grades.iter().filter(|grade| !grade.is_finished && grade.failed.is_none()).count();
    if open > 0 {
        bail!("stopped, {open} of {all} submissions not finished; help: run the same command {again} to continue");
    }
    let failed = class.grades.iter().filter(failed).count();
    ensure!(
        failed == 0,
        "{failed} of {all} submissions could not be graded completely; help: run the same command {again} to repeat what failed"
    );
    let machines = class.not_graded.iter().filter(|refused| refused.is_machines).count();
    ensure!(machines == 0, "{machines} of {all} submissions could not be graded on this machine; see above");
    Ok(())
}
