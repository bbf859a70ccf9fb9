//! Boards and moves as CheckerBoard passes them.
//!
//! A board is `board[x][y]`. Seen from the side of Black, whose men start on rows 0 to 2, `x` counts columns from the left
//! and `y` rows from below. A square holds the sum of a color and a kind, or 0. Older engines mark the light squares
//! with 16.
//!
//! ```text
//! y = 7   |   32  31  30  29
//! y = 6   | 28  27  26  25
//! ...
//! y = 0   |  4   3   2   1
//!         +------------------
//!          x = 0           7
//! ```

use kingline::checkers::{Move, Piece, Position, Route, Square};
use kingline::game::{Color, Game, ParseError};

/// A board: `board[x][y]`.
pub type Board = [[i32; 8]; 8];

/// A white piece, or White to move.
pub const WHITE: i32 = 1;
/// A black piece, or Black to move.
pub const BLACK: i32 = 2;
/// A man.
pub const MAN: i32 = 4;
/// A king.
pub const KING: i32 = 8;
/// A square that no piece can reach, in some programs.
const LIGHT: i32 = 16;

/// Column and row of a square.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coordinates {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

/// A move.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CbMove {
    /// Number of captured pieces.
    pub jumps: i32,
    /// The moving piece after the move.
    pub new_piece: i32,
    /// The moving piece before the move.
    pub old_piece: i32,
    /// First square.
    pub from: Coordinates,
    /// Last square.
    pub to: Coordinates,
    /// Squares on which the piece lands, from index 1.
    pub path: [Coordinates; 12],
    /// Squares of the captured pieces.
    pub captured: [Coordinates; 12],
    /// The captured pieces.
    pub captured_pieces: [i32; 12],
}

impl CbMove {
    /// Describes a legal move.
    pub fn new(position: &Position, mv: Move) -> CbMove {
        let (route, after) = (Route::of(position, mv), position.play(mv));
        let squares = route.squares();
        let mut described = CbMove {
            jumps: mv.captures() as i32,
            new_piece: code(after.at(mv.to())),
            old_piece: code(position.at(mv.from())),
            from: coordinates(mv.from()),
            to: coordinates(mv.to()),
            ..CbMove::default()
        };
        for (place, &square) in described.path.iter_mut().zip(squares).skip(1) {
            *place = coordinates(square);
        }
        if route.is_jump() {
            let over = squares.windows(2).filter_map(|pair| {
                let middle = |of: fn(Square) -> usize| usize::midpoint(of(pair[0]), of(pair[1]));
                Square::at(middle(Square::column), middle(Square::row))
            });
            let places = described.captured.iter_mut().zip(&mut described.captured_pieces);
            for ((place, piece), square) in places.zip(over) {
                (*place, *piece) = (coordinates(square), code(position.at(square)));
            }
        }
        described
    }
}

/// Reads a board with its side to move.
///
/// # Errors
/// The side is neither 1 nor 2, a square holds no such piece, or a piece stands on a light square.
pub fn read_position(board: &Board, color: i32) -> Result<Position, ParseError> {
    let turn = match color {
        WHITE => Color::White,
        BLACK => Color::Black,
        other => return Err(ParseError::new(&other.to_string(), "the side to move, 1 or 2")),
    };
    let mut placed = Vec::new();
    for (x, column) in board.iter().enumerate() {
        for (y, &found) in column.iter().enumerate() {
            if found == 0 || found == LIGHT {
                continue;
            }
            let wrong = |expected: &str| ParseError::new(&found.to_string(), format!("{expected} on ({x}, {y})"));
            let square = square_at(x, y).ok_or_else(|| wrong("no piece"))?;
            let (color, piece) = piece(found).ok_or_else(|| wrong("0, 5, 6, 9 or 10"))?;
            placed.push((square, color, piece));
        }
    }
    Ok(Position::new(turn, placed))
}

/// Writes the pieces of a position; leaves the light squares as they are.
pub fn write_position(position: &Position, board: &mut Board) {
    for square in Square::all() {
        board[7 - square.column()][7 - square.row()] = code(position.at(square));
    }
}

fn square_at(x: usize, y: usize) -> Option<Square> {
    Square::at(7 - x, 7 - y)
}

fn coordinates(square: Square) -> Coordinates {
    Coordinates { x: 7 - square.column() as i32, y: 7 - square.row() as i32 }
}

fn piece(code: i32) -> Option<(Color, Piece)> {
    let all = [Color::White, Color::Black].into_iter().flat_map(|color| [(color, Piece::Man), (color, Piece::King)]);
    all.into_iter().find(|&piece| self::code(Some(piece)) == code)
}

fn code(piece: Option<(Color, Piece)>) -> i32 {
    let Some((color, piece)) = piece else { return 0 };
    let color = if color == Color::White { WHITE } else { BLACK };
    color + if piece == Piece::Man { MAN } else { KING }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(position: &Position) -> Board {
        let mut board = Board::default();
        write_position(position, &mut board);
        board
    }

    #[test]
    fn squares_have_the_coordinates_of_the_sources() {
        // cb_interface.h numbers squares as 4 (y + 1) - x / 2.
        for square in Square::all() {
            let Coordinates { x, y } = coordinates(square);
            assert_eq!(4 * (y + 1) - x / 2, square.number() as i32);
            assert_eq!(square_at(x as usize, y as usize), Some(square));
        }
        assert_eq!(size_of::<CbMove>(), 67 * size_of::<i32>());
    }

    #[test]
    fn positions_round_trip() {
        for text in ["B:W21-32:B1-12", "W:W27,18,K15:B23,14,7,6,K19"] {
            let position: Position = text.parse().unwrap();
            let color = if text.starts_with('W') { WHITE } else { BLACK };
            assert_eq!(read_position(&board(&position), color), Ok(position));
        }
        assert_eq!(board(&Position::start())[6][0], BLACK + MAN, "square 1");
    }

    #[test]
    fn light_squares_keep_their_marks() {
        let mut marked = board(&Position::start());
        marked[1][0] = LIGHT;
        assert_eq!(read_position(&marked, BLACK), Ok(Position::start()));
        write_position(&"B:W32:B1".parse().unwrap(), &mut marked);
        assert_eq!((marked[1][0], marked[0][0]), (LIGHT, 0));
    }

    #[test]
    fn wrong_boards_are_refused() {
        let empty = Board::default();
        for color in [i32::MIN, -1, 0, 3, i32::MAX] {
            assert!(read_position(&empty, color).unwrap_err().to_string().contains("1 or 2"));
        }
        for code in [i32::MIN, -1, 1, 2, 4, 7, 11, 13, 17, 21, i32::MAX] {
            let mut board = empty;
            board[0][0] = code;
            let error = read_position(&board, WHITE).unwrap_err().to_string();
            assert!(error.contains("expected 0, 5, 6, 9 or 10 on (0, 0)"), "{error}");
        }
        let mut board = empty;
        board[0][1] = WHITE + MAN;
        assert!(read_position(&board, WHITE).unwrap_err().to_string().contains("no piece on (0, 1)"));
    }

    #[test]
    fn moves_are_described() {
        let position: Position = "W:W27,18,K15:B23,14,7,6,K19".parse().unwrap();
        let jump = position.parse_move("18x2").unwrap();
        let described = CbMove::new(&position, jump);
        let at = |number| coordinates(Square::from_number(number).unwrap());
        let landings = [Coordinates::default(), at(9), at(2), Coordinates::default()];
        assert_eq!((described.from, described.to, described.path[..4].to_vec()), (at(18), at(2), landings.to_vec()));
        assert_eq!((described.jumps, described.captured[..2].to_vec()), (2, vec![at(14), at(6)]));
        assert_eq!(described.captured_pieces[..3], [BLACK + MAN, BLACK + MAN, 0]);
        assert_eq!((described.old_piece, described.new_piece), (WHITE + MAN, WHITE + KING), "crowned by the move");
        let step = CbMove::new(&Position::start(), Position::start().parse_move("12-16").unwrap());
        assert_eq!((step.jumps, step.from, step.to, step.path[1]), (0, at(12), at(16), at(16)));
        assert_eq!(step.captured, [Coordinates::default(); 12]);
    }
}
