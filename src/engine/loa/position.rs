use super::bitboard::{self, Bitboard, STRIDE, Square};
use super::connection::is_connected;
use crate::game::{Canonical, Color, Game, zobrist};

/// A board of `N` columns and rows (4, 5, 6 or 8), and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const N: usize> {
    pub(crate) pieces: [Bitboard; 2],
    pub(crate) turn: Color,
    pub(super) key: u64,
}

impl<const N: usize> Position<N> {
    /// Creates the position with these pieces. If two are on the same square, the last one is kept. Squares off the
    /// board are ignored.
    pub fn new(turn: Color, placed: impl IntoIterator<Item = (Square, Color)>) -> Position<N> {
        const { assert!(matches!(N, 4..=6 | 8), "boards have 4, 5, 6 or 8 columns and rows") }
        let mut pieces = [0; 2];
        for (square, color) in placed {
            pieces[color.index()] |= square.bit() & bitboard::board::<N>();
            pieces[(!color).index()] &= !square.bit();
        }
        let mut position = Position { pieces, turn, key: 0 };
        position.key = position.key_from_scratch();
        position
    }

    /// Color of the piece on `square`, if there is one.
    pub fn at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.pieces[color.index()] & square.bit() != 0)
    }

    /// Number of pieces of `color`.
    pub fn count(&self, color: Color) -> u32 {
        self.pieces[color.index()].count_ones()
    }

    /// Returns true if the pieces of `color` form one group (§1).
    pub fn is_connected(&self, color: Color) -> bool {
        is_connected(self.pieces[color.index()])
    }

    /// Returns the same board with `color` to move.
    pub fn with_turn(&self, color: Color) -> Position<N> {
        if color == self.turn { *self } else { Position { turn: color, key: self.key ^ WHITE_TO_MOVE, ..*self } }
    }

    /// Exchanges the colors of all pieces and of the side to move.
    #[must_use]
    pub fn exchanged(&self) -> Position<N> {
        Position::new(!self.turn, self.placed().map(|(square, color)| (square, !color)))
    }

    /// Iterates over all pieces, row by row from the lowest.
    pub fn placed(&self) -> impl Iterator<Item = (Square, Color)> {
        Square::all::<N>().filter_map(|square| self.at(square).map(|color| (square, color)))
    }

    fn key_from_scratch(&self) -> u64 {
        let turn = match self.turn {
            Color::Black => 0,
            Color::White => WHITE_TO_MOVE,
        };
        self.placed().fold(turn, |sum, (square, color)| sum ^ piece_key(color, square))
    }
}

static PIECES: [u64; 128] = zobrist::numbers(0x6c6f_6100);

pub(super) const WHITE_TO_MOVE: u64 = zobrist::number(0x7475_726e_6c6f_6100);

#[inline(always)]
pub(super) fn piece_key(color: Color, square: Square) -> u64 {
    PIECES[color.index() << 6 | square.index()]
}

/// A form has a bit for each square, set if a piece of the side to move stands there, row by row from the lowest. The
/// same number of bits above them stand for the other side's pieces. The form of a position is the smallest such number
/// over the board's eight rotations and reflections. Its code has a ternary digit for each square, in the same order: 1
/// for the side to move, 2 for the other side. Boards of more than 36 squares have no codes.
impl<const N: usize> Canonical for Position<N> {
    const NAME: &'static str = match N {
        4 => "loa4",
        5 => "loa5",
        6 => "loa6",
        _ => "loa8",
    };
    const CODES: u64 = 3u64.pow((N * N) as u32);

    fn form(&self) -> u128 {
        let turned = self.pieces.map(images::<N>);
        let [us, them] = [self.turn(), !self.turn()].map(|color| turned[color.index()]);
        // Unpacked and packed boards have the same order: only empty bits are removed.
        let (them, us) = them.into_iter().zip(us).min().unwrap_or_default();
        u128::from(packed::<N>(us)) | u128::from(packed::<N>(them)) << (N * N)
    }

    fn of_form(form: u128, turn: Color) -> Option<Position<N>> {
        let squares = |side: u128, color| {
            let stands = move |square: &Square| side >> (N * square.row() + square.column()) & 1 == 1;
            Square::all::<N>().filter(stands).map(move |square| (square, color))
        };
        let (us, them) = (form & ((1 << (N * N)) - 1), form >> (N * N));
        let position = Position::new(turn, squares(us, turn).chain(squares(them, !turn)));
        (position.form() == form).then_some(position)
    }

    fn code(form: u128) -> u64 {
        let row = |side: u128, row: usize| TERNARY[(side >> (N * row)) as usize & ((1 << N) - 1)];
        (0..N).rev().fold(0, |code, place| code * 3u64.pow(N as u32) + row(form, place) + 2 * row(form, N + place))
    }

    fn of_code(code: u64) -> u128 {
        let digits = std::iter::successors(Some(code), |code| Some(code / 3)).map(|code| code % 3).take(N * N);
        digits.zip(0..).fold(0, |form, (digit, square)| match digit {
            0 => form,
            1 => form | 1 << square,
            _ => form | 1 << (N * N + square),
        })
    }
}

/// Numbers with the binary digits of their place, read as ternary ones.
const TERNARY: [u64; 64] = {
    let mut numbers = [0; 64];
    let mut place = 1;
    while place < numbers.len() {
        numbers[place] = 3 * numbers[place / 2] + place as u64 % 2;
        place += 1;
    }
    numbers
};

/// Returns the eight rotations and reflections of a board, including itself.
#[inline]
fn images<const N: usize>(board: Bitboard) -> [Bitboard; 8] {
    let four = |board| {
        let mirrored = mirrored::<N>(board);
        [board, mirrored, flipped::<N>(board), flipped::<N>(mirrored)]
    };
    let [a, b, c, d] = four(board);
    let [e, f, g, h] = four(transposed(board));
    [a, b, c, d, e, f, g, h]
}

/// Reflects a board: the lowest row becomes the highest.
#[inline]
fn flipped<const N: usize>(board: Bitboard) -> Bitboard {
    board.swap_bytes() >> (STRIDE * (STRIDE - N))
}

/// Reflects a board: the left column becomes the right one.
#[inline]
fn mirrored<const N: usize>(board: Bitboard) -> Bitboard {
    board.reverse_bits().swap_bytes() >> (STRIDE - N)
}

/// Transposes a board, in three rounds that exchange blocks of side 1, 2 and 4 across the diagonal.
#[inline]
fn transposed(board: Bitboard) -> Bitboard {
    let exchange = |board: Bitboard, mask: Bitboard, by: u32| {
        let other = (board ^ board >> by) & mask;
        board ^ other ^ other << by
    };
    let board = exchange(board, 0x00aa_00aa_00aa_00aa, 7);
    let board = exchange(board, 0x0000_cccc_0000_cccc, 14);
    exchange(board, 0x0000_0000_f0f0_f0f0, 28)
}

#[inline]
fn packed<const N: usize>(board: Bitboard) -> u64 {
    (0..N).fold(0, |packed, row| packed | (board >> (STRIDE * row) & ((1 << N) - 1)) << (N * row))
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::game::random_opening;

    /// Computes the eight images of a square from its column and row.
    fn squares<const N: usize>(square: Square) -> [Square; 8] {
        let (column, row, last) = (square.column(), square.row(), N - 1);
        let places = [(column, row), (row, column)].map(|(column, row)| {
            [(column, row), (last - column, row), (column, last - row), (last - column, last - row)]
        });
        places.concat().try_into().map(|all: [_; 8]| all.map(|(x, y)| Square::at(x, y).unwrap())).unwrap()
    }

    fn check<const N: usize>(plies: usize) {
        let mut rng = StdRng::seed_from_u64(6);
        for _ in 0..300 {
            let Some(opening) = random_opening::<Position<N>>(plies, |moves| rng.random_range(0..moves)) else {
                continue;
            };
            let position = opening.history.position();
            let form = position.form();
            let above = form.checked_shr(2 * (N * N) as u32);
            assert_eq!(above.unwrap_or(0), 0);
            if N <= 6 {
                let code = Position::<N>::code(form);
                assert!(code < 3u64.pow((N * N) as u32));
                assert_eq!(Position::<N>::of_code(code), form);
            }
            for image in 0..8 {
                let placed: Vec<_> =
                    position.placed().map(|(square, color)| (squares::<N>(square)[image], color)).collect();
                let alike = Position::<N>::new(position.turn(), placed.iter().copied());
                let swapped = placed.iter().map(|&(square, color)| (square, !color));
                let other = Position::<N>::new(!position.turn(), swapped);
                assert_eq!((alike.form(), other.form()), (form, form), "{position}, image {image}");
                assert_eq!(alike.legal_moves().len(), position.legal_moves().len());
            }
            for turn in Color::ALL {
                let found = Position::<N>::of_form(form, turn).expect("a position of its form");
                assert_eq!((found.form(), found.turn()), (form, turn));
            }
        }
    }

    #[test]
    fn exactly_the_equivalent_positions_share_a_form() {
        check::<8>(9);
        check::<6>(9);
        check::<5>(3);
        check::<4>(2);
        let distinct: std::collections::HashSet<u128> =
            Position::<6>::start().legal_moves().iter().map(|&mv| Position::<6>::start().play(mv).form()).collect();
        assert_eq!(distinct.len(), 6, "of 24 first moves");
        let lone: Position<6> = "b-----/------/--w---/------/------/-----w black".parse().unwrap();
        assert_ne!(lone.form(), lone.with_turn(Color::White).form(), "whose turn it is matters");
    }

    #[test]
    fn numbers_that_are_no_form_have_no_position() {
        let form = Position::<6>::start().form();
        assert_eq!(Position::<6>::of_form(form | form >> 36, Color::Black), None, "two pieces on a square");
        assert_eq!(Position::<6>::of_form(u128::MAX, Color::Black), None);
        let mut images: Vec<u64> = super::images::<6>(0b1011).to_vec();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
