//! Reports of graded exams for the staff, students and other systems.

mod appeal;
mod class;
pub(crate) mod formats;
mod pseudonyms;
mod report;
mod results;

pub(crate) use appeal::Appeal;
pub(crate) use class::{ClassGrades, NotGraded};
pub(crate) use formats::ResultsFormat;
pub(crate) use pseudonyms::{Pseudonyms, SECRET};
pub(crate) use report::markdown;
pub(crate) use results::Results;
