//! Findings and the boards that they show.

use std::fmt::Write;

use serde::Serialize;

use crate::record::Violation;
use kingline::checkers::{self, Route};
use kingline::draw::{self, Paint};
use kingline::game::{Color, Game};
use kingline::loa;
use kingline_players::protocol::request::{as_x, write_answer};
use kingline_players::terminal::{escaped_lines, is_deceptive};

/// A mistake as displayed: a [`Violation`] with its board, or another mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Finding {
    /// The request, or the event.
    pub(crate) asked: String,
    /// The board at that time.
    #[serde(flatten)]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<Shown>"))]
    pub(crate) shown: Option<ShownBoard>,
    /// The kind of fault, if the mistake is one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) wrong: String,
    /// Text read, or event seen.
    pub(crate) read: String,
    /// Text or event expected.
    pub(crate) expected: String,
}

impl Finding {
    /// The finding about a violation in an answer.
    pub(crate) fn new(asked: String, shown: Option<ShownBoard>, wrong: &Violation) -> Finding {
        Finding { wrong: wrong.kind.to_string(), ..Finding::plain(asked, &wrong.read, &wrong.expected) }.with(shown)
    }

    /// The finding about a mistake that is not a kind of fault.
    pub(crate) fn plain(asked: impl Into<String>, read: impl Into<String>, expected: impl Into<String>) -> Finding {
        let (wrong, shown) = (String::new(), None);
        let read = presentable(&read.into());
        Finding { asked: asked.into(), shown, wrong, read, expected: expected.into() }
    }

    #[must_use]
    pub(crate) fn with(self, shown: Option<ShownBoard>) -> Finding {
        Finding { shown, ..self }
    }

    /// Human-readable lines, with the board drawn.
    pub(crate) fn in_words(&self, paint: Paint) -> String {
        let mut text = format!("{}\n", escaped_lines(&self.asked));
        if let Some(shown) = &self.shown {
            text += &shown.draw(paint);
            let legal = shown.legal().join(", ");
            // The expectation may already list them.
            if !self.expected.ends_with(&legal) || legal.is_empty() {
                let legal = if legal.is_empty() { "no legal move".into() } else { format!("legal: {legal}") };
                let _ = writeln!(text, "{} to move; {legal}", shown.turn());
            }
        }
        if !self.wrong.is_empty() {
            let _ = writeln!(text, "{}", escaped_lines(&self.wrong));
        }
        for (what, words) in [("read", &self.read), ("expected", &self.expected)] {
            if !words.is_empty() {
                let _ = writeln!(text, "  {what:9} {}", escaped_lines(words).replace('\n', "\n            "));
            }
        }
        text
    }
}

/// An agent's text, escaped for a terminal and shortened.
fn presentable(text: &str) -> String {
    const MOST: usize = 4000;
    let mut shown = String::new();
    for letter in text.chars().take(MOST) {
        match letter {
            '\n' => shown.push(letter),
            '\t' => shown += "    ",
            _ if is_deceptive(letter) => shown.extend(letter.escape_default()),
            _ => shown.push(letter),
        }
    }
    shown + if text.chars().nth(MOST).is_some() { "..." } else { "" }
}

/// A board in a protocol's notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Shown")]
pub(crate) enum ShownBoard {
    /// Checkers; turns are written as squares, e.g. `f6xd4xf2`.
    Checkers(checkers::Position),
    Loa(loa::Position<8>),
    /// Lines of Action 6x6 as in a request: `X` moves next, row 1 is at the top.
    Request(loa::Position<6>),
}

/// The form of a board in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(inline))]
struct Shown {
    /// The board at that time, row by row, as the protocol draws it.
    board: Vec<String>,
    /// The protocol's name of the side to move.
    turn: &'static str,
    /// All legal moves, in the protocol's notation.
    legal: Vec<String>,
}

impl ShownBoard {
    /// The board as a request shows it to the side to move.
    pub(crate) fn request(position: loa::Position<6>) -> ShownBoard {
        ShownBoard::Request(as_x(&position))
    }

    /// The board as lines of text, with row and column labels.
    pub(crate) fn draw(&self, paint: Paint) -> String {
        match self {
            ShownBoard::Checkers(position) => draw::painted(position, paint),
            ShownBoard::Loa(position) => draw::painted(position, paint),
            ShownBoard::Request(position) => draw::plain(position, &draw::REQUEST),
        }
    }

    /// The protocol's name for the side to move.
    pub(crate) fn turn(&self) -> &'static str {
        let name = |color| if color == Color::Black { "Black" } else { "White" };
        match self {
            ShownBoard::Checkers(position) => name(position.turn()),
            ShownBoard::Loa(position) => name(position.turn()),
            ShownBoard::Request(_) => "X",
        }
    }

    /// All legal moves, in the order in which the rules generate them.
    pub(crate) fn legal(&self) -> Vec<String> {
        match self {
            ShownBoard::Checkers(position) => {
                let list = position.legal_moves();
                list.iter().flat_map(|&mv| Route::all(position, mv)).map(|route| route.to_string()).collect()
            }
            ShownBoard::Loa(position) => position.legal_moves().iter().map(ToString::to_string).collect(),
            ShownBoard::Request(position) => {
                position.legal_moves().iter().map(|&mv| write_answer(mv).trim_end().to_owned()).collect()
            }
        }
    }
}

impl From<ShownBoard> for Shown {
    fn from(shown: ShownBoard) -> Shown {
        let board = shown.draw(Paint::Plain).lines().map(str::to_owned).collect();
        Shown { board, turn: shown.turn(), legal: shown.legal() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_agents_is_escaped_and_cut() {
        let finding = Finding::plain("its output:", format!("\u{1b}[2Ja\r\nb{}", "c".repeat(9999)), "less");
        let text = finding.in_words(Paint::Plain);
        assert!(text.starts_with("its output:\n  read      \\u{1b}[2Ja\\r\n            bccc"), "{text}");
        assert!(text.ends_with("ccc...\n  expected  less\n") && text.len() < 5000, "{text}");
    }

    #[test]
    fn every_protocol_has_its_own_notation() {
        let checkers = ShownBoard::Checkers("W:WK18:B14,6,7,15".parse().unwrap());
        let request = ShownBoard::Request(loa::Position::start());
        let loa = ShownBoard::Loa(loa::Position::start());
        assert!(checkers.legal().iter().all(|turn| turn.contains('x')), "{:?}", checkers.legal());
        assert!(request.legal().contains(&"D1B3".to_owned()) && request.draw(Paint::Plain).starts_with("  1  . X X"));
        assert!(loa.legal().contains(&"b1-b3".to_owned()));
        assert_eq!([checkers, request, loa].map(|shown| shown.turn()), ["White", "X", "Black"]);
        let json = serde_json::to_value(loa).unwrap();
        assert_eq!((json["turn"].as_str(), json["board"].as_array().unwrap().len()), (Some("Black"), 9));
    }
}
