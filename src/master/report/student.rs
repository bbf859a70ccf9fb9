//! The pages of a class: for each student one file to mail, with every lost point, its board, and the games to step through;
//! for everyone a leaderboard and the questions, with pseudonyms and without the seed.

use std::cmp::Reverse;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::film::ShownGame;
use super::names::cut;
use super::page::without_deceptive;
use crate::check::{Finding, ShownBoard};
use crate::exam::{ExamPart, ExplainedMark, Grade, Mark, explained_marks};
use crate::gradebook::{ClassGrades, NotGraded, Pseudonyms};
use crate::record::GameRecord;
use crate::reviews::LostGames;
use kingline::checkers::Position;
use kingline::draw::{BOARD_CSS, BOARD_JS, Board, Drawing, Grid, Labels, SHAPES, compact};
use kingline::game::Color;
use kingline_players::review::{
    Mark as MoveMark, REVIEW_CSS, Review, ReviewedMove, accuracy_in_words, comment, decisive_move, graph, page_head,
};

const STYLE: [&str; 3] = [BOARD_CSS, include_str!("assets/student.css"), REVIEW_CSS];
const SCRIPT: [&str; 2] = [BOARD_JS, include_str!("assets/student.js")];
/// Maximum number of characters of an agent's text in one place.
const MOST_TEXT: usize = 2000;

/// The page of a graded submission, with the student's pseudonym on pages that others may see. The seed is not on it,
/// since others may still be graded with it. Games with a review show it.
pub(crate) fn student_page(grade: &Grade, pseudonym: Option<&str>, reviews: &LostGames) -> String {
    let so_far = if grade.is_finished { "" } else { "not finished, so far " };
    let title = format!("{}: {so_far}{} of {} points", grade.agent, grade.points, grade.of);
    let main = html! {
        p { "Opponent: " (grade.reference) ". CPU time is measured by " (grade.tier) "." }
        @if let Some(pseudonym) = pseudonym { p { "On the leaderboard you are " strong { (pseudonym) } "." } }
        @if let Some(failed) = &grade.failed { p .bad { "Not graded, which is not your fault: " (failed) } }
        @for note in &grade.notes { (remark("Before the first move: ", note)) }
        @for part in ExamPart::ALL { (part_of(grade, part, reviews)) }
    };
    framed(&title, &main)
}

pub(crate) fn page_of_refused(refused: &NotGraded, of: u32) -> String {
    let (points, blame) = match refused.is_machines {
        true => (
            "not graded yet; at most",
            "This is not your fault: the machine lacks something. You will be graded later. The reason:",
        ),
        false => ("0 of", "The program cannot play:"),
    };
    let main = html! { p { (blame) } pre { (cut(&refused.why, MOST_TEXT)) } };
    framed(&format!("{}: {points} {of} points", refused.name), &main)
}

fn framed(title: &str, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (page_head(title))
                style { (PreEscaped(STYLE.concat())) }
            }
            body {
                (PreEscaped(SHAPES))
                main { h1 { (title) } (main) }
                script { (PreEscaped(SCRIPT.concat())) }
            }
        }
    };
    without_deceptive(&page.into_string())
}

/// A table of the marks of one part, and an explanation of each that has something to explain.
fn part_of(grade: &Grade, part: ExamPart, reviews: &LostGames) -> Markup {
    let title = part.heading();
    let marks: Vec<&Mark> = grade.marks.iter().filter(|mark| mark.part == part).collect();
    if part == ExamPart::Threshold && marks.is_empty() {
        return html! {};
    }
    let of: u32 = marks.iter().map(|mark| mark.of).sum();
    html! {
        section {
            h2 { (title) ": " (grade.points_of(part)) " of " (of) " points" }
            div .scroll tabindex="0" role="region" aria-label={ (title) " in a table" } {
                table {
                    thead { tr {
                        th scope="col" { "No." } th scope="col" { "Asked" } th .n scope="col" { "Points" }
                        th scope="col" { "Result" } th .n scope="col" { "CPU, s" }
                    } }
                    tbody { @for mark in &marks {
                        tr {
                            th scope="row" { (mark.number) } td { (mark.title) }
                            td .n { (mark.points) "/" (mark.of) } td { (cut(&mark.result, MOST_TEXT)) }
                            td .n { (format!("{:.3}", mark.spent.cpu.as_secs_f64())) }
                        }
                    } }
                }
            }
            @for mark in explained_marks(&marks) { (explained(&mark, &grade.agent, reviews)) }
        }
    }
}

fn explained(explained: &ExplainedMark, agent: &str, reviews: &LostGames) -> Markup {
    let mark = explained.mark;
    let id = format!("{}-{}", mark.part.word(), mark.number);
    let elsewhere = explained.elsewhere();
    html! {
        article {
            h3 { (mark.heading()) }
            @if explained.same_as.is_none() {
                @if let Some(failed) = &mark.failed { p .bad { "Not graded, which is not your fault: " (failed) } }
                @for note in &mark.notes { (remark("Note, not a fault: ", note)) }
                @if let Some(lost) = &mark.lost { (lost_points(lost, &id, !mark.records.is_empty())) }
            } @else if let Some(lost) = &mark.lost { p { (lost.asked) } p .bad { (lost.wrong) } }
            @if !elsewhere.is_empty() { p { (elsewhere) } }
            @for (id, record) in mark.games() {
                @if mark.part == ExamPart::Threshold { p { (record.names[0]) " against " (record.names[1]) } }
                @let review = reviews.get(&id).filter(|review| !review.moves.is_empty());
                div .reviewed {
                    (game(record, &id, review))
                    @if let Some(review) = review { (review_section(review, agent, record)) }
                }
            }
        }
    }
}

/// A remark, with the output of a program on lines of its own.
fn remark(what: &str, text: &str) -> Markup {
    let text = cut(text, MOST_TEXT);
    let (first, lines) = text.split_once('\n').unwrap_or((&text, ""));
    html! {
        p { (what) (first) }
        @if !lines.is_empty() { pre { (lines) } }
    }
}

/// The request, the answer and the expected answer; with the board, unless the game below shows it.
fn lost_points(lost: &Finding, id: &str, has_game: bool) -> Markup {
    html! {
        p { (lost.asked) }
        @if let (Some(ShownBoard::Checkers(position)), false) = (&lost.shown, has_game) {
            (single_board(position, id))
            p { (ShownBoard::Checkers(*position).turn()) " to move; legal: " (ShownBoard::Checkers(*position).legal().join(", ")) }
        }
        @if !lost.wrong.is_empty() { p .bad { (lost.wrong) } }
        dl {
            @for (what, words) in [("read", &lost.read), ("expected", &lost.expected)] {
                @if !words.is_empty() { dt { (what) } dd { pre { (cut(words, MOST_TEXT)) } } }
            }
        }
    }
}

fn single_board(position: &Position, id: &str) -> Markup {
    let grid = Grid { size: Position::SIZE, labels: Labels::FromBottom };
    let board = compact(position);
    let drawing = Drawing { grid, id: &format!("{id}-board"), label: "The board", board: &board, mv: None };
    html! { figure { (PreEscaped(drawing.to_string())) } }
}

/// A game to step through; without scripts, its last board.
fn game(record: &GameRecord, id: &str, review: Option<&Review>) -> Markup {
    let shown = match ShownGame::of(record) {
        Ok(shown) => shown,
        Err(error) => return html! { p .bad { "The board cannot be shown: " (format!("{error:#}")) } },
    };
    let moved = record.turns.iter().filter(|turn| turn.mv.is_some());
    let clocks: Vec<String> = moved
        .map(|turn| {
            let left = turn.left.map_or_else(String::new, |left| format!(", {:.2} s left", left.as_secs_f64()));
            format!("{:.3} s{left}", turn.spent.cpu.as_secs_f64())
        })
        .collect();
    let (board, mv) = (shown.boards.last().map_or("", String::as_str), shown.moves.last().map(String::as_str));
    let drawing = Drawing { grid: shown.grid, id: &format!("{id}-board"), label: "The board at the end", board, mv };
    html! {
        figure .game data-boards=(shown.boards.join(" ")) data-moves=(shown.moves.join("|")) data-clocks=(clocks.join("|"))
            data-first=(shown.first.to_string()) data-random=(record.opening.len()) {
            (PreEscaped(drawing.to_string()))
            figcaption aria-live="polite" { "The end" }
            div .steps role="group" aria-label="Step through the game" hidden {
                button type="button" data-go="first" aria-label="To the start" { "|◀" }
                button type="button" data-go="back" aria-label="One turn back" { "◀" }
                button type="button" data-go="on" aria-label="One turn forward" { "▶" }
                button type="button" data-go="last" aria-label="To the end" { "▶|" }
            }
            @if let Some(review) = review { (graph(review)) }
        }
    }
}

/// A submission on the leaderboard: its pseudonym and its grade.
type Line<'a> = (&'a str, &'a Grade);

/// The page of a class. Submissions without points yet are only counted, and no reason is given why one cannot play.
pub(crate) fn class_page(class: &ClassGrades, pseudonyms: &Pseudonyms) -> String {
    let known = class.grades.iter().filter(|grade| grade.is_known());
    let named = known.filter_map(|grade| Some((pseudonyms.of(&grade.agent)?, grade)));
    let mut lines: Vec<Line> = named.collect();
    // The order of equal points must not be that of the names.
    lines.sort_by_key(|&(pseudonym, grade)| (Reverse(grade.points), pseudonym));
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
    let has_thresholds = lines.iter().any(|(_, grade)| grade.has_thresholds());
    let parts = if has_thresholds { &ExamPart::ALL[..] } else { &ExamPart::ALL[..2] };
    // Equal points share the better place.
    let place = |points: u32| 1 + lines.iter().filter(|(_, grade)| grade.points > points).count();
    html! {
        div .scroll tabindex="0" role="region" aria-label="Leaderboard in a table" {
            table {
                thead { tr {
                    th .n scope="col" { "Place" } th scope="col" { "Pseudonym" } th .n scope="col" { "Points" }
                    @for part in parts { th .n scope="col" { (part.heading()) } }
                    th .n scope="col" { "CPU, s" }
                } }
                tbody { @for (pseudonym, grade) in lines {
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

/// Maximum number of moves that are explained, so that ten games fit into a page that can be mailed.
const EXPLAINED: usize = 8;

/// The turning point, the accuracy of both sides, and the student's worst moves with better lines. `agent` is the
/// student's name in the record.
fn review_section(review: &Review, agent: &str, record: &GameRecord) -> Markup {
    let [black, white] = review.accuracy.map(accuracy_in_words);
    let faults = worst(review, agent, record);
    html! {
        @if let (Some(index), Some(sentence)) = (review.turning_point, decisive_move(review)) {
            p .turning-point { "Turn " (index + 1) ": " (sentence) }
        }
        p { "By the engine's review, the accuracy is " (black) " for Black and " (white) " for White." }
        @if !faults.is_empty() {
            p { "Moves that lost the most chances:" }
            ul .faults {
                @for (index, mv) in faults {
                    li data-turn=(index + 1) {
                        span .turn.(MoveMark::class(mv.mark)) { "Turn " (index + 1) ": " (mv.mv) (mv.mark.map_or("", MoveMark::sign)) }
                        (comment(mv))
                    }
                }
            }
        }
    }
}

/// The student's worst moves with their indexes, in order.
fn worst<'a>(review: &'a Review, agent: &str, record: &GameRecord) -> Vec<(usize, &'a ReviewedMove)> {
    let is_own = |side: Color| record.names[side.index()] == agent;
    let moves = review.moves.iter().enumerate();
    let mut faults: Vec<(usize, &ReviewedMove)> =
        moves.filter(|(_, mv)| is_own(mv.side) && mv.mark.is_some_and(MoveMark::is_fault)).collect();
    faults.sort_by(|(_, one), (_, other)| other.loss.total_cmp(&one.loss));
    faults.truncate(EXPLAINED);
    faults.sort_by_key(|&(index, _)| index);
    faults
}
