use std::fmt::Write;

use crate::checkers::{Move, Position, Route, Square};
use crate::game::ParseError;

/// A turn as output.txt holds it (§2): `E c3 b4`, or a line `J f6 d4` for each jump.
pub fn write_answer(route: &Route) -> String {
    let letter = if route.is_jump() { 'J' } else { 'E' };
    route.squares().windows(2).fold(String::new(), |mut text, hop| {
        let _ = writeln!(text, "{letter} {} {}", hop[0], hop[1]);
        text
    })
}

/// The legal turn of `position` that a text in the form of output.txt names; exactly that form.
///
/// # Errors
/// The number of the first line that is wrong, from 1, and what is wrong with it.
pub fn read_answer(text: &str, position: &Position) -> Result<Move, (usize, ParseError)> {
    let mut squares: Vec<Square> = Vec::new();
    let mut steps = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |expected: &str| (number, ParseError::new(line, expected));
        let words: Vec<&str> = line.split(' ').collect();
        let &[letter @ ("E" | "J"), from, to] = &words[..] else {
            return Err(wrong("a step like E c3 b4 or a jump like J f6 d4"));
        };
        let from: Square = from.parse().map_err(|error| (number, error))?;
        let to: Square = to.parse().map_err(|error| (number, error))?;
        if squares.is_empty() {
            squares.push(from);
        } else if squares.last() != Some(&from) {
            return Err(wrong("a jump that starts where the one before ended"));
        }
        squares.push(to);
        steps += usize::from(letter == "E");
        if steps > 0 && number > 1 {
            return Err(wrong("nothing after a step, and no step after a jump"));
        }
    }
    let whole = || ParseError::new(text, "a legal turn");
    let mv = Route::find(position, &squares).ok_or_else(|| (1, whole()))?;
    if (steps > 0) == (mv.captures() > 0) {
        return Err((1, ParseError::new(text, "E for a step, J for each jump")));
    }
    Ok(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MoveList};

    #[test]
    fn answers_go_there_and_back() {
        for text in ["B:W21,22,23,24:B1,2,3", "B:W18,26:B15,2", "W:WK30:B25,17,18,26"] {
            let position: Position = text.parse().unwrap();
            let mut list = MoveList::new();
            position.moves(&mut list);
            for &mv in list.iter() {
                for route in Route::all(&position, mv) {
                    assert_eq!(read_answer(&write_answer(&route), &position), Ok(mv), "{route}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        let position: Position = "B:W18,26:B15,2".parse().unwrap();
        assert!(read_answer("J e5 c3\nJ c3 e1\n", &position).is_ok());
        for text in [
            "",
            "\n",
            "J e5 c3\n",
            "E e5 c3\nE c3 e1\n",
            "J e5 c3\nE c3 e1\n",
            "J e5 c3\nJ e5 c3\n",
            "J e5 c3\nJ c3 e1\nJ e1 g3\n",
            "J e5 e1\n",
            "j e5 c3\nj c3 e1\n",
            "J e5  c3\nJ c3 e1\n",
            "J e5 c3 \nJ c3 e1\n",
            "J e5 c3\n\nJ c3 e1\n",
            "E b8 a7\n",
        ] {
            assert!(read_answer(text, &position).is_err(), "{text:?}");
        }
    }
}
