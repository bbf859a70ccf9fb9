//! Initial weights, which only count pieces.

use kingline::evaluate::checkers::{BLOCKS, Feature, PLACES, is_man};
use kingline::evaluate::network::{HIDDEN_ONE, OUTPUT_ONE, Weights};

use super::fit::{BUCKETS, HIDDEN, STAGES};
use super::game::checkers::CHECKERS;

/// Returns the weights of a network that counts a man as 100 and a king as 125.
///
/// Entry 0 of a side's accumulator is 1/2 plus its lead, so that the squares of both sides differ by twice the lead.
pub(super) fn weights() -> Vec<u8> {
    // A lead of 12 kings fits the remaining range.
    const MAN: i16 = 8;
    const KING: i16 = 10;
    let worth = |place: usize| {
        let piece = if is_man(place) { MAN } else { KING };
        if place < PLACES / 2 { piece } else { -piece }
    };
    // Blocks alone hold each piece once.
    let counted =
        |feature: Feature| -> i16 { if feature.tile < BLOCKS { feature.places().map(worth).sum() } else { 0 } };
    let weights_of = |feature| {
        let mut weights = vec![0; HIDDEN];
        weights[0] = counted(feature);
        weights
    };
    let inputs: Vec<_> = Feature::all().map(weights_of).collect();
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
