//! The features that both sides see in a position of the search.

use super::features::{PATTERNS, PLACES, TILES, first_input, is_tiled, tiles};
use crate::checkers::{BY_ROWS, Position};
use crate::game::bits::bits;
use crate::game::{Color, Game};

/// Largest number of features that a side sees: a piece on each square.
const MOST_FEATURES: usize = 32;

/// Features that the side to move and the other side see: of each, the first `count`.
pub(super) struct Seen {
    features: [[u16; MOST_FEATURES]; 2],
    count: usize,
}

impl Seen {
    /// Features of a position, which must be in this stage.
    #[inline(always)]
    pub(super) fn of(position: &Position, stage: usize) -> Seen {
        let [black, white] = position.pieces;
        // The bits of a position are in White's order; Black sees the board turned around.
        let (own, theirs, kings) = match position.turn() {
            Color::White => (white, black, position.kings),
            Color::Black => (black.reverse_bits(), white.reverse_bits(), position.kings.reverse_bits()),
        };
        let first = first_input(stage) as u16;
        if is_tiled(stage) { Seen::tiles(first, own, theirs) } else { Seen::places(first, [own, theirs], kings) }
    }

    #[inline(always)]
    fn tiles(first: u16, own: u32, theirs: u32) -> Seen {
        let mut seen = Seen { features: [[0; MOST_FEATURES]; 2], count: TILES };
        let patterns = [patterns(own, theirs), patterns(theirs.reverse_bits(), own.reverse_bits())];
        for (features, patterns) in seen.features.iter_mut().zip(patterns) {
            for (covering, patterns) in patterns.into_iter().enumerate() {
                for (place, pattern) in patterns.to_le_bytes().into_iter().enumerate() {
                    let tile = 8 * covering + place;
                    features[tile] = first + (PATTERNS * tile) as u16 + u16::from(pattern);
                }
            }
        }
        seen
    }

    #[inline(always)]
    fn places(first: u16, sides: [u32; 2], kings: u32) -> Seen {
        let mut seen = Seen { features: [[0; MOST_FEATURES]; 2], count: 0 };
        for (side, pieces) in sides.into_iter().enumerate() {
            for (kind, set) in [pieces & !kings, pieces & kings].into_iter().enumerate() {
                for index in bits(set) {
                    let (square, kind) = (u16::from(BY_ROWS[index & 31]), first + 32 * kind as u16);
                    let other = |is_other: usize| (is_other * PLACES / 2) as u16;
                    seen.features[0][seen.count] = kind + other(side) + square;
                    seen.features[1][seen.count] = kind + other(1 - side) + 31 - square;
                    seen.count += 1;
                }
            }
        }
        seen
    }

    /// Features of the side to move and of the other side.
    #[inline(always)]
    pub(super) fn features(&self) -> [&[u16]; 2] {
        let [own, theirs] = &self.features;
        [&own[..self.count], &theirs[..self.count]]
    }
}

/// Patterns of all tiles, a byte each: those of blocks, then those of columns. Patterns are below 81, so that sums carry
/// nothing from one byte to the next.
type Patterns = [u64; 2];

/// Patterns of the men of both sides.
#[inline(always)]
fn patterns(own: u32, theirs: u32) -> Patterns {
    let mut sums = [0; 2];
    for (byte, patterns) in OWN.iter().enumerate() {
        let of = |men: u32| &patterns[(men >> (8 * byte)) as usize & 0xff];
        for (sum, (own, theirs)) in sums.iter_mut().zip(of(own).iter().zip(of(theirs))) {
            *sum += own + 2 * theirs;
        }
    }
    sums
}

/// Patterns of the own men in each byte of a position.
static OWN: [[Patterns; 256]; 4] = {
    let mut own = [[[0; 2]; 256]; 4];
    let mut byte = 0;
    while byte < own.len() {
        let mut men = 1;
        while men < 256_usize {
            let tiles = tiles(BY_ROWS[8 * byte + men.trailing_zeros() as usize] as usize);
            let mut covering = 0;
            while covering < 2 {
                let (tile, place) = tiles[covering];
                let others = own[byte][men & (men - 1)][covering];
                own[byte][men][covering] = others + (3_u64.pow(place) << (8 * (tile % 8)));
                covering += 1;
            }
            men += 1;
        }
        byte += 1;
    }
    own
};

#[cfg(test)]
mod tests {
    use super::super::features::{features, stage, turn_around};
    use super::*;

    /// Features of a position as the description of its pieces gives them.
    fn described(position: &Position, stage: usize) -> [Vec<usize>; 2] {
        let [own, theirs] = [position.turn(), !position.turn()].map(|color| {
            let [men, kings] = position.sets(color);
            let pieces = u64::from(men) | u64::from(kings) << 32;
            if position.turn() == Color::White { pieces } else { turn_around(pieces) }
        });
        [[own, theirs], [theirs, own].map(turn_around)].map(|sides| features(stage, sides).collect())
    }

    #[test]
    fn the_search_sees_the_features_that_are_described() {
        let mut stages = [0; 4];
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
                let seen = Seen::of(&position, stage);
                for (seen, mut described) in seen.features().into_iter().zip(described(&position, stage)) {
                    let mut seen: Vec<_> = seen.iter().map(|&feature| usize::from(feature)).collect();
                    seen.sort_unstable();
                    described.sort_unstable();
                    assert_eq!(seen, described, "game {game}, turn {turn}");
                }
                stages[stage] += 1;
            }
        }
        assert!(stages.iter().all(|&positions| positions > 20), "{stages:?}");
    }
}
