//! Checkers, as its network sees it.

use kingline::evaluate::checkers::{
    BLOCKS, BUCKETS, Feature, HIDDEN, PLACES, SHAPE, STAGES, bucket, counts, stage, turn_around,
};
use kingline::game::Color;

use super::{Seen, View};
use crate::learn::record::Record;

/// View of checkers.
pub(crate) static CHECKERS: View = View {
    shape: SHAPE,
    hidden: HIDDEN,
    stages: STAGES,
    buckets: BUCKETS,
    places: STAGES * PLACES,
    // In other positions the search continues.
    is_evaluated: |record| !record.captures,
    sides,
    turned: |[own, theirs]| [theirs, own].map(turn_around),
    stage: stage_of,
    bucket: |sides| {
        let [pieces, kings] = counts(sides);
        bucket(pieces, kings)
    },
    seen: |sides| Seen::new(Feature::seen(stage_of(sides), sides).map(|feature| feature.number() as u16)),
    parts,
    // Each side has its own end of the board.
    images: &[|pieces| pieces],
    equals: Vec::new,
    direct: |_, _| (),
};

fn sides(record: &Record) -> [u64; 2] {
    let [black, white] = record.pieces;
    match record.turn {
        Color::White => [white, black],
        Color::Black => [black, white].map(turn_around),
    }
}

fn stage_of(sides: [u64; 2]) -> usize {
    let [pieces, kings] = counts(sides);
    stage(pieces, kings)
}

/// Blocks alone hold each piece once, so columns share nothing.
fn parts(number: usize) -> Vec<usize> {
    let feature = Feature::numbered(number);
    if feature.tile < BLOCKS {
        feature.places().map(|place| PLACES * feature.stage + place).collect()
    } else {
        Vec::new()
    }
}
