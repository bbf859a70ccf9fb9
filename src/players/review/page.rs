//! Reviews as a page for a browser, and the parts of it that other pages use.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::graph::{graph, mark_class};
use super::mark::Mark;
use super::player::{MarkCounts, PlayerSummary, TypicalMistake, player};
use super::reviewed::{Review, ReviewedMove};
use super::words;
use kingline::draw::{BOARD_CSS, BOARD_JS, Drawing, SHAPES};
use kingline::game::Color;

/// Style sheet of reviews; comes after [`BOARD_CSS`] and takes its colors from the page's custom properties.
pub const REVIEW_CSS: &str = include_str!("review.css");
/// Script of reviews: steps through their moves. Comes after [`BOARD_JS`].
pub(crate) const REVIEW_JS: &str = include_str!("review.js");
/// Style sheet of a page with reviews alone; comes before [`REVIEW_CSS`].
pub(crate) const REVIEW_PAGE_CSS: &str = include_str!("page.css");

/// A page with all reviews, and the summaries of a player in front of them, in one file.
pub(super) fn page(reviews: &[&Review], summaries: &[PlayerSummary]) -> String {
    let title = match reviews {
        [one] => words::title(one),
        many => format!("{} games reviewed", many.len()),
    };
    let main = html! {
        @for (number, summary) in (1..).zip(summaries) {
            section aria-labelledby={ "player" (number) } {
                h2 id={ "player" (number) } { (summary.name) }
                (player(summary, summary.game.grid(), &format!("player{number}-board"), &address))
            }
        }
        @if reviews.len() > 1 { (contents(reviews)) }
        @for (number, review) in (1..).zip(reviews) {
            @if reviews.len() > 1 { h2 id={ "game" (number) } { (number) ". " (words::title(review)) } }
            (section(review, number))
        }
    };
    document(&title, &main, &[BOARD_JS, REVIEW_JS])
}

/// Elements in the head of every page.
pub fn page_head(title: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        meta name="referrer" content="no-referrer";
        title { (title) }
        link rel="icon" href="data:,";
    }
}

/// A page with this title and content, in one file.
pub(super) fn document(title: &str, main: &Markup, scripts: &[&str]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (page_head(title))
                style { (PreEscaped(BOARD_CSS)) (PreEscaped(REVIEW_PAGE_CSS)) (PreEscaped(REVIEW_CSS)) }
            }
            body {
                (PreEscaped(SHAPES))
                main { h1 { (title) } (main) }
                script { @for script in scripts { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string()
}

/// Address of a mistake on the page, and the name of its place.
fn address(mistake: &TypicalMistake) -> (String, String) {
    (format!("#g{}m{}", mistake.game, mistake.index + 1), format!("Game {}, {}", mistake.game, mistake.number))
}

/// Links to the games.
fn contents(reviews: &[&Review]) -> Markup {
    html! {
        nav aria-label="Games" {
            ol { @for (number, review) in (1..).zip(reviews) { li { a href={ "#game" (number) } { (words::title(review)) } } } }
        }
    }
}

/// A reviewed game: board and graph beside the moves. `number` tells it from others on the page.
pub fn section(review: &Review, number: usize) -> Markup {
    html! {
        div .review data-number=(number) {
            (summary(review))
            div .review-parts {
                section .review-stage aria-label="Board" { (stage(review, number)) (graph(review)) }
                section .review-log aria-label="Moves" { (moves(review, number)) }
            }
        }
    }
}

/// The turning point, and the table of both sides.
pub fn summary(review: &Review) -> Markup {
    html! {
        @if let Some(sentence) = words::turning_point(review) { p .turning-point { (sentence) } }
        @if let Some(broken) = &review.broken { p .broken { "The record ends with an error: " (broken) } }
        (sides(review))
    }
}

/// The table of both sides: accuracy and marks.
pub fn sides(review: &Review) -> Markup {
    html! {
        table .sides {
            thead {
                tr {
                    th scope="col" { "Side" }
                    th .n scope="col" { "Accuracy" }
                    @for name in ["Inaccuracies", "Mistakes", "Blunders"] { th .n scope="col" { (name) } }
                }
            }
            tbody {
                @for side in Color::ALL {
                    tr {
                        th scope="row" { (side) @if !review.players[side.index()].is_empty() { ": " (review.players[side.index()]) } }
                        td .n { (words::accuracy(review.accuracy[side.index()])) }
                        @for number in MarkCounts::of(review, side).numbers() { td .n { (number) } }
                    }
                }
            }
        }
    }
}

/// The board at the turning point, or at the end, with buttons for the script.
fn stage(review: &Review, number: usize) -> Markup {
    let shown = review.turning_point.or_else(|| review.moves.len().checked_sub(1));
    let after = |index: usize| review.moves.get(index + 1).map_or(&review.last_board, |next| &next.board);
    let (board, mv) = shown.map_or((&review.last_board, None), |index| (after(index), Some(&review.moves[index])));
    let label = mv.map_or_else(String::new, |mv| format!("The board after {}", mv.path));
    let id = format!("board{number}");
    let drawing =
        Drawing { grid: review.game.grid(), id: &id, label: &label, board, mv: mv.map(|mv| mv.path.as_str()) };
    html! {
        figure { (PreEscaped(drawing.to_string())) }
        div .review-steps role="group" aria-label="Step through the game" hidden {
            @for (go, name, sign) in [
                ("first", "To the start", "|◀"), ("back", "One move back", "◀"),
                ("on", "One move forward", "▶"), ("last", "To the end", "▶|"), ("fault", "To the next fault", "?▶"),
            ] {
                button type="button" data-go=(go) aria-label=(name) { (sign) }
            }
        }
        p .review-comment aria-live="polite" {}
    }
}

/// All moves in order, with comments on the marked ones.
fn moves(review: &Review, number: usize) -> Markup {
    let start = review.moves.first().map_or(&review.last_board, |first| &first.board);
    html! {
        ol .review-moves tabindex="0" data-start=(start) {
            @for (index, mv) in review.moves.iter().enumerate() {
                @let after = review.moves.get(index + 1).map_or(&review.last_board, |next| &next.board);
                li .(mark_class(mv.mark)) id={ "g" (number) "m" (index + 1) } data-board=(after) data-path=(mv.path) {
                    span .number { (review.number(index)) } " "
                    span .move { (mv.mv) (mv.mark.map_or("", Mark::sign)) } " "
                    span .chances-now { (of_black(mv)) }
                    (comment(mv))
                }
            }
        }
    }
}

/// Black's prospects after a move: `62 %`, `won in 7`.
pub fn of_black(mv: &ReviewedMove) -> String {
    match mv.side {
        Color::Black => mv.after.to_string(),
        Color::White => mv.after.for_opponent().to_string(),
    }
}

/// The judgment of a marked move, with the better line.
pub fn comment(mv: &ReviewedMove) -> Markup {
    let judgment = words::judgment(mv);
    html! {
        @if !judgment.is_empty() {
            p .judgment {
                (judgment)
                @for (name, line) in ["Better", "Now"].into_iter().zip(words::lines(mv)) {
                    @if !line.is_empty() { " " span .line { (name) ": " (line.join(" ")) "." } }
                }
            }
        }
    }
}
