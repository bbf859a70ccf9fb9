//! What does a line that a program prints mean: an event, a part of a dump, or nothing?

use std::fmt;

use crate::game::{Color, Outcome, ParseError};
use crate::loa::Square;

/// What scripts wait for: a message of the program's, as the contracts call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move, as it is sent to another program.
    Move {
        /// The side that moved; only programs of 2015 name it.
        by: Option<Color>,
        /// `a2-c2`.
        text: String,
    },
    /// The end of a game.
    End(Outcome),
}

/// What a line of output means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing.
    Ignored,
    /// A line of a dump, its first and last ones included.
    Dump(String),
    /// A move, or the end of a game.
    Event(Event),
    /// It looks like an event and is none: this is what was read, and expected.
    Malformed(String),
}

/// How the programs of an edition mark events and dumps.
#[derive(Debug)]
pub struct Grammar {
    /// Whether a line opens or closes a dump.
    pub marks_dump: fn(&str) -> bool,
    /// What a line outside a dump means.
    pub read: fn(&str) -> Line,
}

/// Reads the lines of one program: no line of a dump is an event.
#[derive(Debug)]
pub struct Listener {
    grammar: &'static Grammar,
    in_dump: bool,
}

/// Of 2020 (§3).
pub static GRAMMAR_2020: Grammar = Grammar { marks_dump: |line| line.starts_with("==="), read: read_2020 };

/// Of 2015 (§4).
pub static GRAMMAR_2015: Grammar = Grammar { marks_dump: |line| line.trim() == "===", read: read_2015 };

impl Listener {
    /// Outside any dump.
    pub fn new(grammar: &'static Grammar) -> Listener {
        Listener { grammar, in_dump: false }
    }

    /// What the next line means, without the prompts before it.
    pub fn hear(&mut self, line: &str) -> Line {
        let line = match line.rsplit_once('>') {
            Some((_, rest)) => rest.trim_start(),
            None => line,
        };
        let marks_dump = (self.grammar.marks_dump)(line);
        if marks_dump {
            self.in_dump = !self.in_dump;
        }
        if marks_dump || self.in_dump { Line::Dump(line.trim_end().to_string()) } else { (self.grammar.read)(line) }
    }
}

/// `* a1-b2` and `* Black wins.` are events, whatever follows the move (§1 of the contract of scripts).
fn read_2020(line: &str) -> Line {
    let Some(text) = line.trim_start().strip_prefix('*') else { return Line::Ignored };
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some(result) = end(&words.join(" ")) {
        return Line::Event(Event::End(result));
    }
    match move_at_start(text.trim_start()) {
        Some(text) => Line::Event(Event::Move { by: None, text }),
        None => Line::Malformed(malformed(line, "a move or the end of a game after *")),
    }
}

/// `B::a1-b2`, `W::a1-b2` and `Black wins.` are events, and nothing else may look like one (§2 of that contract).
fn read_2015(line: &str) -> Line {
    let line = line.trim();
    let by = line.split_once("::").and_then(|(side, text)| match side {
        "B" => Some((Color::Black, text)),
        "W" => Some((Color::White, text)),
        _ => None,
    });
    match by {
        _ if end(line).is_some() => end(line).map_or(Line::Ignored, |result| Line::Event(Event::End(result))),
        Some((color, text)) if move_at_start(text).is_some_and(|mv| mv == text) => {
            Line::Event(Event::Move { by: Some(color), text: text.to_string() })
        }
        _ if line.contains("::") => Line::Malformed(malformed(line, "B:: or W:: and a move")),
        _ if line.contains("===") => Line::Malformed(malformed(line, "=== alone")),
        _ if line.contains("wins") => Line::Malformed(malformed(line, "Black wins. or White wins. alone")),
        _ => Line::Ignored,
    }
}

/// The move with which `text` begins, in lower case.
fn move_at_start(text: &str) -> Option<String> {
    let text = text.get(..5)?.to_ascii_lowercase();
    let (from, to) = text.split_once('-')?;
    let are_squares = from.parse::<Square>().is_ok() && to.parse::<Square>().is_ok();
    are_squares.then_some(text)
}

fn end(text: &str) -> Option<Outcome> {
    let results = [Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw];
    results.into_iter().find(|&result| text == ended(result))
}

/// The words in which programs announce a result.
pub fn ended(result: Outcome) -> &'static str {
    match result {
        Outcome::Win(Color::Black) => "Black wins.",
        Outcome::Win(Color::White) => "White wins.",
        Outcome::Draw => "Tie game.",
    }
}

fn malformed(line: &str, expected: &str) -> String {
    format!("malformed message: {}", ParseError::new(line.trim(), expected))
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Move { by: None, text } => f.write_str(text),
            Event::Move { by: Some(Color::Black), text } => write!(f, "B::{text}"),
            Event::Move { by: Some(Color::White), text } => write!(f, "W::{text}"),
            Event::End(result) => f.write_str(ended(*result)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(grammar: &'static Grammar, line: &str) -> Line {
        Listener::new(grammar).hear(line)
    }

    fn move_of(by: Option<Color>, text: &str) -> Line {
        Line::Event(Event::Move { by, text: text.to_string() })
    }

    fn end_of(result: Outcome) -> Line {
        Line::Event(Event::End(result))
    }

    #[test]
    fn events_of_2020() {
        for line in ["* a2-c2", "*a2-c2", "  * a2-c2", "b> w> * A2-C2 \r", "->\t*  a2-c2, my move", "* a2-c2junk"] {
            assert_eq!(heard(&GRAMMAR_2020, line), move_of(None, "a2-c2"), "{line}");
        }
        for line in ["* White wins.", "b> -> *White  wins. \r"] {
            assert_eq!(heard(&GRAMMAR_2020, line), end_of(Outcome::Win(Color::White)), "{line}");
        }
        assert_eq!(heard(&GRAMMAR_2020, "* Tie game."), end_of(Outcome::Draw));
        for line in ["", "a2-c2", "Black wins.", "x * a2-c2", "B::a2-c2", "* a2-c2 > ok", " ==="] {
            assert_eq!(heard(&GRAMMAR_2020, line), Line::Ignored, "{line}");
        }
        for line in
            ["*", "* ", "** a2-c2", "* a2-c9", "* i2-c2", "* a2 - c2", "* Black wins", "* black wins.", "*\u{e9}"]
        {
            let Line::Malformed(reason) = heard(&GRAMMAR_2020, line) else { panic!("{line}") };
            assert!(reason.starts_with("malformed message: found \"*"), "{reason}");
        }
    }

    #[test]
    fn events_of_2015() {
        for line in ["B::a2-c2", "b> B::a2-c2 ", " B::a2-c2\r"] {
            assert_eq!(heard(&GRAMMAR_2015, line), move_of(Some(Color::Black), "a2-c2"), "{line}");
        }
        assert_eq!(heard(&GRAMMAR_2015, "W::g8-g1"), move_of(Some(Color::White), "g8-g1"));
        assert_eq!(heard(&GRAMMAR_2015, "-> Black wins."), end_of(Outcome::Win(Color::Black)));
        assert_eq!(heard(&GRAMMAR_2015, "Tie game."), end_of(Outcome::Draw));
        for line in ["", "* a2-c2", "* Tie game.", "Error: no", "White won", "B:a2-c2"] {
            assert_eq!(heard(&GRAMMAR_2015, line), Line::Ignored, "{line}");
        }
        for line in [
            "B::A2-c2",
            "B::a2-c2!",
            "b::a2-c2",
            "B:: a2-c2",
            "B::a2-c9",
            "::",
            "* White wins.",
            "Who wins?",
            "=== x",
            "x===",
        ] {
            assert!(matches!(heard(&GRAMMAR_2015, line), Line::Malformed(_)), "{line}");
        }
    }

    #[test]
    fn a_dump_ends_at_the_next_marker() {
        let dump = |text: &str| Line::Dump(text.to_string());
        let mut listener = Listener::new(&GRAMMAR_2020);
        for (line, expected) in [
            ("b> === a", dump("=== a")),
            ("    - b \r", dump("    - b")),
            ("* hello", dump("* hello")),
            ("", dump("")),
            (" ===", dump(" ===")),
            ("====", dump("====")),
            ("    - b", Line::Ignored),
            ("* a2-c2", move_of(None, "a2-c2")),
        ] {
            assert_eq!(listener.hear(line), expected, "{line}");
        }
        let mut listener = Listener::new(&GRAMMAR_2015);
        for line in ["-> ===", "::", "White wins.", "=== x", " ==="] {
            assert!(matches!(listener.hear(line), Line::Dump(_)), "{line}");
        }
        assert_eq!(listener.hear("White wins."), end_of(Outcome::Win(Color::White)));
    }
}
