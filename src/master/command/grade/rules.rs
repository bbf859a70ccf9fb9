//! Grading rules that the options ask for.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::{Context, Result};

use super::arguments::GradeArguments;
use crate::exam::grade::{BUDGETS, Course, GradingRules, Opponent, Seed, questions_in};
use crate::intake::agent::{Agent, Intake, opponent_at};
use crate::intake::build::build;
use crate::league::Format;
use crate::sandbox::Workspace;
use kingline_players::exit::BadInput;

/// The requested course, as changed by other options.
pub(super) fn course(arguments: &GradeArguments) -> Result<Course, BadInput> {
    let unusable = |error: anyhow::Error| BadInput::new(format!("{error:#}"));
    let mut course =
        arguments.course.as_deref().map_or_else(|| Ok(Course::default()), Course::read).map_err(unusable)?;
    let beside = arguments.positions.as_ref().map(|folder| folder.join(BUDGETS)).filter(|path| path.exists());
    if let Some(budgets) = arguments.budgets.clone().or(beside) {
        course = course.with_budgets(&budgets).map_err(unusable)?;
    }
    course.opening = arguments.opening.unwrap_or(course.opening);
    arguments.class_path.replace(&mut course.class_path)?;
    if arguments.lenient {
        course.format = Format::Lenient;
    }
    Ok(course)
}

/// The requested seed, or a random one.
pub(super) fn seed(arguments: &GradeArguments) -> Seed {
    match arguments.seed {
        Some(seed) => Seed::Given(seed),
        None => Seed::Drawn(u64::from(RandomState::new().hash_one(0) as u32)),
    }
}

/// The grading rules. `usual_jobs` applies without --jobs.
pub(super) fn rules(
    arguments: &GradeArguments,
    course: &Course,
    intake: &Intake,
    usual_jobs: usize,
) -> Result<GradingRules> {
    let positions = arguments.positions.as_deref().map(|folder| questions_in(folder, course)).transpose();
    let positions = positions.map_err(|error| BadInput::new(format!("{error:#}")))?;
    let opponent = match &arguments.reference {
        Some(path) => Opponent::Other(chosen(path, intake)?),
        None => Opponent::Reference { agent: our_reference(intake)?, cost: course.reference_cost },
    };
    let mut thresholds = Vec::new();
    for (number, threshold) in course.thresholds.iter().enumerate() {
        thresholds.push(if threshold.is_reference() {
            Opponent::Reference { agent: our_reference(intake)?, cost: course.reference_cost }
        } else {
            let field = |error| BadInput::new(format!("thresholds[{number}].opponent: {error}"));
            Opponent::Other(chosen(&threshold.opponent, intake).map_err(field)?)
        });
    }
    Ok(GradingRules {
        course: course.clone(),
        league: intake.league().clone(),
        positions,
        opponent,
        thresholds,
        jobs: arguments.jobs.or_else(|| usual_jobs.try_into().ok()).unwrap_or(NonZeroUsize::MIN),
    })
}

/// Builds the opponents that come as source. An opponent that cannot be built loses its games when they begin.
pub(super) fn build_opponents(workspace: Workspace, rules: &mut GradingRules) -> Result<()> {
    for opponent in std::iter::once(&mut rules.opponent).chain(&mut rules.thresholds) {
        if let Opponent::Other(agent) = opponent {
            *agent = build(workspace, &rules.league, agent)?.or_as_found(agent);
        }
    }
    Ok(())
}

fn chosen(path: &Path, intake: &Intake) -> Result<Agent, BadInput> {
    opponent_at(path, intake).map_err(|refused| BadInput::new(refused.to_string()))
}

/// The program `reference` beside this one.
fn our_reference(intake: &Intake) -> Result<Agent> {
    let path = std::env::current_exe().context("cannot find the path of this program")?.with_file_name("reference");
    Ok(opponent_at(&path, intake).map_err(|refused| {
        BadInput::new(format!(
            "{refused}; expected the program `reference` beside this one, or an agent given with --reference"
        ))
    })?)
}
