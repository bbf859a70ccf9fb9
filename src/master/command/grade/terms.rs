//! By which exam is graded, and against whom?

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use anyhow::{Context, Result};

use super::super::options::Unusable;
use super::GradeArguments;
use crate::master::agent::{Agent, Intake, agent_at};
use crate::master::grade::{BUDGETS, Course, Exam, GradingTerms, Opponent, SeedSource};
use crate::master::league::Format;

/// The course that was asked for, with what other options say.
pub(super) fn course(arguments: &GradeArguments) -> Result<Course, Unusable> {
    let unusable = |error: anyhow::Error| Unusable(format!("{error:#}"));
    let mut course =
        arguments.course.as_deref().map_or_else(|| Ok(Course::default()), Course::read).map_err(unusable)?;
    let beside = arguments.positions.as_ref().map(|folder| folder.join(BUDGETS)).filter(|path| path.exists());
    if let Some(budgets) = arguments.budgets.clone().or(beside) {
        course = course.with_budgets(&budgets).map_err(unusable)?;
    }
    course.opening = arguments.opening.unwrap_or(course.opening);
    if arguments.lenient {
        course.format = Format::Lenient;
    }
    Ok(course)
}

/// The seed that was asked for, or one that is drawn.
pub(super) fn seed(arguments: &GradeArguments) -> (u64, SeedSource) {
    match arguments.seed {
        Some(seed) => (seed, SeedSource::Asked),
        None => (u64::from(RandomState::new().hash_one(0) as u32), SeedSource::Drawn),
    }
}

/// The terms of the exam that this seed gives.
pub(super) fn terms(
    arguments: &GradeArguments,
    course: &Course,
    intake: &Intake,
    seed: u64,
    usual_jobs: usize,
) -> Result<GradingTerms> {
    let exam = Exam::new(seed, course, arguments.positions.as_deref());
    let exam = exam.map_err(|error| Unusable(format!("{error:#}")))?;
    let opponent = match &arguments.reference {
        Some(path) => Opponent::Other(found(path, intake)?),
        None => Opponent::Reference { agent: our_reference(intake)?, cost: course.reference_cost },
    };
    Ok(GradingTerms {
        league: intake.league().clone(),
        exam,
        seconds_a_move: course.moves.seconds,
        positions_given: arguments.positions.is_some(),
        opponent,
        seed,
        jobs: arguments.jobs.or_else(|| usual_jobs.try_into().ok()).unwrap_or(std::num::NonZeroUsize::MIN),
    })
}

/// The agent at a path.
pub(super) fn found(path: &Path, intake: &Intake) -> Result<Agent, Unusable> {
    agent_at(path, intake).map_err(|refused| Unusable(refused.to_string()))
}

/// The program `reference` beside this one.
fn our_reference(intake: &Intake) -> Result<Agent> {
    let path = std::env::current_exe().context("cannot find the path of this program")?.with_file_name("reference");
    Ok(agent_at(&path, intake).map_err(|refused| {
        Unusable(format!("{refused}; expected the program `reference` beside this one, or an agent as --reference"))
    })?)
}
