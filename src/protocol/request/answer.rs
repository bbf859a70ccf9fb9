//! How is a move written as an answer, and read from it?

use crate::game::{Game, ParseError};
use crate::loa::{Move, Position, Square};

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
    fn other_lines_than_legal_moves_are_refused() {
        for text in ["", "\n", "D1B3", "D1B3 \n", "d1b3\n", "D1-B3\n", "D6B4\nD1B3\n", "A1B2\n", "D1D2\n"] {
            let error = read_answer(text, &Position::start()).unwrap_err();
            assert_eq!(error.expected, "a line with a legal move like D1B3", "{text:?}");
        }
    }
}
