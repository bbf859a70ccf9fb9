//! Input features of checkers positions.
//!
//! While there are only men, a feature is the pattern of a tile: its four squares, each empty or with a man of either
//! side. Blocks cover the board once, and columns cover it again. A pattern holds how men work together, which single
//! squares cannot: windows of squares are the oldest learned features of checkers (A. Samuel, "Some studies in machine
//! learning using the game of checkers. II", 1967). With kings, a feature is a piece on a square.
//!
//! ```text
//!       blocks                   columns
//!   8 |   6   6   7   7      8 |   4   5   6   7
//!   7 | 6   6   7   7        7 | 4   5   6   7
//!   6 |   4   4   5   5      6 |   4   5   6   7
//!   5 | 4   4   5   5        5 | 4   5   6   7
//!   4 |   2   2   3   3      4 |   0   1   2   3
//!   3 | 2   2   3   3        3 | 0   1   2   3
//!   2 |   0   0   1   1      2 |   0   1   2   3
//!   1 | 0   0   1   1        1 | 0   1   2   3
//! ```
//!
//! Each side sees the board from its own end. Squares are numbered in row order: `4 * row + column / 2`.

use crate::checkers::{Position, Square};
use crate::game::Color;
use crate::game::bits::bits;

/// Number of game stages, each with its own features.
pub const STAGES: usize = 4;
/// Number of position buckets, each with its own last layer.
pub const BUCKETS: usize = 16;
/// Number of tiles, blocks and columns.
pub const TILES: usize = 16;
/// Number of patterns of a tile.
pub const PATTERNS: usize = 81;
/// Number of features of pieces on squares: own men and kings, then the other side's.
pub const PLACES: usize = 128;
/// Number of features of all stages.
pub const INPUTS: usize = first_input(STAGES);

/// Returns the first feature of a stage.
pub const fn first_input(stage: usize) -> usize {
    if is_tiled(stage) { stage * TILES * PATTERNS } else { 2 * TILES * PATTERNS + (stage - 2) * PLACES }
}

/// Returns the stage of positions with `pieces` pieces, of which `kings` are kings.
#[inline]
pub const fn stage(pieces: u32, kings: u32) -> usize {
    match kings {
        0 => (pieces < 17) as usize,
        _ => 2 + (pieces < 11) as usize,
    }
}

/// Returns true if the features of a stage are patterns of tiles.
#[inline]
pub const fn is_tiled(stage: usize) -> bool {
    stage < 2
}

/// Returns the bucket of positions with `pieces` pieces (1 to 24), of which `kings` are kings. Three piece counts share
/// a bucket; positions with kings have separate buckets, because kings change the game.
#[inline]
pub const fn bucket(pieces: u32, kings: u32) -> usize {
    let by_pieces = (pieces.saturating_sub(1) / 3) & 7;
    (by_pieces << 1 | (kings != 0) as u32) as usize
}

/// Returns the tile of a square in each covering, and the square's digit in the tile's pattern.
pub const fn tiles(square: usize) -> [(usize, u32); 2] {
    let (row, column) = (square / 4, square % 4);
    let block = (2 * (row / 2) + column / 2, (2 * (row % 2) + column % 2) as u32);
    let columns = (4 * (row / 4) + column, (row % 4) as u32);
    [block, (TILES / 2 + columns.0, columns.1)]
}

/// Patterns of all tiles as one side sees them, a byte each: those of blocks, then those of columns. A pattern is a
/// number in base 3, with a digit for each square: 0 is empty, 1 an own man, 2 a man of the other side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Patterns([u64; 2]);

impl Patterns {
    /// Patterns of a board with one man.
    const fn of_man(square: usize, digit: u64) -> Patterns {
        let mut patterns = [0; 2];
        let mut covering = 0;
        while covering < 2 {
            let (tile, place) = tiles(square)[covering];
            patterns[covering] = (digit * 3_u64.pow(place)) << (8 * (tile % 8));
            covering += 1;
        }
        Patterns(patterns)
    }

    /// Patterns of the men of both sides, own first.
    fn of_men(men: [u32; 2]) -> Patterns {
        let men = [1, 2].into_iter().zip(men).flat_map(|(digit, men)| bits(men).map(move |man| (man, digit)));
        men.fold(Patterns::default(), |patterns, (square, digit)| patterns.with(SEEN_MEN[digit - 1][square & 31]))
    }

    /// Adds a man. Patterns are below 81, so that nothing is carried from one byte to the next.
    #[inline(always)]
    pub(super) fn with(self, man: Patterns) -> Patterns {
        Patterns([self.0[0].wrapping_add(man.0[0]), self.0[1].wrapping_add(man.0[1])])
    }

    /// Removes a man.
    #[inline(always)]
    pub(super) fn without(self, man: Patterns) -> Patterns {
        Patterns([self.0[0].wrapping_sub(man.0[0]), self.0[1].wrapping_sub(man.0[1])])
    }

    /// Features of all tiles.
    fn features(self) -> impl Iterator<Item = usize> {
        (0..TILES).map(move |tile| feature(tile, self.0[tile / 8] >> (8 * (tile % 8))))
    }

    /// Calls `changed` with the features of each tile that differs, before and after.
    #[inline(always)]
    pub(super) fn changes(self, after: Patterns, mut changed: impl FnMut(usize, usize)) {
        for covering in 0..2 {
            let (before, after) = (self.0[covering], after.0[covering]);
            let mut different = before ^ after;
            while different != 0 {
                let shift = different.trailing_zeros() & !7;
                let tile = 8 * covering + shift as usize / 8;
                changed(feature(tile, before >> shift), feature(tile, after >> shift));
                different &= !(0xff << shift);
            }
        }
    }
}

/// Returns the feature of a tile whose pattern is the lowest byte of `patterns`, counted from the first of its stage.
#[inline(always)]
fn feature(tile: usize, patterns: u64) -> usize {
    PATTERNS * tile + usize::from(patterns as u8)
}

/// Patterns of a man of each color on each bit of a position, as Black and as White see it.
static MEN: [[[Patterns; 2]; 32]; 2] = {
    let mut men = [[[Patterns([0; 2]); 2]; 32]; 2];
    let mut index = 0;
    while index < 32 {
        let [black, white] = seen(index);
        men[Color::Black.index()][index] = [SEEN_MEN[0][black], SEEN_MEN[1][white]];
        men[Color::White.index()][index] = [SEEN_MEN[1][black], SEEN_MEN[0][white]];
        index += 1;
    }
    men
};

/// Patterns of an own man and of one of the other side on each square, as a side sees it.
const SEEN_MEN: [[Patterns; 32]; 2] = {
    let mut men = [[Patterns([0; 2]); 32]; 2];
    let mut square = 0;
    while square < 32 {
        men[0][square] = Patterns::of_man(square, 1);
        men[1][square] = Patterns::of_man(square, 2);
        square += 1;
    }
    men
};

/// Returns the square with this bit in a position, as Black and as White see it.
const fn seen(index: usize) -> [usize; 2] {
    let square = Square::from_index(index);
    let white = 4 * square.row() + square.column() / 2;
    [31 - white, white]
}

/// [`seen`] for each bit.
static SEEN: [[u8; 2]; 32] = {
    let mut squares = [[0; 2]; 32];
    let mut index = 0;
    while index < 32 {
        let [black, white] = seen(index);
        squares[index] = [black as u8, white as u8];
        index += 1;
    }
    squares
};

/// Patterns of a man as Black and as White see it.
#[inline(always)]
pub(super) fn man(color: Color, square: Square) -> [Patterns; 2] {
    MEN[color.index()][square.index()]
}

/// Features of a piece on a square as Black and as White see it, counted from the first of their stage.
#[inline(always)]
pub(super) fn place(color: Color, is_king: bool, square: Square) -> [usize; 2] {
    let [black, white] = SEEN[square.index()].map(|seen| usize::from(seen) + 32 * usize::from(is_king));
    match color {
        Color::Black => [black, PLACES / 2 + white],
        Color::White => [PLACES / 2 + black, white],
    }
}

/// Returns the pieces of a position as Black and as White see it: own ones, then the other side's. Men are in the lower
/// half, kings in the upper half, each in row order.
pub(super) fn sides(position: &Position) -> [[u64; 2]; 2] {
    let [black, white] = Color::ALL.map(|color| {
        let [men, kings] = position.sets(color);
        u64::from(men) | u64::from(kings) << 32
    });
    [[black, white].map(turn_around), [white, black]]
}

/// Returns the pieces of a side as the other side sees them.
pub fn turn_around(pieces: u64) -> u64 {
    pieces.reverse_bits().rotate_left(32)
}

/// Returns the number of pieces of both sides, and of the kings among them.
pub fn counts([own, theirs]: [u64; 2]) -> [u32; 2] {
    [own.count_ones() + theirs.count_ones(), ((own | theirs) >> 32).count_ones()]
}

/// Patterns of the men that a side sees.
pub(super) fn patterns([own, theirs]: [u64; 2]) -> Patterns {
    Patterns::of_men([own as u32, theirs as u32])
}

/// Returns the features that a side sees in a position of this stage, given its own pieces and the other side's: men in
/// the lower half and kings in the upper half, each in row order.
pub fn features(stage: usize, sides: [u64; 2]) -> impl Iterator<Item = usize> {
    let tiles = is_tiled(stage).then(|| patterns(sides).features());
    let places = (!is_tiled(stage)).then(|| places(sides));
    let features = tiles.into_iter().flatten().chain(places.into_iter().flatten());
    features.map(move |feature| first_input(stage) + feature)
}

/// Returns the places of all pieces that a side sees, 0 to 127.
pub fn places([own, theirs]: [u64; 2]) -> impl Iterator<Item = usize> {
    let mut left = u128::from(own) | u128::from(theirs) << (PLACES / 2);
    std::iter::from_fn(move || {
        let place = (left != 0).then_some(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_and_every_third_piece_change_the_bucket() {
        assert_eq!([1, 3, 4, 24].map(|pieces| bucket(pieces, 0)), [0, 0, 2, 14]);
        assert_eq!([1, 3, 4, 24].map(|pieces| bucket(pieces, 1)), [1, 1, 3, 15]);
        assert!((0..=32).all(|pieces| bucket(pieces, 3) < BUCKETS));
    }

    #[test]
    fn every_tile_has_each_of_its_four_digits_once() {
        let mut digits = [[0; 4]; TILES];
        for (tile, digit) in (0..32).flat_map(tiles) {
            digits[tile][digit as usize] += 1;
        }
        assert_eq!(digits, [[1; 4]; TILES]);
    }

    #[test]
    fn each_side_sees_its_own_men_as_ones() {
        let position: Position = "B:W32:B1".parse().unwrap();
        let [black, white] = sides(&position);
        // Square 32 is in the last column of White's first row, square 1 is in the first column of its last row.
        let expected = |first: usize, last: usize| {
            let mut expected = [0; TILES];
            (expected[1], expected[6], expected[8 + 3], expected[8 + 4]) = (3 * first, 9 * last, first, 27 * last);
            (0..TILES).map(|tile| PATTERNS * tile + expected[tile]).collect::<Vec<_>>()
        };
        let seen = |sides| features(0, sides).collect::<Vec<_>>();
        assert_eq!(seen(white), expected(1, 2));
        assert_eq!(seen(black), expected(1, 2), "a rotated board looks the same");
        assert_eq!(seen([white[1], white[0]]), expected(2, 1));
    }

    #[test]
    fn stages_share_no_features() {
        for (pieces, stage) in [([0xfff, 0xfff << 20], 0), ([1, 1 << 31], 1), ([1 << 32, 2], 3)] {
            let numbers = features(stage, pieces).collect::<Vec<_>>();
            let own = first_input(stage)..first_input(stage + 1);
            assert!(!numbers.is_empty() && numbers.iter().all(|number| own.contains(number)), "{stage}: {numbers:?}");
        }
        assert_eq!(first_input(STAGES), INPUTS);
    }
}
