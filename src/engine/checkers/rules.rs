use std::fmt;

use super::bitboard::{Piece, RANK_1, RANK_8, Square, square_numbered};
use super::moves::{self, Move, Route};
use super::position::{Position, WHITE_TO_MOVE, piece_key};
use crate::game::{Color, Game, MoveList, Outcome, ParseError, Progress, Searched, bits, no_such_move};

impl Position {
    /// Returns `true` if the side to move must jump.
    pub fn must_jump(&self) -> bool {
        moves::can_jump(self)
    }

    /// Returns `true` if `mv` makes a man a king (§1: reaching the far row).
    #[inline(always)]
    fn crowns(&self, mv: Move) -> bool {
        let far = match self.turn {
            Color::Black => RANK_1,
            Color::White => RANK_8,
        };
        mv.to.bit() & far != 0 && self.kings & mv.from.bit() == 0
    }
}

impl Game for Position {
    type Move = Move;

    const QUIET_LIMIT: Option<u16> = Some(50);
    const REPETITION_LIMIT: Option<u8> = Some(3);

    fn start() -> Position {
        Position::new(
            Color::Black,
            Square::all().filter_map(|square| match square.row() {
                0..=2 => Some((square, Color::White, Piece::Man)),
                5..=7 => Some((square, Color::Black, Piece::Man)),
                _ => None,
            }),
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
    fn play(mut self, mv: Move) -> Position {
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (mv.from.bit(), mv.to.bit());
        let piece = self.piece_on(from);
        let arrives = if self.crowns(mv) { Piece::King } else { piece };
        let mut key = self.key ^ WHITE_TO_MOVE ^ piece_key(us, piece, mv.from) ^ piece_key(us, arrives, mv.to);
        for index in bits(mv.captured) {
            key ^= piece_key(them, self.piece_on(1 << index), Square::from_index(index));
        }
        // Clear `from` first, since a king may circle back to it.
        let ours = &mut self.pieces[us.index()];
        *ours = *ours & !from | to;
        self.pieces[them.index()] &= !mv.captured;
        self.kings &= !(from | mv.captured);
        if arrives == Piece::King {
            self.kings |= to;
        }
        self.turn = them;
        self.key = key;
        self
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn progress(&self, mv: Move) -> Progress {
        if mv.captured != 0 || self.crowns(mv) {
            Progress::Zeroing
        } else if self.piece_on(mv.from.bit()) == Piece::Man {
            Progress::Irreversible
        } else {
            Progress::Reversible
        }
    }

    fn notation(&self, mv: Move) -> impl fmt::Display {
        self.notation_in(mv, Notation::default())
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        parse(self, text)
    }
}

impl Searched for Position {
    const SLOTS: usize = 32 * 32;

    #[inline]
    fn is_quiet(&self, mv: Move) -> bool {
        mv.captured == 0
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.from.index() * 32 + mv.to.index()
    }

    #[inline]
    fn noisy_moves(&self, list: &mut MoveList<Move>) -> bool {
        moves::generate_jumps(self, list)
    }

    #[inline]
    fn is_threatened(&self) -> bool {
        moves::can_jump(&Position { turn: !self.turn, ..*self })
    }

    fn wins_at_once(&self) -> bool {
        false
    }
}

/// Move notations. [`Game::parse_move`] reads both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// Square numbers: `11-15`, `15x22`. If another move has the same start and end, all squares that the piece touches
    /// are listed: `6x15x22`.
    #[default]
    Numbers,
    /// Names of all squares that the piece touches: `c3-b4`, `f6xd4xf2`.
    Squares,
}

impl Position {
    /// Formats a legal move in this notation.
    pub fn notation_in(&self, mv: Move, notation: Notation) -> String {
        match notation {
            Notation::Numbers => in_numbers(self, mv),
            Notation::Squares => Route::of(self, mv).to_string(),
        }
    }
}

fn in_numbers(position: &Position, mv: Move) -> String {
    let same_ends = |other: &&Move| (other.from(), other.to()) == (mv.from(), mv.to());
    if position.legal_moves().iter().filter(same_ends).count() == 1 {
        let mark = if mv.captures() > 0 { 'x' } else { '-' };
        return format!("{}{mark}{}", mv.from().number(), mv.to().number());
    }
    let route = Route::of(position, mv);
    let numbers: Vec<String> = route.squares().iter().map(|square| square.number().to_string()).collect();
    numbers.join("x")
}

/// Reads a move in any notation: start and end, or all squares that the piece touches, as numbers or names.
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, ParseError> {
    let squares = squares(text.trim()).filter(|(squares, rest)| squares.len() >= 2 && rest.is_empty());
    let (squares, _) = squares.ok_or_else(|| not_a_move(text))?;
    match fitting(position, &squares)[..] {
        [mv] => Ok(mv),
        [] => Err(no_such_move(position, text, &position.legal_moves())),
        ref several => Err(no_such_move(position, text, several)),
    }
}

pub(super) fn not_a_move(text: &str) -> ParseError {
    ParseError::new(text, "a move like 11-15, 15x22, 6x15x22 or c3-b4")
}

/// Returns the legal moves that these squares describe: the one with exactly this route, or else all that start and end
/// there and touch the squares between in this order.
pub(super) fn fitting(position: &Position, squares: &[Square]) -> Vec<Move> {
    if let Some(mv) = Route::find(position, squares) {
        return vec![mv];
    }
    let [first, between @ .., last] = squares else { return Vec::new() };
    let touches = |route: &Route| {
        let mut touched = route.squares().iter();
        between.iter().all(|square| touched.any(|other| other == square))
    };
    let fits = |mv: &Move| (mv.from(), mv.to()) == (*first, *last) && Route::all(position, *mv).iter().any(touches);
    position.legal_moves().iter().copied().filter(fits).collect()
}

/// Signs between the squares of a move.
pub(super) const BETWEEN: [char; 4] = ['-', 'x', 'X', ':'];

/// Reads the squares at the start of a text, by their numbers, 1 to 32, or their names, `a1` to `h8`; a `K` before a number
/// marks a king. Names need no sign between them: `d6e5`. Returns them with the text after them; none if a square is not
/// on the board.
pub(super) fn squares(text: &str) -> Option<(Vec<Square>, &str)> {
    let (mut squares, mut rest, mut was_name) = (Vec::new(), text, false);
    loop {
        let after_sign = rest.trim_start_matches(|letter: char| letter.is_whitespace() || BETWEEN.contains(&letter));
        let has_sign = rest[..rest.len() - after_sign.len()].contains(BETWEEN);
        let (name, is_name) = match first_square(after_sign) {
            Some(found) if squares.is_empty() || has_sign || was_name && found.1 && after_sign.len() == rest.len() => {
                found
            }
            _ => return Some((squares, rest)),
        };
        let square = if is_name { name.to_ascii_lowercase().parse().ok() } else { square_numbered(number(name)) };
        squares.push(square?);
        (rest, was_name) = (&after_sign[name.len()..], is_name);
    }
}

/// Returns the square at the start of the text, on a board of any size, and `true` if it has a name.
fn first_square(text: &str) -> Option<(&str, bool)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = text.len() - number(text).len();
    match digits(&text[sign..]) {
        0 if text.starts_with(|letter: char| letter.is_ascii_alphabetic()) => {
            let length = 1 + digits(&text[1..]);
            (length > 1).then(|| (&text[..length], true))
        }
        0 => None,
        length => Some((&text[..sign + length], false)),
    }
}

/// The text without the sign of a king before a number.
fn number(text: &str) -> &str {
    text.strip_prefix(['K', 'k']).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::perft;

    /// Leaf counts by depth; a complete turn is one ply (§1).
    #[test]
    fn perft_from_the_start() {
        let leaves = [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931];
        for (depth, expected) in (1..).zip(leaves) {
            assert_eq!(perft(Position::start(), depth), expected, "depth {depth}");
        }
    }

    #[test]
    fn moves_round_trip_in_every_notation() {
        for text in ["B:W18,27,30:B14", "B:W18,26,17,25:BK14", "W:W21,22,K30:B1,2,11", "W:WK30,31:B26,18,17"] {
            let position: Position = text.parse().unwrap();
            for mv in position.legal_moves() {
                for notation in [Notation::Numbers, Notation::Squares] {
                    let written = position.notation_in(mv, notation);
                    assert_eq!(position.parse_move(&written), Ok(mv), "{text}: {written}");
                    assert_eq!(position.parse_move(&format!(" {}\n", written.to_uppercase())), Ok(mv), "{written}");
                }
            }
        }
        let position: Position = "B:W18,27,30:B14".parse().unwrap();
        let mv = position.parse_move("14x32").unwrap();
        assert_eq!(position.notation_in(mv, Notation::Numbers), "14x32");
        assert_eq!(position.notation_in(mv, Notation::Squares), "c5xe3xg1");
        for text in ["14x23x32", "c5:g1", "c5xe3xg1", "14 x 32", "14-32", "c5g1", "C5E3G1", "K14xk32"] {
            assert_eq!(position.parse_move(text), Ok(mv), "{text}");
        }
    }

    #[test]
    fn errors_list_the_legal_moves() {
        let position: Position = "B:W18,27,30:B14".parse().unwrap();
        for (text, wanted) in [
            ("", "a move like 11-15"),
            ("14", "a move like 11-15"),
            ("1432", "a move like 11-15"),
            ("c5g1 ?", "a move like 11-15"),
            ("c5 g1", "a move like 11-15"),
            ("14-33", "a move like 11-15"),
            ("c5-c6", "a move like 11-15"),
            ("14-17", "a legal move: 14x32"),
            ("14x23", "a legal move: 14x32"),
        ] {
            let error = position.parse_move(text).unwrap_err();
            assert!(error.expected.contains(wanted), "{text}: {error}");
        }
        let lost: Position = "B:W18:B".parse().unwrap();
        assert!(lost.parse_move("14-17").unwrap_err().expected.contains("the game is over"));
    }

    #[test]
    fn ambiguous_jumps_are_written_with_all_squares() {
        // Two ways from 14 (c5) to 30 (c1): over 17 and 25, or over 18 and 26.
        let position: Position = "B:W17,18,25,26:B14".parse().unwrap();
        let list = position.legal_moves();
        let mut names: Vec<String> = list.iter().map(|&mv| position.notation(mv).to_string()).collect();
        names.sort();
        assert_eq!(names, ["14x21x30", "14x23x30"]);
        for mv in list {
            assert_eq!(position.parse_move(&position.notation(mv).to_string()), Ok(mv));
        }
        assert!(position.parse_move("14x30").unwrap_err().expected.contains("14x21x30"));
    }
}
