//! The parts that all pages have: the head, the notices, the boards, the dialogs, and the files that they load.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::review::{REVIEW_CSS, REVIEW_JS, REVIEW_PAGE_CSS, page_head};
use kingline::draw::shown::Shown;
use kingline::draw::{BOARD_CSS, BOARD_JS, Drawing, Grid, SHAPES, compact};
use kingline::game::Color;

/// All files that pages load: names and texts.
pub(super) const ASSETS: [(&str, &str); 27] = [
    ("board.css", BOARD_CSS),
    ("page.css", include_str!("assets/page.css")),
    ("board.js", BOARD_JS),
    ("main.js", include_str!("assets/main.js")),
    ("link.js", include_str!("assets/link.js")),
    ("problems.js", include_str!("assets/problems.js")),
    ("settings.js", include_str!("assets/settings.js")),
    ("marks.js", include_str!("assets/marks.js")),
    ("examples.js", include_str!("assets/examples.js")),
    ("boards.js", include_str!("assets/boards.js")),
    ("glide.js", include_str!("assets/glide.js")),
    ("checkers.js", include_str!("assets/checkers.js")),
    ("loa.js", include_str!("assets/loa.js")),
    ("dragging.js", include_str!("assets/dragging.js")),
    ("squares.js", include_str!("assets/squares.js")),
    ("moves.js", include_str!("assets/moves.js")),
    ("graph.js", include_str!("assets/graph.js")),
    ("thought.js", include_str!("assets/thought.js")),
    ("players.js", include_str!("assets/players.js")),
    ("clock.js", include_str!("assets/clock.js")),
    ("sound.js", include_str!("assets/sound.js")),
    ("setup.js", include_str!("assets/setup.js")),
    ("tournament.js", include_str!("assets/tournament.js")),
    ("tournament.css", include_str!("assets/tournament.css")),
    ("review.css", REVIEW_CSS),
    ("review-page.css", REVIEW_PAGE_CSS),
    ("review.js", REVIEW_JS),
];

/// A page without its main part.
pub(super) struct Frame {
    pub(super) title: &'static str,
    /// Name of the game in the script.
    pub(super) game: &'static str,
    /// Command that begins a new game.
    pub(super) again: &'static str,
    pub(super) help: Markup,
    /// True if games are started and stopped.
    pub(super) stops: bool,
    /// True if the page can end the program.
    pub(super) ends: bool,
}

impl Frame {
    /// The whole page, around its main part.
    pub(super) fn around(&self, main: &Markup) -> Markup {
        let body = html! {
            body data-game=(self.game) data-new=(self.again) data-stops=[self.stops.then_some("")] {
                (PreEscaped(SHAPES))
                header {
                    h1 { (self.title) }
                    p #status { "Loading" }
                    button #open-help type="button" aria-keyshortcuts="?" { "Help" }
                    @if self.ends { button #end type="button" { "End" } }
                }
                p #lost role="alert" hidden {
                    "The program has ended or cannot be reached. The board shows the last position."
                }
                div #problems role="alert" {}
                main { (main) }
                p #announced .unseen role="status" {}
                (self.help)
                (question())
            }
        };
        document(self.title, "main.js", &body)
    }
}

pub(super) fn document(title: &str, script: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (page_head(title))
                link rel="stylesheet" href="board.css";
                link rel="stylesheet" href="page.css";
                script src="board.js" defer {}
                script src=(script) type="module" {}
            }
            (body)
        }
    }
}

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

pub(super) fn clocks() -> Markup {
    html! {
        @for color in Color::ALL {
            @let side = color.to_string();
            p .clock { (side) " " b #{ "clock-" (side.to_ascii_lowercase()) } { "0:00" } }
        }
    }
}

/// Dialog for a yes-or-no question.
fn question() -> Markup {
    html! {
        dialog #question aria-labelledby="question-text" {
            p #question-text {}
            form method="dialog" .buttons {
                button value="yes" { "Yes" }
                button value="no" autofocus { "No" }
            }
        }
    }
}
