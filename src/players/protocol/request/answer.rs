//! Writing and reading answers to a request for a move.

use crate::protocol::slip::repair_blanks;
use kingline::game::{Game, ParseError};
use kingline::loa::{Move, Position, Square};

/// Line that answers a request with this move, including the newline: `D1B3`, with rows counted from the top (§2).
pub fn write_answer(mv: Move) -> String {
    format!("{}{}\n", name(mv.from()), name(mv.to()))
}

fn name(square: Square) -> String {
    format!("{}{}", char::from(b'A' + square.column() as u8), 6 - square.row())
}

/// Finds the legal move in `position` that an answer names in exactly the form of [`write_answer`].
///
/// # Errors
/// The text names no legal move.
pub fn read_answer(text: &str, position: &Position<6>) -> Result<Move, ParseError> {
    let list = position.legal_moves();
    let found = list.iter().copied().find(|&mv| write_answer(mv) == text);
    found.ok_or_else(|| ParseError::new(text, "a line with a legal move like D1B3"))
}

/// Returns true if a line, without its newline, is a well-formed answer, legal or not.
pub fn is_answer(line: &str) -> bool {
    matches!(line.as_bytes(), [b'A'..=b'F', b'1'..=b'6', b'A'..=b'F', b'1'..=b'6'])
}

/// Small mistake that makes an answer ill-formed, such as blanks or letter case: `ends in a blank`, to follow "the
/// answer". `None` if the answer is well-formed or wrong in another way.
pub fn line_slip(line: &str) -> Option<String> {
    let repaired = repair_blanks(line);
    let (capitals, joined) = (repaired.text.to_uppercase(), repaired.text.to_uppercase().replace([' ', '-'], ""));
    let repaired = repaired.with(capitals, "has lowercase letters").with(joined, "has something between its squares");
    is_answer(&repaired.text).then(|| repaired.in_words()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_from_the_top() {
        let position = Position::start();
        // §2: two squares down and left from the top row.
        let mv = position.parse_move("d6-b4").unwrap();
        assert_eq!(write_answer(mv), "D1B3\n");
        assert_eq!(read_answer("D1B3\n", &position), Ok(mv));
    }

    #[test]
    fn small_mistakes_in_a_line_are_named() {
        for (line, slip) in [
            ("D1B3", None),
            ("D1B3 ", Some("ends in a blank")),
            ("D1B3\r", Some("ends in CR")),
            ("d1b3", Some("has lowercase letters")),
            ("D1-B3", Some("has something between its squares")),
            ("D1 b3", Some("has lowercase letters and has something between its squares")),
            ("", None),
            ("D1B9 ", None),
            ("my move: D1B3", None),
        ] {
            assert_eq!(line_slip(line).as_deref(), slip, "{line:?}");
        }
    }

    #[test]
    fn only_legal_moves_are_accepted() {
        for text in ["", "\n", "D1B3", "D1B3 \n", "d1b3\n", "D1-B3\n", "D6B4\nD1B3\n", "A1B2\n", "D1D2\n"] {
            let error = read_answer(text, &Position::start()).unwrap_err();
            assert_eq!(error.expected, "a line with a legal move like D1B3", "{text:?}");
        }
    }
}
