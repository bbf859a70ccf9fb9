//! The page of a hall.

use maud::{Markup, PreEscaped, html};

use super::drawing::board;
use super::frame::document;
use kingline::draw::SHAPES;
use kingline::draw::shown::Shown;

/// Columns of the standings.
const COLUMNS: [&str; 8] = ["Rank", "Agent", "Points", "Games", "Won", "Drawn", "Lost", "Faults"];

/// The page for games of `G`. The script fills in everything that changes.
pub(super) fn hall_page<G: Shown>() -> Markup {
    let body = html! {
        body {
            link rel="stylesheet" href="hall.css";
            (PreEscaped(SHAPES))
            header {
                h1 { (G::TITLE) }
                p #progress role="status" { "Loading" }
            }
            p #lost role="alert" hidden {
                "The tournament has ended, or its program cannot be reached. These are the last results."
            }
            main {
                section aria-labelledby="boards-heading" {
                    h2 #boards-heading { "Games in progress" }
                    p #none { "No game is in progress." }
                    ol #boards {}
                }
                section aria-labelledby="standings-heading" {
                    h2 #standings-heading { "Standings" }
                    div #results tabindex="0" role="group" aria-label="Table of standings" {
                        table {
                            thead { tr { @for title in COLUMNS { th scope="col" { (title) } } } }
                            tbody #standings {}
                        }
                    }
                }
            }
            template #board-template { (PreEscaped(board(&G::start(), "", "The board"))) }
        }
    };
    document(G::TITLE, "hall.js", &body)
}
