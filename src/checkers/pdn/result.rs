//! The codes that tell how a game ended.
//!
//! The first number is that of the side that moves first in the type of game, and in American checkers (`GameType` 21)
//! that is Black: `1-0` says that Black won, also where a set-up position has White to move. Sources: PDN 2.0 (M. Cash,
//! 2003), and the archives of played games, which agree with it; for two points a win and `0-0` the draft of PDN 3.0.

use crate::game::{Color, Outcome, ParseError};

const BLACK: Option<Outcome> = Some(Outcome::Win(Color::Black));
const WHITE: Option<Outcome> = Some(Outcome::Win(Color::White));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// The codes; of those with the same meaning the first one is written.
///
/// `0-0` stands for a game that both sides lost, mostly since neither came. There is no winner, but no draw was reached
/// either: as to how good the moves were, it says no more than `*`.
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

/// The code for `result`; `None`: the game is not over, or nobody knows how it ended.
pub(super) fn code(result: Option<Outcome>) -> &'static str {
    CODES.iter().find(|&&(_, outcome)| outcome == result).map_or("*", |&(code, _)| code)
}

/// Whether `text` is a code. None can be taken for a move: there is no square 0, and no move from 1 to 1.
pub(super) fn is_code(text: &str) -> bool {
    find(text).is_some()
}

/// What the code `text` says.
pub(super) fn read(text: &str) -> Result<Option<Outcome>, ParseError> {
    find(text).ok_or_else(|| ParseError::new(text, "a result: 1-0, 0-1, 1/2-1/2 or *"))
}

fn find(text: &str) -> Option<Option<Outcome>> {
    CODES.iter().find(|&&(code, _)| code == text).map(|&(_, outcome)| outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_is_blacks() {
        for (text, result) in [("1-0", BLACK), ("2-0", BLACK), ("0-1", WHITE), ("0-2", WHITE)] {
            assert_eq!(read(text), Ok(result), "{text}");
        }
        assert_eq!(code(Some(Outcome::Win(Color::Black))), "1-0");
        assert_eq!(code(Some(Outcome::Win(Color::White))), "0-1");
    }

    #[test]
    fn codes_round_trip() {
        for (text, result) in CODES {
            assert_eq!(read(code(result)), Ok(result), "{text}");
        }
    }

    #[test]
    fn nobody_is_said_to_have_won_where_no_code_says_so() {
        assert_eq!((read("0-0"), read("*")), (Ok(None), Ok(None)));
        assert_eq!(read("won").unwrap_err().to_string(), "found \"won\", expected a result: 1-0, 0-1, 1/2-1/2 or *");
        for text in ["", "1", "1-", "1-5", "0", "2-2", "1/2", "1-0 "] {
            assert!(!is_code(text), "{text}");
        }
    }
}
