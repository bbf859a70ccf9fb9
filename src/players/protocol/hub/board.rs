use kingline::checkers::{Move, Piece, Position, Square};
use kingline::game::{Color, Game, ParseError};

/// Number of letters of a position: the side to move and the squares.
const LETTERS: usize = 33;

/// Writes a position as the value of `pos`: the side to move, then each square's piece.
pub fn write_position(position: &Position) -> String {
    // White moves first, and its men start on the last squares.
    let seen = position.flipped();
    let side = if seen.turn() == Color::White { 'W' } else { 'B' };
    let squares = Square::all().map(|square| match seen.at(square) {
        None => 'e',
        Some((Color::White, Piece::Man)) => 'w',
        Some((Color::White, Piece::King)) => 'W',
        Some((Color::Black, Piece::Man)) => 'b',
        Some((Color::Black, Piece::King)) => 'B',
    });
    std::iter::once(side).chain(squares).collect()
}

/// Reads a position.
///
/// # Errors
/// The text is not the side to move (`W` or `B`) and 32 letters of `b`, `B`, `w`, `W` and `e`.
pub fn read_position(text: &str) -> Result<Position, ParseError> {
    let wrong = || ParseError::new(text, "W or B, then 32 letters: b, w, B and W for men and kings, e for empty");
    let mut letters = text.chars();
    let turn = match letters.next() {
        Some('W') => Color::White,
        Some('B') => Color::Black,
        _ => return Err(wrong()),
    };
    let mut placed = Vec::new();
    for (square, letter) in Square::all().zip(letters) {
        let (color, piece) = match letter {
            'w' => (Color::White, Piece::Man),
            'W' => (Color::White, Piece::King),
            'b' => (Color::Black, Piece::Man),
            'B' => (Color::Black, Piece::King),
            'e' => continue,
            _ => return Err(wrong()),
        };
        placed.push((square, color, piece));
    }
    if text.len() != LETTERS {
        return Err(wrong());
    }
    Ok(Position::new(turn, placed).flipped())
}

/// Writes a move.
pub fn write_move(mv: Move) -> String {
    let [from, to] = [mv.from(), mv.to()].map(Square::number);
    if mv.captures() == 0 {
        return format!("{from}-{to}");
    }
    mv.captured().fold(format!("{from}x{to}"), |text, square| format!("{text}x{}", square.number()))
}

/// Reads a legal move. The captured squares may have any order.
///
/// # Errors
/// The text is not a legal move. The error lists these.
pub fn read_move(position: &Position, text: &str) -> Result<Move, ParseError> {
    let (legal, meant) = (position.legal_moves(), squares(text));
    let found = legal.iter().find(|&&mv| meant.is_some() && squares(&write_move(mv)) == meant);
    found.copied().ok_or_else(|| {
        let legal: Vec<String> = legal.iter().map(|&mv| write_move(mv)).collect();
        let expected = if legal.is_empty() { "no move, since the game is over".into() } else { legal.join(" or ") };
        ParseError::new(text, expected)
    })
}

/// Sign of a move and numbers of its squares: the first, the last, and the captured ones in order.
fn squares(text: &str) -> Option<(char, Vec<usize>)> {
    let sign = if text.contains('-') { '-' } else { 'x' };
    let mut numbers: Vec<usize> = text.split(sign).map(|number| number.parse().ok()).collect::<Option<_>>()?;
    numbers.get_mut(2..)?.sort_unstable();
    Some((sign, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_written_as_the_client_has_them() {
        // Both as pydraughts 0.6.7 sends them.
        let start = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
        assert_eq!(write_position(&Position::start()), start);
        let middle: Position = "W:W27,18,K15:B23,14,7,6,K19".parse().unwrap();
        assert_eq!(write_position(&middle), "BeeeeebeeeweeeWbeeBweeeeeewweeeee");
        for position in [Position::start(), middle] {
            assert_eq!(read_position(&write_position(&position)), Ok(position));
        }
    }

    #[test]
    fn damaged_positions_are_refused() {
        let start = write_position(&Position::start());
        for text in ["", "W", &start[1..], &start[..32], &format!("{start}e"), &start.replace('e', "x"), "Wé"] {
            let error = read_position(text).unwrap_err().to_string();
            assert!(error.contains("then 32 letters"), "{text}: {error}");
        }
    }

    #[test]
    fn moves_have_the_numbers_of_books() {
        let start = Position::start();
        for mv in start.legal_moves() {
            assert_eq!(read_move(&start, &write_move(mv)), Ok(mv));
        }
        assert!(read_move(&start, "12-16").is_ok());
        // As pydraughts 0.6.7 writes it.
        let position: Position = "W:W27,18,K15:B23,14,7,6,K19".parse().unwrap();
        let mv = read_move(&position, "18x2x6x14").unwrap();
        assert_eq!((write_move(mv), mv.captures()), ("18x2x6x14".to_owned(), 2));
        assert_eq!(read_move(&position, "18x2x14x6"), Ok(mv));
    }

    #[test]
    fn other_moves_are_refused_with_the_legal_ones() {
        let start = Position::start();
        for text in ["", "12", "12x16", "12-17", "12-16-3", "x", "9-99999999999999999999"] {
            let error = read_move(&start, text).unwrap_err().to_string();
            assert!(error.contains("12-16 or "), "{text}: {error}");
        }
        let lost: Position = "B:W18:B".parse().unwrap();
        assert!(read_move(&lost, "12-16").unwrap_err().to_string().contains("the game is over"));
    }
}
