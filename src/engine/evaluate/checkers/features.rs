//! Input features of checkers positions: patterns of tiles.
//!
//! A tile is four squares. Blocks cover the board once, and columns cover it again. A block's pattern holds men and, once
//! there are any, kings; a column's pattern holds only men. Patterns hold how pieces work together, which single squares
//! cannot: windows of squares are the oldest learned features of checkers (A. Samuel, "Some studies in machine learning
//! using the game of checkers. II", 1967).
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
//! Each side sees the board from its own end. Here, pieces are given as one side sees them; `seen` finds
//! the same features in a position of the search. Squares are numbered in row order: `4 * row + column / 2`.

use crate::checkers::{BY_ROWS, Position};
use crate::game::{Color, Game};

/// Number of game stages, each with its own features: many men, few men, and positions with kings.
pub const STAGES: usize = 3;
pub(super) const WITH_KINGS: usize = 2;
/// Number of position buckets, each with its own last layer.
pub const BUCKETS: usize = 16;
/// Number of tiles: the blocks, then the columns.
pub const TILES: usize = 16;
/// Number of blocks.
pub const BLOCKS: usize = 8;
pub(super) const TILE_SQUARES: u32 = 4;
/// Number of places of pieces: own men and kings on each square, then the other side's.
pub const PLACES: usize = 128;

/// Returns the stage of positions with `pieces` pieces, of which `kings` are kings.
#[inline]
pub const fn stage(pieces: u32, kings: u32) -> usize {
    match kings {
        0 => (pieces < 17) as usize,
        _ => WITH_KINGS,
    }
}

/// Returns the bucket of positions with `pieces` pieces (1 to 24), of which `kings` are kings. Three piece counts share
/// a bucket; positions with kings have separate buckets, because kings change the game.
#[inline]
pub const fn bucket(pieces: u32, kings: u32) -> usize {
    let by_pieces = (pieces.saturating_sub(1) / 3) & 7;
    (by_pieces << 1 | (kings != 0) as u32) as usize
}

/// An input feature: the pattern that a side sees on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Stage of the game.
    pub stage: usize,
    /// The tile: a block, or [`BLOCKS`] more than a column.
    pub tile: usize,
    /// A number with a digit for each square: 0 for an empty one, 1 for an own man, 2 for a man of the other side, 3 for
    /// an own king, 4 for a king of the other side.
    pub pattern: usize,
}

/// Returns the base of a tile's patterns: the number of digits that a square can have.
const fn base(stage: usize, tile: usize) -> usize {
    if stage == WITH_KINGS && tile < BLOCKS { 5 } else { 3 }
}

const fn patterns(stage: usize, tile: usize) -> usize {
    base(stage, tile).pow(TILE_SQUARES)
}

/// Number of the first feature of each tile in each stage: pattern 0.
pub(super) static FIRST_FEATURES: [[u16; TILES]; STAGES] = FEATURES.0;
/// Number of features of all stages.
pub const INPUTS: usize = FEATURES.1;

const FEATURES: ([[u16; TILES]; STAGES], usize) = {
    let (mut first, mut count, mut index) = ([[0; TILES]; STAGES], 0, 0);
    while index < STAGES * TILES {
        let (stage, tile) = (index / TILES, index % TILES);
        first[stage][tile] = count as u16;
        count += patterns(stage, tile);
        index += 1;
    }
    (first, count)
};

impl Feature {
    /// Returns all features, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Feature> {
        let tiles = (0..STAGES).flat_map(|stage| (0..TILES).map(move |tile| (stage, tile)));
        tiles.flat_map(|(stage, tile)| (0..patterns(stage, tile)).map(move |pattern| Feature { stage, tile, pattern }))
    }

    /// Returns the feature with a number, below [`INPUTS`].
    pub fn numbered(number: usize) -> Feature {
        let first = |&index: &usize| usize::from(FIRST_FEATURES[index / TILES][index % TILES]) <= number;
        // The first feature of the first tile is 0.
        let index = (0..STAGES * TILES).rev().find(first).unwrap_or(0);
        let (stage, tile) = (index / TILES, index % TILES);
        Feature { stage, tile, pattern: number - usize::from(FIRST_FEATURES[stage][tile]) }
    }

    /// Returns what a side sees on each tile, given its own pieces and the other side's: men in the lower half and kings
    /// in the upper half, each in row order.
    pub fn seen(stage: usize, sides: [u64; 2]) -> [Feature; TILES] {
        let mut seen = std::array::from_fn(|tile| Feature { stage, tile, pattern: 0 });
        for place in places(sides) {
            let (square, digit) = (place % 32, digit(place));
            let covering = if is_man(place) { 2 } else { 1 };
            for (tile, position) in tiles(square).into_iter().take(covering) {
                seen[tile].pattern += digit * base(stage, tile).pow(position);
            }
        }
        seen
    }

    /// Returns the number of the feature.
    pub fn number(self) -> usize {
        usize::from(FIRST_FEATURES[self.stage][self.tile]) + self.pattern
    }

    /// Returns the places of the pieces on the tile.
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..PLACES).filter(move |&place| {
            let position = tiles(place % 32).into_iter().find(|&(tile, _)| tile == self.tile);
            let base = base(self.stage, self.tile);
            position.is_some_and(|(_, position)| self.pattern / base.pow(position) % base == digit(place))
        })
    }
}

/// Returns the tile of a square in each covering, and the place of the square's digit in the tile's pattern.
pub(super) const fn tiles(square: usize) -> [(usize, u32); 2] {
    let (row, column) = (square / 4, square % 4);
    let block = (2 * (row / 2) + column / 2, (2 * (row % 2) + column % 2) as u32);
    let columns = (4 * (row / 4) + column, (row % 4) as u32);
    [block, (BLOCKS + columns.0, columns.1)]
}

/// Returns true if a place is that of a man.
pub fn is_man(place: usize) -> bool {
    place % (PLACES / 2) < 32
}

fn digit(place: usize) -> usize {
    1 + place / (PLACES / 2) + if is_man(place) { 0 } else { 2 }
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

/// Returns the pieces of a side as the other side sees them.
pub fn turn_around(pieces: u64) -> u64 {
    pieces.reverse_bits().rotate_left(32)
}

/// Returns the number of pieces of both sides, and of the kings among them.
pub fn counts([own, theirs]: [u64; 2]) -> [u32; 2] {
    [own.count_ones() + theirs.count_ones(), ((own | theirs) >> 32).count_ones()]
}

/// Returns the features that the side to move and the other side see in a position, which must be in this stage.
#[inline(always)]
pub(super) fn seen(position: &Position, stage: usize) -> [[u16; TILES]; 2] {
    // The bits of a position are in White's order.
    let ([black, white], kings) = (position.pieces, position.kings);
    let [blocks, columns] = sum(&MEN, [white & !kings, black & !kings], [1, 2]);
    let (mut patterns, mut turned) = ([0; TILES], [0; TILES]);
    let (blocks, columns) = (blocks.to_le_bytes(), columns.to_le_bytes());
    for tile in 0..TILES {
        let pattern = if tile < BLOCKS { blocks[tile] } else { columns[tile - BLOCKS] };
        (patterns[tile], turned[tile]) = (u16::from(pattern), TURNED[usize::from(pattern)]);
    }
    if stage == WITH_KINGS {
        // A king's digit is 2 more than a man's.
        let blocks = sum(&PIECES, [white, black, kings], [1, 2, 2]);
        for block in 0..BLOCKS {
            patterns[block] = (blocks[block / 4] >> (16 * (block % 4))) as u16;
            turned[block] = TURNED_PIECES[usize::from(patterns[block]) % 1024];
        }
    }
    for tile in 0..TILES {
        patterns[tile] += FIRST_FEATURES[stage][tile];
        // At the other end, the first block is the last, and the first column too.
        turned[tile] += FIRST_FEATURES[stage][tile ^ 7];
    }
    match position.turn() {
        Color::White => [patterns, turned],
        Color::Black => [turned, patterns],
    }
}

/// Patterns as the other side sees them, in base 3. Lengths beyond the last pattern spare the check of an index.
static TURNED: [u16; 256] = turned(3);
/// The same in base 5.
static TURNED_PIECES: [u16; 1024] = turned(5);

const fn turned<const PATTERNS: usize>(base: usize) -> [u16; PATTERNS] {
    // Own pieces and those of the other side change places.
    const DIGITS: [u16; 5] = [0, 2, 1, 4, 3];
    let mut turned = [0; PATTERNS];
    let mut pattern = 0;
    while pattern < base.pow(TILE_SQUARES) {
        let (mut left, mut digits) = (pattern, 0);
        while digits < TILE_SQUARES {
            turned[pattern] = turned[pattern] * base as u16 + DIGITS[left % base];
            left /= base;
            digits += 1;
        }
        pattern += 1;
    }
    turned
}

/// Patterns of tiles in two words, as bytes or as numbers of 16 bits. Sums of them carry nothing from one to the next.
type Patterns = [u64; 2];

/// Patterns of pieces with digit 1 in each byte of a position.
type Table = [[Patterns; 256]; 4];

/// Sum of the patterns of sets of pieces, each multiplied by its digit.
#[inline(always)]
fn sum<const SETS: usize>(table: &Table, sets: [u32; SETS], digits: [u64; SETS]) -> Patterns {
    let mut sums = [0; 2];
    for (byte, patterns) in table.iter().enumerate() {
        for (digit, set) in digits.into_iter().zip(sets) {
            for (sum, pattern) in sums.iter_mut().zip(patterns[(set >> (8 * byte)) as usize & 0xff]) {
                *sum += digit * pattern;
            }
        }
    }
    sums
}

/// Patterns of men on all tiles in base 3, a byte each.
static MEN: Table = table(3, 8, TILES);
/// Patterns of pieces on the blocks in base 5, 16 bits each.
static PIECES: Table = table(5, 16, BLOCKS);

/// Table of the first `count` tiles, with numbers of `width` bits.
const fn table(base: u64, width: usize, count: usize) -> Table {
    let mut table = [[[0; 2]; 256]; 4];
    let mut index = 0;
    while index < 4 * 256 {
        let (byte, pieces): (_, usize) = (index / 256, index % 256);
        if pieces > 0 {
            let tiles = tiles(BY_ROWS[8 * byte + pieces.trailing_zeros() as usize] as usize);
            table[byte][pieces] = table[byte][pieces & (pieces - 1)];
            let mut covering = 0;
            while covering < tiles.len() {
                let (tile, place) = tiles[covering];
                if tile < count {
                    table[byte][pieces][tile * width / 64] += base.pow(place) << (tile * width % 64);
                }
                covering += 1;
            }
        }
        index += 1;
    }
    table
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
    fn features_are_numbered_in_order() {
        let numbers: Vec<_> = Feature::all().map(Feature::number).collect();
        assert_eq!(numbers, (0..INPUTS).collect::<Vec<_>>());
        assert!(Feature::all().enumerate().all(|(number, feature)| Feature::numbered(number) == feature));
        assert_eq!(INPUTS, 2 * 16 * 81 + 8 * 625 + 8 * 81);
    }

    #[test]
    fn men_are_seen_by_blocks_and_columns_and_kings_by_blocks() {
        let seen = |sides| {
            let [pieces, kings] = counts(sides);
            let seen = Feature::seen(stage(pieces, kings), sides);
            let full = seen.iter().filter(|feature| feature.pattern != 0);
            full.map(|feature| (feature.tile, feature.pattern)).collect::<Vec<_>>()
        };
        // An own man in the last column of the first row, another man in the first column of the last row.
        assert_eq!(seen([1 << 3, 1 << 28]), [(1, 3), (6, 2 * 9), (8 + 3, 1), (8 + 4, 2 * 27)]);
        assert_eq!(seen([1 << 3, 1 << (32 + 28)]), [(1, 5), (6, 4 * 25), (8 + 3, 1)]);
        assert_eq!(seen([1 << (32 + 3), 1 << 28]), [(1, 3 * 5), (6, 2 * 25), (8 + 4, 2 * 27)]);
    }

    #[test]
    fn the_places_of_all_blocks_are_those_of_the_position() {
        for sides in [[0xfff, 0xfff << 20], [1 << 5 | 1 << 45, 1 << 63 | 1 << 30]] {
            let [pieces, kings] = counts(sides);
            let blocks = Feature::seen(stage(pieces, kings), sides).into_iter().take(BLOCKS);
            let mut found: Vec<_> = blocks.flat_map(Feature::places).collect();
            found.sort_unstable();
            assert_eq!(found, places(sides).collect::<Vec<_>>());
        }
    }

    #[test]
    fn turned_around_men_are_at_the_other_end() {
        assert_eq!(turn_around(1 << 3 | 1 << (32 + 31)), 1 << 28 | 1 << 32);
    }

    /// Features of a position as the description of its pieces gives them.
    fn described(position: &Position, stage: usize) -> [Vec<usize>; 2] {
        let [own, theirs] = [position.turn(), !position.turn()].map(|color| {
            let [men, kings] = position.sets(color);
            let pieces = u64::from(men) | u64::from(kings) << 32;
            if position.turn() == Color::White { pieces } else { turn_around(pieces) }
        });
        [[own, theirs], [theirs, own].map(turn_around)]
            .map(|sides| Feature::seen(stage, sides).map(Feature::number).to_vec())
    }

    #[test]
    fn the_search_sees_the_features_that_are_described() {
        let mut stages = [0; STAGES];
        for game in 0..20 {
            let mut position = Position::start();
            for turn in 0..100 {
                let list = position.legal_moves();
                if list.is_empty() {
                    break;
                }
                position = position.play(list[(turn + game) * 7 % list.len()]);
                let [men, kings] = Color::ALL
                    .map(|color| position.sets(color))
                    .into_iter()
                    .fold([0; 2], |sum, sets| [sum[0] + sets[0].count_ones(), sum[1] + sets[1].count_ones()]);
                let stage = stage(men + kings, kings);
                for (seen, mut described) in seen(&position, stage).into_iter().zip(described(&position, stage)) {
                    let mut seen = seen.map(usize::from);
                    seen.sort_unstable();
                    described.sort_unstable();
                    assert_eq!(seen[..], described, "game {game}, turn {turn}");
                }
                stages[stage] += 1;
            }
        }
        assert!(stages.iter().all(|&positions| positions > 20), "{stages:?}");
    }
}
