//! The page of a session: `loa --display`. The script fills in everything that changes.

use maud::{Markup, html};

use super::drawing::stage;
use super::frame::{Frame, clocks};
use super::help;
use crate::play::level_in_words;
use crate::protocol::commands::{Dialect, Edits, Level};
use kingline::draw::shown::Shown;
use kingline::game::Color;
use kingline::loa::Position;

/// The page of a session, for the commands of a dialect.
pub(super) fn page(dialect: &Dialect) -> Markup {
    let frame = Frame {
        title: Position::<8>::TITLE,
        game: Position::<8>::SCRIPT,
        again: if stops(dialect) { "clear" } else { "new" },
        help: help::dialog(dialect),
        stops: stops(dialect),
        ends: true,
    };
    frame.around(&html! { (table(dialect)) (panel(dialect)) })
}

/// Returns true if the dialect starts and stops games.
fn stops(dialect: &Dialect) -> bool {
    dialect.edits == Edits::Stop
}

/// The board, and the buttons of the game.
fn table(dialect: &Dialect) -> Markup {
    html! {
        section #table aria-label="Game" {
            div #front {
                div #score {
                    (clocks())
                    div #bar .thought aria-hidden="true" { div {} }
                }
                (stage::<Position<8>>())
            }
            div .buttons role="group" aria-label="The game" {
                @if stops(dialect) {
                    button #start type="button" { "Start" }
                    button #stop type="button" { "Stop" }
                }
                button #undo type="button" aria-keyshortcuts="u" { "Undo" }
                button #redo type="button" aria-keyshortcuts="r" { "Redo" }
                button #hint .thought type="button" aria-keyshortcuts="h" { "Hint" }
                button #flip type="button" aria-keyshortcuts="f" aria-pressed="false" { "Flip" }
                button #setup type="button" aria-pressed="false" { "Set up" }
            }
        }
    }
}

/// The pieces and the side to move of a position being set up.
fn palette() -> Markup {
    html! {
        section #palette aria-labelledby="palette-heading" hidden {
            h2 #palette-heading { "Set up a position" }
            div .choices role="radiogroup" aria-label="Piece for the squares that you choose" {
                @for (value, name) in [("b", "black"), ("w", "white"), ("", "empty")] {
                    label { input type="radio" name="piece" value=(value) checked[value == "b"]; (name) }
                }
            }
            label { "to move " select #next { option value="black" { "black" } option value="white" { "white" } } }
            div .buttons {
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
            (palette())
            section aria-labelledby="moves-heading" {
                h2 #moves-heading { "Moves" }
                ol #moves tabindex="0" aria-label="Moves: choose one to see it on the board" {}
                (graph())
                p { "On the board: " b #when { "now" } }
                div .buttons {
                    button #back-to-now type="button" disabled { "Back to now" }
                    button #go-on-here type="button" disabled { "Continue from here" }
                }
            }
            section #thinking .thought aria-labelledby="thinking-heading" {
                h2 #thinking-heading { "The machine" }
                p #thought { "Not thinking" }
                p #hinted {}
            }
            section aria-labelledby="players-heading" {
                h2 #players-heading { "Players" }
                div .buttons .even role="group" aria-label="New games" {
                    @for color in Color::ALL {
                        button #{ "play-" (color.to_string().to_ascii_lowercase()) } type="button" { "Play " (color) }
                    }
                    button #new type="button" aria-keyshortcuts="n" { "New game" }
                }
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
                div .setting {
                    label for="level" { "Level" }
                    select #level {
                        option value="" { "by time" }
                        @for level in Level::all() {
                            option value=(level.number()) { (level_in_words(level)) }
                        }
                    }
                }
            }
            section aria-labelledby="settings-heading" {
                h2 #settings-heading { "Settings" }
                (setting("time", "Seconds per move", &html! {
                    input #time inputmode="decimal" placeholder="default" maxlength="12" aria-describedby="time-problem";
                }))
                @if dialect.limit.is_some() {
                    (setting("limit", "Moves per side before a tie", &html! {
                        input #limit inputmode="numeric" maxlength="12" aria-describedby="limit-problem";
                    }))
                }
                (setting("seed", "Seed", &html! {
                    input #seed inputmode="numeric" placeholder="random" maxlength="20" aria-describedby="seed-problem";
                }))
                label { input #sound type="checkbox"; "Sounds" }
                label { input #show-thought type="checkbox" checked; "Show the machine's thoughts and hints" }
            }
            section aria-labelledby="files-heading" {
                h2 #files-heading { "Game and position" }
                div .buttons {
                    a #download href="game.sgf" download="game.sgf" { "Download game" }
                    a #review .button href="review" hidden { "Review the game" }
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

/// A setting that a person types, with a place for the reason why it was refused.
fn setting(id: &str, name: &str, input: &Markup) -> Markup {
    html! {
        div .setting {
            label for=(id) { (name) }
            (input)
            p #{ (id) "-problem" } .problem role="alert" {}
        }
    }
}

/// Graph of the score over the game, which the script draws. Black is ahead at the top.
fn graph() -> Markup {
    html! {
        svg #graph .thought role="img" aria-label="Score over the game" preserveAspectRatio="none" {
            path .level d="M-1 0H9999" {}
            path .curve {}
            path .dots {}
            path .now {}
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
