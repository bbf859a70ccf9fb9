//! Boards as one word, for scripts.

use super::board::{Board, Content};
use crate::game::Color;

/// Writes the rows from the top with `/` between them: `b` and `w` for men, `B` and `W` for kings, and a digit for each
/// run of empty squares.
pub fn compact<B: Board>(board: &B) -> String {
    let mut text = String::new();
    for row in (0..B::SIZE).rev() {
        let mut empty = 0;
        for column in 0..B::SIZE {
            let letter = match board.content(column, row) {
                Content::Empty => {
                    empty += 1;
                    continue;
                }
                Content::Man(Color::Black) => 'b',
                Content::Man(Color::White) => 'w',
                Content::King(Color::Black) => 'B',
                Content::King(Color::White) => 'W',
            };
            push_number(&mut text, empty);
            text.push(letter);
            empty = 0;
        }
        push_number(&mut text, empty);
        if row > 0 {
            text.push('/');
        }
    }
    text
}

/// Reads the rows from the top, each from the left. Other letters are ignored.
pub(super) fn contents(compact: &str) -> Vec<Vec<Content>> {
    let squares = |letter: char| match letter {
        'b' => vec![Content::Man(Color::Black)],
        'w' => vec![Content::Man(Color::White)],
        'B' => vec![Content::King(Color::Black)],
        'W' => vec![Content::King(Color::White)],
        letter => vec![Content::Empty; letter.to_digit(10).unwrap_or(0) as usize],
    };
    compact.split('/').map(|row| row.chars().flat_map(squares).collect()).collect()
}

fn push_number(text: &mut String, number: usize) {
    if number > 0 {
        text.push(char::from(b'0' + number as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::{checkers, loa};

    #[test]
    fn boards_are_written_from_the_top() {
        assert_eq!(compact(&checkers::Position::start()), "1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1");
        assert_eq!(compact(&"W:WK32:B1,K4".parse::<checkers::Position>().unwrap()), "1b5B/8/8/8/8/8/8/6W1");
        let position: loa::Position<6> = "bb---w/------/------/------/------/w----- black".parse().unwrap();
        assert_eq!(compact(&position), "bb3w/6/6/6/6/w5");
    }
}
