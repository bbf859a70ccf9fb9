//! The help on the page: the rules, and the keys.

use maud::{Markup, PreEscaped, html};

use super::drawing::board;
use super::shown::Shown;
use crate::loa::Position;
use crate::protocol::commands::Dialect;

/// Examples of the rules: an explanation and its board.
const EXAMPLES: [(&str, &str); 4] = [
    (
        "A piece moves along a row, a column or a diagonal, exactly as many squares as there are pieces on the whole \
         line, of both colors, including itself. There are three pieces on the row of c4, so it moves three \
         squares to the right.",
        "--------/--------/--------/--------/b-b--w--/--------/--------/-------- black",
    ),
    (
        "A piece may jump over its own side's pieces, but not over the other side's. There are two pieces on the row \
         of d4, so it would move two squares, but a black piece blocks its way to the left.",
        "--------/--------/--------/--------/--bw----/--------/--------/-------- white",
    ),
    (
        "A piece captures a piece of the other side by landing on it. There are two pieces on the diagonal of c3, and \
         the white one is two squares away, on e5.",
        "--------/--------/--------/----w---/--------/--b-----/--------/-------- black",
    ),
    (
        "A side wins by connecting all its pieces, along edges or at corners. Here Black has won. If a move connects \
         both sides, the side that moved wins. It also wins if the other side has no move.",
        "--------/--------/---b----/--bb----/----b---/w-----w-/--------/---w---- white",
    ),
];

/// Keys and their effects.
const KEYS: [(&str, &str); 11] = [
    ("Arrows", "go from square to square"),
    ("Enter, Space", "choose a piece, then its target"),
    ("Escape", "release the piece, or return to the current position"),
    ("u, r", "undo, redo"),
    (", .", "show the previous or the next position"),
    ("h", "show a hint"),
    ("f", "flip the board"),
    ("n", "start a new game"),
    ("m", "go to the moves"),
    ("b", "go to the board"),
    ("?", "show this help"),
];

/// Keys that a table has as well.
const KEYS_OF_TABLE: [(&str, &str); 9] = [
    ("Arrows", "go from square to square"),
    ("Enter, Space", "choose a piece, then its target"),
    ("Escape", "release the piece, or return to the current position"),
    (", .", "show the previous or the next position"),
    ("f", "flip the board"),
    ("n", "start a new game, when one is over"),
    ("m", "go to the moves"),
    ("b", "go to the board"),
    ("?", "show this help"),
];

/// Help dialog, opened by a button.
pub(super) fn dialog(dialect: &Dialect) -> Markup {
    html! {
        dialog #help aria-labelledby="help-heading" {
            h2 #help-heading tabindex="-1" autofocus { "How to play" }
            p {
                "Each side tries to connect all its pieces. Black moves first. Drag a piece, or click it and then one \
                 of the marked squares. The page shows each line of movement with the number of pieces on it."
            }
            div .examples {
                @for (number, (text, position)) in EXAMPLES.iter().enumerate() {
                    @if let Ok(position) = position.parse::<Position<8>>() {
                        figure {
                            (PreEscaped(board(&position, &format!("example-{number}"), "Example of the rule below")))
                            figcaption { (text) }
                        }
                    }
                }
            }
            h2 { "Keys" }
            dl { @for (key, what) in KEYS { dt { kbd { (key) } } dd { (what) } } }
            h2 { "In the terminal" }
            p { "The page and the terminal show the same game. These are the terminal's commands:" }
            pre tabindex="0" { (dialect.help) }
            form method="dialog" { button { "Close" } }
        }
    }
}

/// Help dialog of a table, which has fewer keys and no terminal.
pub(super) fn of_table<G: Shown>() -> Markup {
    html! {
        dialog #help aria-labelledby="help-heading" {
            h2 #help-heading tabindex="-1" autofocus { "How to play" }
            @for text in G::RULES { p { (text) } }
            h2 { "Keys" }
            dl { @for (key, what) in KEYS_OF_TABLE { dt { kbd { (key) } } dd { (what) } } }
            form method="dialog" { button { "Close" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Color, Game, Outcome};

    #[test]
    fn the_examples_match_their_texts() {
        let [three, over, takes, connected] =
            EXAMPLES.map(|(_, text)| text.parse::<Position<8>>().expect("a position"));
        assert!(three.parse_move("c4-f4").is_ok(), "three squares, onto the enemy's piece");
        assert!(over.parse_move("d4-b4").is_err());
        assert!(takes.captures(takes.parse_move("c3-e5").expect("a move")));
        assert_eq!(connected.outcome(), Some(Outcome::Win(Color::Black)));
    }
}
