//! How is a move written as an answer, and read from it?

use crate::game::{Game, ParseError};
use crate::loa::{Move, Position, Square};
use crate::protocol::slip::repair_blanks;

/// A move as the line that answers a request, its end included: `D1B3`, rows from the top (§2).
pub fn write_answer(mv: Move) -> String {
    format!("{}{}\n", name(mv.from()), name(mv.to()))
}

fn name(square: Square) -> String {
    format!("{}{}", char::from(b'A' + square.column() as u8), 6 - square.row())
}

/// The legal move of `position` that an answer names; exactly the form of [`write_answer`].
///
/// # Errors
/// No legal move is written like that.
pub fn read_answer(text: &str, position: &Position<6>) -> Result<Move, ParseError> {
    let list = position.legal_moves();
    let found = list.iter().copied().find(|&mv| write_answer(mv) == text);
    found.ok_or_else(|| ParseError::new(text, "a line with a legal move like D1B3"))
}

/// Whether a line has the form of an answer, legal or not, without its end.
pub fn is_answer(line: &str) -> bool {
    matches!(line.as_bytes(), [b'A'..=b'F', b'1'..=b'6', b'A'..=b'F', b'1'..=b'6'])
}

/// What keeps a line from the form of an answer, if it is only blanks, letter case or the like: words that follow "the
/// answer", as `ends in a blank`. `None`: nothing, or something else.
pub fn line_slip(line: &str) -> Option<String> {
    let repaired = repair_blanks(line);
    let (capitals, joined) = (repaired.text.to_uppercase(), repaired.text.to_uppercase().replace([' ', '-'], ""));
    let repaired = repaired.with(capitals, "has small letters").with(joined, "has something between its squares");
    is_answer(&repaired.text).then(|| repaired.in_words()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_from_the_top() {
        let position = Position::start();
        // §2: from the highest row two squares down and left.
        let mv = position.parse_move("d6-b4").unwrap();
        assert_eq!(write_answer(mv), "D1B3\n");
        assert_eq!(read_answer("D1B3\n", &position), Ok(mv));
    }

    #[test]
    fn slips_in_a_line_are_named() {
        for (line, slip) in [
            ("D1B3", None),
            ("D1B3 ", Some("ends in a blank")),
            ("D1B3\r", Some("ends in CR")),
            ("d1b3", Some("has small letters")),
            ("D1-B3", Some("has something between its squares")),
            ("D1 b3", Some("has small letters and has something between its squares")),
            ("", None),
            ("D1B9 ", None),
            ("my move: D1B3", None),
        ] {
            assert_eq!(line_slip(line).as_deref(), slip, "{line:?}");
        }
    }

    #[test]
    fn other_lines_than_legal_moves_are_refused() {
        for text in ["", "\n", "D1B3", "D1B3 \n", "d1b3\n", "D1-B3\n", "D6B4\nD1B3\n", "A1B2\n", "D1D2\n"] {
            let error = read_answer(text, &Position::start()).unwrap_err();
            assert_eq!(error.expected, "a line with a legal move like D1B3", "{text:?}");
        }
    }
}
