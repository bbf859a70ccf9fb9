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
use crate::figures::FiguresOption;
use crate::game::ParseError;
use crate::help::GuidePage;
use crate::master::agent::{Intake, agent_at, agents_in};
use terms::course;

/// Grades an agent: `master grade mine/ --report grade.md`; or a class: `master grade class/ --store class.grades --csv
/// gradebook.csv --report reports/`.
///
/// There are a hundred points: ten single moves, a point each if legal, well formed and in time, and nine games against the
/// reference agent, ten points each. The agent has the first move in five games. A drawn game goes to the side with more
/// time left. A course can have other terms: --course FILE.
///
/// A submission is a folder, or a zip or tar of one, with a program or its source: homework.py, homework.java, homework.cpp,
/// homework.c, homework.js, homework.rs, Cargo.toml, a Makefile, or homework and run.sh as they are; the same for calibrate.
/// A folder with several submissions is a class. All submissions of a class sit the same exam.
///
/// Every lost point is explained. Positions and openings are drawn from a seed. The seed is drawn at random and printed, so
/// that no agent can know them in advance.
///
/// Run the same command again to continue an exam that was stopped, by Ctrl-C or otherwise; it keeps its seed. The answers
/// of a class are kept in its store, those of an agent in a .part file beside the report, or in the current folder without
/// --report, until all is graded.
///
/// Exit codes: 0 graded, however few the points, 1 something could not be graded, or it was stopped, 2 bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Class.line())]
pub(super) struct GradeArguments {
    /// Submission to grade, or a folder of them: a class.
    submission: PathBuf,
    /// Grade the folder as a class, even if it could be one submission.
    #[arg(long)]
    class: bool,
    /// File with the terms of a course, as JSON; the guide describes its fields. Default: the terms above.
    #[arg(long, value_name = "FILE")]
    course: Option<PathBuf>,
    /// Folder of the positions to ask: files *.txt in the form of input.txt. A budgets.txt beside them counts as --budgets.
    /// Default: positions that the seed gives.
    #[arg(long, value_name = "FOLDER")]
    positions: Option<PathBuf>,
    /// File with the times of the games: seconds, one number a line. Default: the course's.
    #[arg(long, value_name = "FILE")]
    budgets: Option<PathBuf>,
    /// Opponent in the games. Default: the program `reference` beside this one.
    #[arg(long, value_name = "AGENT")]
    reference: Option<PathBuf>,
    /// Seed of positions, openings, and the reference agent's choices between equal moves: equal seeds give the same exam.
    /// Default: drawn at random, and printed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Random turns before each game, an even number, 0 to 20. With 0 agents can have learned the games by heart. Default:
    /// the course's.
    #[arg(long, value_name = "N", value_parser = even)]
    opening: Option<u32>,
    /// Ignore blanks, letter case, blank lines and CR in answers. Default: as the course says.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Number of moves and games at a time; with many, agents get less done in their time. Default: 1, or half of the cores
    /// for a class.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// For a class: file that keeps the answers. No other kind of file is overwritten. Default: the name of the class with
    /// .grades, beside it.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// For a class: file of the gradebook, a line for each submission. No other kind of file is overwritten.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// File of the report for the student, in Markdown; for a class, a folder for a summary, grade.md, and all reports, in
    /// pages/. No other kind of file is overwritten.
    #[arg(long, value_name = "PATH")]
    report: Option<PathBuf>,
    /// Folder to save all games in, as PDN.
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Print everything as JSON, and nothing else.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
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
            return Err(Unusable(format!(
                "{path}: {name} is for classes only, and this is one submission; --class grades a folder as a class"
            ))
            .into());
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
