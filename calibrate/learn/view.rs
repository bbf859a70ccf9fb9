//! Checkers positions as the network sees them.
//!
//! Pairs of sides begin with the side to move.

use kingline::evaluate;
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

/// Returns the pieces of a side as the other side sees them.
pub(crate) fn turn_around(pieces: u64) -> u64 {
    pieces.reverse_bits().rotate_left(32)
}

/// True if this bit of a side stands for a man, not a king.
pub(crate) fn is_man(bit: usize) -> bool {
    bit < 32
}

/// Returns the stage of the network for a position.
pub(crate) fn stage(sides: [u64; 2]) -> usize {
    let [pieces, kings] = counts(sides);
    evaluate::checkers::stage(pieces, kings)
}

/// Returns the bucket of the network for a position.
pub(crate) fn bucket(sides: [u64; 2]) -> usize {
    let [pieces, kings] = counts(sides);
    evaluate::checkers::bucket(pieces, kings)
}

/// Returns the number of pieces of both sides, and of the kings among them.
fn counts([own, theirs]: [u64; 2]) -> [u32; 2] {
    [own.count_ones() + theirs.count_ones(), ((own | theirs) >> 32).count_ones()]
}
