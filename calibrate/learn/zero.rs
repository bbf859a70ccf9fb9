//! Where does learning begin? With an evaluation that counts pieces and knows nothing else.

use kingline::evaluate::network::{HIDDEN_ONE, INPUTS, OUTPUT_ONE, Weights};

use super::fit::{BUCKETS, HIDDEN, STAGES};
use super::packing::Packing;

/// The weights of a network that counts a man as 100 and a king as 125.
///
/// Hidden number 0 of a side is a half and its lead, so that the squares of both sides' differ by twice the lead.
pub(super) fn weights(packing: &Packing) -> Vec<u8> {
    // A lead of 12 kings stays within the half that is left.
    const LEAST: i16 = 8;
    const KING: i16 = 10;
    let mut inputs = vec![vec![0; HIDDEN]; INPUTS];
    for (input, weights) in inputs.iter_mut().enumerate() {
        let piece = if (packing.is_least)(input % 64) { LEAST } else { KING };
        weights[0] = if input < 64 { piece } else { -piece };
    }
    let mut hidden_bias = vec![0; HIDDEN];
    hidden_bias[0] = HIDDEN_ONE / 2;
    let mut us = vec![0; HIDDEN];
    us[0] = OUTPUT_ONE;
    let mut them = vec![0; HIDDEN];
    them[0] = -OUTPUT_ONE;
    let buckets = vec![(us, them, 0); BUCKETS];
    // Twice the lead by a man is worth 100.
    let unit = 100 * i32::from(HIDDEN_ONE) / (2 * i32::from(LEAST));
    Weights { game: packing.name, unit: unit as i16, stages: &vec![(inputs, hidden_bias); STAGES], buckets: &buckets }
        .to_bytes()
}
