//! Findings and their display.

use std::fmt::Write;

use serde::Serialize;

use super::ShownBoard;
use crate::record::Violation;
use kingline::draw::Paint;
use kingline_players::terminal::{escaped_lines, is_deceptive};

/// A mistake as displayed: a [`Violation`] with its board, or another mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The request, or the event.
    pub asked: String,
    /// The board at that time.
    #[serde(flatten)]
    pub shown: Option<ShownBoard>,
    /// The kind of fault, if the mistake is one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub wrong: String,
    /// Text read, or event seen.
    pub read: String,
    /// Text or event expected.
    pub expected: String,
}

impl Finding {
    /// The finding about a violation in an answer.
    pub fn new(asked: String, shown: Option<ShownBoard>, wrong: &Violation) -> Finding {
        Finding { wrong: wrong.kind.to_string(), ..Finding::plain(asked, &wrong.read, &wrong.expected) }.with(shown)
    }

    /// The finding about a mistake that is not a kind of fault.
    pub fn plain(asked: impl Into<String>, read: impl Into<String>, expected: impl Into<String>) -> Finding {
        let (wrong, shown) = (String::new(), None);
        let read = presentable(&read.into());
        Finding { asked: asked.into(), shown, wrong, read, expected: expected.into() }
    }

    /// Adds the board.
    #[must_use]
    pub fn with(self, shown: Option<ShownBoard>) -> Finding {
        Finding { shown, ..self }
    }

    /// Human-readable lines, with the board drawn.
    pub fn in_words(&self, paint: Paint) -> String {
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
}
