//! Checkers positions as the network sees them.
//!
//! Pairs of sides begin with the side to move.

use kingline::evaluate::checkers;
pub(crate) use kingline::evaluate::checkers::turn_around;
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
