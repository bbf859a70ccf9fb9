//! Points of a class by question.

use std::collections::BTreeMap;

use super::class::{ClassGrades, GRADED};
use super::{ExamPart, Grade, Mark};

/// A question that a class was asked: a single move or a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedQuestion {
    /// Its name in columns: `move 3: a jump`, `game 2: white, 9 s`.
    pub(crate) name: String,
    /// Maximum number of points.
    pub(crate) of: u32,
    /// Number of submissions whose answer is graded.
    pub(crate) graded: usize,
    /// Number of those with all points.
    pub(crate) full: usize,
    /// Mean points.
    pub(crate) mean: f64,
    place: Place,
}

/// Order of the questions: by part, then by number.
type Place = (ExamPart, usize);

fn place(mark: &Mark) -> Place {
    (mark.part, mark.number)
}

/// All questions of a class, in order.
pub(super) fn questions(class: &ClassGrades) -> Vec<AskedQuestion> {
    let mut marks: BTreeMap<Place, Vec<&Mark>> = BTreeMap::new();
    for grade in class.grades.iter().filter(|grade| grade.state() == GRADED) {
        grade.marks.iter().for_each(|mark| marks.entry(place(mark)).or_default().push(mark));
    }
    let question = |(place, marks): (Place, Vec<&Mark>)| {
        let first = marks[0];
        let sum: u32 = marks.iter().map(|mark| mark.points).sum();
        AskedQuestion {
            name: first.name(),
            of: first.of,
            graded: marks.len(),
            full: marks.iter().filter(|mark| mark.points == mark.of).count(),
            mean: f64::from(sum) / marks.len() as f64,
            place,
        }
    };
    marks.into_iter().map(question).collect()
}

impl AskedQuestion {
    /// Points of this grade, if this question is graded.
    pub(super) fn points(&self, grade: &Grade) -> Option<u32> {
        let own = grade.marks.iter().find(|mark| place(mark) == self.place && mark.failed.is_none());
        own.map(|mark| mark.points)
    }

    /// Share of its points that the class won.
    pub(super) fn share(&self) -> f64 {
        self.mean / f64::from(self.of.max(1))
    }
}
