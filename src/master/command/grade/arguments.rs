//! Arguments of `master grade`, and the course, rules and seed that they ask for.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};
use clap::Args;

use super::super::intake::LayoutOption;
use super::super::options::{ClassPathOption, SandboxOptions, absolute};
use crate::exam::{BUDGETS, Course, GradingRules, Opponent, Seed, questions_in};
use crate::gradebook::ResultsFormat;
use crate::intake::agent::{Agent, Intake, opponent_at};
use crate::league::Format;
use kingline::game::ParseError;
use kingline_players::exit::BadInput;
use kingline_players::figures::FiguresOption;
use kingline_players::help::GuidePage;
use kingline_players::review::parse_seconds;

/// Grades an agent: `master grade mine/ --report grade.md`; or a class: `master grade class/ --store class.grades --csv
/// gradebook.csv --report reports/`.
///
/// The exam has a hundred points. Ten single moves score one point each if legal, well formed and in time, and nine
/// games against the reference agent score ten points each if won. The agent has the first move in five games. A drawn
/// game goes to the side with more time left. A course can set other terms: --course FILE.
///
/// A submission is a folder, or a zip or tar of one, with a program or its source: homework.py, homework.java,
/// homework.cpp, homework.c, homework.js, homework.rs, Cargo.toml, a Makefile, or homework or run.sh, which are not
/// built. calibrate may come in the same forms. A folder with several submissions is a class. All of its submissions
/// take the same exam.
///
/// Every lost point is explained. A seed determines the positions and the reference agent's choices. It is random, so
/// that no agent can know them in advance, and it is printed.
///
/// Run the same command again to continue an exam that was stopped, by Ctrl-C or otherwise; it keeps its seed. The
/// answers of a class are kept in its store. Those of a single agent are kept, until all are graded, in a .part file
/// beside the report, or in the current folder without --report.
///
/// Exit codes: 0 graded, however few the points, 1 something could not be graded, or the exam was stopped, 2 bad usage
/// or input.
#[derive(Args)]
#[command(after_help = GuidePage::Class.line())]
pub(in crate::command) struct GradeArguments {
    /// Submission to grade, or a folder of them: a class.
    pub(super) submission: PathBuf,
    #[command(flatten)]
    pub(super) of_class: ClassOptions,
    /// File with the terms of a course, as JSON; the guide describes its fields. Default: the terms above.
    #[arg(long, value_name = "FILE")]
    pub(super) course: Option<PathBuf>,
    /// Folder with the positions to ask about: files *.txt in the format of input.txt. A budgets.txt beside them counts
    /// as --budgets. Default: positions drawn from the seed.
    #[arg(long, value_name = "FOLDER")]
    pub(super) positions: Option<PathBuf>,
    /// File with the times of the games in seconds, one per line. Default: the course's.
    #[arg(long, value_name = "FILE")]
    pub(super) budgets: Option<PathBuf>,
    /// Opponent in the games. Default: the program `reference` beside this one.
    #[arg(long, value_name = "AGENT")]
    pub(super) reference: Option<PathBuf>,
    /// Seed of positions, openings, and the reference agent's choices among nearly best moves; the same seed gives the same
    /// exam. Default: a random seed, which is printed.
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Random turns before each game, an even number, 0 to 20; 0 means the start position. Default: the course's, which
    /// is 0 unless it says otherwise.
    #[arg(long, value_name = "N", value_parser = even)]
    pub(super) opening: Option<u32>,
    /// Ignore blanks, letter case, blank lines and CR in answers. Default: the course's strictness.
    #[arg(long)]
    pub(super) lenient: bool,
    #[command(flatten)]
    pub(super) class_path: ClassPathOption,
    #[command(flatten)]
    pub(super) sandbox: SandboxOptions,
    /// Number of moves and games to run at a time, if the memory of this machine suffices; with many, agents get less
    /// done in their time. Default: 1, or half the number of cores for a class.
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// File for the student's report: a page if its name ends in .html, otherwise Markdown. For a class: folder for the
    /// summary, grade.md, and all students' pages, in pages/. No other kind of file is overwritten.
    #[arg(long, value_name = "PATH")]
    pub(super) report: Option<PathBuf>,
    /// Effort for each position in the reviews of lost games on the students' pages: 0.001 to 600 seconds, where a second
    /// counts as 5,000,000 nodes; 0: no reviews. Uses all cores once the games are played. A game of 60 turns takes 3
    /// seconds of a core at 0.05.
    #[arg(long, value_name = "SECONDS", default_value = "0.05", value_parser = review_seconds)]
    pub(super) review: f64,
    /// Format of the results for the system that runs this as its autograder.
    #[arg(long, value_name = "SYSTEM", requires = "results")]
    pub(super) format: Option<ResultsFormat>,
    /// File for the results in the format of --format, written after each move and game, so that those so far are there
    /// if the system ends the grading. For a class: folder with a file NAME.json for each submission.
    #[arg(long, value_name = "PATH", requires = "format")]
    pub(super) results: Option<PathBuf>,
    /// Folder to save all games in, as PDN.
    #[arg(long, value_name = "FOLDER")]
    pub(super) save: Option<PathBuf>,
    /// Print only JSON.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) figures: FiguresOption,
}

/// Options for a class.
#[derive(Args)]
pub(in crate::command) struct ClassOptions {
    /// Grade the folder as a class, even if it could be one submission.
    #[arg(long)]
    pub(super) class: bool,
    #[command(flatten)]
    pub(super) layout: LayoutOption,
    /// For a class: grade only this student, e.g. after an appeal. May be repeated. The gradebook and the summary, which
    /// are of the whole class, are not written.
    #[arg(long, value_name = "STUDENT", conflicts_with = "csv")]
    pub(super) only: Vec<String>,
    /// With --only: ask only this question, named as in the gradebook or in short: move 3, game 2. May be repeated. Marks
    /// are printed in full. To ask again what the store has, give --regrade, or another --store and the same --seed.
    #[arg(long = "question", value_name = "QUESTION", requires_all = ["only", "seed"])]
    #[arg(conflicts_with_all = ["csv", "report", "results", "save"])]
    pub(super) questions: Vec<String>,
    /// For a class: file that keeps the answers. No other kind of file is overwritten. Default: the class folder's name
    /// with .grades, beside it.
    #[arg(long, value_name = "FILE")]
    pub(super) store: Option<PathBuf>,
    /// For a class: set aside what the store has, under its name with a number, and ask everything anew. With --only: the
    /// answers of these students; with --question as well: only those answers.
    #[arg(long)]
    pub(super) regrade: bool,
    /// For a class, with --report: write a page that others may see, public/index.html, with a leaderboard and the hardest
    /// questions under pseudonyms, and pseudonyms.csv for the staff. Each student's page shows their own. The secret that
    /// they depend on is kept beside the store.
    #[arg(long, requires = "report")]
    pub(super) pseudonyms: bool,
    /// For a class: file for the gradebook, one line per submission. No other kind of file is overwritten.
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
}

impl GradeArguments {
    /// The options that determine the terms of the exam, apart from the seed, as words of a command line that works in
    /// any folder.
    pub(super) fn terms(&self) -> Vec<String> {
        let GradeArguments { course, positions, budgets, reference, opening, lenient, .. } = self;
        let paths =
            [("--course", course), ("--positions", positions), ("--budgets", budgets), ("--reference", reference)];
        let paths = paths.into_iter().filter_map(|(option, path)| Some([option.to_owned(), absolute(path.as_ref()?)]));
        let mut words: Vec<String> = paths.flatten().collect();
        words.extend(opening.iter().flat_map(|turns| ["--opening".to_owned(), turns.to_string()]));
        words.extend(lenient.then(|| "--lenient".to_owned()));
        words.extend(self.of_class.layout.words());
        words.extend(self.class_path.words());
        words.extend(self.sandbox.words());
        words
    }

    /// Refuses a single submission with options that are for classes.
    pub(super) fn refuse_options_for_classes(&self) -> Result<(), BadInput> {
        let ClassOptions { store, csv, regrade, only, pseudonyms, .. } = &self.of_class;
        let given = [store.is_some(), csv.is_some(), *regrade, !only.is_empty(), *pseudonyms];
        let names = ["--store", "--csv", "--regrade", "--only", "--pseudonyms"];
        given.into_iter().zip(names).find(|(is_given, _)| *is_given).map_or(Ok(()), |(_, name)| {
            Err(BadInput::new(format!(
                "{}: {name} is for classes only, and this is one submission; help: --class grades a folder as a class",
                self.submission.display()
            )))
        })
    }

    /// The requested course, as changed by other options.
    pub(super) fn course(&self) -> Result<Course, BadInput> {
        let course = self.course.as_deref().map_or_else(|| Ok(Course::default()), Course::read);
        let mut course = course.map_err(|error| unusable(&error))?;
        let beside = self.positions.as_ref().map(|folder| folder.join(BUDGETS)).filter(|path| path.exists());
        if let Some(budgets) = self.budgets.clone().or(beside) {
            course = course.with_budgets(&budgets).map_err(|error| unusable(&error))?;
        }
        course.opening = self.opening.unwrap_or(course.opening);
        self.class_path.replace(&mut course.class_path)?;
        if self.lenient {
            course.format = Format::Lenient;
        }
        Ok(course)
    }

    /// The requested seed, or a random one.
    pub(super) fn seed(&self) -> Seed {
        self.seed.map_or_else(|| Seed::Drawn(u64::from(RandomState::new().hash_one(0) as u32)), Seed::Given)
    }

    /// The grading rules. `usual_jobs` applies without --jobs.
    pub(super) fn rules(&self, course: &Course, intake: &Intake, usual_jobs: usize) -> Result<GradingRules> {
        let positions = self.positions.as_deref().map(|folder| questions_in(folder, course)).transpose();
        let positions = positions.map_err(|error| unusable(&error))?;
        let reference = || Ok::<_, Error>(Opponent { agent: our_reference(intake)?, is_reference: true });
        let other = |path: &Path| Ok(Opponent { agent: chosen(path, intake)?, is_reference: false });
        let mut opponents = vec![self.reference.as_deref().map_or_else(reference, |path| Ok(other(path)?))?];
        for (number, threshold) in course.thresholds.iter().enumerate() {
            let field = |error: BadInput| BadInput::new(format!("thresholds[{number}].opponent: {error}"));
            opponents.push(match threshold.is_reference() {
                true => reference()?,
                false => other(&threshold.opponent).map_err(field)?,
            });
        }
        Ok(GradingRules {
            course: course.clone(),
            league: intake.league().clone(),
            positions,
            opponents,
            jobs: self.jobs.or_else(|| usual_jobs.try_into().ok()).unwrap_or(NonZeroUsize::MIN),
        })
    }
}

fn unusable(error: &Error) -> BadInput {
    BadInput::new(format!("{error:#}"))
}

fn chosen(path: &Path, intake: &Intake) -> Result<Agent, BadInput> {
    opponent_at(path, intake).map_err(|refused| BadInput::new(refused.to_string()))
}

fn our_reference(intake: &Intake) -> Result<Agent> {
    let path = std::env::current_exe().context("cannot find the path of this program")?.with_file_name("reference");
    let help = "expected the program `reference` beside this one, or an agent given with --reference";
    Ok(chosen(&path, intake).map_err(|refused| BadInput::new(format!("{refused}; {help}")))?)
}

fn review_seconds(text: &str) -> Result<f64, String> {
    if text.parse() == Ok(0.0) { Ok(0.0) } else { parse_seconds(text).map_err(|error| error + ", or 0") }
}

/// Parses an even number of turns, so that Black moves first after them.
fn even(text: &str) -> Result<u32, String> {
    const MOST: u32 = 20;
    let turns = text.parse().ok().filter(|turns: &u32| *turns <= MOST && turns.is_multiple_of(2));
    turns.ok_or_else(|| ParseError::new(text, format!("an even number up to {MOST}")).to_string())
}
