//! The rules of Lines of Action (§1), as an implementation of [`Game`].

use std::fmt;

use super::moves::{self, Move};
use super::notation;
use super::position::Position;
use super::square::Square;
use super::zobrist;
use crate::game::{Color, Game, MoveList, Outcome, ParseError, Progress, Searched};

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
        self.key ^= zobrist::WHITE_TO_MOVE ^ zobrist::piece_key(us, mv.from) ^ zobrist::piece_key(us, mv.to);
        if self.captures(mv) {
            self.key ^= zobrist::piece_key(them, mv.to);
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
        notation::parse(self, text)
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
}
