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
//! Each side sees the board from its own end. Here, pieces are given as one side sees them; [`seen`](super::seen) finds
//! the same features in a position of the search. Squares are numbered in row order: `4 * row + column / 2`.

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

/// Returns the pieces of a side as the other side sees them.
pub fn turn_around(pieces: u64) -> u64 {
    pieces.reverse_bits().rotate_left(32)
}

/// Returns the number of pieces of both sides, and of the kings among them.
pub fn counts([own, theirs]: [u64; 2]) -> [u32; 2] {
    [own.count_ones() + theirs.count_ones(), ((own | theirs) >> 32).count_ones()]
}

/// Returns the pattern of each tile as a side sees it: a number in base 3, with a digit for each square. 0 is empty, 1 an
/// own man, 2 a man of the other side.
fn patterns([own, theirs]: [u64; 2]) -> [usize; TILES] {
    let mut patterns = [0; TILES];
    for (digit, men) in [(1, own), (2, theirs)] {
        for (tile, place) in bits(men as u32).flat_map(tiles) {
            patterns[tile] += digit * 3_usize.pow(place);
        }
    }
    patterns
}

/// Returns the features that a side sees in a position of this stage, given its own pieces and the other side's: men in
/// the lower half and kings in the upper half, each in row order.
pub fn features(stage: usize, sides: [u64; 2]) -> impl Iterator<Item = usize> {
    let tiles = is_tiled(stage)
        .then(|| patterns(sides).into_iter().enumerate().map(|(tile, pattern)| PATTERNS * tile + pattern));
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
    fn own_men_are_ones_and_other_men_are_twos() {
        // An own man in the last column of the first row, another man in the first column of the last row.
        let seen = features(0, [1 << 3, 1 << 28]).collect::<Vec<_>>();
        let mut expected = [0; TILES];
        (expected[1], expected[6], expected[8 + 3], expected[8 + 4]) = (3, 2 * 9, 1, 2 * 27);
        assert_eq!(seen, (0..TILES).map(|tile| PATTERNS * tile + expected[tile]).collect::<Vec<_>>());
    }

    #[test]
    fn turned_around_men_are_at_the_other_end() {
        assert_eq!(turn_around(1 << 3 | 1 << (32 + 31)), 1 << 28 | 1 << 32);
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
