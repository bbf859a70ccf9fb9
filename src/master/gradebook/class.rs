//! The grades of a class: a gradebook, a summary for the staff, and a table for a terminal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use serde::Serialize;

use super::report::plain;
use crate::csv;
use crate::exam::{ExamPart, Grade, Mark};
use crate::intake::agent::Refused;
use kingline_players::terminal::{escaped, escaped_path};

/// The grades of a class: the output of `master grade FOLDER --json` with a folder of submissions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct ClassGrades {
    /// Name of the course.
    pub(crate) course: String,
    /// Maximum number of points.
    pub(crate) of: u32,
    /// Seed of the exam.
    pub(crate) seed: u64,
    /// Submissions whose grading has begun or finished, by name.
    pub(crate) grades: Vec<Grade>,
    /// Submissions that cannot play, by name.
    pub(crate) not_graded: Vec<NotGraded>,
    /// Names of submissions that were in the class in an earlier run.
    pub(crate) withdrawn: Vec<String>,
    /// Names of submissions that were handed in late, as the names of their files say.
    pub(crate) late: BTreeSet<String>,
}

/// A submission that cannot play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct NotGraded {
    /// Its name, safe for a terminal and for a file.
    pub(crate) name: String,
    /// The reason.
    pub(crate) why: String,
    /// True if this machine is to blame: then it has no points yet. Otherwise it has zero points.
    pub(crate) is_machines: bool,
}

struct Row<'a> {
    name: &'a str,
    /// Points so far; `None` if it was not graded on this machine.
    points: Option<u32>,
    grade: Option<&'a Grade>,
    state: &'static str,
    /// First line of the reason why it cannot play.
    why: &'a str,
}

/// A question that a class was asked: a single move or a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AskedQuestion {
    /// Its name in columns: `move 3: a jump`, `game 2: white, 9 s`.
    pub(crate) name: String,
    pub(crate) of: u32,
    /// Number of submissions whose answer is graded.
    pub(crate) graded: usize,
    /// Number of those with all points.
    pub(crate) full: usize,
    pub(crate) mean: f64,
    place: (ExamPart, usize),
}

impl NotGraded {
    pub(crate) fn of(refused: &Refused) -> NotGraded {
        let name = escaped_path(Path::new(&refused.name));
        NotGraded { name, why: refused.why.to_string(), is_machines: refused.why.is_machines() }
    }

    fn row(&self) -> Row<'_> {
        let (points, state) = match self.is_machines {
            true => (None, "not graded: this machine lacks something"),
            false => (Some(0), "cannot play"),
        };
        Row { name: &self.name, points, grade: None, state, why: self.why.lines().next().unwrap_or_default() }
    }
}

impl ClassGrades {
    /// Submissions that were graded, then those that cannot play.
    fn rows(&self) -> Vec<Row<'_>> {
        let graded = self.grades.iter().map(|grade| Row {
            name: &grade.agent,
            points: Some(grade.points),
            grade: Some(grade),
            state: grade.state(),
            why: "",
        });
        graded.chain(self.not_graded.iter().map(NotGraded::row)).collect()
    }

    fn rows_by_name(&self) -> Vec<Row<'_>> {
        let mut rows = self.rows();
        rows.sort_by_key(|row| row.name);
        rows
    }

    fn questions(&self) -> Vec<AskedQuestion> {
        let mut marks: BTreeMap<(ExamPart, usize), Vec<&Mark>> = BTreeMap::new();
        for mark in self.grades.iter().filter(|grade| grade.is_known()).flat_map(|grade| &grade.marks) {
            marks.entry((mark.part, mark.number)).or_default().push(mark);
        }
        let question = |(place, marks): ((ExamPart, usize), Vec<&Mark>)| {
            let sum: u32 = marks.iter().map(|mark| mark.points).sum();
            AskedQuestion {
                name: marks[0].name(),
                of: marks[0].of,
                graded: marks.len(),
                full: marks.iter().filter(|mark| mark.points == mark.of).count(),
                mean: f64::from(sum) / marks.len() as f64,
                place,
            }
        };
        marks.into_iter().map(question).collect()
    }

    pub(crate) fn hardest(&self) -> Vec<AskedQuestion> {
        let mut all = self.questions();
        let share = |question: &AskedQuestion| question.mean / f64::from(question.of.max(1));
        all.sort_by(|a, b| share(a).total_cmp(&share(b)));
        all
    }

    /// Points of all submissions, for a terminal.
    pub(crate) fn table(&self) -> String {
        let rows = self.rows_by_name();
        let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or_default().min(40);
        let line = |row: &Row| {
            let points = match (row.grade, row.points) {
                (Some(grade), _) if !grade.is_finished => format!("{:>4} of {}, so far", grade.points, grade.of),
                (Some(grade), _) => format!("{:>4} of {}", grade.points, grade.of),
                (None, Some(points)) => format!("{points:>4} of {}  {}", self.of, row.why),
                (None, None) => format!("   -  {}", row.why),
            };
            format!("{:width$}  {points}\n", escaped(row.name))
        };
        rows.iter().map(line).collect()
    }

    /// The gradebook as CSV (RFC 4180), one line per submission, sorted by name: points if known, CPU seconds, faults, peak
    /// memory of a turn in MiB, whether it was late, and the points of each question. Text that a spreadsheet would
    /// evaluate as a formula gets a leading apostrophe.
    pub(crate) fn gradebook(&self) -> String {
        let questions = self.questions();
        let head = ["submission", "points", "moves", "games", "of", "seconds", "faults", "memory_mib", "state", "late"];
        let mut text = csv::line(head.into_iter().chain(questions.iter().map(|question| &*question.name)));
        for row in self.rows_by_name() {
            let shown = |points: Option<u32>| points.map_or_else(String::new, |points| points.to_string());
            let known = row.points.filter(|_| row.grade.is_none_or(Grade::is_known));
            // One that cannot play has no points in any part.
            let part = |part| shown(known.map(|points| row.grade.map_or(points, |grade| grade.points_of(part))));
            let used = row.grade.map_or_else(Default::default, |grade| {
                let memory = grade.marks.iter().filter_map(|mark| mark.peak?.memory).max();
                let memory = memory.map_or_else(String::new, |bytes| bytes.div_ceil(1 << 20).to_string());
                [format!("{:.2}", grade.cpu().as_secs_f64()), grade.faults().count().to_string(), memory]
            });
            let state = if row.grade.is_some() { row.state.to_owned() } else { format!("{}: {}", row.state, row.why) };
            let late = if self.late.contains(row.name) { "late" } else { "" };
            let mut fields = vec![row.name.to_owned(), shown(known), part(ExamPart::Move), part(ExamPart::Game)];
            fields.push(self.of.to_string());
            fields.extend(used);
            fields.extend([state, late.to_owned()]);
            fields.extend(questions.iter().map(|question| match row.grade {
                Some(grade) => shown(question.points(grade)),
                None => shown(row.points),
            }));
            text += &csv::line(fields.iter().map(String::as_str));
        }
        text
    }

    /// The summary for the staff, in Markdown: all points, their distribution, faults by kind, and ungraded submissions.
    pub(crate) fn summary(&self) -> String {
        let ClassGrades { course, of, seed, grades, not_graded, withdrawn, .. } = self;
        // An earlier summary is recognized by its first line, which ends in "points".
        let all = grades.len() + not_graded.len();
        let mut text = format!("# {}: {all} submissions, out of {of} points\n\n", plain(course));
        let first = grades.first();
        let tier = first.map_or_else(String::new, |grade| format!(" CPU time is measured by {}.", plain(&grade.tier)));
        let opponent = first.map_or_else(String::new, |grade| format!(" Opponent: {}.", plain(&grade.reference)));
        let _ = writeln!(text, "Seed {seed}.{opponent}{tier}\n");
        let parts = if grades.iter().any(Grade::has_thresholds) { &ExamPart::ALL[..] } else { &ExamPart::ALL[..2] };
        let columns: String = parts.iter().map(|part| format!(" {}s |", part.word())).collect();
        let dashes = " --- |".repeat(parts.len() + 5);
        let _ = writeln!(text, "| submission | points |{columns} faults | CPU time | state |\n|{dashes}");
        for Row { name, points, grade, state, .. } in self.rows() {
            let points = points.map_or_else(String::new, |points| points.to_string());
            let details = grade.map_or_else(
                || " |".repeat(parts.len() + 2),
                |grade| {
                    let by_part: String = parts.iter().map(|&part| format!(" {} |", grade.points_of(part))).collect();
                    format!("{by_part} {} | {:.1} s |", grade.faults().count(), grade.cpu().as_secs_f64())
                },
            );
            let _ = writeln!(text, "| {} | {points} |{details} {state} |", plain(name));
        }
        text.push('\n');
        self.add_distribution(&mut text);
        self.add_hardest(&mut text);
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
        let refused = |is_machines| {
            let those = not_graded.iter().filter(move |refused| refused.is_machines == is_machines);
            those.map(|refused| format!("{}: {}", plain(&refused.name), plain(refused.row().why))).collect()
        };
        let failed = grades.iter().flat_map(|grade| {
            let marks = grade.marks.iter().filter_map(|mark| mark.failed.as_ref());
            grade.failed.iter().chain(marks).map(|why| format!("{}: {}", plain(&grade.agent), plain(why)))
        });
        let lists: [(&str, Vec<String>); 4] = [
            ("Cannot play", refused(false)),
            ("Not graded because of this machine", refused(true)),
            ("Withdrawn since an earlier run", withdrawn.iter().map(|name| plain(name)).collect()),
            ("Not graded because the referee failed\n\nRun the same command again to retry.", failed.collect()),
        ];
        for (heading, lines) in lists.iter().filter(|(_, lines)| !lines.is_empty()) {
            let _ = writeln!(text, "## {heading}\n\n- {}\n", lines.join("\n- "));
        }
        text
    }

    fn add_hardest(&self, text: &mut String) {
        let all = self.hardest();
        if all.is_empty() {
            return;
        }
        *text += "## Questions, the hardest first\n\n| question | mean points | of | all points |\n| --- | --- | --- | --- |\n";
        for question in all {
            let AskedQuestion { name, of, graded, full, mean, .. } = &question;
            let _ = writeln!(text, "| {} | {mean:.2} | {of} | {full} of {graded} submissions |", plain(name));
        }
        text.push('\n');
    }

    /// Counts submissions by points, in tenths of the maximum.
    fn add_distribution(&self, text: &mut String) {
        // One bar per point if the maximum is below ten.
        let tenths = self.of.clamp(1, 10);
        let known = self.rows().into_iter().filter(|row| row.grade.is_none_or(Grade::is_known));
        let mut points: Vec<u32> = known.filter_map(|row| row.points).collect();
        if points.is_empty() {
            return;
        }
        points.sort_unstable();
        let mean = f64::from(points.iter().sum::<u32>()) / points.len() as f64;
        // The mean of the two middle values if the count is even.
        let middle = points.len() / 2;
        let median = f64::from(points[middle] + points[(points.len() - 1) / 2]) / 2.0;
        let _ = writeln!(
            text,
            "## Distribution\n\nMean {mean:.1}, median {median}, of {} submissions.\n\n```",
            points.len()
        );
        for tenth in (0..tenths).rev() {
            let least = self.of * tenth / tenths;
            let most = if tenth + 1 == tenths { self.of } else { (self.of * (tenth + 1) / tenths).saturating_sub(1) };
            let count = points.iter().filter(|points| (least..=most).contains(points)).count();
            let _ = writeln!(text, "{:>9}  {count:>4}  {}", format!("{least}-{most}"), "#".repeat(count.min(80)));
        }
        text.push_str("```\n\n");
    }
}

impl AskedQuestion {
    fn points(&self, grade: &Grade) -> Option<u32> {
        let own = grade.marks.iter().find(|mark| (mark.part, mark.number) == self.place && mark.failed.is_none());
        own.map(|mark| mark.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graded submission, an unfinished one, a refused one, and one that this machine cannot build.
    fn class() -> ClassGrades {
        let grade = |agent: &str, points, is_finished| Grade {
            agent: agent.to_owned(),
            points,
            of: 100,
            is_finished,
            ..Grade::default()
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
        let text = class().summary();
        assert!(text.starts_with("# test: 4 submissions, out of 100 points\n"), "{text}");
        for part in
            ["Mean 27.5, median 27.5, of 2 submissions", "    50-59     1  #\n", "      0-9     1  #\n", "b\\|ob"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn a_gradebook_has_a_line_per_submission_and_no_formula() {
        let text = class().gradebook();
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
