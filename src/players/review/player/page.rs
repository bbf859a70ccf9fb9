//! A player's summary on a page.

use maud::{Markup, PreEscaped, html};

use super::super::page::comment;
use super::{PlayerSummary, TypicalMistake};
use kingline::draw::{Drawing, Grid};

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
    let label = format!("The board before {}", mv.path);
    let drawing = Drawing { grid, id, label: &label, board: &mv.board, mv: Some(&mv.path) };
    html! {
        figure {
            (PreEscaped(drawing.to_string()))
            figcaption { a href=(address) { (place) } ": " (mistake.title()) (comment(mv)) }
        }
    }
}
