//! The help on the page: the rules, and the keys.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::frame::board;
use crate::protocol::commands::Dialect;
use kingline::draw::shown::{Example, Shown, steps};
use kingline::game::Color;

/// Marks on the board of an example, as the page draws them.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Marks {
    /// Squares through which the line of the move is drawn.
    line: Vec<String>,
    from: String,
    to: String,
    /// Number of pieces on the line, in Lines of Action.
    count: usize,
    is_legal: bool,
    /// Squares of the pieces that are connected.
    group: Vec<String>,
}

/// Keys and their effects, and the pages that have them.
const KEYS: [(&str, &str, On); 12] = [
    ("Arrows", "go from square to square", On::All),
    ("Enter, Space", "choose a piece, then its target", On::All),
    ("Escape", "release the piece, or return to the current position", On::All),
    ("u, r", "undo, redo", On::Session),
    (", .", "show the previous or the next position", On::All),
    ("h", "show a hint", On::Session),
    ("f", "flip the board", On::All),
    ("n", "start a new game", On::Session),
    ("n", "start a new game, when one is over", On::Referee),
    ("m", "go to the moves", On::All),
    ("b", "go to the board", On::All),
    ("?", "show this help", On::All),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    All,
    Session,
    Referee,
}

/// Help dialog, opened by a button. A session also has the commands of its dialect, in the terminal.
pub(super) fn dialog<G: Shown>(dialect: Option<&Dialect>) -> Markup {
    let page = if dialect.is_some() { On::Session } else { On::Referee };
    html! {
        dialog #help aria-labelledby="help-heading" {
            h2 #help-heading tabindex="-1" autofocus { "How to play" }
            @if dialect.is_some() {
                p {
                    "Each side tries to connect all its pieces. Black moves first. Drag a piece, or click it and then one \
                     of the marked squares. The page shows each line of movement with the number of pieces on it."
                }
            } @else {
                @for text in G::RULES { p { (text) } }
            }
            (examples::<G>())
            h2 { "Keys" }
            dl {
                @for (key, what, _) in KEYS.iter().filter(|(.., on)| [On::All, page].contains(on)) {
                    dt { kbd { (key) } } dd { (what) }
                }
            }
            @if let Some(dialect) = dialect {
                h2 { "In the terminal" }
                p { "The page and the terminal show the same game. These are the terminal's commands:" }
                dl {
                    @for (command, effect) in dialect.listed() { dt { code { (command) } } dd { (effect) } }
                }
                @if let Some(note) = dialect.note() { p { (note) } }
            }
            // It stays in view while the help scrolls.
            form .close method="dialog" { button { "Close" } }
        }
    }
}

fn examples<G: Shown>() -> Markup {
    html! {
        div .examples {
            @for (number, example) in G::EXAMPLES.iter().enumerate() {
                @if let Ok(position) = example.position.parse::<G>() {
                    figure data-marks=(serde_json::to_string(&marks(example, &position)).unwrap_or_default()) {
                        (PreEscaped(board(&position, &format!("example-{number}"), "Example of the rule below")))
                        figcaption { (example.text) }
                    }
                }
            }
        }
    }
}

fn marks<G: Shown>(example: &Example, position: &G) -> Marks {
    let Some(step) = position.way(example.path) else {
        return Marks { group: position.groups(Color::Black).unwrap_or_default().concat(), ..Marks::default() };
    };
    let is_legal = steps(position).iter().any(|(each, _)| each.path == step.path);
    let ends = |squares: &[String]| [squares.first(), squares.last()].map(|square| square.cloned().unwrap_or_default());
    let [from, to] = ends(&step.path);
    let line = if step.line.is_empty() { step.path } else { ends(&step.line).to_vec() };
    Marks { line, from, to, count: step.count, is_legal, group: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::checkers;
    use kingline::game::Ending;
    use kingline::loa::Position;

    /// The marks of each example: the number of pieces on the line, whether the move is legal, and whether it captures.
    fn seen<G: Shown>() -> Vec<(usize, bool, bool)> {
        let marked = G::EXAMPLES.iter().filter(|example| !example.path.is_empty()).map(|example| {
            let position = example.position.parse::<G>().unwrap_or_else(|error| panic!("{error}"));
            let marks = marks(example, &position);
            let step = position.way(example.path).expect("a way");
            assert_eq!((Some(&marks.from), Some(&marks.to)), (step.path.first(), step.path.last()));
            (marks.count, marks.is_legal, step.captures)
        });
        marked.collect()
    }

    fn end_of_last<G: Shown>() -> Option<Ending> {
        let last = G::EXAMPLES.last().expect("examples");
        last.position.parse::<G>().unwrap_or_else(|error| panic!("{error}")).ending()
    }

    #[test]
    fn the_examples_match_their_texts() {
        let lines_of_action = [(3, true, true), (2, false, false), (2, true, true)];
        assert_eq!(seen::<Position<8>>()[..], lines_of_action);
        assert_eq!(seen::<Position<6>>()[..], lines_of_action);
        assert_eq!(seen::<checkers::Position>(), [(0, true, false), (0, true, true), (0, true, true)]);
        for end in [end_of_last::<Position<8>>(), end_of_last::<Position<6>>(), end_of_last::<checkers::Position>()] {
            assert_eq!(end, Some(Ending::Win(Color::Black)));
        }
        let last = &<Position<8>>::EXAMPLES[3];
        let marks = marks(last, &last.position.parse::<Position<8>>().expect("a position"));
        assert_eq!((marks.group.len(), marks.line.len()), (4, 0));
    }
}
