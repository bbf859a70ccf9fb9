//! The codes that tell how a game ended.
//!
//! The first number is that of the side that moves first in the type of game, and in American checkers (`GameType` 21)
//! that is Black: `1-0` says that Black won, also where a set-up position has White to move. Sources: PDN 2.0 (M. Cash,
//! 2003), and the archives of played games, which agree with it.

use crate::game::{Color, Outcome, ParseError};

/// The codes, the one that is written before others of the same meaning.
const CODES: [(&str, Option<Outcome>); 4] = [
    ("1-0", Some(Outcome::Win(Color::Black))),
    ("0-1", Some(Outcome::Win(Color::White))),
    ("1/2-1/2", Some(Outcome::Draw)),
    ("*", None),
];

/// The code for `result`; `None`: the game is not over, or nobody knows how it ended.
pub(super) fn code(result: Option<Outcome>) -> &'static str {
    CODES.iter().find(|&&(_, outcome)| outcome == result).map_or("*", |&(code, _)| code)
}

/// What the code `text` says.
pub(super) fn read(text: &str) -> Result<Option<Outcome>, ParseError> {
    let found = CODES.iter().find(|&&(code, _)| code == text);
    found.map(|&(_, outcome)| outcome).ok_or_else(|| ParseError::new(text, "a result: 1-0, 0-1, 1/2-1/2 or *"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_is_blacks() {
        assert_eq!(read("1-0"), Ok(Some(Outcome::Win(Color::Black))));
        assert_eq!(read("0-1"), Ok(Some(Outcome::Win(Color::White))));
        assert_eq!(code(Some(Outcome::Win(Color::Black))), "1-0");
        assert_eq!(code(Some(Outcome::Win(Color::White))), "0-1");
    }

    #[test]
    fn codes_round_trip() {
        for (text, outcome) in CODES {
            assert_eq!(read(code(outcome)), Ok(outcome), "{text}");
        }
        assert_eq!(read("won").unwrap_err().to_string(), "found \"won\", expected a result: 1-0, 0-1, 1/2-1/2 or *");
    }
}
