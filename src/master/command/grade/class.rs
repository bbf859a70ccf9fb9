//! What does `master grade` do with a class?

use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::super::intake::{agents_found, build_all};
use super::super::options::{Purpose, Unusable};
use super::super::screen::progress_bar;
use super::GradeArguments;
use super::single::{REPORT, figure};
use super::terms::{seed, terms};
use crate::figures::Topic;
use crate::files::{FileKind, check_target, write_whole};
use crate::master::agent::{FoundAgents, Intake};
use crate::master::grade::{
    ClassGrades, Course, Grade, Mark, NotAnExam, NotGraded, UnfinishedExam, grade, gradebook, markdown, summary,
};
use crate::master::players::Workspace;
use crate::master::transcript;
use crate::terminal::{escaped, stderr_line, stdout_line};

/// Grades all submissions.
pub(super) fn run(arguments: &GradeArguments, course: &Course, intake: &Intake) -> Result<()> {
    let class = &arguments.submission;
    let mut found = agents_found(std::slice::from_ref(class), intake)?;
    let all = found.agents.len() + found.refused.len();
    if all == 0 {
        return Err(Unusable(format!(
            "{}: found no submissions, expected a folder or an archive for each",
            class.display()
        ))
        .into());
    }
    let outputs = Outputs::of(arguments)?;
    let (mut seed, source) = seed(arguments);
    let jobs = available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2);
    let mut terms = terms(arguments, course, intake, seed, jobs)?;
    let private: Vec<&Path> = [class, &outputs.store].into_iter().map(PathBuf::as_path).collect();
    let (sandbox, stop) = arguments.sandbox.sandbox(Purpose::Official, &private)?;
    let exam = UnfinishedExam::of_class(&outputs.store, &terms, source, &sandbox.measurement());
    let mut exam = exam.map_err(|error| match error.downcast::<NotAnExam>() {
        Ok(not) => Unusable(not.to_string()).into(),
        Err(error) => error,
    })?;
    if let Some(first) = exam.seed().filter(|&first| first != seed) {
        seed = first;
        terms = super::terms::terms(arguments, course, intake, seed, jobs)?;
    }
    let folder = tempfile::tempdir().context("cannot make a folder to grade in")?;
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept: &outputs.files };
    fs::create_dir_all(&outputs.files).with_context(|| format!("cannot make {}", outputs.files.display()))?;
    build_all(&sandbox, &terms.league, &outputs.files, &mut found)?;
    let FoundAgents { agents, refused, .. } = found;
    for refused in &refused {
        stderr_line(format_args!("master: cannot play: {}", escaped(&refused.to_string())));
    }
    let steps = agents.len() * terms.exam.steps();
    let known: usize = agents.iter().map(|agent| exam.done(agent)).sum();
    stderr_line(format_args!(
        "{all} submissions, {known} of {steps} moves and games are done, seed {seed}, store {}",
        outputs.store.display()
    ));
    let bar = progress_bar(steps as u64, "{spinner} {pos} of {len} moves and games, {elapsed}, {eta} left: {msg}");
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut given = 0;
    let mut watch = |number: usize, _: &Mark| {
        given += 1;
        if given <= known {
            bar.set_position(given as u64);
            // What was known before says nothing of the time left.
            bar.reset_eta();
        } else {
            bar.inc(1);
        }
        bar.set_message(agents[number].name.clone());
    };
    let grades = grade(workspace, &terms, &agents, &mut exam, &stop, &mut watch)?;
    bar.finish_and_clear();
    let mut not_graded: Vec<NotGraded> = refused.iter().map(NotGraded::of).collect();
    not_graded.sort_by(|a, b| a.name.cmp(&b.name));
    let class = ClassGrades { course: course.name.clone(), of: terms.exam.of(), seed, grades, not_graded };
    outputs.write(&class)?;
    if arguments.json {
        stdout_line(serde_json::to_string_pretty(&class)?)?;
    } else {
        stdout_line(table(&class).trim_end())?;
    }
    ended_well(&class)?;
    arguments.figures.record(Topic::Referee, class.grades.iter().map(figure))
}

/// What is written, and where.
struct Outputs {
    store: PathBuf,
    /// Builds and calibrations, beside the store.
    files: PathBuf,
    csv: Option<PathBuf>,
    report: Option<PathBuf>,
    save: Option<PathBuf>,
}

const GRADEBOOK: FileKind =
    FileKind { name: "a gradebook of an earlier grading", is_start: |start| start.starts_with(b"submission,points,") };

impl Outputs {
    /// Checks what will be written: an error is better before a night of games than after.
    fn of(arguments: &GradeArguments) -> Result<Outputs> {
        let class = &arguments.submission;
        let class = class.canonicalize().with_context(|| format!("cannot read {}", class.display()))?;
        let beside = |path: &Path, ending: &str| {
            let mut name = OsString::from(path);
            name.push(ending);
            PathBuf::from(name)
        };
        let store = arguments.store.clone().unwrap_or_else(|| beside(&class, ".grades"));
        let unusable = |option: &str, error: &dyn std::fmt::Display| Unusable(format!("{option}: {error}"));
        if let Some(csv) = &arguments.csv {
            check_target(csv, GRADEBOOK).map_err(|error| unusable("--csv", &format!("{error:#}")))?;
        }
        for (option, folder) in [("--report", &arguments.report), ("--save", &arguments.save)] {
            let Some(folder) = folder else { continue };
            let inner = if option == "--report" { folder.join(PAGES) } else { folder.clone() };
            fs::create_dir_all(&inner).map_err(|error| unusable(option, &format!("{}: {error}", inner.display())))?;
        }
        if let Some(folder) = &arguments.report {
            check_target(&folder.join(SUMMARY), REPORT).map_err(|error| unusable("--report", &format!("{error:#}")))?;
        }
        let (csv, report, save) = (arguments.csv.clone(), arguments.report.clone(), arguments.save.clone());
        Ok(Outputs { files: beside(&store, ".files"), store, csv, report, save })
    }

    fn write(&self, class: &ClassGrades) -> Result<()> {
        if let Some(csv) = &self.csv {
            write_whole(csv, gradebook(class).as_bytes())?;
        }
        if let Some(folder) = &self.report {
            write_whole(&folder.join(SUMMARY), summary(class).as_bytes())?;
            let pages = folder.join(PAGES);
            for grade in &class.grades {
                write_whole(&pages.join(format!("{}.md", file_name(&grade.agent))), markdown(grade).as_bytes())?;
            }
            for refused in &class.not_graded {
                write_whole(&pages.join(format!("{}.md", file_name(&refused.name))), refused.page(class).as_bytes())?;
            }
        }
        if let Some(folder) = &self.save {
            for grade in &class.grades {
                let own = folder.join(file_name(&grade.agent));
                fs::create_dir_all(&own).with_context(|| format!("cannot make {}", own.display()))?;
                for mark in &grade.marks {
                    let Some(record) = &mark.record else { continue };
                    let path = own.join(format!("game-{}.pdn", mark.number));
                    write_whole(&path, transcript::write(record)?.as_bytes())?;
                }
            }
        }
        Ok(())
    }
}

const SUMMARY: &str = "grade.md";
const PAGES: &str = "pages";

/// A name as that of a file, not too long for an ending.
fn file_name(name: &str) -> String {
    const LONGEST: usize = 200;
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let cut: String = name.chars().take(LONGEST / 4).collect();
    let rest = name.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    format!("{cut}-{rest:016x}")
}

/// The points of all, for a terminal.
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
        lines.push((refused.name.clone(), format!("{points}  {}", escaped(why))));
    }
    lines.sort();
    lines.into_iter().map(|(name, points)| format!("{:width$}  {points}\n", escaped(&name))).collect()
}

fn ended_well(class: &ClassGrades) -> Result<()> {
    let failed = |grade: &&Grade| grade.failed.is_some() || grade.marks.iter().any(|mark| mark.failed.is_some());
    let open = class.grades.iter().filter(|grade| !grade.is_finished && grade.failed.is_none()).count();
    if open > 0 {
        bail!("stopped: {open} submissions are not finished; run the same command again to continue");
    }
    let failed = class.grades.iter().filter(failed).count();
    ensure!(
        failed == 0,
        "{failed} submissions could not be graded completely; run the same command again to repeat what failed"
    );
    let machines = class.not_graded.iter().filter(|refused| refused.is_machines).count();
    ensure!(machines == 0, "{machines} submissions could not be graded on this machine, see above");
    Ok(())
}
