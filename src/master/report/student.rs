//! A student's page: one file to mail, with every lost point, its board, and the games to step through.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::film::ShownGame;
use super::page::without_deceptive;
use super::student_review;
use super::text::cut;
use crate::exam::check::{Finding, ShownBoard};
use crate::exam::grade::{ExamPart, ExplainedMark, Grade, Mark, NotGraded, explained_marks};
use crate::record::GameRecord;
use crate::reviews::LostGames;
use kingline::checkers::Position;
use kingline::draw::{BOARD_CSS, BOARD_JS, Board, Drawing, Grid, Labels, SHAPES, compact};
use kingline_players::review::{REVIEW_CSS, Review, graph, page_head};

const STYLE: [&str; 3] = [BOARD_CSS, include_str!("assets/student.css"), REVIEW_CSS];
const SCRIPT: [&str; 2] = [BOARD_JS, include_str!("assets/student.js")];
/// Maximum number of characters of an agent's text in one place.
const MOST_TEXT: usize = 2000;

/// The page of a graded submission, with the student's pseudonym on pages that others may see. The seed is not on it,
/// since others may still be graded with it. Games with a review show it.
pub fn student_page(grade: &Grade, pseudonym: Option<&str>, reviews: &LostGames) -> String {
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

/// The page of a submission that cannot play.
pub fn page_of_refused(refused: &NotGraded, of: u32) -> String {
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

pub(super) fn framed(title: &str, main: &Markup) -> String {
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
                    @if let Some(review) = review { (student_review::section(review, agent, record)) }
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
