//! What does the page say of the rules and of its keys?

use maud::{Markup, PreEscaped, html};

use super::page::board;
use crate::loa::Position;
use crate::protocol::commands::Dialect;

/// Examples of the rules: what they show, and the board.
const EXAMPLES: [(&str, &str); 4] = [
    (
        "A piece moves along a row, a column or a diagonal, exactly as many squares as there are pieces on that whole line, \
         of both colors and itself included. Three pieces stand on the row of c4: it goes three squares to the right.",
        "--------/--------/--------/--------/b-b--w--/--------/--------/-------- black",
    ),
    (
        "It jumps over pieces of its own, but not over the other side's. The white piece on d4 has a black one in its way to \
         the left, where two pieces on the row would take it two squares.",
        "--------/--------/--------/--------/--bw----/--------/--------/-------- white",
    ),
    (
        "It captures a piece of the other side by landing on it: two pieces stand on the diagonal of c3, and the one on e5 is two squares \
         away.",
        "--------/--------/--------/----w---/--------/--b-----/--------/-------- black",
    ),
    (
        "A side whose pieces are all connected, by edges or corners, has won. Here Black has. If a move connects both sides, \
         the side that moved wins. It also wins if the other side has no move.",
        "--------/--------/---b----/--bb----/----b---/w-----w-/--------/---w---- white",
    ),
];

/// Keys, and what they do.
const KEYS: [(&str, &str); 11] = [
    ("Arrows", "go from square to square"),
    ("Enter, Space", "choose a piece, then its target"),
    ("Escape", "release the piece; back to now"),
    ("u, r", "undo, redo"),
    (", .", "show the position before, after"),
    ("h", "show a hint"),
    ("f", "flip the board"),
    ("n", "begin a new game"),
    ("m", "go to the moves"),
    ("b", "go to the board"),
    ("?", "show this help"),
];

/// The help, opened by a button.
pub(super) fn dialog(dialect: &Dialect) -> Markup {
    html! {
        dialog #help aria-labelledby="help-heading" {
            h2 #help-heading tabindex="-1" autofocus { "How to play" }
            p {
                "Each side wants to connect all its pieces. Black moves first. Drag a piece, or click it and then one of the \
                 marked squares. The line that it moves on is drawn, with the number of pieces on it."
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
            p { "Page and terminal show one game. These are the terminal's commands:" }
            pre tabindex="0" { (dialect.help) }
            form method="dialog" { button { "Close" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Color, Game, Outcome};

    #[test]
    fn the_examples_are_as_they_say() {
        let [three, over, takes, connected] =
            EXAMPLES.map(|(_, text)| text.parse::<Position<8>>().expect("a position"));
        assert!(three.parse_move("c4-f4").is_ok(), "three squares, onto the enemy's piece");
        assert!(over.parse_move("d4-b4").is_err());
        assert!(takes.captures(takes.parse_move("c3-e5").expect("a move")));
        assert_eq!(connected.outcome(), Some(Outcome::Win(Color::Black)));
    }
}
