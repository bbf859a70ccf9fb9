//! The rules of Lines of Action (§1), as an implementation of [`Game`].
//!
//! Notation for moves and positions. A move is written `a2-c2`. A position is written as rows of `b`, `w` and `-` from
//! the highest down, then the side to move: `-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black`.

use std::fmt;
use std::str::FromStr;

use super::bitboard::Square;
use super::moves::{self, Move};
use super::position::{Position, WHITE_TO_MOVE, piece_key};
use crate::game::{Color, Game, MoveList, Outcome, ParseError, Progress, Searched, no_such_move};

impl<const N: usize> Position<N> {
    /// Returns true if `mv` captures an enemy piece.
    #[inline(always)]
    pub fn captures(&self, mv: Move) -> bool {
        self.pieces[(!self.turn).index()] & mv.to.bit() != 0
    }
}

impl<const N: usize> Game for Position<N> {
    type Move = Move;

    /// §1: Black's pieces fill the lowest and the highest row, White's the outer columns. The corners stay empty.
    fn start() -> Position<N> {
        let placed = (1..N - 1).flat_map(|place| {
            let (low, high) = (0, N - 1);
            [
                (place, low, Color::Black),
                (place, high, Color::Black),
                (low, place, Color::White),
                (high, place, Color::White),
            ]
        });
        Position::new(
            Color::Black,
            placed.filter_map(|(column, row, color)| Square::at(column, row).map(|square| (square, color))),
        )
    }

    fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    fn moves(&self, list: &mut MoveList<Move>) {
        moves::generate(self, list);
    }

    #[inline]
    fn play(mut self, mv: Move) -> Position<N> {
        let (us, them) = (self.turn, !self.turn);
        self.key ^= WHITE_TO_MOVE ^ piece_key(us, mv.from) ^ piece_key(us, mv.to);
        if self.captures(mv) {
            self.key ^= piece_key(them, mv.to);
            self.pieces[them.index()] ^= mv.to.bit();
        }
        self.pieces[us.index()] ^= mv.from.bit() | mv.to.bit();
        self.turn = them;
        self
    }

    /// If both sides are connected, the side that moved last wins (§1).
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        [!self.turn, self.turn].into_iter().find(|&color| self.is_connected(color)).map(Outcome::Win)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn progress(&self, mv: Move) -> Progress {
        if self.captures(mv) { Progress::Zeroing } else { Progress::Reversible }
    }

    fn notation(&self, mv: Move) -> impl fmt::Display {
        mv
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        parse(self, text)
    }
}

impl<const N: usize> Searched for Position<N> {
    const SLOTS: usize = 64 * 64;
    const STATIC_EVAL_SUFFICES: bool = true;

    /// Captures count as quiet: losing a piece is no disadvantage by itself in Lines of Action.
    #[inline]
    fn is_quiet(&self, _: Move) -> bool {
        true
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.from.index() << 6 | mv.to.index()
    }

    fn wins_at_once(&self) -> bool {
        moves::can_connect(self)
    }

    fn pass(self) -> Option<Position<N>> {
        Some(self.with_turn(!self.turn))
    }
}

/// Move notations. [`Game::parse_move`] reads all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// Every move with a dash: `b1-b3`.
    #[default]
    Plain,
    /// Notation of [`sgf`](super::sgf): captures with a colon, `b1:b3`.
    Sgf,
}

impl<const N: usize> Position<N> {
    /// Writes a legal move in this notation.
    pub fn notation_in(&self, mv: Move, notation: Notation) -> String {
        let mark = if notation == Notation::Sgf && self.captures(mv) { ':' } else { '-' };
        format!("{}{mark}{}", mv.from, mv.to)
    }
}

/// Reads a move like `b1-b3`, `B1:B3`, `b1xb3` or `b1b3`.
pub(super) fn parse<const N: usize>(position: &Position<N>, text: &str) -> Result<Move, ParseError> {
    let lower = text.trim().to_ascii_lowercase();
    let squares = lower.split_at_checked(2).and_then(|(from, rest)| {
        let to = rest.strip_prefix(['-', ':', 'x']).unwrap_or(rest);
        Some((from.parse::<Square>().ok()?, to.parse::<Square>().ok()?))
    });
    let (from, to) = squares.ok_or_else(|| ParseError::new(text, "a move like b1-b3"))?;
    let list = position.legal_moves();
    match list.iter().find(|mv| (mv.from, mv.to) == (from, to)) {
        Some(&mv) => Ok(mv),
        None => Err(no_such_move(position, text, &list)),
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl<const N: usize> fmt::Display for Position<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = (0..N).rev().map(|row| self.row(row).collect()).collect();
        let turn = if self.turn() == Color::Black { "black" } else { "white" };
        write!(f, "{} {turn}", rows.join("/"))
    }
}

impl<const N: usize> Position<N> {
    /// Squares of a row from left to right, as `b`, `w` or `-`. Row 0 is the lowest.
    pub fn row(&self, row: usize) -> impl Iterator<Item = char> {
        (0..N).filter_map(move |column| Square::at(column, row)).map(|square| match self.at(square) {
            None => '-',
            Some(Color::Black) => 'b',
            Some(Color::White) => 'w',
        })
    }
}

impl<const N: usize> FromStr for Position<N> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Position<N>, ParseError> {
        let wrong = |expected: &str| ParseError::new(text, expected);
        let (board, turn) = text.trim().split_once(' ').ok_or_else(|| wrong("a board, a space, and black or white"))?;
        let turn = match turn.trim() {
            "black" => Color::Black,
            "white" => Color::White,
            other => return Err(ParseError::new(other, "black or white, the side to move")),
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != N {
            return Err(ParseError::new(board, format!("{N} rows with / between them, not {}", rows.len())));
        }
        let mut placed = Vec::new();
        for (row, squares) in rows.into_iter().rev().enumerate() {
            if squares.chars().count() != N {
                let expected = format!("{N} squares in row {}, not {}", row + 1, squares.chars().count());
                return Err(ParseError::new(squares, expected));
            }
            for (column, letter) in squares.chars().enumerate() {
                let color = match letter {
                    '-' => continue,
                    'b' => Color::Black,
                    'w' => Color::White,
                    _ => return Err(ParseError::new(squares, format!("only b, w and - in row {}", row + 1))),
                };
                placed.extend(Square::at(column, row).map(|square| (square, color)));
            }
        }
        Ok(Position::new(turn, placed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::perft;

    /// Leaf counts by depth (§1).
    #[test]
    fn perft_from_the_start() {
        for (depth, expected) in (1..).zip([36, 1244, 44_952, 1_563_208]) {
            assert_eq!(perft(Position::<8>::start(), depth), expected, "8x8, depth {depth}");
        }
        for (depth, expected) in (1..).zip([24, 524, 11_440, 234_560, 4_853_792]) {
            assert_eq!(perft(Position::<6>::start(), depth), expected, "6x6, depth {depth}");
        }
    }

    #[test]
    fn positions_round_trip() {
        let text = "-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black";
        assert_eq!(Position::<6>::start().to_string(), text);
        assert_eq!(text.parse(), Ok(Position::<6>::start()));
        let text = "w-------/-b------/-------w/--------/-b------/----b-w-/--------/b-w--w-- white";
        assert_eq!(text.parse::<Position<8>>().unwrap().to_string(), text);
    }

    #[test]
    fn moves_round_trip_in_every_notation() {
        let position: Position<6> = "-bbbb-/w----w/w-b--w/w----w/w----w/-bb-b- white".parse().unwrap();
        for mv in position.legal_moves() {
            for notation in [Notation::Plain, Notation::Sgf] {
                let written = position.notation_in(mv, notation);
                assert_eq!(position.parse_move(&written), Ok(mv), "{written}");
                assert_eq!(position.parse_move(&written.to_uppercase()), Ok(mv), "{written}");
            }
            assert_eq!(position.parse_move(&format!("{}{}", mv.from, mv.to)), Ok(mv));
        }
        for (text, wanted) in
            [("", "a move like b1-b3"), ("b1-b", "like b1-b3"), ("b1-b3-b4", "like b1-b3"), ("a1-a2", "a legal move: ")]
        {
            assert!(position.parse_move(text).unwrap_err().expected.contains(wanted), "{text}");
        }
    }

    #[test]
    fn errors_name_what_was_expected() {
        for (text, wanted) in [
            ("-bbbb-/w----w", "a board, a space"),
            ("-bbbb-/w----w black", "6 rows with / between them, not 2"),
            ("-bbbb-/w----w/w----w/w----w/w----w/-bbbb- green", "black or white"),
            ("-bbbb-/w----w/w---w/w----w/w----w/-bbbb- white", "6 squares in row 4, not 5"),
            ("-bbbb-/w----w/w----xw/w----w/w----w/-bbbb- white", "6 squares in row 4, not 7"),
            ("-bbbb-/w----w/w---x-/w----w/w----w/-bbbb- white", "only b, w and - in row 4"),
        ] {
            let error = text.parse::<Position<6>>().unwrap_err();
            assert!(error.expected.contains(wanted), "{text}: {error}");
        }
    }
}
