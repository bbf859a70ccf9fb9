//! Checkers positions as the network sees them.
//!
//! Pairs of sides begin with the side to move.

pub(crate) use kingline::evaluate::checkers::turn_around;
use kingline::evaluate::checkers::{self, PATTERNS, PLACES, tiles};
use kingline::game::Color;

use super::record::Record;

/// Returns the pieces of a record as its side to move sees them: its own, then the other side's.
pub(crate) fn sides(record: &Record) -> [u64; 2] {
    let [black, white] = record.pieces;
    match record.turn {
        Color::White => [white, black],
        Color::Black => [black, white].map(turn_around),
    }
}

/// True if this bit of a side stands for a man, not a king.
pub(crate) fn is_man(bit: usize) -> bool {
    bit < 32
}

/// Returns the stage of the network for a position.
pub(crate) fn stage(sides: [u64; 2]) -> usize {
    let [pieces, kings] = checkers::counts(sides);
    checkers::stage(pieces, kings)
}

/// Returns the bucket of the network for a position.
pub(crate) fn bucket(sides: [u64; 2]) -> usize {
    let [pieces, kings] = checkers::counts(sides);
    checkers::bucket(pieces, kings)
}

/// Returns the places of the men in a pattern, given its feature counted from the first of its stage. A man on each
/// square is in two tiles, of which the block stands for it, so that all patterns of a board hold it once.
pub(crate) fn men_of(feature: usize) -> impl Iterator<Item = usize> {
    let (tile, pattern) = (feature / PATTERNS, feature % PATTERNS);
    (0..32).filter_map(move |square| {
        let [(block, place), _] = tiles(square);
        let digit = pattern / 3_usize.pow(place) % 3;
        (block == tile && digit > 0).then(|| square + (digit - 1) * PLACES / 2)
    })
}
