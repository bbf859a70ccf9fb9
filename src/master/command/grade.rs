//! The command `master grade`.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `arguments` | what does the command line say? |
//! | `outputs` | which files does a class get? |
//! | `progress` | how far is the grading of a class, and how long will it take? |
//! | `public` | what may others see of a class, and where is its secret? |
//! | `results_file` | where do results for another autograder go? |
//! | `reviews` | how do lost games get their reviews? |
//! | `rules` | which rules apply, and who is the opponent? |
//! | `single` | how is one agent graded: marks as they come, a report for the student? |
//! | `class` | how is a class graded: a gradebook, a summary, a page for each student? |

mod arguments;
mod class;
mod outputs;
mod progress;
mod public;
mod results_file;
mod reviews;
mod rules;
mod single;

use std::path::PathBuf;

use anyhow::Result;

use super::intake::intake_of;
use crate::intake::agent::{Depth, Intake, Refused, Trouble, agent_within, class_at};
use arguments::ClassOptions;
pub(super) use arguments::GradeArguments;
use kingline_players::exit::BadInput;
pub(super) use outputs::{file_name, files_of, store_of};
use rules::course;

/// Runs the command.
pub(super) fn run(arguments: &GradeArguments) -> Result<()> {
    let course = course(arguments)?;
    let league = course.league()?;
    let intake = intake_of(&league, &arguments.of_class.layout)?;
    if let Some(folder) = class(arguments, &intake)? {
        return class::run(arguments, &folder, &course, &intake);
    }
    let ClassOptions { store, csv, regrade, only, pseudonyms, .. } = &arguments.of_class;
    let given = [store.is_some(), csv.is_some(), *regrade, !only.is_empty(), *pseudonyms];
    for (is_given, name) in given.into_iter().zip(["--store", "--csv", "--regrade", "--only", "--pseudonyms"]) {
        if is_given {
            let path = arguments.submission.display();
            return Err(BadInput::new(format!(
                "{path}: {name} is for classes only, and this is one submission; help: --class grades a folder as a class"
            ))
            .into());
        }
    }
    single::run(arguments, &course, &intake)
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
