//! Gradebook of a class, as a spreadsheet.

use crate::csv;

use super::ExamPart;
use super::by_question::questions;
use super::class::{CANNOT_PLAY, ClassGrades, GRADED, MACHINES, NotGraded};

/// The gradebook as CSV (RFC 4180), one line per submission, sorted by name: points if known, CPU seconds, faults, peak
/// memory of a turn in MiB, whether it was late, and the points of each question. Text that a spreadsheet would evaluate as a formula gets a leading apostrophe.
pub fn gradebook(class: &ClassGrades) -> String {
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    let questions = questions(class);
    let late = |name: &String| if class.late.contains(name) { "late" } else { "" }.to_owned();
    for grade in &class.grades {
        let is_known = grade.state() == GRADED;
        let points = |points: u32| if is_known { points.to_string() } else { String::new() };
        let seconds = grade.cpu().as_secs_f64();
        let memory = grade.marks.iter().filter_map(|mark| mark.peak?.memory).max();
        let mut fields = vec![
            points(grade.points),
            points(grade.points_of(ExamPart::Move)),
            points(grade.points_of(ExamPart::Game)),
            class.of.to_string(),
            format!("{seconds:.2}"),
            grade.faults().count().to_string(),
            memory.map_or_else(String::new, |bytes| bytes.div_ceil(1 << 20).to_string()),
            grade.state().to_owned(),
            late(&grade.agent),
        ];
        let by_question = questions.iter().map(|question| question.points(grade));
        fields.extend(by_question.map(|points| points.map_or_else(String::new, |points| points.to_string())));
        lines.push((&grade.agent, fields));
    }
    for NotGraded { name, why, is_machines } in &class.not_graded {
        let points = if *is_machines { "" } else { "0" };
        let state = if *is_machines { MACHINES } else { CANNOT_PLAY };
        let state = format!("{state}: {}", why.lines().next().unwrap_or_default());
        let [a, b, c] = [points; 3].map(str::to_owned);
        let [d, e, f] = [const { String::new() }; 3];
        let mut fields = vec![a, b, c, class.of.to_string(), d, e, f, state, late(name)];
        fields.extend(questions.iter().map(|_| points.to_owned()));
        lines.push((name, fields));
    }
    lines.sort_by_key(|(name, _)| *name);
    let head = ["submission", "points", "moves", "games", "of", "seconds", "faults", "memory_mib", "state", "late"];
    let mut text = csv::line(head.into_iter().chain(questions.iter().map(|question| &*question.name)));
    for (name, fields) in lines {
        text += &csv::line([name].into_iter().chain(fields.iter().map(String::as_str)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::grade::class::tests::class;

    #[test]
    fn a_gradebook_has_a_line_per_submission_and_no_formula() {
        let text = gradebook(&class());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1..],
            [
                "'=cmd(),55,0,0,100,0.00,0,,graded,",
                "\"a,nn\",0,0,0,100,,,,\"cannot play: homework.cpp: expected \"\"}\"\", \",",
                "b|ob,,,,100,0.00,0,,not finished,",
                "zed,,,,100,,,,\"not graded: this machine lacks something: homework.cpp: expected \"\"}\"\", \",late",
            ]
        );
    }
}
