//! Codes for game results.
//!
//! The first number belongs to the side that moves first in the given game type. In American checkers (`GameType` 21)
//! that is Black: `1-0` is a win for Black, even if a set-up position has White to move. Sources: PDN 2.0 (M. Cash,
//! 2003) and game archives, which agree with it; the PDN 3.0 draft for two-point wins and `0-0`.

use crate::game::{Color, Outcome, ParseError};

const BLACK: Option<Outcome> = Some(Outcome::Win(Color::Black));
const WHITE: Option<Outcome> = Some(Outcome::Win(Color::White));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// Codes and their results. If several codes mean the same result, the first is written.
///
/// `0-0` stands for a game that both sides lost, usually because neither player appeared. It has no winner and is not a
/// draw, so it is read like `*`.
const CODES: [(&str, Option<Outcome>); 9] = [
    ("1-0", BLACK),
    ("0-1", WHITE),
    ("1/2-1/2", DRAW),
    ("*", None),
    ("2-0", BLACK),
    ("0-2", WHITE),
    ("1-1", DRAW),
    ("\u{bd}-\u{bd}", DRAW),
    ("0-0", None),
];

/// Returns the code for `result`; `None` means that the game is not over, or its result is unknown.
pub(super) fn result_code(result: Option<Outcome>) -> &'static str {
    CODES.iter().find(|&&(_, outcome)| outcome == result).map_or("*", |&(code, _)| code)
}

/// Returns `true` if `text` is a code. No code can be mistaken for a move: there is no square 0, and no move from 1 to
/// 1.
pub(super) fn is_result(text: &str) -> bool {
    find_result(text).is_some()
}

/// Returns the result that the code `text` stands for.
pub(super) fn read_result(text: &str) -> Result<Option<Outcome>, ParseError> {
    find_result(text).ok_or_else(|| ParseError::new(text, "a result: 1-0, 0-1, 1/2-1/2 or *"))
}

fn find_result(text: &str) -> Option<Option<Outcome>> {
    CODES.iter().find(|&&(code, _)| code == text).map(|&(_, outcome)| outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_is_blacks() {
        for (text, result) in [("1-0", BLACK), ("2-0", BLACK), ("0-1", WHITE), ("0-2", WHITE)] {
            assert_eq!(read_result(text), Ok(result), "{text}");
        }
        assert_eq!(result_code(Some(Outcome::Win(Color::Black))), "1-0");
        assert_eq!(result_code(Some(Outcome::Win(Color::White))), "0-1");
    }

    #[test]
    fn codes_round_trip() {
        for (text, result) in CODES {
            assert_eq!(read_result(result_code(result)), Ok(result), "{text}");
        }
    }

    #[test]
    fn codes_of_unknown_results_name_no_winner() {
        assert_eq!((read_result("0-0"), read_result("*")), (Ok(None), Ok(None)));
        assert_eq!(read_result("won").unwrap_err().to_string(), "found \"won\", expected a result: 1-0, 0-1, 1/2-1/2 or *");
        for text in ["", "1", "1-", "1-5", "0", "2-2", "1/2", "1-0 "] {
            assert!(!is_result(text), "{text}");
        }
    }
}
