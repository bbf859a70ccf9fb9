//! Lines that programs print: events, dumps of the board, and others, which mean nothing.

use std::fmt;

use kingline::game::{Color, Game, Outcome, ParseError};
use kingline::loa::{Position, Square};

/// Event that scripts wait for. The contracts call it a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Move, as sent to another program.
    Move {
        /// Side that moved; only programs of 2015 name it.
        by: Option<Color>,
        /// Squares: `a2-c2`.
        text: String,
    },
    /// End of a game.
    End(Outcome),
}

/// Meaning of a line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing.
    Ignored,
    /// Line of a dump, including its first and last ones.
    Dump(String),
    /// Move, or end of a game.
    Event(Event),
    /// Line that looks like an event but is malformed: what was read, and what was expected.
    Malformed(String),
}

/// Syntax of events and dumps in an edition.
#[derive(Debug)]
pub struct Grammar {
    /// Returns true if a line opens or closes a dump.
    pub marks_dump: fn(&str) -> bool,
    /// Parses a line outside a dump.
    pub read: fn(&str) -> Line,
}

/// Parser of the lines of one program. No line of a dump is an event.
#[derive(Debug)]
pub struct LineParser {
    grammar: &'static Grammar,
    in_dump: bool,
}

/// Grammar of 2020 (§3).
pub static GRAMMAR_2020: Grammar = Grammar { marks_dump: |line| line.starts_with("==="), read: read_2020 };

/// Grammar of 2015 (§4).
pub static GRAMMAR_2015: Grammar = Grammar {
    marks_dump: |line| line.trim() == "===",
    read: |line| read_2015(line, |text| move_at_start(text).is_some_and(|mv| mv == text)),
};

/// Grammar of the course's own tester of 2015, for which any word is a move (§2 of the script contract).
#[cfg(unix)]
pub(crate) static COURSE_GRAMMAR_2015: Grammar = Grammar {
    read: |line| read_2015(line, |text| !text.is_empty() && !text.contains(char::is_whitespace)),
    ..GRAMMAR_2015
};

impl LineParser {
    /// Parser that begins outside a dump.
    pub fn new(grammar: &'static Grammar) -> LineParser {
        LineParser { grammar, in_dump: false }
    }

    /// Parses the next line, skipping any prompts before it.
    pub fn parse_line(&mut self, line: &str) -> Line {
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

/// Parses a line of 2020. `* a1-b2` and `* Black wins.` are events, whatever follows the move (§1 of the script
/// contract).
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

/// Parses a line of 2015. Only `B::a1-b2`, `W::a1-b2` and `Black wins.` are events; no other line may look like one (§2 of
/// that contract).
fn read_2015(line: &str, is_move: fn(&str) -> bool) -> Line {
    let line = line.trim();
    let by = line.split_once("::").and_then(|(side, text)| match side {
        "B" => Some((Color::Black, text)),
        "W" => Some((Color::White, text)),
        _ => None,
    });
    match by {
        _ if end(line).is_some() => end(line).map_or(Line::Ignored, |result| Line::Event(Event::End(result))),
        Some((color, text)) if is_move(text) => Line::Event(Event::Move { by: Some(color), text: text.to_string() }),
        _ if line.contains("::") => Line::Malformed(malformed(line, "B:: or W:: and a move")),
        _ if line.contains("===") => Line::Malformed(malformed(line, "=== alone")),
        _ if line.contains("wins") => Line::Malformed(malformed(line, "Black wins. or White wins. alone")),
        _ => Line::Ignored,
    }
}

/// Move at the start of `text`, in lower case.
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

/// Words with which programs announce a result.
pub fn ended(result: Outcome) -> &'static str {
    match result {
        Outcome::Win(Color::Black) => "Black wins.",
        Outcome::Win(Color::White) => "White wins.",
        Outcome::Draw => "Tie game.",
    }
}

/// Text of the board as printed for programs (§3).
pub fn dump(position: &Position<8>) -> String {
    let mut text = String::from("===\n");
    for row in (0..8).rev() {
        text.push_str("    ");
        position.row(row).for_each(|square| text.extend([square, ' ']));
        text.push('\n');
    }
    let turn = if position.turn() == Color::Black { "black" } else { "white" };
    text + &format!("Next move: {turn}\n===\n")
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

    fn parsed(grammar: &'static Grammar, line: &str) -> Line {
        LineParser::new(grammar).parse_line(line)
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
            assert_eq!(parsed(&GRAMMAR_2020, line), move_of(None, "a2-c2"), "{line}");
        }
        for line in ["* White wins.", "b> -> *White  wins. \r"] {
            assert_eq!(parsed(&GRAMMAR_2020, line), end_of(Outcome::Win(Color::White)), "{line}");
        }
        assert_eq!(parsed(&GRAMMAR_2020, "* Tie game."), end_of(Outcome::Draw));
        for line in ["", "a2-c2", "Black wins.", "x * a2-c2", "B::a2-c2", "* a2-c2 > ok", " ==="] {
            assert_eq!(parsed(&GRAMMAR_2020, line), Line::Ignored, "{line}");
        }
        for line in
            ["*", "* ", "** a2-c2", "* a2-c9", "* i2-c2", "* a2 - c2", "* Black wins", "* black wins.", "*\u{e9}"]
        {
            let Line::Malformed(reason) = parsed(&GRAMMAR_2020, line) else { panic!("{line}") };
            assert!(reason.starts_with("malformed message: found \"*"), "{reason}");
        }
    }

    #[test]
    fn events_of_2015() {
        for line in ["B::a2-c2", "b>   B::a2-c2 ", "B::a2-c2\r", "  B::a2-c2"] {
            assert_eq!(parsed(&GRAMMAR_2015, line), move_of(Some(Color::Black), "a2-c2"), "{line}");
        }
        assert_eq!(parsed(&GRAMMAR_2015, "W::g8-g1"), move_of(Some(Color::White), "g8-g1"));
        for line in ["-> Black wins.", "  Black wins."] {
            assert_eq!(parsed(&GRAMMAR_2015, line), end_of(Outcome::Win(Color::Black)));
        }
        assert_eq!(parsed(&GRAMMAR_2015, "Tie game."), end_of(Outcome::Draw));
        for line in ["", "* a2-c2", "* Tie game.", "Error: no", "White won", "B:a2-c2"] {
            assert_eq!(parsed(&GRAMMAR_2015, line), Line::Ignored, "{line}");
        }
        let malformed = "B::A2-c2|B::a2-c2!|b::a2-c2|B:: a2-c2|B::a2-c9|::|* White wins.|Who wins?|=== x|x===";
        for line in malformed.split('|') {
            assert!(matches!(parsed(&GRAMMAR_2015, line), Line::Malformed(_)), "{line}");
        }
    }

    #[test]
    fn a_dump_ends_at_the_next_marker() {
        let dump = |text: &str| Line::Dump(text.to_string());
        let mut parser = LineParser::new(&GRAMMAR_2020);
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
            assert_eq!(parser.parse_line(line), expected, "{line}");
        }
        let mut parser = LineParser::new(&GRAMMAR_2015);
        for line in ["-> ===", "::", "White wins.", "=== x", " ==="] {
            assert!(matches!(parser.parse_line(line), Line::Dump(_)), "{line}");
        }
        assert_eq!(parser.parse_line("White wins."), end_of(Outcome::Win(Color::White)));
    }

    #[test]
    fn dumps_match_the_contract() {
        let position: Position<8> =
            "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- black".parse().unwrap();
        let side = "    w - - - - - - w \n".repeat(6);
        let ends = "    - b b b b b b - \n";
        assert_eq!(dump(&position), format!("===\n{ends}{side}{ends}Next move: black\n===\n"));
    }
}
