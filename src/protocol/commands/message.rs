//! What a program prints, line by line: messages, dumps, and lines that mean nothing.

use std::fmt;

use crate::game::{Color, Outcome, ParseError};
use crate::loa::Square;

/// What a program says and scripts wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A move, as it is sent to another program.
    Move {
        /// Whose it is; only the programs of 2015 say so.
        by: Option<Color>,
        /// `a2-c2`.
        text: String,
    },
    /// The end of a game.
    End(Outcome),
}

/// What a line means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nothing; it is thrown away.
    Nothing,
    /// A line of a dump, its first and last ones included.
    Dump(String),
    /// A message.
    Message(Message),
    /// It fails the test, for this reason.
    Wrong(String),
}

/// How a language finds messages and dumps.
#[derive(Debug)]
pub struct Tongue {
    /// Whether a line opens or closes a dump.
    pub marks_dump: fn(&str) -> bool,
    /// What a line outside a dump means.
    pub read: fn(&str) -> Heard,
}

/// Listens to one program: what stands in a dump is no message.
#[derive(Debug)]
pub struct Ear {
    tongue: &'static Tongue,
    in_dump: bool,
}

/// Of 2020 (§3).
pub static TONGUE_2020: Tongue = Tongue { marks_dump: |line| line.starts_with("==="), read: read_2020 };

/// Of 2015 (§4).
pub static TONGUE_2015: Tongue = Tongue { marks_dump: |line| line.trim() == "===", read: read_2015 };

impl Ear {
    /// Outside any dump.
    pub fn new(tongue: &'static Tongue) -> Ear {
        Ear { tongue, in_dump: false }
    }

    /// What a line means, and the prompts before it apart.
    pub fn hear(&mut self, line: &str) -> Heard {
        let line = match line.rsplit_once('>') {
            Some((_, rest)) => rest.trim_start(),
            None => line,
        };
        let marks_dump = (self.tongue.marks_dump)(line);
        if marks_dump {
            self.in_dump = !self.in_dump;
        }
        if marks_dump || self.in_dump { Heard::Dump(line.trim_end().to_string()) } else { (self.tongue.read)(line) }
    }
}

/// `* a1-b2` and `* Black wins.` are messages, whatever stands behind the move (§1 of the contract of scripts).
fn read_2020(line: &str) -> Heard {
    let Some(text) = line.trim_start().strip_prefix('*') else { return Heard::Nothing };
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some(result) = end(&words.join(" ")) {
        return Heard::Message(Message::End(result));
    }
    match move_at_start(text.trim_start()) {
        Some(text) => Heard::Message(Message::Move { by: None, text }),
        None => Heard::Wrong(malformed(line, "a move or the end of a game after *")),
    }
}

/// `B::a1-b2`, `W::a1-b2` and `Black wins.` are messages, and nothing may look like them (§2 of that contract).
fn read_2015(line: &str) -> Heard {
    let line = line.trim();
    let by = line.split_once("::").and_then(|(side, text)| match side {
        "B" => Some((Color::Black, text)),
        "W" => Some((Color::White, text)),
        _ => None,
    });
    match by {
        _ if end(line).is_some() => end(line).map_or(Heard::Nothing, |result| Heard::Message(Message::End(result))),
        Some((color, text)) if move_at_start(text).is_some_and(|mv| mv == text) => {
            Heard::Message(Message::Move { by: Some(color), text: text.to_string() })
        }
        _ if line.contains("::") => Heard::Wrong(malformed(line, "B:: or W:: and a move")),
        _ if line.contains("===") => Heard::Wrong(malformed(line, "=== alone")),
        _ if line.contains("wins") => Heard::Wrong(malformed(line, "Black wins. or White wins. alone")),
        _ => Heard::Nothing,
    }
}

/// The move with which `text` begins, in small letters.
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

/// How programs tell a result.
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

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Move { by: None, text } => f.write_str(text),
            Message::Move { by: Some(Color::Black), text } => write!(f, "B::{text}"),
            Message::Move { by: Some(Color::White), text } => write!(f, "W::{text}"),
            Message::End(result) => f.write_str(ended(*result)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(tongue: &'static Tongue, line: &str) -> Heard {
        Ear::new(tongue).hear(line)
    }

    fn move_of(by: Option<Color>, text: &str) -> Heard {
        Heard::Message(Message::Move { by, text: text.to_string() })
    }

    fn end_of(result: Outcome) -> Heard {
        Heard::Message(Message::End(result))
    }

    #[test]
    fn messages_of_2020() {
        for line in ["* a2-c2", "*a2-c2", "  * a2-c2", "b> w> * A2-C2 \r", "->\t*  a2-c2, my move", "* a2-c2junk"] {
            assert_eq!(heard(&TONGUE_2020, line), move_of(None, "a2-c2"), "{line}");
        }
        for line in ["* White wins.", "b> -> *White  wins. \r"] {
            assert_eq!(heard(&TONGUE_2020, line), end_of(Outcome::Win(Color::White)), "{line}");
        }
        assert_eq!(heard(&TONGUE_2020, "* Tie game."), end_of(Outcome::Draw));
        for line in ["", "a2-c2", "Black wins.", "x * a2-c2", "B::a2-c2", "* a2-c2 > ok", " ==="] {
            assert_eq!(heard(&TONGUE_2020, line), Heard::Nothing, "{line}");
        }
        for line in
            ["*", "* ", "** a2-c2", "* a2-c9", "* i2-c2", "* a2 - c2", "* Black wins", "* black wins.", "*\u{e9}"]
        {
            let Heard::Wrong(reason) = heard(&TONGUE_2020, line) else { panic!("{line}") };
            assert!(reason.starts_with("malformed message: found \"*"), "{reason}");
        }
    }

    #[test]
    fn messages_of_2015() {
        for line in ["B::a2-c2", "b> B::a2-c2 ", " B::a2-c2\r"] {
            assert_eq!(heard(&TONGUE_2015, line), move_of(Some(Color::Black), "a2-c2"), "{line}");
        }
        assert_eq!(heard(&TONGUE_2015, "W::g8-g1"), move_of(Some(Color::White), "g8-g1"));
        assert_eq!(heard(&TONGUE_2015, "-> Black wins."), end_of(Outcome::Win(Color::Black)));
        assert_eq!(heard(&TONGUE_2015, "Tie game."), end_of(Outcome::Draw));
        for line in ["", "* a2-c2", "* Tie game.", "Error: no", "White won", "B:a2-c2"] {
            assert_eq!(heard(&TONGUE_2015, line), Heard::Nothing, "{line}");
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
            assert!(matches!(heard(&TONGUE_2015, line), Heard::Wrong(_)), "{line}");
        }
    }

    #[test]
    fn dumps_run_to_the_next_mark() {
        let dump = |text: &str| Heard::Dump(text.to_string());
        let mut ear = Ear::new(&TONGUE_2020);
        for (line, expected) in [
            ("b> === a", dump("=== a")),
            ("    - b \r", dump("    - b")),
            ("* hello", dump("* hello")),
            ("", dump("")),
            (" ===", dump(" ===")),
            ("====", dump("====")),
            ("    - b", Heard::Nothing),
            ("* a2-c2", move_of(None, "a2-c2")),
        ] {
            assert_eq!(ear.hear(line), expected, "{line}");
        }
        let mut ear = Ear::new(&TONGUE_2015);
        for line in ["-> ===", "::", "White wins.", "=== x", " ==="] {
            assert!(matches!(ear.hear(line), Heard::Dump(_)), "{line}");
        }
        assert_eq!(ear.hear("White wins."), end_of(Outcome::Win(Color::White)));
    }
}
