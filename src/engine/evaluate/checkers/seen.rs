//! The features that both sides see in a position of the search.

use super::features::{BLOCKS, FIRST_FEATURES, TILE_SQUARES, TILES, WITH_KINGS, tiles};
use crate::checkers::{BY_ROWS, Position};
use crate::game::{Color, Game};

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
    use super::super::features::{Feature, STAGES, stage, turn_around};
    use super::*;

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
