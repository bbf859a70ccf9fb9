//! The page of a session: `loa --display`. The script fills in everything that changes.

use maud::{Markup, html};

use super::drawing::stage;
use super::frame::Frame;
use super::help;
use super::shown::Shown;
use crate::game::Color;
use crate::loa::Position;
use crate::protocol::commands::{Dialect, Edits};

/// The page of a session, for the commands of a dialect.
pub(super) fn page(dialect: &Dialect) -> Markup {
    let frame = Frame {
        title: Position::<8>::TITLE,
        again: if stops(dialect) { "clear" } else { "new" },
        help: help::dialog(dialect),
        stops: stops(dialect),
        ends: true,
    };
    frame.around(&html! { (table()) (panel(dialect)) })
}

/// Returns true if the dialect starts and stops games.
fn stops(dialect: &Dialect) -> bool {
    dialect.edits == Edits::Stop
}

/// The board, and the buttons of the game.
fn table() -> Markup {
    html! {
        section #table aria-label="Game" {
            div #bar .thought aria-hidden="true" { div {} }
            (stage::<Position<8>>())
            div #past hidden {
                p { "The board shows the position " b #when {} "; the game goes on." }
                button #back-to-now type="button" { "Back to the game" }
                button #go-on-here type="button" { "Continue from here" }
            }
            div .buttons role="group" aria-label="The game" {
                button #undo type="button" aria-keyshortcuts="u" { "Undo" }
                button #redo type="button" aria-keyshortcuts="r" { "Redo" }
                button #hint .thought type="button" aria-keyshortcuts="h" { "Hint" }
                button #flip type="button" aria-keyshortcuts="f" aria-pressed="false" { "Flip" }
                button #setup type="button" aria-pressed="false" { "Set up" }
            }
            fieldset #palette hidden {
                legend { "Set up a position" }
                @for (value, name) in [("b", "black"), ("w", "white"), ("", "empty")] {
                    label { input type="radio" name="piece" value=(value) checked[value == "b"]; (name) }
                }
                label { "to move " select #next { option value="black" { "black" } option value="white" { "white" } } }
                button #take-up type="button" { "Play from here" }
                button #give-up type="button" { "Cancel" }
            }
        }
    }
}

/// The moves, the state of the search, the players, the settings, and the import and export of games.
fn panel(dialect: &Dialect) -> Markup {
    html! {
        aside {
            section aria-labelledby="moves-heading" {
                h2 #moves-heading { "Moves" }
                ol #moves tabindex="0" aria-label="Moves: choose one to see it on the board" {}
            }
            section #thinking .thought aria-labelledby="thinking-heading" {
                h2 #thinking-heading { "The machine" }
                p #thought { "Not thinking" }
                p #hinted {}
            }
            section aria-labelledby="players-heading" {
                h2 #players-heading { "Players" }
                @for color in Color::ALL {
                    @let name = color.to_string();
                    @let word = name.to_ascii_lowercase();
                    fieldset .player {
                        legend { (name) }
                        @for (value, text) in [("manual", "you"), ("auto", "machine")] {
                            label { input type="radio" name=(word) value=(value); (text) }
                        }
                    }
                }
                div .buttons {
                    button #new type="button" aria-keyshortcuts="n" { "New game" }
                    @if stops(dialect) {
                        button #start type="button" { "Start" }
                        button #stop type="button" { "Stop" }
                    }
                }
            }
            section aria-labelledby="settings-heading" {
                h2 #settings-heading { "Settings" }
                form #time-form {
                    label {
                        "Seconds per move "
                        input #time inputmode="decimal" placeholder="default" size="7" maxlength="12";
                    }
                    button { "Set" }
                }
                @if dialect.limit.is_some() {
                    form #limit-form {
                        label {
                            "Moves per side before a tie "
                            input #limit inputmode="numeric" size="7" maxlength="12";
                        }
                        button { "Set" }
                    }
                }
                form #seed-form {
                    label { "Seed " input #seed inputmode="numeric" placeholder="random" size="7" maxlength="20"; }
                    button { "Set" }
                }
                label { input #show-thought type="checkbox" checked; "Show the machine's thoughts and hints" }
            }
            section aria-labelledby="files-heading" {
                h2 #files-heading { "Game and position" }
                div .buttons {
                    a #download href="game.sgf" download="game.sgf" { "Download game" }
                    button #copy-game type="button" { "Copy game" }
                    button #copy-position type="button" { "Copy position" }
                }
                form #paste-form {
                    label for="paste" { "Paste a game (SGF) or a position to continue from, or drop a file here" }
                    textarea #paste rows="2" spellcheck="false" maxlength="60000" {}
                    div .buttons {
                        button { "Load" }
                        label .button { "Open a file" input #file type="file" accept=".sgf,.txt"; }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::frame::ASSETS;
    use crate::protocol::commands::{COURSE_2015, COURSE_2020};

    #[test]
    fn the_page_is_small_and_loads_only_from_its_server() {
        for dialect in [&COURSE_2015, &COURSE_2020] {
            let page = page(dialect).into_string();
            let all: usize = page.len() + ASSETS.iter().map(|asset| asset.text.len()).sum::<usize>();
            assert!(all < 150_000, "{all} bytes");
            for text in ASSETS.iter().map(|asset| asset.text).chain([page.as_str()]) {
                let outside = text.replace("http://www.w3.org/2000/svg", "");
                assert!(
                    !outside.contains("://") && !outside.contains("style=\""),
                    "something is loaded from elsewhere"
                );
            }
        }
    }
}
