use std::fmt;

use super::board::Labels;
use crate::checkers::Square;

/// The shapes of pieces. A page with boards includes them once.
pub const SHAPES: &str = "<svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\
    <g id=\"b\"><circle class=\"disc-black\" cx=\".5\" cy=\".5\" r=\".4\"/>\
    <circle class=\"groove\" cx=\".5\" cy=\".5\" r=\".29\"/></g>\
    <g id=\"w\"><circle class=\"disc-white\" cx=\".5\" cy=\".5\" r=\".4\"/>\
    <circle class=\"groove\" cx=\".5\" cy=\".5\" r=\".29\"/></g>\
    <path id=\"crown\" class=\"crown\" d=\"M.31 .66 .26 .38 .4 .5 .5 .3 .6 .5 .74 .38 .69 .66z\"/>\
    <g id=\"B\"><use href=\"#b\"/><use href=\"#crown\"/></g><g id=\"W\"><use href=\"#w\"/><use href=\"#crown\"/></g>\
    </defs></svg>\n";

/// Style sheet for drawn boards; follows the light or dark setting of the reader's system.
///
/// It styles `.shapes` (the element of [`SHAPES`]), `.board` (a [`Drawing`]) with its parts `.frame`, `.light`,
/// `.dark`, `.names`, `.numbers` and `.way`, and the shapes of pieces: `.disc-black`, `.disc-white`, `.groove` and
/// `.crown`. The colors are custom properties of `:root`: `--square-light`, `--square-dark`, `--frame`, `--frame-ink`,
/// `--way`. The page itself sets `--shadow`.
pub const BOARD_CSS: &str = include_str!("board.css");

/// Script for drawn boards: `drawPieces(group, compact)` fills the `.pieces` group of a [`Drawing`] from a board as
/// [`compact`](super::compact) writes it, and `wayOf(board, move)` returns the path of a move for its `.way`.
pub const BOARD_JS: &str = include_str!("board.js");

/// Width of the frame in squares. The frame shows the names of columns and rows.
const FRAME: f64 = 0.5;

/// Properties that all boards of a game share.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Number of columns and rows, at most 9.
    pub size: usize,
    /// Names of columns and rows, as used in moves.
    pub labels: Labels,
}

/// A board as an SVG element.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// Size of the board, and the names of its squares.
    pub grid: Grid,
    /// Identifier of the element, for scripts.
    pub id: &'a str,
    /// Description of the drawing in words.
    pub label: &'a str,
    /// Pieces on the board, as [`compact`](super::compact) writes them.
    pub board: &'a str,
    /// Move that led to the board, as agents write it. It is drawn as a line through its squares.
    pub mv: Option<&'a str>,
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.open(f)?;
        self.grid.write_squares(f)?;
        self.grid.write_names(f)?;
        self.write_way(f)?;
        self.write_pieces(f)?;
        f.write_str("</svg>")
    }
}

impl Drawing<'_> {
    fn open(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Drawing { grid, id, label, .. } = self;
        let (corner, whole) = (-FRAME, grid.size as f64 + 2.0 * FRAME);
        write!(
            f,
            "<svg class=\"board\" id=\"{id}\" role=\"img\" aria-label=\"{label}\" data-top=\"{}\" \
             viewBox=\"{corner} {corner} {whole} {whole}\">\
             <rect class=\"frame\" x=\"{corner}\" y=\"{corner}\" width=\"{whole}\" height=\"{whole}\" rx=\".15\"/>",
            grid.row(0)
        )
    }

    fn write_way(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares = self.mv.into_iter().flat_map(|mv| self.grid.squares(mv));
        let way: Vec<String> = squares.map(|(x, y)| format!("{x}.5 {y}.5")).collect();
        let start = if way.is_empty() { "" } else { "M" };
        write!(f, "<path class=\"way\" d=\"{start}{}\"/>", way.join("L"))
    }

    fn write_pieces(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<g class=\"pieces\">")?;
        for (y, row) in self.board.split('/').enumerate() {
            let mut x = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => x += empty,
                    None => {
                        write!(f, "<use href=\"#{letter}\" x=\"{x}\" y=\"{y}\"/>")?;
                        x += 1;
                    }
                }
            }
        }
        f.write_str("</g>")
    }
}

impl Grid {
    /// Writes one light square as large as the board, and the dark squares on top of it.
    fn write_squares(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size;
        write!(f, "<rect class=\"light\" width=\"{size}\" height=\"{size}\"/><path class=\"dark\" d=\"")?;
        for y in 0..size {
            (0..size).filter(|x| (x + y) % 2 == 1).try_for_each(|x| write!(f, "M{x} {y}h1v1h-1z"))?;
        }
        f.write_str("\"/>")
    }

    fn write_names(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.labels == Labels::Numbers {
            return self.write_numbers(f);
        }
        f.write_str("<g class=\"names\">")?;
        for place in 0..self.size {
            let (near, far) = (place as f64 + 0.5, self.size as f64 + 0.3);
            let (column, row) = (self.labels.column(place), self.row(place));
            write!(f, "<text x=\"{near}\" y=\"{far}\">{column}</text><text x=\"-.25\" y=\"{near}\">{row}</text>")?;
        }
        f.write_str("</g>")
    }

    /// Writes the numbers of the squares into their corners, beside the pieces.
    fn write_numbers(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<g class=\"numbers\">")?;
        for square in Square::all() {
            let (x, y) = (square.column(), self.size - 1 - square.row());
            write!(f, "<text x=\"{x}.03\" y=\"{y}.18\">{}</text>", square.number())?;
        }
        f.write_str("</g>")
    }

    /// Number of a row, counted from 0 at the top.
    fn row(self, y: usize) -> usize {
        self.labels.row(self.size - 1 - y, self.size)
    }

    /// Columns and rows of the squares that a move names, counted from 0 in the upper left corner.
    pub fn squares(self, mv: &str) -> Vec<(usize, usize)> {
        let place = |name: &[u8]| {
            let x = (0..self.size).find(|&x| self.labels.column(x) == char::from(name[0]))?;
            let y = (0..self.size).find(|&y| self.row(y).to_string().as_bytes() == &name[1..])?;
            Some((x, y))
        };
        mv.as_bytes().windows(2).filter_map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKERS: Grid = Grid { size: 8, labels: Labels::FromBottom };
    const LOA6: Grid = Grid { size: 6, labels: Labels::FromTop };

    #[test]
    fn squares_are_found_by_their_names() {
        assert_eq!(CHECKERS.squares("f6xd4xf2"), [(5, 2), (3, 4), (5, 6)]);
        assert_eq!(LOA6.squares("D1B3"), [(3, 0), (1, 2)]);
        assert_eq!(LOA6.squares("nothing"), []);
    }

    #[test]
    fn squares_have_numbers_in_place_of_letters_beside_the_board() {
        let grid = Grid { labels: Labels::Numbers, ..CHECKERS };
        let drawn =
            Drawing { grid, id: "board", label: "a label", board: "8/8/8/8/8/8/8/8", mv: Some("f6-e5") }.to_string();
        for part in ["x=\"1.03\" y=\"0.18\">1<", "x=\"6.03\" y=\"7.18\">32<", "d=\"M5.5 2.5L4.5 3.5\""] {
            assert!(drawn.contains(part), "{part} is not in {drawn}");
        }
        assert_eq!(drawn.matches("<text").count(), 32);
    }

    #[test]
    fn drawings_have_labels_pieces_and_moves() {
        let drawing = Drawing { grid: LOA6, id: "board", label: "a label", board: "b5/6/6/6/6/5w", mv: Some("A1B2") };
        let drawn = drawing.to_string();
        for part in [
            "aria-label=\"a label\"",
            "data-top=\"1\"",
            "<use href=\"#b\" x=\"0\" y=\"0\"/><use href=\"#w\" x=\"5\" y=\"5\"/>",
            "d=\"M0.5 0.5L1.5 1.5\"",
        ] {
            assert!(drawn.contains(part), "{part} is not in {drawn}");
        }
    }
}
