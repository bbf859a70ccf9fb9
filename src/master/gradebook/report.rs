//! Report for the student.

use std::fmt::Write;

use crate::exam::{ExamPart, ExplainedMark, Grade, Mark, explained_marks};
use crate::record::{GameRecord, Replay, Written, transcript};
use kingline::checkers::Position;
use kingline::draw::Paint;
use kingline::game::{Color, Game};
use kingline_players::terminal::{escaped_lines, is_deceptive};

/// The report on a grading, in Markdown: tables of all marks, explanations of lost points, and games that were not won,
/// as PDN.
pub(crate) fn markdown(grade: &Grade) -> String {
    // An earlier report is recognized by its first line, which ends in "points".
    let so_far = if grade.is_finished { "" } else { "not finished, so far " };
    let mut text = format!("# {}: {so_far}{} of {} points\n\n", plain(&grade.agent), grade.points, grade.of);
    if !grade.is_finished {
        let (done, steps) = (grade.marks.len(), grade.steps);
        let _ = writeln!(
            text,
            "**The exam was stopped after {done} of {steps} moves and games, and will continue later.**\n"
        );
    }
    let _ = writeln!(
        text,
        "Opponent: {}, seed {}. CPU time is measured by {}. The agent's files: `{}`.\n",
        plain(&grade.reference),
        grade.seed,
        grade.tier,
        grade.hash,
    );
    if let Some(error) = &grade.failed {
        let _ = writeln!(text, "Not graded, which is not the fault of the agent: {}\n", plain(error));
    }
    for note in &grade.notes {
        let _ = writeln!(text, "Before the first move: {}\n", plain(note));
    }
    for part in ExamPart::ALL {
        let title = part.heading();
        let marks: Vec<&Mark> = grade.marks.iter().filter(|mark| mark.part == part).collect();
        if part == ExamPart::Threshold && marks.is_empty() {
            continue;
        }
        let of: u32 = marks.iter().map(|mark| mark.of).sum();
        let _ = writeln!(text, "## {title}: {} of {of} points\n", grade.points_of(part));
        text += "| | asked | points | result | CPU time |\n| --- | --- | --- | --- | --- |\n";
        for mark in &marks {
            let Mark { number, points, of, .. } = mark;
            let (title, result, cpu) = (plain(&mark.title), plain(&mark.result), mark.spent.cpu.as_secs_f64());
            let _ = writeln!(text, "| {number} | {title} | {points}/{of} | {result} | {cpu:.3} s |");
        }
        text.push('\n');
        explained_marks(&marks).iter().for_each(|explained| explain(&mut text, explained));
    }
    text
}

/// Explains a mark below the table, if there is anything to explain.
fn explain(text: &mut String, explained: &ExplainedMark) {
    let mark = explained.mark;
    if mark.explanation().is_none() {
        return;
    }
    let _ = writeln!(text, "### {}\n", plain(&mark.heading()));
    for note in &mark.notes {
        let _ = writeln!(text, "Note, not a fault: {}\n", plain(note));
    }
    if let Some(error) = &mark.failed {
        let _ = writeln!(text, "Not graded, which is not the fault of the agent: {}\n", plain(error));
    }
    if let (Some(lost), None) = (&mark.lost, explained.same_as) {
        fence(text, "", &lost.in_words(Paint::Plain));
    }
    let elsewhere = explained.elsewhere();
    if !elsewhere.is_empty() {
        let _ = writeln!(text, "{elsewhere}\n");
    }
    if mark.lost.is_some() {
        for (number, record) in (1..).zip(&mark.records) {
            if mark.part == ExamPart::Threshold {
                let _ = writeln!(text, "Game {number} of the threshold, {}:\n", plain(&record.names.join(" against ")));
            }
            for (number, side, mv) in last_turns(record).ok().into_iter().flatten() {
                let _ = writeln!(text, "- turn {number}, {side}: {mv}");
            }
            if let Ok(game) = transcript::write(record) {
                text.push_str("\nThe game as PDN, which numbers the squares from b8 (1) to g1 (32):\n\n");
                fence(text, "pdn", &game);
            }
        }
    }
}

/// The last turns of a game: number, side, and the move as squares and as numbers.
fn last_turns(record: &GameRecord) -> anyhow::Result<Vec<(usize, Color, String)>> {
    const SHOWN: usize = 6;
    let Replay { positions, moves } = Replay::<Position>::of(record)?;
    let turns = positions.iter().zip(&moves).enumerate();
    let shown = turns.map(|(index, (position, &mv))| (index + 1, position.turn(), position.with_record(mv)));
    Ok(shown.skip(moves.len().saturating_sub(SHOWN)).collect())
}

/// Adds a block of verbatim text that the agent's own text cannot close.
pub(super) fn fence(text: &mut String, language: &str, content: &str) {
    let longest = content.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(text, "{fence}{language}\n{}\n{fence}\n", escaped_lines(content.trim_end()));
}

/// Joins a text into one line, escaped for Markdown and HTML.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '\n' | '\r' | '\t' => plain.push(' '),
            '<' => plain += "&lt;",
            '&' => plain += "&amp;",
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '#' => plain.extend(['\\', letter]),
            // The backslash of the escape needs one in Markdown.
            _ if is_deceptive(letter) => plain.extend(['\\'].into_iter().chain(letter.escape_default())),
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_agents_is_escaped_and_fenced() {
        assert_eq!(plain("<b>|*x*\n\u{202e}"), "&lt;b>\\|\\*x\\* \\\\u{202e}");
        let mut text = String::new();
        fence(&mut text, "", "a ```` b\n\u{1b}c\td\n");
        assert_eq!(text, "`````\na ```` b\n\\u{1b}c\td\n`````\n\n");
    }
}
