//! Rules of American checkers (§1).

use std::fmt;

use super::bitboard::{RANK_1, RANK_8};
use super::moves::{self, Move};
use super::notation::{self, Notation};
use super::piece::Piece;
use super::position::Position;
use super::square::Square;
use super::zobrist;
use crate::game::bits::bits;
use crate::game::{Color, Game, MoveList, Outcome, ParseError, Progress, Searched};

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
        let mut key =
            self.key ^ zobrist::WHITE_TO_MOVE ^ zobrist::piece_key(us, piece, mv.from) ^ zobrist::piece_key(us, arrives, mv.to);
        for index in bits(mv.captured) {
            key ^= zobrist::piece_key(them, self.piece_on(1 << index), Square::from_index(index));
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
        notation::parse(self, text)
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
}
