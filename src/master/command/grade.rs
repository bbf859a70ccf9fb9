//! What does `master grade` do?

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::options::{Purpose, SandboxOptions, Unusable};
use super::screen::{paint, progress_bar};
use crate::files::{FileId, FileKind, check_target, write_whole};
use crate::game::ParseError;
use crate::master::agent::{Agent, agent_at};
use crate::master::grade::{
    Exam, ExamPart, Grade, GradingTerms, Mark, NotAnExam, Opponent, SeedSource, UnfinishedExam, grade, markdown,
};
use crate::master::league::{Format, GameKind, League};
use crate::master::players::Workspace;
use crate::master::transcript;
use crate::terminal::{stderr_line, stdout_line};

/// The hundred points of an agent: `master grade mine/ --report grade.md`.
///
/// Ten single moves, a point each if legal, well formed and in time, and nine games against the reference agent, ten
/// points each. The agent has the first move in five games. A drawn game goes to the side with more time left.
///
/// Every lost point is explained. Positions and openings are drawn from a seed, which is drawn too and told, so that no
/// agent can know them before. For a class keep one seed to yourself, or a folder of positions like samples/grading.
///
/// An exam that is stopped, by Ctrl-C or otherwise, goes on when the same command is given again, with the same seed: its
/// answers are kept in a .part beside the report, or here where there is none, until all is graded.
///
/// Exit codes: 0 graded, however few the points, 1 something could not be graded, or it was stopped, 2 bad usage or input.
#[derive(Args)]
pub(super) struct GradeArguments {
    /// A folder, or an executable file.
    agent: PathBuf,
    /// Ten positions to ask for, instead of those that the seed gives: files *.txt in the form of input.txt. A budgets.txt
    /// beside them counts as --budgets.
    #[arg(long, value_name = "FOLDER")]
    positions: Option<PathBuf>,
    /// Nine budgets for the games: seconds, one per line.
    #[arg(long, value_name = "FILE")]
    budgets: Option<PathBuf>,
    /// The opponent, instead of the program `reference` beside this one.
    #[arg(long, value_name = "AGENT")]
    reference: Option<PathBuf>,
    /// Gives positions, openings, and the reference agent's choices between equal moves: the same exam for a class, or once
    /// again. By default it is drawn at random, and told.
    #[arg(long)]
    seed: Option<u64>,
    /// Random turns before each game, an even number; 0 is the start position, from where games can be learned by heart.
    #[arg(long, value_name = "TURNS", default_value = "4", value_parser = even)]
    opening: u32,
    /// Ignore blanks, letter case, blank lines and CR in answers.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Moves and games at a time; with more than half of the machine's cores, agents get less done in their time.
    #[arg(long, default_value = "1")]
    jobs: NonZeroUsize,
    /// Where to write the report for the student, in Markdown. A file of something else is not replaced.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Where to save all games, as PDN.
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Print everything as JSON, and nothing else.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &GradeArguments) -> Result<()> {
    let mut seed = arguments.seed.unwrap_or_else(|| u64::from(RandomState::new().hash_one(0) as u32));
    let mut terms = terms(arguments, seed)?;
    let agent = find(&arguments.agent)?;
    ready_to_write(arguments)?;
    let (sandbox, stop) = arguments.sandbox.sandbox(Purpose::Official, &[&arguments.agent])?;
    let mut exam = begun(arguments, &agent, &terms, &sandbox.measurement())?;
    if let Some(first) = exam.seed().filter(|&first| first != seed) {
        seed = first;
        terms = self::terms(arguments, seed)?;
    }
    let folder = tempfile::tempdir().context("cannot make a folder to grade in")?;
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept: folder.path() };
    let bar = progress_bar(Grade::STEPS as u64, "{spinner} {pos} of {len} moves and games, {elapsed}");
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut watch = |mark: &Mark| {
        bar.inc(1);
        if !arguments.json && !stop.is_requested() {
            // A closed stdout is an error when everything is done.
            let _ = bar.suspend(|| stdout_line(mark_text(mark)));
        }
    };
    if exam.done() > 0 {
        let done = exam.done();
        bar.suspend(|| stderr_line(format_args!("going on with an exam of which {done} of {} are done", Grade::STEPS)));
    }
    if !arguments.json {
        bar.suspend(|| stdout_line(format_args!("seed {seed}: the same exam once again with --seed {seed}")))?;
    }
    let grade = grade(workspace, &terms, agent, &mut exam, &stop, &mut watch)?;
    bar.finish_and_clear();
    write(arguments, &grade)?;
    if arguments.json {
        stdout_line(serde_json::to_string_pretty(&grade)?)?;
    } else {
        stdout_line(total(&grade))?;
    }
    if !grade.is_finished {
        let done = exam.done();
        match exam.path() {
            Some(path) => bail!(
                "stopped: {done} of {} moves and games are graded, and kept in {}; the same command goes on",
                Grade::STEPS,
                path.display()
            ),
            None => bail!("stopped: {done} of {} moves and games are graded, and not kept", Grade::STEPS),
        }
    }
    let failed = grade.marks.iter().filter(|mark| mark.failed.is_some()).count();
    ensure!(failed == 0, "{failed} moves or games could not be graded; the same command tries them again");
    exam.finish()
}

/// The exam as far as it was kept. Where nothing can be written it is not kept, and all else goes on.
fn begun(arguments: &GradeArguments, agent: &Agent, terms: &GradingTerms, tier: &str) -> Result<UnfinishedExam> {
    let beside = arguments.report.as_ref().and_then(|report| report.parent());
    let folder = beside.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let source = if arguments.seed.is_some() { SeedSource::Asked } else { SeedSource::Drawn };
    UnfinishedExam::open(folder, agent, terms, source, tier).or_else(|error| {
        if error.is::<NotAnExam>() {
            return Err(Unusable(error.to_string()).into());
        }
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if !matches!(kind, Some(ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)) {
            return Err(error);
        }
        stderr_line(format_args!("master: if this is stopped, it cannot go on: {error:#}"));
        Ok(UnfinishedExam::not_kept())
    })
}

fn terms(arguments: &GradeArguments, seed: u64) -> Result<GradingTerms> {
    let exam = Exam::new(seed, arguments.positions.as_deref(), arguments.budgets.as_deref());
    let exam = exam.map_err(|error| Unusable(format!("{error:#}")))?;
    let mut league = League::named("checkers").context("no league for checkers")?;
    league.opening = arguments.opening;
    if arguments.lenient {
        league.format = Format::Lenient;
    }
    let opponent = match &arguments.reference {
        Some(path) => Opponent::Other(find(path)?),
        None => Opponent::Reference(our_reference()?),
    };
    let positions_given = arguments.positions.is_some();
    Ok(GradingTerms { league, exam, positions_given, opponent, seed, jobs: arguments.jobs })
}

/// An even number of turns, so that Black moves first after them.
fn even(text: &str) -> Result<u32, String> {
    const MOST: u32 = 20;
    let turns = text.parse().ok().filter(|turns: &u32| *turns <= MOST && turns.is_multiple_of(2));
    turns.ok_or_else(|| ParseError::new(text, format!("an even number up to {MOST}")).to_string())
}

fn find(path: &Path) -> Result<Agent, Unusable> {
    agent_at(path, GameKind::Checkers).map_err(|refused| Unusable(refused.to_string()))
}

/// The program `reference` beside this one.
fn our_reference() -> Result<Agent> {
    let path = std::env::current_exe().context("cannot find out where this program is")?.with_file_name("reference");
    Ok(agent_at(&path, GameKind::Checkers).map_err(|refused| {
        Unusable(format!("{refused}; expected the program `reference` beside this one, or an agent as --reference"))
    })?)
}

/// Checks what will be written: an error is better before an hour of games than after.
fn ready_to_write(arguments: &GradeArguments) -> Result<()> {
    if let Some(folder) = &arguments.save {
        fs::create_dir_all(folder).map_err(|error| Unusable(format!("--save: {}: {error}", folder.display())))?;
    }
    if let Some(report) = &arguments.report {
        check_target(report, REPORT).map_err(|error| Unusable(format!("--report: {error:#}")))?;
        let is_game = |folder: &PathBuf| {
            (1..=Exam::GAMES).any(|number| FileId::of(&game_path(folder, number)) == FileId::of(report))
        };
        if arguments.save.as_ref().is_some_and(is_game) {
            return Err(Unusable(format!("--report: {} would be overwritten by a game", report.display())).into());
        }
    }
    Ok(())
}

const REPORT: FileKind = FileKind {
    name: "a report of an earlier grading",
    is_start: |start| {
        let first = String::from_utf8_lossy(start);
        let first = first.lines().next().unwrap_or_default();
        first.starts_with("# ") && first.ends_with(" points")
    },
};

fn game_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("game-{number}.pdn"))
}

fn write(arguments: &GradeArguments, grade: &Grade) -> Result<()> {
    if let Some(folder) = &arguments.save {
        for mark in &grade.marks {
            let Some(record) = &mark.record else { continue };
            write_whole(&game_path(folder, mark.number), transcript::write(record)?.as_bytes())?;
        }
    }
    if let Some(report) = &arguments.report {
        write_whole(report, markdown(grade).as_bytes())?;
    }
    Ok(())
}

/// A line about a mark, and why points were lost.
fn mark_text(mark: &Mark) -> String {
    let part = if mark.part == ExamPart::Move { "move" } else { "game" };
    let (points, cpu) = (format!("{}/{}", mark.points, mark.of), mark.spent.cpu.as_secs_f64());
    let mut text =
        format!("{part} {:2}  {:16} {points:>5}  {}; {cpu:.3} s CPU time", mark.number, mark.title, mark.result);
    let mut add = |lines: &str| lines.lines().for_each(|line| text += &format!("\n    {line}"));
    mark.notes.iter().for_each(|note| add(&format!("note: {note}")));
    mark.lost.iter().for_each(|lost| add(&lost.in_words(paint())));
    text
}

fn total(grade: &Grade) -> String {
    let so_far = if grade.is_finished { "" } else { "not finished, so far " };
    format!(
        "{}: {so_far}{} of {} points, {} for single moves and {} for games",
        grade.agent,
        grade.points,
        Grade::OF,
        grade.points_of(ExamPart::Move),
        grade.points_of(ExamPart::Game)
    )
}
