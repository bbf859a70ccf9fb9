//! What does `master grade` do?
//!
//! | file | question it answers |
//! | --- | --- |
//! | `terms` | by which exam, and against whom |
//! | `single` | one agent: marks as they are given, a report for the student |
//! | `class` | a class: a gradebook, a summary, a page for each |

mod class;
mod single;
mod terms;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::intake::intake;
use super::options::{SandboxOptions, Unusable};
use crate::game::ParseError;
use crate::master::agent::{Intake, agent_at, agents_in};
use terms::course;

/// The hundred points of an agent: `master grade mine/ --report grade.md`; or of a class: `master grade class/ --store
/// class.grades --csv gradebook.csv --report reports/`.
///
/// Ten single moves, a point each if legal, well formed and in time, and nine games against the reference agent, ten
/// points each. The agent has the first move in five games. A drawn game goes to the side with more time left. A course
/// can have other terms: --course FILE, like those in samples/courses.
///
/// A submission is a folder, or a zip or tar of one, with a program or its source: homework.py, homework.java, homework.cpp,
/// homework.c, homework.js, homework.rs, Cargo.toml, a Makefile, or homework and run.sh as they are; calibrate likewise. A
/// folder with several submissions is a class, in which all sit the same exam.
///
/// Every lost point is explained. Positions and openings are drawn from a seed, which is drawn too and told, so that no
/// agent can know them before.
///
/// An exam that is stopped, by Ctrl-C or otherwise, goes on when the same command is given again, with the same seed: the
/// answers of a class are kept in its store, those of an agent in a .part beside the report, or here where there is none,
/// until all is graded.
///
/// Exit codes: 0 graded, however few the points, 1 something could not be graded, or it was stopped, 2 bad usage or input.
#[derive(Args)]
pub(super) struct GradeArguments {
    /// A submission, or a class of them.
    submission: PathBuf,
    /// It is a class, also where it could be one submission.
    #[arg(long)]
    class: bool,
    /// The terms of a course, as JSON; see samples/courses.
    #[arg(long, value_name = "FILE")]
    course: Option<PathBuf>,
    /// Positions to ask for, instead of those that the seed gives: files *.txt in the form of input.txt. A budgets.txt
    /// beside them counts as --budgets.
    #[arg(long, value_name = "FOLDER")]
    positions: Option<PathBuf>,
    /// Times of the games, instead of the course's: seconds, one per line.
    #[arg(long, value_name = "FILE")]
    budgets: Option<PathBuf>,
    /// The opponent, instead of the program `reference` beside this one.
    #[arg(long, value_name = "AGENT")]
    reference: Option<PathBuf>,
    /// Gives positions, openings, and the reference agent's choices between equal moves: the same exam for a class, or once
    /// again. By default it is drawn at random, and told.
    #[arg(long)]
    seed: Option<u64>,
    /// Random turns before each game, an even number, instead of the course's; 0 is the start position, from where games
    /// can be learned by heart.
    #[arg(long, value_name = "TURNS", value_parser = even)]
    opening: Option<u32>,
    /// Ignore blanks, letter case, blank lines and CR in answers.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Moves and games at a time, for a class half of the machine's cores by default; with more, agents get less done in
    /// their time.
    #[arg(long)]
    jobs: Option<NonZeroUsize>,
    /// Of a class, where its answers are kept; by default beside it, with .grades. A file of something else is not replaced.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Of a class, where to write the gradebook: a line for each submission. A file of something else is not replaced.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Where to write the report for the student, in Markdown; of a class, a folder for a summary, grade.md, and the reports
    /// of all in pages/. A file of something else is not replaced.
    #[arg(long, value_name = "PATH")]
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
    let course = course(arguments)?;
    let league = course.league()?;
    let intake = intake(&league)?;
    if is_class(arguments, &intake)? {
        return class::run(arguments, &course, &intake);
    }
    for (option, name) in [(&arguments.store, "--store"), (&arguments.csv, "--csv")] {
        if option.is_some() {
            let path = arguments.submission.display();
            return Err(Unusable(format!("{path}: {name} is for a class; with --class it is one")).into());
        }
    }
    single::run(arguments, &course, &intake)
}

/// Whether the entries of a folder are submissions, and it is none itself.
fn is_class(arguments: &GradeArguments, intake: &Intake) -> Result<bool> {
    let path = &arguments.submission;
    if arguments.class || !path.is_dir() || agent_at(path, intake).is_ok() {
        return Ok(arguments.class);
    }
    let found = agents_in(std::slice::from_ref(path), intake).map_err(|error| Unusable(error.to_string()))?;
    // One alone may be a submission whose files are a folder too deep.
    Ok(!found.agents.is_empty() && found.agents.len() + found.refused.len() > 1)
}

/// An even number of turns, so that Black moves first after them.
fn even(text: &str) -> Result<u32, String> {
    const MOST: u32 = 20;
    let turns = text.parse().ok().filter(|turns: &u32| *turns <= MOST && turns.is_multiple_of(2));
    turns.ok_or_else(|| ParseError::new(text, format!("an even number up to {MOST}")).to_string())
}
