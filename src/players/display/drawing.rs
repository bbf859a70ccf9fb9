//! The board as SVG, for the pages and their help, with a button for each square.

use maud::{Markup, PreEscaped, html};

use kingline::draw::shown::Shown;
use kingline::draw::{Drawing, Grid, compact};

/// Draws a board as an SVG element.
pub(super) fn board<G: Shown>(position: &G, id: &str, label: &str) -> String {
    let grid = Grid { size: G::SIZE, labels: G::LABELS };
    Drawing { grid, id, label, board: &compact(position), mv: None }.to_string()
}

/// The board to play on.
pub(super) fn stage<G: Shown>() -> Markup {
    html! {
        div #stage data-size=(G::SIZE) {
            (PreEscaped(board(&G::start(), "board", "The board")))
            (squares::<G>())
        }
    }
}

/// Buttons for the squares, placed over the drawn board.
fn squares<G: Shown>() -> Markup {
    html! {
        div #squares role="grid" aria-label="Board: arrow keys move from square to square" {
            @for row in (0..G::SIZE).rev() {
                div role="row" {
                    @for column in 0..G::SIZE {
                        @let name = G::square(column, row);
                        button type="button" role="gridcell" tabindex="-1" data-square=(name) aria-label=(name) {}
                    }
                }
            }
        }
    }
}
