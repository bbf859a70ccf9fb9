use std::fmt;

use super::bitboard::{self, Bitboard};
use super::connection::is_connected;
use super::moves::{self, Move};
use super::notation;
use super::square::Square;
use crate::game::{Color, Game, MoveList, Outcome, ParseError, Progress, zobrist};

/// A board of `N` columns and rows, 8 or 6, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const N: usize> {
    /// All pieces of each color.
    pub(crate) pieces: [Bitboard; 2],
    pub(crate) turn: Color,
    key: u64,
}

/// By color and square.
static KEYS: [u64; 128] = zobrist::numbers(0x6c6f_6100);
/// Part of the key when White is to move.
const WHITE_TO_MOVE: u64 = zobrist::number(0x7475_726e_6c6f_6100);

#[inline(always)]
fn key(color: Color, square: Square) -> u64 {
    KEYS[color.index() << 6 | square.index()]
}

impl<const N: usize> Position<N> {
    /// The position with these pieces. Of two pieces on one square the last one stays; squares off
    /// the board are left out.
    pub fn new(turn: Color, placed: impl IntoIterator<Item = (Square, Color)>) -> Position<N> {
        const { assert!(N == 8 || N == 6, "boards have 8 or 6 columns and rows") }
        let mut pieces = [0; 2];
        for (square, color) in placed {
            pieces[color.index()] |= square.bit() & bitboard::board::<N>();
            pieces[(!color).index()] &= !square.bit();
        }
        let mut position = Position { pieces, turn, key: 0 };
        position.key = position.key_from_scratch();
        position
    }

    /// What stands on `square`.
    pub fn at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.pieces[color.index()] & square.bit() != 0)
    }

    /// Number of pieces of `color`.
    pub fn count(&self, color: Color) -> u32 {
        self.pieces[color.index()].count_ones()
    }

    /// Whether the pieces of `color` form one group (§1).
    pub fn is_connected(&self, color: Color) -> bool {
        is_connected(self.pieces[color.index()])
    }

    /// The same board with `color` to move.
    pub fn with_turn(&self, color: Color) -> Position<N> {
        if color == self.turn { *self } else { Position { turn: color, key: self.key ^ WHITE_TO_MOVE, ..*self } }
    }

    /// All pieces, row by row from the lowest.
    pub fn placed(&self) -> impl Iterator<Item = (Square, Color)> {
        Square::all::<N>().filter_map(|square| self.at(square).map(|color| (square, color)))
    }

    /// Whether `mv` takes an enemy piece.
    #[inline(always)]
    pub fn captures(&self, mv: Move) -> bool {
        self.pieces[(!self.turn).index()] & mv.to.bit() != 0
    }

    fn key_from_scratch(&self) -> u64 {
        let turn = match self.turn {
            Color::Black => 0,
            Color::White => WHITE_TO_MOVE,
        };
        self.placed().fold(turn, |sum, (square, color)| sum ^ key(color, square))
    }
}

impl<const N: usize> Game for Position<N> {
    type Move = Move;

    const SLOTS: usize = 64 * 64;
    const STATIC_EVAL_SUFFICES: bool = true;

    /// §1: Black's pieces fill the lowest and the highest row, White's the outer columns, the
    /// corners apart.
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
        self.key ^= WHITE_TO_MOVE ^ key(us, mv.from) ^ key(us, mv.to);
        if self.captures(mv) {
            self.key ^= key(them, mv.to);
            self.pieces[them.index()] ^= mv.to.bit();
        }
        self.pieces[us.index()] ^= mv.from.bit() | mv.to.bit();
        self.turn = them;
        self
    }

    /// Who moved last wins if both sides are connected (§1).
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        [!self.turn, self.turn].into_iter().find(|&color| self.is_connected(color)).map(Outcome::Win)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn pass(self) -> Option<Position<N>> {
        Some(self.with_turn(!self.turn))
    }

    #[inline]
    fn progress(&self, mv: Move) -> Progress {
        if self.captures(mv) { Progress::Zeroing } else { Progress::Reversible }
    }

    /// Captures are moves like others: who has fewer pieces has fewer to bring together.
    #[inline]
    fn is_quiet(&self, _: Move) -> bool {
        true
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.from.index() << 6 | mv.to.index()
    }

    fn notation(&self, mv: Move) -> impl fmt::Display {
        mv
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        notation::parse(self, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::perft;

    /// §1: leaves by depth.
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
