use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::player::{MarkCounts, PlayerSummary, TypicalMistake};
use super::puzzles::Puzzle;
use super::reviewed::{Mark, Review, ReviewedMove};
use super::words;
use crate::chart::line_through;
use kingline::draw::{BOARD_CSS, BOARD_JS, Drawing, Grid, Labels, SHAPES};
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
        @if let Some(sentence) = words::position(review) { p .turning-point { (sentence) } }
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
    let label = mv.map_or_else(|| "The position".to_owned(), |mv| format!("The board after {}", mv.mv));
    let id = format!("board{number}");
    let best = review.position.as_ref().and_then(|position| position.best.first());
    let grid = numbered(review.game.grid(), mv.map(|mv| &mv.mv).or(best).map(String::as_str));
    let drawing = Drawing { grid, id: &id, label: &label, board, mv: mv.map(|mv| mv.path.as_str()) };
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

/// Grid of a board beside a move: its squares are numbered where the move names them by numbers.
fn numbered(grid: Grid, mv: Option<&str>) -> Grid {
    let has_numbers = mv.is_some_and(|mv| mv.starts_with(|first: char| first.is_ascii_digit()));
    Grid { labels: if has_numbers { Labels::Numbers } else { grid.labels }, ..grid }
}

/// All moves in order, with comments on the marked ones.
fn moves(review: &Review, number: usize) -> Markup {
    let start = review.moves.first().map_or(&review.last_board, |first| &first.board);
    html! {
        ol .review-moves tabindex="0" data-start=(start) {
            @for (index, mv) in review.moves.iter().enumerate() {
                @let after = review.moves.get(index + 1).map_or(&review.last_board, |next| &next.board);
                li .(Mark::class(mv.mark)) id={ "g" (number) "m" (index + 1) } data-board=(after) data-path=(mv.path) {
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

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;

/// Draws Black's winning chances over the game: black below the line, white above it, and a dot on each fault.
///
/// `.chances` is its class in [`REVIEW_CSS`](super::REVIEW_CSS). A script may set the attributes `x1` and `x2` of
/// `.here`, the line at the shown move; `data-step` is the width of a move.
pub fn graph(review: &Review) -> Markup {
    let chances = review.chances_of_black();
    let step = WIDTH / (chances.len().max(2) - 1) as f64;
    let place = |index: usize| [index as f64 * step, (1.0 - chances[index]) * HEIGHT];
    let line = line_through((0..chances.len()).map(place));
    let faults = review.moves.iter().enumerate().filter(|(_, mv)| mv.mark.is_some_and(Mark::is_fault));
    html! {
        svg .chances viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
            aria-label="Winning chances of Black over the game" data-step=(format_args!("{step:.3}")) {
            path .black-share d={ "M0 " (HEIGHT) (line) "L" (WIDTH) " " (HEIGHT) "z" } {}
            path .even d={ "M0 " (HEIGHT / 2.0) "H" (WIDTH) } {}
            line .here x1="0" x2="0" y1="0" y2=(HEIGHT) {}
            @for (index, mv) in faults {
                @let [x, y] = place(index + 1);
                circle .fault.(Mark::class(mv.mark)) cx=(format_args!("{x:.1}")) cy=(format_args!("{y:.1}")) r="4" {
                    title { (review.number(index)) " " (mv.mv) ": " (words::judgment(mv)) }
                }
            }
        }
    }
}

const PUZZLE_JS: &str = include_str!("puzzles.js");

pub(super) fn puzzle_page(puzzles: &[Puzzle]) -> String {
    let main = html! {
        @if puzzles.is_empty() {
            p { (words::NO_PUZZLES) }
        } @else if puzzles.iter().all(Puzzle::is_only_win) {
            p { "Find the only move that wins. Every other move leaves about even chances at most." }
        } @else {
            p { "Find the best move." }
        }
        @if !puzzles.is_empty() {
            ol .puzzles { @for (number, puzzle) in (1..).zip(puzzles) { (asked(puzzle, number)) } }
        }
    };
    document(&words::counted(puzzles.len() as u32, "puzzle", "puzzles"), &main, &[BOARD_JS, PUZZLE_JS])
}

/// A puzzle with its answer, which is folded.
fn asked(puzzle: &Puzzle, number: usize) -> Markup {
    let (id, task) = (format!("puzzle{number}"), puzzle.task());
    let grid = numbered(puzzle.game.grid(), puzzle.moves().first().copied());
    let drawing = Drawing { grid, id: &id, label: &task, board: &puzzle.board, mv: None };
    html! {
        li .puzzle {
            h2 { (number) ". " (task) }
            figure { (PreEscaped(drawing.to_string())) }
            details {
                summary { "Answer" }
                p { (puzzle.answer()) }
                div .puzzle-steps role="group" aria-label="Play the solution" data-start=(puzzle.board) hidden {
                    button type="button" data-go="back" aria-label="One move back" { "◀" }
                    button type="button" data-go="on" aria-label="One move forward" { "▶" }
                    @for step in &puzzle.solution {
                        span .step data-board=(step.board) data-path=(step.path) { (step.mv) } " "
                    }
                }
            }
        }
    }
}

/// The summary: sentences, a table of where chances were lost, and the typical mistakes with their boards. The page has
/// [`SHAPES`](kingline::draw::SHAPES).
///
/// `grid` is that of the game's boards on the page, `id` begins the identifiers, and `link` returns the address of a
/// mistake and the name of its place: game and turn.
pub fn player(
    summary: &PlayerSummary,
    grid: Grid,
    id: &str,
    link: &dyn Fn(&TypicalMistake) -> (String, String),
) -> Markup {
    html! {
        div .player-review {
            p { (summary.sentences().join(" ")) }
            @if summary.compared().next().is_some() { (losses(summary)) }
            @if !summary.typical.is_empty() {
                div .typical {
                    @for (number, mistake) in (1..).zip(&summary.typical) {
                        (shown(mistake, grid, &format!("{id}-{number}"), &link(mistake)))
                    }
                }
            }
        }
    }
}

fn losses(summary: &PlayerSummary) -> Markup {
    html! {
        div .scroll tabindex="0" role="region" aria-label="Where chances were lost" {
            table .losses {
                thead {
                    tr {
                        th scope="col" { "Chances lost" }
                        @for title in ["Of all lost", "Of the moves", "A move, points"] { th .n scope="col" { (title) } }
                    }
                }
                @for group in summary.compared() {
                    tbody {
                        @for part in group {
                            @let [lost, moves] = summary.shares(part);
                            tr {
                                th scope="row" { (part.place) }
                                td .n { (format_args!("{lost:.0} %")) }
                                td .n { (format_args!("{moves:.0} %")) }
                                td .n { (format_args!("{:.1}", 100.0 * part.lost / f64::from(part.moves))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The board before a mistake with the move as a line, and the judgment.
fn shown(mistake: &TypicalMistake, grid: Grid, id: &str, (address, place): &(String, String)) -> Markup {
    let mv = &mistake.mv;
    let (label, grid) = (format!("The board before {}", mv.mv), numbered(grid, Some(&mv.mv)));
    let drawing = Drawing { grid, id, label: &label, board: &mv.board, mv: Some(&mv.path) };
    html! {
        figure {
            (PreEscaped(drawing.to_string()))
            figcaption { a href=(address) { (place) } ": " (mistake.title()) (comment(mv)) }
        }
    }
}
