//! The command `master grade`.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `arguments` | what does the command line say? |
//! | `rules` | which rules apply, and who is the opponent? |
//! | `single` | how is one agent graded: marks as they come, a report for the student? |
//! | `class` | how is a class graded: a gradebook, a summary, a page for each student? |

mod arguments;
mod class;
mod rules;
mod single;

use anyhow::Result;

use super::intake::intake;
use super::options::Unusable;
use crate::intake::agent::{Intake, Refused, Trouble, agent_at, agents_in};
pub(super) use arguments::GradeArguments;
use rules::course;

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
                "{path}: {name} is for classes only, and this is one submission; help: --class grades a folder as a class"
            ))
            .into());
        }
    }
    single::run(arguments, &course, &intake)
}

/// Returns true if the entries of a folder are submissions but the folder itself is not.
fn is_class(arguments: &GradeArguments, intake: &Intake) -> Result<bool> {
    let path = &arguments.submission;
    if arguments.class || !path.is_dir() {
        return Ok(arguments.class);
    }
    match agent_at(path, intake) {
        // In the second case it has a program, but cannot play.
        Ok(_) | Err(Refused { why: Trouble::Files(_), .. }) => return Ok(false),
        Err(_) => {}
    }
    let found = agents_in(std::slice::from_ref(path), intake).map_err(|error| Unusable(error.to_string()))?;
    // A single entry may be a submission whose files lie one folder too deep.
    Ok(!found.agents.is_empty() && found.agents.len() + found.refused.len() > 1)
}
