//! Initial weights, which only count pieces.

use kingline::evaluate::network::{HIDDEN_ONE, INPUTS, OUTPUT_ONE, Weights};

use super::fit::{BUCKETS, HIDDEN, STAGES};
use super::game::checkers::CHECKERS;
use super::view::is_man;

/// Returns the weights of a network that counts a man as 100 and a king as 125.
///
/// Entry 0 of a side's accumulator is 1/2 plus its lead, so that the squares of both sides differ by twice the lead.
pub(super) fn weights() -> Vec<u8> {
    // A lead of 12 kings fits the remaining range.
    const MAN: i16 = 8;
    const KING: i16 = 10;
    let mut inputs = vec![vec![0; HIDDEN]; INPUTS];
    for (input, weights) in inputs.iter_mut().enumerate() {
        let piece = if is_man(input % 64) { MAN } else { KING };
        weights[0] = if input < 64 { piece } else { -piece };
    }
    let mut hidden_bias = vec![0; HIDDEN];
    hidden_bias[0] = HIDDEN_ONE / 2;
    let mut us = vec![0; HIDDEN];
    us[0] = OUTPUT_ONE;
    let mut them = vec![0; HIDDEN];
    them[0] = -OUTPUT_ONE;
    let buckets = vec![(us, them, 0); BUCKETS];
    // Twice the lead of one man is worth 100.
    let unit = 100 * i32::from(HIDDEN_ONE) / (2 * i32::from(MAN));
    Weights { game: CHECKERS.name, unit: unit as i16, stages: &vec![(inputs, hidden_bias); STAGES], buckets: &buckets }
        .to_bytes()
}
