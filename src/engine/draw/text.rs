use super::board::{Board, Content, Labels, contents};
use crate::game::Color;

/// The letters and names used to write a game's boards.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    empty: char,
    /// Black's and White's men.
    men: [char; 2],
    kings: [char; 2],
    labels: Labels,
    /// Number of dashes below the board, in [`framed`].
    dashes: usize,
    /// Names of Black and White.
    sides: [&'static str; 2],
}

/// Style of checkers: men `b` and `w`, kings `B` and `W`, empty squares `.`.
pub const CHECKERS: Style = Style {
    empty: '.',
    men: ['b', 'w'],
    kings: ['B', 'W'],
    labels: Labels::FromBottom,
    dashes: 17,
    sides: ["Black", "White"],
};

/// Style of Lines of Action (§4): `b`, `w` and `-`.
pub const LOA: Style = Style { empty: '-', dashes: 16, ..CHECKERS };

/// Style of requests for 6x6 Lines of Action: `X` is Black, `O` is White, and row 1 is at the top.
pub const REQUEST: Style =
    Style { men: ['X', 'O'], kings: ['X', 'O'], labels: Labels::FromTop, dashes: 12, sides: ["X", "O"], ..CHECKERS };

/// Use of the terminal's colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Letters without colors.
    Plain,
    /// Black and white discs on two shades of squares.
    Colored,
}

/// Draws the board with the names of rows and columns, the top row first.
pub fn plain<B: Board>(board: &B, style: &Style) -> String {
    rows(board, style, " ", &[]) + "    " + &columns(B::SIZE, style, "") + "\n"
}

/// Draws the board like [`plain`], with lines along its left and lower edges, and with the side to move.
pub fn framed<B: Board>(board: &B, style: &Style) -> String {
    marked(board, style, &[], Paint::Plain)
}

/// Draws the board with the side to move and some marked squares, such as those of the last move. `marks` are columns
/// and rows, counted from 0 at the lower left.
///
/// Without colors the board is [`framed`], and the letters of marked squares are in brackets. With colors it is
/// [`painted`], and marked squares are yellow.
pub fn marked<B: Board>(board: &B, style: &Style, marks: &[(usize, usize)], paint: Paint) -> String {
    let side = style.sides[board.turn().index()];
    match paint {
        Paint::Plain => {
            let (rule, columns) = ("-".repeat(style.dashes), columns(B::SIZE, style, ""));
            rows(board, style, " |", marks) + &format!("    +{rule}\n     {columns}     {side} to move\n")
        }
        Paint::Colored => discs(board, style, marks) + &format!("    {side} to move\n"),
    }
}

/// Draws the board for a terminal, with the names of rows and columns. Without colors it uses the letters of
/// [`CHECKERS`] for any game.
pub fn painted<B: Board>(board: &B, paint: Paint) -> String {
    match paint {
        Paint::Plain => plain(board, &CHECKERS),
        Paint::Colored => discs(board, &CHECKERS, &[]) + "\n",
    }
}

/// Draws a board in the form of [`compact`](super::compact()) like [`plain`].
pub fn plain_compact(compact: &str, style: &Style) -> String {
    let squares = contents(compact);
    let size = squares.len();
    let content = |column: usize, row: usize| *squares[size - 1 - row].get(column).unwrap_or(&Content::Empty);
    rows_of(size, content, style, " ", &[]) + "    " + &columns(size, style, "") + "\n"
}

/// Writes a line for each row: its number, `edge`, and the letters of its squares, marked ones in brackets.
fn rows<B: Board>(board: &B, style: &Style, edge: &str, marks: &[(usize, usize)]) -> String {
    rows_of(B::SIZE, |column, row| board.content(column, row), style, edge, marks)
}

fn rows_of(
    size: usize,
    content: impl Fn(usize, usize) -> Content,
    style: &Style,
    edge: &str,
    marks: &[(usize, usize)],
) -> String {
    let mut text = String::new();
    for row in (0..size).rev() {
        let is_marked = |column| marks.contains(&(column, row));
        text += &format!("  {}{edge}", style.labels.row(row, size));
        for column in 0..size {
            text.push(match (column > 0 && is_marked(column - 1), is_marked(column)) {
                (false, false) => ' ',
                (false, true) => '[',
                (true, false) => ']',
                (true, true) => '|',
            });
            text.push(style.letter(content(column, row)));
        }
        text += if is_marked(size - 1) { "]\n" } else { "\n" };
    }
    text
}

/// Writes a line for each row: its number, and its squares with discs. Then writes the letters of the columns, without
/// a newline.
fn discs<B: Board>(board: &B, style: &Style, marks: &[(usize, usize)]) -> String {
    let mut text = String::new();
    for row in (0..B::SIZE).rev() {
        let ground = |column| match (marks.contains(&(column, row)), (column + row).is_multiple_of(2)) {
            (false, true) => 65,
            (false, false) => 187,
            (true, true) => 136,
            (true, false) => 178,
        };
        let squares: String = (0..B::SIZE).map(|column| disc(board.content(column, row), ground(column))).collect();
        text += &format!("  {} {squares}\n", style.labels.row(row, B::SIZE));
    }
    text + "    " + &columns(B::SIZE, style, " ")
}

/// Writes the letters of all columns, each preceded by a blank and followed by `after`.
fn columns(size: usize, style: &Style, after: &str) -> String {
    (0..size).map(|column| format!(" {}{after}", style.labels.column(column))).collect()
}

impl Style {
    fn letter(&self, content: Content) -> char {
        match content {
            Content::Empty => self.empty,
            Content::Man(color) => self.men[color.index()],
            Content::King(color) => self.kings[color.index()],
        }
    }
}

/// Draws a square as three terminal cells in 256 colors, of which `ground` is the background.
fn disc(content: Content, ground: u8) -> String {
    let (ink, sign) = match content {
        Content::Empty => (ground, ' '),
        Content::Man(Color::Black) => (16, '\u{25cf}'),
        Content::Man(Color::White) => (231, '\u{25cf}'),
        Content::King(Color::Black) => (16, '\u{265a}'),
        Content::King(Color::White) => (231, '\u{265a}'),
    };
    format!("\u{1b}[48;5;{ground};38;5;{ink}m {sign} \u{1b}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::{checkers, loa};

    #[track_caller]
    fn assert_drawn(drawn: &str, first: &str, last: &str) {
        assert!(drawn.starts_with(first) && drawn.ends_with(last), "{drawn}");
    }

    #[test]
    fn plain_boards_have_the_names_of_rows_and_columns() {
        let drawn = plain(&loa::Position::<6>::start(), &LOA);
        assert_drawn(&drawn, "  6  - b b b b -\n  5  w - - - - w\n", "  1  - b b b b -\n     a b c d e f\n");
        let drawn = plain(&loa::Position::<6>::start(), &REQUEST);
        assert_drawn(&drawn, "  1  . X X X X .\n  2  O . . . . O\n", "  6  . X X X X .\n     A B C D E F\n");
        let drawn = painted(&"B:WK29:B1".parse::<checkers::Position>().unwrap(), Paint::Plain);
        assert_drawn(&drawn, "  8  . b . . . . . .\n", "  1  W . . . . . . .\n     a b c d e f g h\n");
    }

    #[test]
    fn framed_boards_name_the_side_to_move() {
        let drawn = framed(&checkers::Position::start(), &CHECKERS);
        let last = "  1 | w . w . w . w .\n    +-----------------\n      a b c d e f g h     Black to move\n";
        assert_drawn(&drawn, "  8 | . b . b . b . b\n", last);
        let drawn = framed(&loa::Position::<6>::start(), &REQUEST);
        let last = "  6 | . X X X X .\n    +------------\n      A B C D E F     X to move\n";
        assert_drawn(&drawn, "  1 | . X X X X .\n", last);
    }

    /// Checks that no line of a board could be mistaken for another line of a program's output (§4).
    #[test]
    fn boards_of_lines_of_action_follow_the_contract() {
        let drawn = framed(&loa::Position::<8>::start().with_turn(Color::White), &LOA);
        let last = "    +----------------\n      a b c d e f g h     White to move\n";
        assert_drawn(&drawn, "  8 | - b b b b b b -\n  7 | w - - - - - - w\n", last);
        for mark in ["*", "===", ">", "::", "wins"] {
            assert!(!drawn.contains(mark), "{mark}");
        }
    }

    #[test]
    fn marked_squares_are_in_brackets() {
        let start = loa::Position::<8>::start();
        let drawn = marked(&start, &LOA, &[(1, 7), (1, 5), (7, 6), (6, 6)], Paint::Plain);
        assert_drawn(&drawn, "  8 | -[b]b b b b b -\n  7 | w - - - - -[-|w]\n  6 | w[-]- - - - - w\n", "to move\n");
        assert_eq!(marked(&start, &LOA, &[], Paint::Plain), framed(&start, &LOA));
        assert!([">", "*", "=", ":"].iter().all(|mark| !drawn.contains(mark)), "{drawn}");
    }

    #[test]
    fn marked_squares_have_a_color_of_their_own() {
        let start = loa::Position::<8>::start().with_turn(Color::White);
        let drawn = marked(&start, &LOA, &[(0, 6), (2, 6)], Paint::Colored);
        let rows: Vec<&str> = drawn.lines().collect();
        for (place, row) in rows[..8].iter().enumerate() {
            let yellow = ["48;5;136;", "48;5;178;"].map(|ground| row.matches(ground).count());
            assert_eq!(yellow, if place == 1 { [2, 0] } else { [0, 0] }, "{row:?}");
        }
        assert_eq!(rows[8..], ["     a  b  c  d  e  f  g  h     White to move"]);
    }

    #[test]
    fn colored_boards_have_discs_and_crowns() {
        let drawn = painted(&"B:WK29:B1".parse::<checkers::Position>().unwrap(), Paint::Colored);
        assert_eq!((drawn.matches('\u{25cf}').count(), drawn.matches('\u{265a}').count()), (1, 1));
        assert_drawn(&drawn, "  8 \u{1b}[48;5;187;38;5;187m   \u{1b}[0m", "\n     a  b  c  d  e  f  g  h \n");
    }
}
