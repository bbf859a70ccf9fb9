//! The page of a table.

use maud::{Markup, html};

use super::drawing::stage;
use super::frame::{Frame, clocks};
use super::help;
use super::table::Seats;
use kingline::draw::shown::Shown;
use kingline::game::Color;

/// The page for games of `G`. Whoever only watches has no buttons for games.
pub(super) fn table_page<G: Shown>(seats: Seats) -> Markup {
    let has_persons = seats == Seats::ForPersons;
    let frame = Frame {
        title: G::TITLE,
        game: G::SCRIPT,
        again: "again",
        help: help::of_table::<G>(),
        stops: false,
        ends: has_persons,
    };
    frame.around(&html! {
        section #table aria-label="Game" {
            div #front {
                div #score { (clocks()) }
                (stage::<G>())
            }
            div .buttons role="group" aria-label="The game" {
                button #flip type="button" aria-keyshortcuts="f" aria-pressed="false" { "Flip" }
                @if has_persons { button #new type="button" aria-keyshortcuts="n" { "New game" } }
            }
        }
        aside {
            section aria-labelledby="players-heading" {
                h2 #players-heading { "Players" }
                dl {
                    @for color in Color::ALL {
                        dt { (color) }
                        dd id=(format!("name-{}", color.to_string().to_ascii_lowercase())) {}
                    }
                }
                label { input #sound type="checkbox"; "Sounds" }
            }
            section aria-labelledby="moves-heading" {
                h2 #moves-heading { "Moves" }
                ol #moves tabindex="0" aria-label="Moves: choose one to see it on the board" {}
                p { "On the board: " b #when { "now" } }
                div .buttons { button #back-to-now type="button" disabled { "Back to now" } }
            }
            section aria-labelledby="files-heading" {
                h2 #files-heading { "Game and position" }
                div .buttons {
                    a #download href=(G::RECORD.name) download=(G::RECORD.name) { "Download game" }
                    a #review .button href="review" hidden { "Review the game" }
                    button #copy-game type="button" { "Copy game" }
                    button #copy-position type="button" { "Copy position" }
                }
            }
        }
    })
}
