use std::fmt::Write;

use thiserror::Error;

use crate::protocol::slip::repair_blanks;
use kingline::checkers::{Move, Position, Route, Square};
use kingline::game::{Game, LineError, ParseError};

/// Text of output.txt for a turn (§2): `E c3 b4`, or a line `J f6 d4` for each jump.
pub fn write_answer(route: &Route) -> String {
    let letter = if route.is_jump() { 'J' } else { 'E' };
    route.squares().windows(2).fold(String::new(), |mut text, hop| {
        let _ = writeln!(text, "{letter} {} {}", hop[0], hop[1]);
        text
    })
}

/// Reason why a text is not an answer to a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// The text is ill-formed; this is its first wrong line.
    #[error("{0}")]
    IllFormed(LineError),
    /// The text is well-formed, but the turn is not legal.
    #[error("{0}")]
    Illegal(ParseError),
}

/// Finds the legal turn in `position` that the text of an output.txt names. Only the last newline may be missing.
///
/// # Errors
/// The form or the turn is wrong: what was found, and what was expected.
pub fn read_answer(text: &str, position: &Position) -> Result<Move, AnswerError> {
    let (squares, letter) = read_squares(text).map_err(AnswerError::IllFormed)?;
    let written = shown(&squares, letter);
    let illegal = |expected: String| AnswerError::Illegal(ParseError::new(&written, expected));
    let Some(mv) = Route::find(position, &squares) else {
        return Err(illegal(legal_turns(position, &squares)));
    };
    match (letter, mv.captures() > 0) {
        (Letter::Step, true) => Err(illegal("J, not E, for a jump".into())),
        (Letter::Jump, false) => Err(illegal("E, not J, for a step".into())),
        _ => Ok(mv),
    }
}

/// Returns true if this single line is a well-formed answer, legal or not.
pub fn is_answer_line(line: &str) -> bool {
    read_squares(line).is_ok()
}

/// Small mistake in the blanks, letter case or line ending that makes a line ill-formed, worded to follow "line 1":
/// `ends in a blank`. `None` if the line is well-formed or wrong in another way.
pub fn line_slip(line: &str) -> Option<String> {
    let repaired = repair_blanks(line);
    if repaired.text.is_empty() {
        return repaired.in_words();
    }
    let (letter, squares) = repaired.text.split_at_checked(1)?;
    let (letter, squares) = (letter.to_owned(), squares.to_owned());
    let repaired = repaired
        .with(letter.to_uppercase() + &squares, "begins with a lowercase letter")
        .with(letter.to_uppercase() + &squares.to_lowercase(), "has an uppercase square");
    is_answer_line(&repaired.text).then(|| repaired.in_words()).flatten()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letter {
    Step,
    Jump,
}

/// Squares that the lines visit, two or more, starting square first.
fn read_squares(text: &str) -> Result<(Vec<Square>, Letter), LineError> {
    let mut squares: Vec<Square> = Vec::new();
    let mut first = None;
    for (line, text) in (1..).zip(text.strip_suffix('\n').unwrap_or(text).split('\n')) {
        let wrong = |expected: &str| LineError::new(line, text, expected);
        if line > 1 && text.trim().is_empty() {
            return Err(wrong("no blank line after the turn"));
        }
        let words: Vec<&str> = text.split(' ').collect();
        let &[word @ ("E" | "J"), from, to] = &words[..] else {
            return Err(wrong("a step like E c3 b4 or a jump like J f6 d4"));
        };
        let letter = if word == "E" { Letter::Step } else { Letter::Jump };
        let from: Square = from.parse().map_err(|error| LineError { line, error })?;
        let to: Square = to.parse().map_err(|error| LineError { line, error })?;
        match squares.last() {
            None => squares.push(from),
            Some(&last) if last != from => return Err(wrong("a jump that starts where the previous one ended")),
            Some(_) => {}
        }
        squares.push(to);
        if *first.get_or_insert(letter) != letter || (letter == Letter::Step && line > 1) {
            return Err(wrong("nothing after a step, and no step after a jump"));
        }
    }
    first.map(|letter| (squares, letter)).ok_or_else(|| LineError::new(1, text, "a turn"))
}

/// Turn as the names of its squares, for errors.
fn shown(squares: &[Square], letter: Letter) -> String {
    let names: Vec<String> = squares.iter().map(Square::to_string).collect();
    names.join(if letter == Letter::Jump { "x" } else { "-" })
}

/// Rule (§1) that the turn over `squares` violates, if known, and the legal turns.
fn legal_turns(position: &Position, squares: &[Square]) -> String {
    let list = position.legal_moves();
    let routes: Vec<Route> = list.iter().flat_map(|&mv| Route::all(position, mv)).collect();
    let rule = if routes.iter().any(|route| route.squares().starts_with(squares)) {
        "the jump to its end: "
    } else if routes.iter().any(|route| squares.starts_with(route.squares())) {
        "no hop after the end of the turn: "
    } else if position.must_jump() && squares.len() == 2 {
        "a jump, since jumping is compulsory: "
    } else {
        ""
    };
    let names: Vec<String> = routes.iter().map(Route::to_string).collect();
    format!("{rule}a legal turn: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_round_trip() {
        for text in ["B:W21,22,23,24:B1,2,3", "B:W18,26:B15,2", "W:WK30:B25,17,18,26"] {
            let position: Position = text.parse().unwrap();
            let list = position.legal_moves();
            for &mv in &list {
                for route in Route::all(&position, mv) {
                    assert_eq!(read_answer(&write_answer(&route), &position), Ok(mv), "{route}");
                }
            }
        }
    }

    #[test]
    fn other_forms_are_ill_formed_and_other_turns_illegal() {
        let position: Position = "B:W18,26:B15,2".parse().unwrap();
        read_answer("J e5 c3\nJ c3 e1\n", &position).unwrap();
        for (text, line) in [
            ("", 1),
            ("\n", 1),
            ("E e5 c3\nE c3 e1\n", 2),
            ("J e5 c3\nE c3 e1\n", 2),
            ("J e5 c3\nJ e5 c3\n", 2),
            ("j e5 c3\nj c3 e1\n", 1),
            ("J e5  c3\nJ c3 e1\n", 1),
            ("J e5 c3 \nJ c3 e1\n", 1),
            ("J e5 c3\n\nJ c3 e1\n", 2),
            ("J e5 c3\r\nJ c3 e1\r\n", 1),
        ] {
            let Err(AnswerError::IllFormed(error)) = read_answer(text, &position) else { panic!("{text:?}") };
            assert_eq!(error.line, line, "{text:?}");
        }
        for text in ["J e5 c3\n", "J e5 c3\nJ c3 e1\nJ e1 g3\n", "J e5 e1\n", "E b8 a7\n"] {
            let error = read_answer(text, &position).unwrap_err();
            assert!(matches!(error, AnswerError::Illegal(_)), "{text:?}: {error}");
        }
    }

    #[test]
    fn small_mistakes_in_a_line_are_named() {
        for (line, slip) in [
            ("E c3 b4 ", Some("ends in a blank")),
            ("E c3 b4\r", Some("ends in CR")),
            ("", Some("is blank")),
            ("e c3 b4", Some("begins with a lowercase letter")),
            ("J F6 D4", Some("has an uppercase square")),
            ("j F6 d4 ", Some("ends in a blank and begins with a lowercase letter and has an uppercase square")),
            ("E c3 b4", None),
            ("c3 b4 ", None),
            ("E c3-b4", None),
            ("E c3 c4 ", None),
            ("\u{e9}", None),
        ] {
            assert_eq!(line_slip(line).as_deref(), slip, "{line:?}");
        }
    }

    #[test]
    fn an_illegal_turn_names_the_broken_rule() {
        let position: Position = "B:W18,26:B15,2".parse().unwrap();
        for (text, message) in [
            ("J e5 c3\n", "found \"e5xc3\", expected the jump to its end: a legal turn: e5xc3xe1"),
            (
                "J e5 c3\nJ c3 e1\nJ e1 g3\n",
                "found \"e5xc3xe1xg3\", expected no hop after the end of the turn: a legal turn: e5xc3xe1",
            ),
            ("E b8 a7\n", "found \"b8-a7\", expected a jump, since jumping is compulsory: a legal turn: e5xc3xe1"),
            (
                "E e5 d4\nE d4 c3\n",
                "line 2: found \"E d4 c3\", expected nothing after a step, and no step after a jump",
            ),
            ("J e5 c4\n", "line 1: found \"c4\", expected a dark square, a1 to h8"),
        ] {
            assert_eq!(read_answer(text, &position).unwrap_err().to_string(), message, "{text:?}");
        }
    }
}
