//! The page of a class that everyone may see: a leaderboard and the questions, with pseudonyms and without the seed.

use maud::{Markup, html};

use super::student::framed;
use crate::exam::grade::{ClassGrades, ExamPart, Grade, Pseudonyms};

/// A line of the leaderboard.
struct Line<'a> {
    pseudonym: &'a str,
    grade: &'a Grade,
}

/// The page of a class. Submissions without points yet are only counted, and no reason is given why one cannot play.
pub fn class_page(class: &ClassGrades, pseudonyms: &Pseudonyms) -> String {
    let known = class.grades.iter().filter(|grade| grade.is_known());
    let named = known.filter_map(|grade| Some(Line { pseudonym: pseudonyms.of(&grade.agent)?, grade }));
    let mut lines: Vec<Line> = named.collect();
    // The order of equal points must not be that of the names.
    lines.sort_by(|a, b| b.grade.points.cmp(&a.grade.points).then(a.pseudonym.cmp(b.pseudonym)));
    let refused = class.not_graded.iter().filter(|refused| !refused.is_machines).count();
    let waiting = class.grades.len() - lines.len() + class.not_graded.len() - refused;
    let main = html! {
        p {
            (lines.len()) " of " (class.grades.len() + class.not_graded.len()) " submissions are graded, out of " (class.of)
            " points."
            @if refused > 0 { " " (refused) " cannot play, and have 0 points." }
            @if waiting > 0 { " " (waiting) " are not graded yet." }
            " Names are pseudonyms."
        }
        section { h2 { "Leaderboard" } (leaderboard(&lines)) }
        section { h2 { "Questions, the hardest first" } (questions(class)) }
    };
    framed(&format!("{}: leaderboard", class.course), &main)
}

fn leaderboard(lines: &[Line]) -> Markup {
    let has_thresholds = lines.iter().flat_map(|line| &line.grade.marks).any(|mark| mark.part == ExamPart::Threshold);
    let parts = if has_thresholds { &ExamPart::ALL[..] } else { &ExamPart::ALL[..2] };
    // Equal points share the better place.
    let place = |points: u32| 1 + lines.iter().filter(|line| line.grade.points > points).count();
    html! {
        div .scroll tabindex="0" role="region" aria-label="Leaderboard in a table" {
            table {
                thead { tr {
                    th .n scope="col" { "Place" } th scope="col" { "Pseudonym" } th .n scope="col" { "Points" }
                    @for part in parts { th .n scope="col" { (part.heading()) } }
                    th .n scope="col" { "CPU, s" }
                } }
                tbody { @for Line { pseudonym, grade } in lines {
                    tr {
                        td .n { (place(grade.points)) } th scope="row" { (pseudonym) } td .n { (grade.points) }
                        @for &part in parts { td .n { (grade.points_of(part)) } }
                        td .n { (format!("{:.1}", grade.cpu().as_secs_f64())) }
                    }
                } }
            }
        }
    }
}

fn questions(class: &ClassGrades) -> Markup {
    html! {
        div .scroll tabindex="0" role="region" aria-label="Questions in a table" {
            table {
                thead { tr {
                    th scope="col" { "Question" } th .n scope="col" { "Mean points" } th .n scope="col" { "Of" }
                    th .n scope="col" { "All points" }
                } }
                tbody { @for question in class.hardest() {
                    tr {
                        th scope="row" { (question.name) } td .n { (format!("{:.2}", question.mean)) }
                        td .n { (question.of) } td .n { (question.full) " of " (question.graded) }
                    }
                } }
            }
        }
    }
}
