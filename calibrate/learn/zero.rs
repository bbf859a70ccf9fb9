//! Initial weights, which only count pieces.

use kingline::evaluate::checkers::{INPUTS, PLACES, first_input, is_tiled};
use kingline::evaluate::network::{HIDDEN_ONE, OUTPUT_ONE, Weights};

use super::fit::{BUCKETS, HIDDEN, STAGES};
use super::game::checkers::CHECKERS;
use super::view::{is_man, men_of};

/// Returns the weights of a network that counts a man as 100 and a king as 125.
///
/// Entry 0 of a side's accumulator is 1/2 plus its lead, so that the squares of both sides differ by twice the lead.
pub(super) fn weights() -> Vec<u8> {
    // A lead of 12 kings fits the remaining range.
    const MAN: i16 = 8;
    const KING: i16 = 10;
    let worth = |place: usize| {
        let piece = if is_man(place % (PLACES / 2)) { MAN } else { KING };
        if place < PLACES / 2 { piece } else { -piece }
    };
    let mut inputs = vec![vec![0; HIDDEN]; INPUTS];
    for stage in 0..STAGES {
        let first = first_input(stage);
        for (feature, weights) in inputs[first..first_input(stage + 1)].iter_mut().enumerate() {
            weights[0] = if is_tiled(stage) { men_of(feature).map(worth).sum() } else { worth(feature) };
        }
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
    Weights {
        game: CHECKERS.name,
        unit: unit as i16,
        inputs: &inputs,
        biases: &vec![hidden_bias; STAGES],
        buckets: &buckets,
    }
    .to_bytes()
}
