//! The command `master grade`: grades a class or one submission, which is a class of one.

mod arguments;
mod display;
mod outputs;

use std::fs;
use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::intake::{Builders, agents_found, build_all, intake_of};
use super::options::{Purpose, games_at_once};
use super::screen::{Running, progress_bar};
use crate::exam::{Exam, ExamStore, Grade, GradingRules, Mark, Opponent, grade};
use crate::gradebook::{ClassGrades, NotGraded};
use crate::intake::agent::{Agent, Depth, FoundAgents, Intake, Refused, Trouble, agent_at, agent_within, class_at};
use crate::intake::build::build;
use crate::reviews::{KeptReviews, LostGame, LostGames, Work, lost_games, review_lost};
use crate::sandbox::Workspace;
use crate::stop::StopFlag;
pub(super) use arguments::GradeArguments;
use display::{Progress, mark_text, total};
use kingline_players::exit::BadInput;
use kingline_players::figures::{Figure, Topic};
use kingline_players::terminal::{escaped, escaped_path, stderr_line, stdout_drawing, stdout_json, stdout_line};
use outputs::{Outputs, is_html};
pub(super) use outputs::{file_name, files_of, store_of};

pub(super) fn run(arguments: &GradeArguments) -> Result<()> {
    let course = arguments.course()?;
    let league = course.league()?;
    let intake = intake_of(&league, &arguments.of_class.layout)?;
    let class = class(arguments, &intake)?;
    let is_class = class.is_some();
    if !is_class {
        arguments.refuse_options_for_classes()?;
    }
    let only = &arguments.of_class.only;
    let mut found = match &class {
        Some(folder) => submissions(folder, only, &intake)?,
        None => submission(&arguments.submission, &intake),
    };
    let jobs = if is_class { available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2) } else { 1 };
    let mut rules = arguments.rules(&course, &intake, jobs)?;
    // Questions come with a seed. Nothing may be set aside for one that does not exist.
    let asked = |rules: &GradingRules, seed| exam(rules, &arguments.of_class.questions, seed);
    let first = asked(&rules, arguments.seed.unwrap_or_default())?;
    let outputs = Outputs::of(arguments, &course, is_class)?;
    outputs.check_single(&found, &first)?;
    let private = outputs.private();
    let private: Vec<&Path> = private.iter().map(PathBuf::as_path).collect();
    let (sandbox, stop) = arguments.sandbox.sandbox(Purpose::Official, &private)?;
    rules.jobs = games_at_once(&sandbox, &rules.league, rules.jobs);
    let tier = rules.league.measurement(&sandbox);
    let regrades_all = arguments.of_class.regrade && only.is_empty();
    let begin = |rules: &GradingRules, agent: Option<&Agent>| begun(arguments, &outputs, rules, agent, &tier);
    let open = if is_class && !regrades_all { Some(begin(&rules, None)?) } else { None };
    let folder = tempfile::tempdir().context("cannot create a folder for the exam")?;
    let files = outputs.files();
    if let Some(files) = &files {
        fs::create_dir_all(files).with_context(|| format!("cannot create {}", files.display()))?;
    }
    let kept = files.as_deref().unwrap_or(folder.path());
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept };
    build_opponents(workspace, &mut rules)?;
    let builders = Builders { sandbox: &sandbox, jobs: rules.jobs.get(), stop: &stop };
    build_all(&builders, &rules.league, kept, &mut found)?;
    outputs.check_single(&found, &first)?;
    // Only now, so that a run that is stopped earlier sets nothing aside.
    let mut store = match open {
        Some(store) => store,
        None => {
            outputs.set_aside()?;
            begin(&rules, found.agents.first().filter(|_| !is_class))?
        }
    };
    let exam = asked(&rules, store.seed)?;
    if is_class {
        store.note_options(arguments.terms())?;
        if arguments.of_class.regrade && !regrades_all {
            outputs.copy_aside()?;
            store.set_aside(&found.agents, &exam)?;
        }
    }
    let known = found.agents.iter().map(|agent| store.done(agent, &exam)).sum();
    outputs.announce(&found, &exam, known)?;
    let FoundAgents { agents, refused, exports, .. } = found;
    let students = exports.into_iter().flat_map(|export| export.students);
    let late = students.filter(|student| student.is_late).map(|student| student.name).collect();
    let mut not_graded: Vec<NotGraded> = refused.iter().map(NotGraded::of).collect();
    not_graded.sort_by(|a, b| a.name.cmp(&b.name));
    let names = agents.iter().map(|agent| &agent.name).chain(not_graded.iter().map(|refused| &refused.name));
    let names = names.cloned().collect();
    // With --only, the others are still there.
    let withdrawn = if is_class && only.is_empty() { store.withdrawn(&names)? } else { Vec::new() };
    for name in &withdrawn {
        stderr_line(format_args!("withdrawn since an earlier run: {}", escaped(name)));
    }
    let mut progress = Progress::new(&exam, agents.len(), known);
    let observer = Running::of(&progress.bar);
    let mut so_far = Vec::new();
    outputs.write_so_far(&so_far, &exam)?;
    let mut watch = |_: usize, mark: &Mark| {
        progress.advance(mark);
        if is_class {
            return;
        }
        so_far.push(Mark { records: Vec::new(), ..mark.clone() });
        // A file that cannot be written now is reported when the grading ends.
        if let Err(error) = outputs.write_so_far(&so_far, &exam) {
            stderr_line(format_args!("master: {error:#}"));
        }
        if !arguments.json && !stop.is_requested() {
            progress.show(mark);
        }
    };
    let grades = grade(workspace, &rules, &exam, &agents, &mut store, &stop, &mut watch, &observer)?;
    progress.bar.finish_and_clear();
    let class =
        ClassGrades { course: course.name, of: exam.of(), seed: exam.seed, grades, not_graded, withdrawn, late };
    let (reviews, all_reviewed) = student_reviews(arguments, &class.grades, files.as_deref(), &stop)?;
    outputs.write(&class, &store, &reviews)?;
    if is_class {
        if arguments.json {
            stdout_json(serde_json::to_string_pretty(&class)?)?;
        } else {
            stdout_line(class.table().trim_end())?;
            let marks = class.grades.iter().flat_map(|grade| &grade.marks);
            let marks = marks.filter(|_| !arguments.of_class.questions.is_empty());
            marks.map(|mark| mark_text(mark, None)).try_for_each(stdout_drawing)?;
        }
        stderr_line(outputs.in_words());
        let again = if arguments.of_class.regrade { "again, without --regrade," } else { "again" };
        class_ended_well(&class, again)?;
        all_reviewed?;
    } else {
        let grade = class.grades.first().context("no grade")?;
        if let Some(error) = &grade.failed {
            bail!("the agent could not be prepared: {error}");
        }
        if arguments.json {
            stdout_json(serde_json::to_string_pretty(grade)?)?;
        } else {
            stdout_line(total(grade))?;
        }
        ended_well(grade, &store)?;
        all_reviewed?;
        store.finish()?;
    }
    let figure = |grade: &Grade| {
        Figure::new(format!("points of `{}`", escaped(&grade.agent)), format!("{} of {}", grade.points, grade.of))
    };
    arguments.figures.record(Topic::Referee, class.grades.iter().map(figure))
}

/// Returns the folder of the class, unless this is a single submission.
fn class(arguments: &GradeArguments, intake: &Intake) -> Result<Option<PathBuf>> {
    let path = &arguments.submission;
    let unusable = |refused: Refused| BadInput::new(refused.to_string()).into();
    if arguments.of_class.class || arguments.of_class.layout.is_given() {
        let found = class_at(path, 1, intake).map_err(unusable)?;
        let found = found.or_else(|| path.is_dir().then(|| path.clone()));
        let none = || BadInput::new(format!("{}: found no submission that can play", path.display()));
        return found.ok_or_else(|| none().into()).map(Some);
    }
    match agent_within(path, intake, Depth::Top) {
        // In the second case it has a program, but cannot play.
        Ok(_) | Err(Refused { why: Trouble::Files(_), .. }) => Ok(None),
        // A single entry may be a submission whose program lies in a folder.
        Err(_) => class_at(path, 2, intake).map_err(unusable),
    }
}

fn submission(path: &Path, intake: &Intake) -> FoundAgents {
    match agent_at(path, intake) {
        Ok(agent) => FoundAgents { agents: vec![agent], ..FoundAgents::default() },
        Err(refused) => FoundAgents { refused: vec![refused], ..FoundAgents::default() },
    }
}

/// Returns the submissions in a folder, or `only` those that are named; there must be at least one, and no two of one
/// name.
fn submissions(class: &Path, only: &[String], intake: &Intake) -> Result<FoundAgents> {
    let mut found = agents_found(&[class.to_owned()], intake)?;
    if found.agents.is_empty() && found.refused.is_empty() {
        let class = class.display();
        bail!(BadInput::new(format!("{class}: found no submissions, expected a folder or an archive for each")));
    }
    if let Some([one, other]) = found.namesakes.as_ref().map(|both| both.each_ref().map(escaped_path)) {
        // Answers, pages and lines of the gradebook go by the name.
        let found = format!("{one} and {other}: two submissions of one name, ignoring letter case");
        bail!(BadInput::new(format!("{found}; help: rename one of them, or move it away")));
    }
    if only.is_empty() {
        return Ok(found);
    }
    let mut missing = only.to_vec();
    let mut is_named = |name: &str| {
        missing.retain(|named| named != name);
        only.iter().any(|named| named == name)
    };
    found.agents.retain(|agent| is_named(&agent.name));
    found.refused.retain(|refused| is_named(&NotGraded::of(refused).name));
    if let Some(name) = missing.first() {
        bail!(BadInput::new(format!("--only: the class has no submission called {}", escaped(name))));
    }
    Ok(found)
}

/// The exam with this seed; only the questions that are named, if any, are asked.
fn exam(rules: &GradingRules, questions: &[String], seed: u64) -> Result<Exam, BadInput> {
    let exam = rules.exam(seed);
    if questions.is_empty() {
        return Ok(exam);
    }
    exam.only(questions).map_err(|error| BadInput::new(format!("--question: {error}")))
}

/// Builds the opponents that come as source. An opponent that cannot be built loses its games when they begin.
fn build_opponents(workspace: Workspace, rules: &mut GradingRules) -> Result<()> {
    for Opponent { agent, .. } in rules.opponents.iter_mut().filter(|opponent| !opponent.is_reference) {
        *agent = build(workspace, &rules.league, agent)?.or_as_found(agent);
    }
    Ok(())
}

/// Begins the exam of a class or of the only agent, or continues it if a part of it was kept. Answers of an only agent are
/// not kept if no file can be written.
fn begun(
    arguments: &GradeArguments,
    outputs: &Outputs,
    rules: &GradingRules,
    agent: Option<&Agent>,
    tier: &str,
) -> Result<ExamStore> {
    let seed = arguments.seed();
    let Some(agent) = agent else { return ExamStore::open(&outputs.store, None, rules, seed, tier) };
    ExamStore::of_agent(&outputs.store, agent, rules, seed, tier).or_else(|error| {
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if !matches!(kind, Some(ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)) {
            return Err(error);
        }
        stderr_line(format_args!("master: answers are not kept, so a stopped exam cannot continue: {error:#}"));
        Ok(ExamStore::not_kept(seed))
    })
}

/// Returns an error if the exam of a single submission was stopped or could not be graded completely.
fn ended_well(grade: &Grade, store: &ExamStore) -> Result<()> {
    let failed = grade.marks.iter().filter(|mark| mark.failed.is_some()).count();
    if !grade.is_finished {
        let graded = format!("stopped: {} of {} moves and games are graded", grade.marks.len() - failed, grade.steps);
        match store.path() {
            Some(path) => {
                bail!("{graded}, and kept in {}; help: run the same command again to continue", path.display())
            }
            None => bail!("{graded}, and not kept; the next run starts a new exam"),
        }
    }
    ensure!(
        failed == 0,
        "{failed} moves or games could not be graded; help: run the same command again to repeat them"
    );
    Ok(())
}

/// Returns an error if the exam was stopped or could not be graded completely; `again` says how to run the command again.
fn class_ended_well(class: &ClassGrades, again: &str) -> Result<()> {
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

/// Reviews the lost games of students, if their pages are asked for: the reviews of each student, in order, and an error
/// if some are missing because the command was stopped. With `files`, reviews are kept there.
fn student_reviews(
    arguments: &GradeArguments,
    grades: &[Grade],
    files: Option<&Path>,
    stop: &StopFlag,
) -> Result<(Vec<LostGames>, Result<()>)> {
    let has_pages = arguments.report.as_deref().is_some_and(|report| report.is_dir() || is_html(report));
    if arguments.review <= 0.0 || !has_pages || stop.is_requested() {
        return Ok((vec![LostGames::new(); grades.len()], Ok(())));
    }
    let folder = files.map(|files| files.join("reviews"));
    let kept = KeptReviews::in_folder(folder.as_deref(), arguments.review)?;
    let mut games = lost_games(grades);
    let lost = games.len();
    let mut of_students = kept.known(&mut games, grades.len());
    let positions = games.iter().map(LostGame::positions).sum();
    let bar = progress_bar(positions, "reviewing lost games [{bar:24}] {pos}/{len} positions{left}");
    let work = Work { seconds: arguments.review, stop, progress: &|| bar.inc(1) };
    let done = review_lost(&games, &mut of_students, &kept, work);
    bar.finish_and_clear();
    done?;
    let missing = lost - of_students.iter().map(LostGames::len).sum::<usize>();
    if missing == 0 || !stop.is_requested() {
        return Ok((of_students, Ok(())));
    }
    let missing = anyhow!(
        "stopped: all is graded, but {missing} of {lost} lost games are not reviewed; help: run the same command again, or \
         with --review 0"
    );
    Ok((of_students, Err(missing)))
}
