//! The help on the page: the rules, and the keys.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::drawing::board;
use super::shown::Shown;
use crate::game::{Color, Game};
use crate::loa::{Move, Position};
use crate::protocol::commands::Dialect;

/// An example of a rule.
struct Example {
    /// Explanation of the rule.
    text: &'static str,
    /// Board that the explanation speaks of.
    position: &'static str,
    /// Move that the explanation speaks of, legal or not; without one, the groups of pieces count.
    mv: Option<(&'static str, &'static str)>,
}

/// Marks on the board of an example, as the page draws them.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Marks {
    /// Squares of the line on which the piece moves.
    line: Option<Vec<String>>,
    from: String,
    to: String,
    /// Number of pieces on the line.
    count: usize,
    is_legal: bool,
    /// Squares of the pieces that are connected.
    group: Vec<String>,
}

const EXAMPLES: [Example; 4] = [
    Example {
        text: "A piece moves along a row, a column or a diagonal, exactly as many squares as there are pieces on the whole \
         line, of both colors, including itself. There are three pieces on the row of c4, so it moves three \
         squares to the right.",
        position: "--------/--------/--------/--------/b-b--w--/--------/--------/-------- black",
        mv: Some(("c4", "f4")),
    },
    Example {
        text: "A piece may jump over its own side's pieces, but not over the other side's. There are two pieces on the row \
         of d4, so it would move two squares, but a black piece blocks its way to the left.",
        position: "--------/--------/--------/--------/--bw----/--------/--------/-------- white",
        mv: Some(("d4", "b4")),
    },
    Example {
        text: "A piece captures a piece of the other side by landing on it. There are two pieces on the diagonal of c3, and \
         the white one is two squares away, on e5.",
        position: "--------/--------/--------/----w---/--------/--b-----/--------/-------- black",
        mv: Some(("c3", "e5")),
    },
    Example {
        text: "A side wins by connecting all its pieces, along edges or at corners. Here Black has won. If a move connects \
         both sides, the side that moved wins. It also wins if the other side has no move.",
        position: "--------/--------/---b----/--bb----/----b---/w-----w-/--------/---w---- white",
        mv: None,
    },
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
                @for (number, example) in EXAMPLES.iter().enumerate() {
                    @if let Ok(position) = example.position.parse::<Position<8>>() {
                        figure data-marks=(serde_json::to_string(&example.marks(&position)).unwrap_or_default()) {
                            (PreEscaped(board(&position, &format!("example-{number}"), "Example of the rule below")))
                            figcaption { (example.text) }
                        }
                    }
                }
            }
            h2 { "Keys" }
            dl { @for (key, what) in KEYS { dt { kbd { (key) } } dd { (what) } } }
            h2 { "In the terminal" }
            p { "The page and the terminal show the same game. These are the terminal's commands:" }
            dl {
                @for (command, effect) in commands(dialect) { dt { code { (command) } } dd { (effect) } }
            }
            @for note in notes(dialect) { p { (note) } }
            // It stays in view while the help scrolls.
            form .close method="dialog" { button { "Close" } }
        }
    }
}

/// Commands of the terminal and their effects.
fn commands(dialect: &Dialect) -> impl Iterator<Item = (&str, &str)> {
    dialect.help.lines().filter_map(|line| line.split_once(GAP)).map(|(command, effect)| (command, effect.trim_start()))
}

/// Lines of the terminal's help that are not about one command.
fn notes(dialect: &Dialect) -> impl Iterator<Item = &str> {
    dialect.help.lines().filter(|line| !line.contains(GAP))
}

/// Blanks between a command and its effect.
const GAP: &str = "  ";

impl Example {
    fn marks(&self, position: &Position<8>) -> Marks {
        let square = |name: &str| name.parse().ok();
        let mv = self.mv.and_then(|(from, to)| Some(Move { from: square(from)?, to: square(to)? }));
        let Some(mv) = mv else {
            return Marks { group: position.groups(Color::Black).unwrap_or_default().concat(), ..Marks::default() };
        };
        let step = position.steps(mv).into_iter().next().unwrap_or_default();
        Marks {
            line: Some(step.line),
            from: mv.from().to_string(),
            to: mv.to().to_string(),
            count: step.count,
            is_legal: position.legal_moves().contains(&mv),
            group: Vec::new(),
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
            form .close method="dialog" { button { "Close" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::protocol::commands::{COURSE_2015, COURSE_2020};

    #[test]
    fn the_examples_match_their_texts() {
        let positions = EXAMPLES.each_ref().map(|example| example.position.parse().expect("a position"));
        let marks: Vec<Marks> =
            EXAMPLES.iter().zip(&positions).map(|(example, position)| example.marks(position)).collect();
        let seen: Vec<(usize, bool)> = marks[..3].iter().map(|marks| (marks.count, marks.is_legal)).collect();
        assert_eq!(seen, [(3, true), (2, false), (2, true)]);
        let [_, _, takes, connected] = positions;
        assert!(takes.captures(takes.parse_move("c3-e5").expect("a move")));
        assert_eq!(connected.outcome(), Some(Outcome::Win(Color::Black)));
        assert_eq!((marks[3].group.len(), &marks[3].line), (4, &None));
    }

    #[test]
    fn every_line_of_the_terminals_help_is_shown() {
        for dialect in [&COURSE_2015, &COURSE_2020] {
            let shown = commands(dialect).count() + notes(dialect).count();
            assert_eq!(shown, dialect.help.lines().count());
            assert!(commands(dialect).any(|command| command == ("quit", "end the program")));
        }
        assert_eq!((notes(&COURSE_2015).count(), notes(&COURSE_2020).count()), (1, 0));
    }
}
