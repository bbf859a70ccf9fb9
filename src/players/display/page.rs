//! The page of a game: of a session (`loa --display`), or of a referee. The script fills in everything that changes.

use maud::{Markup, html};

use super::frame::{Frame, clocks, stage};
use super::help;
use crate::play::level_in_words;
use crate::protocol::commands::{Dialect, Edits, Level};
use kingline::draw::shown::Shown;
use kingline::game::Color;

/// The page for games of `G`: in a session with the commands of this dialect, otherwise for the moves of persons, or without
/// these for spectators.
pub(super) fn page<G: Shown>(session: Option<&Dialect>, has_persons: bool) -> Markup {
    let stops = session.is_some_and(|dialect| dialect.edits == Edits::Stop);
    let frame = Frame {
        title: G::TITLE,
        game: G::SCRIPT,
        again: match session {
            None => "again",
            Some(_) if stops => "clear",
            Some(_) => "new",
        },
        help: help::dialog::<G>(session),
        stops,
        ends: has_persons,
    };
    frame.around(&html! {
        section #play aria-label="Game" {
            div #front {
                div #score {
                    (clocks())
                    @if session.is_some() { div #bar .thought aria-hidden="true" { div {} } }
                }
                (stage::<G>())
            }
            div .buttons role="group" aria-label="The game" {
                @if stops {
                    button #start type="button" { "Start" }
                    button #stop type="button" { "Stop" }
                }
                @if session.is_some() {
                    button #undo type="button" aria-keyshortcuts="u" { "Undo" }
                    button #redo type="button" aria-keyshortcuts="r" { "Redo" }
                    button #hint .thought type="button" aria-keyshortcuts="h" { "Hint" }
                }
                button #flip type="button" aria-keyshortcuts="f" aria-pressed="false" { "Flip" }
                @if session.is_some() {
                    button #setup type="button" aria-pressed="false" { "Set up" }
                } @else if has_persons {
                    (new_game())
                }
            }
        }
        aside {
            @if let Some(dialect) = session {
                (palette())
                (moves(session))
                section #thinking .thought aria-labelledby="thinking-heading" {
                    h2 #thinking-heading { "The machine" }
                    p #thought { "Not thinking" }
                    p #hinted {}
                }
                (players())
                (settings(dialect))
            } @else {
                (names())
                (moves(session))
            }
            (files::<G>(session))
        }
    })
}

fn new_game() -> Markup {
    html! { button #new type="button" aria-keyshortcuts="n" { "New game" } }
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

fn moves(session: Option<&Dialect>) -> Markup {
    html! {
        section aria-labelledby="moves-heading" {
            h2 #moves-heading { "Moves" }
            ol #moves tabindex="0" aria-label="Moves: choose one to see it on the board" {}
            @if session.is_some() { (graph()) }
            p { "On the board: " b #when { "now" } }
            div .buttons {
                button #back-to-now type="button" disabled { "Back to now" }
                @if session.is_some() { button #go-on-here type="button" disabled { "Continue from here" } }
            }
        }
    }
}

/// The names of players whom the referee knows.
fn names() -> Markup {
    html! {
        section aria-labelledby="players-heading" {
            h2 #players-heading { "Players" }
            dl {
                @for color in Color::ALL {
                    dt { (color) }
                    dd id=(format!("name-{}", color.to_string().to_ascii_lowercase())) {}
                }
            }
            (sounds())
        }
    }
}

fn sounds() -> Markup {
    html! { label { input #sound type="checkbox"; "Sounds" } }
}

/// The choice of players in a session.
fn players() -> Markup {
    html! {
        section aria-labelledby="players-heading" {
            h2 #players-heading { "Players" }
            div .buttons .even role="group" aria-label="New games" {
                @for color in Color::ALL {
                    button #{ "play-" (color.to_string().to_ascii_lowercase()) } type="button" { "Play " (color) }
                }
                (new_game())
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
    }
}

fn settings(dialect: &Dialect) -> Markup {
    html! {
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
            (sounds())
            label { input #show-thought type="checkbox" checked; "Show the machine's thoughts and hints" }
        }
    }
}

/// The export of games and positions, and in a session their import.
fn files<G: Shown>(session: Option<&Dialect>) -> Markup {
    html! {
        section aria-labelledby="files-heading" {
            h2 #files-heading { "Game and position" }
            div .buttons {
                a #download href=(G::RECORD.name) download=(G::RECORD.name) { "Download game" }
                a #review .button href="review" hidden { "Review the game" }
                button #copy-game type="button" { "Copy game" }
                button #copy-position type="button" { "Copy position" }
            }
            @if session.is_some() {
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
    use kingline::loa::Position;

    #[test]
    fn the_page_is_small_and_loads_only_from_its_server() {
        for dialect in [&COURSE_2015, &COURSE_2020] {
            let page = page::<Position<8>>(Some(dialect), true).into_string();
            let all: usize = page.len() + ASSETS.iter().map(|(_, text)| text.len()).sum::<usize>();
            assert!(all < 150_000, "{all} bytes");
            for text in ASSETS.iter().map(|(_, text)| *text).chain([page.as_str()]) {
                let outside = text.replace("http://www.w3.org/2000/svg", "");
                assert!(
                    !outside.contains("://") && !outside.contains("style=\""),
                    "something is loaded from elsewhere"
                );
            }
        }
    }
}
