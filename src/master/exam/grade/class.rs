//! Summary of a class for the staff.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::by_question::{AskedQuestion, questions};
use super::report::plain;
use super::{ExamPart, Grade, Mark};
use crate::intake::agent::Refused;
use kingline_players::terminal::escaped_path;

/// The grades of a class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassGrades {
    /// Name of the course.
    pub course: String,
    /// Maximum number of points.
    pub of: u32,
    /// Seed of the exam.
    pub seed: u64,
    /// Submissions whose grading has begun or finished, by name.
    pub grades: Vec<Grade>,
    /// Submissions that cannot play, by name.
    pub not_graded: Vec<NotGraded>,
    /// Names of submissions that were in the class in an earlier run.
    pub withdrawn: Vec<String>,
    /// Names of submissions that were handed in late, as the names of their files say.
    pub late: BTreeSet<String>,
}

/// A submission that cannot play.
#[derive(Clone, Debug, Serialize)]
pub struct NotGraded {
    /// Its name, safe for a terminal and for a file.
    pub name: String,
    /// The reason.
    pub why: String,
    /// True if this machine is to blame: then it has no points yet. Otherwise it has zero points.
    pub is_machines: bool,
}

/// State of a submission in a gradebook.
pub(super) const GRADED: &str = "graded";
const UNFINISHED: &str = "not finished";
const FAILED: &str = "not graded: the referee failed";
pub(super) const CANNOT_PLAY: &str = "cannot play";
pub(super) const MACHINES: &str = "not graded: this machine lacks something";

impl NotGraded {
    /// Converts a refused submission.
    pub fn of(refused: &Refused) -> NotGraded {
        let name = escaped_path(Path::new(&refused.name));
        NotGraded { name, why: refused.why.to_string(), is_machines: refused.why.is_machines() }
    }

    fn first_line(&self) -> &str {
        self.why.lines().next().unwrap_or_default()
    }
}

impl Grade {
    /// Its status, as a gradebook shows it.
    pub(super) fn state(&self) -> &'static str {
        if self.failed.is_some() || self.marks.iter().any(|mark| mark.failed.is_some()) {
            FAILED
        } else if self.is_finished {
            GRADED
        } else {
            UNFINISHED
        }
    }

    /// True if all of its points are known.
    pub(crate) fn is_known(&self) -> bool {
        self.state() == GRADED
    }

    /// CPU time of all moves and games.
    pub(crate) fn cpu(&self) -> Duration {
        self.marks.iter().map(|mark| mark.spent.cpu).sum()
    }

    pub(super) fn faults(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().filter_map(|mark| mark.fault.as_deref())
    }
}

impl ClassGrades {
    /// True if a threshold was asked.
    fn has_thresholds(&self) -> bool {
        self.grades.iter().flat_map(|grade| &grade.marks).any(|mark| mark.part == ExamPart::Threshold)
    }

    /// All questions, the hardest first.
    pub(crate) fn hardest(&self) -> Vec<AskedQuestion> {
        let mut all = questions(self);
        all.sort_by(|a, b| a.share().total_cmp(&b.share()));
        all
    }
}

/// The summary for the staff, in Markdown: all points, their distribution, faults by kind, and ungraded submissions.
pub fn summary(class: &ClassGrades) -> String {
    let ClassGrades { course, of, seed, grades, not_graded, withdrawn, .. } = class;
    // An earlier summary is recognized by its first line, which ends in "points".
    let all = grades.len() + not_graded.len();
    let mut text = format!("# {}: {all} submissions, out of {of} points\n\n", plain(course));
    let first = grades.first();
    let tier = first.map_or_else(String::new, |grade| format!(" CPU time is measured by {}.", plain(&grade.tier)));
    let opponent = first.map_or_else(String::new, |grade| format!(" Opponent: {}.", plain(&grade.reference)));
    let _ = writeln!(text, "Seed {seed}.{opponent}{tier}\n");
    let parts = if class.has_thresholds() { &ExamPart::ALL[..] } else { &ExamPart::ALL[..2] };
    let columns: String = parts.iter().map(|part| format!(" {}s |", part.word())).collect();
    let dashes = " --- |".repeat(parts.len() + 5);
    let _ = writeln!(text, "| submission | points |{columns} faults | CPU time | state |\n|{dashes}");
    let empty = " |".repeat(parts.len() + 2);
    for grade in grades {
        let seconds = grade.cpu().as_secs_f64();
        let by_part: String = parts.iter().map(|&part| format!(" {} |", grade.points_of(part))).collect();
        let (name, points, faults, state) = (plain(&grade.agent), grade.points, grade.faults().count(), grade.state());
        let _ = writeln!(text, "| {name} | {points} |{by_part} {faults} | {seconds:.1} s | {state} |");
    }
    for refused in not_graded {
        let (points, state) = if refused.is_machines { ("", MACHINES) } else { ("0", CANNOT_PLAY) };
        let _ = writeln!(text, "| {} | {points} |{empty} {state} |", plain(&refused.name));
    }
    text.push('\n');
    distribution(&mut text, class);
    hardest(&mut text, class);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    grades.iter().flat_map(Grade::faults).for_each(|kind| *kinds.entry(kind).or_default() += 1);
    if !kinds.is_empty() {
        text += "## Faults\n\n| fault | moves and games | submissions |\n| --- | --- | --- |\n";
        for (kind, count) in kinds {
            let by = grades.iter().filter(|grade| grade.faults().any(|fault| fault == kind)).count();
            let _ = writeln!(text, "| {} | {count} | {by} |", plain(kind));
        }
        text.push('\n');
    }
    for (heading, is_machines) in [("Cannot play", false), ("Not graded because of this machine", true)] {
        let those: Vec<&NotGraded> = not_graded.iter().filter(|refused| refused.is_machines == is_machines).collect();
        if !those.is_empty() {
            let _ = writeln!(text, "## {heading}\n");
            those.iter().for_each(|refused| {
                let _ = writeln!(text, "- {}: {}", plain(&refused.name), plain(refused.first_line()));
            });
            text.push('\n');
        }
    }
    if !withdrawn.is_empty() {
        text += "## Withdrawn since an earlier run\n\n";
        withdrawn.iter().for_each(|name| {
            let _ = writeln!(text, "- {}", plain(name));
        });
        text.push('\n');
    }
    let failed: Vec<(&Grade, &str)> =
        grades.iter().flat_map(|grade| failures(grade).map(move |why| (grade, why))).collect();
    if !failed.is_empty() {
        text += "## Not graded because the referee failed\n\nRun the same command again to retry.\n\n";
        for (grade, why) in failed {
            let _ = writeln!(text, "- {}: {}", plain(&grade.agent), plain(why));
        }
    }
    text
}

fn failures(grade: &Grade) -> impl Iterator<Item = &str> {
    let of_mark = |mark: &'_ Mark| mark.failed.is_some();
    let marks = grade.marks.iter().filter(move |mark| of_mark(mark)).filter_map(|mark| mark.failed.as_deref());
    grade.failed.as_deref().into_iter().chain(marks)
}

/// The questions, the hardest first.
fn hardest(text: &mut String, class: &ClassGrades) {
    let all = class.hardest();
    if all.is_empty() {
        return;
    }
    *text +=
        "## Questions, the hardest first\n\n| question | mean points | of | all points |\n| --- | --- | --- | --- |\n";
    for question in all {
        let AskedQuestion { name, of, graded, full, mean, .. } = &question;
        let _ = writeln!(text, "| {} | {mean:.2} | {of} | {full} of {graded} submissions |", plain(name));
    }
    text.push('\n');
}

/// Counts submissions by points, in tenths of the maximum.
fn distribution(text: &mut String, class: &ClassGrades) {
    // One bar per point if the maximum is below ten.
    let tenths = class.of.clamp(1, 10);
    let graded = class.grades.iter().filter(|grade| grade.state() == GRADED).map(|grade| grade.points);
    let refused = class.not_graded.iter().filter(|refused| !refused.is_machines).map(|_| 0);
    let mut points: Vec<u32> = graded.chain(refused).collect();
    if points.is_empty() {
        return;
    }
    points.sort_unstable();
    let mean = f64::from(points.iter().sum::<u32>()) / points.len() as f64;
    // The mean of the two middle values if the count is even.
    let middle = points.len() / 2;
    let median = f64::from(points[middle] + points[(points.len() - 1) / 2]) / 2.0;
    let _ =
        writeln!(text, "## Distribution\n\nMean {mean:.1}, median {median}, of {} submissions.\n\n```", points.len());
    for tenth in (0..tenths).rev() {
        let least = class.of * tenth / tenths;
        let most = if tenth + 1 == tenths { class.of } else { (class.of * (tenth + 1) / tenths).saturating_sub(1) };
        let count = points.iter().filter(|points| (least..=most).contains(points)).count();
        let _ = writeln!(text, "{:>9}  {count:>4}  {}", format!("{least}-{most}"), "#".repeat(count.min(80)));
    }
    text.push_str("```\n\n");
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A graded submission, an unfinished one, a refused one, and one that this machine cannot build.
    pub(in crate::exam::grade) fn class() -> ClassGrades {
        let grade = |agent: &str, points, is_finished| Grade {
            agent: agent.to_owned(),
            hash: String::new(),
            reference: "reference".to_owned(),
            seed: 7,
            tier: "rusage".to_owned(),
            points,
            of: 100,
            steps: 19,
            is_finished,
            notes: Vec::new(),
            failed: None,
            marks: Vec::new(),
        };
        let refused = |name: &str, is_machines| NotGraded {
            name: name.to_owned(),
            why: "homework.cpp: expected \"}\", \nline two".to_owned(),
            is_machines,
        };
        ClassGrades {
            course: "test".to_owned(),
            of: 100,
            seed: 7,
            grades: vec![grade("=cmd()", 55, true), grade("b|ob", 10, false)],
            not_graded: vec![refused("a,nn", false), refused("zed", true)],
            withdrawn: vec!["b_b".to_owned()],
            late: BTreeSet::from(["zed".to_owned()]),
        }
    }

    #[test]
    fn a_summary_counts_those_whose_points_are_known() {
        let text = summary(&class());
        assert!(text.starts_with("# test: 4 submissions, out of 100 points\n"), "{text}");
        for part in
            ["Mean 27.5, median 27.5, of 2 submissions", "    50-59     1  #\n", "      0-9     1  #\n", "b\\|ob"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
