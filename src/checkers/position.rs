use std::fmt;

use super::bitboard::{RANK_1, RANK_8, bits};
use super::moves::{self, Move};
use super::notation::Notation;
use super::square::Square;
use super::{notation, zobrist};
use crate::game::{Color, Game, MoveList, Outcome, ParseError, Progress};

/// A board and the side to move.
///
/// Sets of squares are `u32`, one bit a dark square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// All pieces of each color.
    pub(crate) pieces: [u32; 2],
    /// Those of them that are kings.
    pub(crate) kings: u32,
    pub(crate) turn: Color,
    key: u64,
}

/// What stands on a square, its color apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Piece {
    /// Moves and jumps forward only.
    Man,
    /// Moves and jumps in all four directions.
    King,
}

/// `4 * row + column / 2` of each bit.
const BY_ROWS: [u8; 32] = {
    let mut table = [0; 32];
    let mut index = 0;
    while index < 32 {
        let square = Square::from_index(index);
        table[index as usize] = (4 * square.row() + square.column() / 2) as u8;
        index += 1;
    }
    table
};

impl Position {
    /// The position with these pieces. Of two pieces on one square the last one stays.
    pub fn new(turn: Color, placed: impl IntoIterator<Item = (Square, Color, Piece)>) -> Position {
        let mut position = Position { pieces: [0; 2], kings: 0, turn, key: 0 };
        for (square, color, piece) in placed {
            position.pieces[color.index()] |= square.bit();
            position.pieces[(!color).index()] &= !square.bit();
            match piece {
                Piece::Man => position.kings &= !square.bit(),
                Piece::King => position.kings |= square.bit(),
            }
        }
        position.key = position.key_from_scratch();
        position
    }

    /// What stands on `square`.
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        let color = Color::ALL.into_iter().find(|color| self.pieces[color.index()] & square.bit() != 0)?;
        let piece = if self.kings & square.bit() != 0 { Piece::King } else { Piece::Man };
        Some((color, piece))
    }

    /// Number of pieces of `color`, men and kings.
    pub fn count(&self, color: Color) -> u32 {
        self.pieces[color.index()].count_ones()
    }

    /// Number of kings of `color`.
    pub fn kings(&self, color: Color) -> u32 {
        (self.pieces[color.index()] & self.kings).count_ones()
    }

    /// The men and the kings of `color`, each a set of squares in the order of the rows: bit
    /// `4 * row + column / 2`.
    #[inline]
    pub fn sets(&self, color: Color) -> [u32; 2] {
        let by_rows = |set| bits(set).fold(0, |rows, index| rows | 1 << BY_ROWS[index as usize & 31]);
        let pieces = self.pieces[color.index()];
        [by_rows(pieces & !self.kings), by_rows(pieces & self.kings)]
    }

    /// Whether the side to move must jump.
    pub fn must_jump(&self) -> bool {
        moves::can_jump(self)
    }

    /// The same position with the colors exchanged and the board turned by half a turn.
    pub fn flipped(&self) -> Position {
        let [black, white] = self.pieces;
        let mut flipped = Position {
            pieces: [white.reverse_bits(), black.reverse_bits()],
            kings: self.kings.reverse_bits(),
            turn: !self.turn,
            key: 0,
        };
        flipped.key = flipped.key_from_scratch();
        flipped
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = match self.turn {
            Color::Black => 0,
            Color::White => zobrist::WHITE_TO_MOVE,
        };
        for square in Square::all() {
            if let Some((color, piece)) = self.at(square) {
                key ^= zobrist::piece(color, piece, square);
            }
        }
        key
    }

    #[inline(always)]
    pub(crate) fn piece_on(&self, bit: u32) -> Piece {
        if self.kings & bit != 0 { Piece::King } else { Piece::Man }
    }

    /// Whether `mv` makes a man a king (§1: reaching the far row).
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

    const SLOTS: usize = 32 * 32;
    const QUIET_LIMIT: Option<u16> = Some(50);
    const REPETITION_LIMIT: Option<u8> = Some(3);
    const STATIC_EVAL_SUFFICES: bool = false;

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
        let mut key =
            self.key ^ zobrist::WHITE_TO_MOVE ^ zobrist::piece(us, piece, mv.from) ^ zobrist::piece(us, arrives, mv.to);
        for index in bits(mv.captured) {
            key ^= zobrist::piece(them, self.piece_on(1 << index), Square::from_index(index));
        }
        // `from` is cleared first: a king may circle back to it.
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

    #[inline]
    fn is_quiet(&self, mv: Move) -> bool {
        mv.captured == 0
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.from.index() * 32 + mv.to.index()
    }

    fn notation(&self, mv: Move) -> impl fmt::Display {
        self.notation_in(mv, Notation::default())
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        notation::parse(self, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::perft;

    /// §1: leaves by depth, a whole turn being one ply.
    #[test]
    fn perft_from_the_start() {
        let leaves = [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931];
        for (depth, expected) in (1..).zip(leaves) {
            assert_eq!(perft(Position::start(), depth), expected, "depth {depth}");
        }
    }

    #[test]
    fn flipping_twice_gives_the_position_back() {
        let position: Position = "B:W18,24,K27:B12,K16,20".parse().unwrap();
        assert_eq!(position.flipped().flipped(), position);
        assert_eq!(position.flipped().to_string(), "W:W13,K17,21:BK6,9,15");
    }
}
