//! Checkers as a game to learn.

use std::ops::RangeInclusive;

use kingline::checkers::{Piece, Position, Square};
use kingline::evaluate::checkers::{
    BLOCKS, BUCKETS, EMBEDDED, Evaluation, Feature, HIDDEN, PLACES, SHAPE, STAGES, bucket, counts, stage, turn_around,
};
use kingline::evaluate::network::WeightsError;
use kingline::game::{Color, Game, Knowledge};
use kingline::knowledge::tablebase::Tablebase;

use super::{Learned, Seen, View};
use crate::learn::record::Record;

/// Men are in the lower half of a side's bits, kings in the upper half, each at bit `4 * row + column / 2`.
pub(in crate::learn) static CHECKERS: View = View {
    name: "checkers",
    phases: &[14, 8, 6, 0],
    is_legal: |turn, pieces| Position::unpack(turn, pieces).is_some(),
    is_level: |[own, theirs]| {
        own.count_ones() == theirs.count_ones() && (own >> 32).count_ones() == (theirs >> 32).count_ones()
    },
    // A king is worth 1.3 men.
    material: |pieces| (10 * (pieces as u32).count_ones() + 13 * (pieces >> 32).count_ones()) as i32,
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

impl Learned for Position {
    type Evaluation = Evaluation;

    const VIEW: &'static View = &CHECKERS;
    const OPENING: RangeInclusive<usize> = 6..=18;
    const LEVEL: i16 = 60;
    const LONGEST: u16 = 400;
    const EMBEDDED: &'static [u8] = EMBEDDED;

    fn read(bytes: &[u8]) -> Result<Self::Evaluation, WeightsError> {
        Evaluation::read(bytes)
    }

    fn knowledge<'a>(tables: &'a Tablebase<'a>) -> impl Knowledge<Self> + Copy + 'a {
        tables
    }

    fn pack(&self) -> [u64; 2] {
        Color::ALL.map(|color| {
            let [men, kings] = self.sets(color);
            u64::from(men) | u64::from(kings) << 32
        })
    }

    fn unpack(turn: Color, pieces: [u64; 2]) -> Option<Self> {
        const ROW: u64 = 0xf;
        let [black, white] = pieces;
        let halves = [black as u32, (black >> 32) as u32, white as u32, (white >> 32) as u32];
        let apart = halves.iter().map(|half| half.count_ones()).sum::<u32>()
            == halves.iter().fold(0, |all, half| all | half).count_ones();
        // A man on the far row would be a king.
        if !apart || black & ROW != 0 || white & ROW << 28 != 0 {
            return None;
        }
        let placed = Color::ALL.into_iter().flat_map(|color| {
            let set = pieces[color.index()];
            (0..64).filter(move |bit| set >> bit & 1 != 0).filter_map(move |bit| {
                let (piece, place) = if bit < 32 { (Piece::Man, bit) } else { (Piece::King, bit - 32) };
                let row = place / 4;
                Some((Square::at(2 * (place % 4) + row % 2, row)?, color, piece))
            })
        });
        Some(Position::new(turn, placed))
    }

    fn turned(&self) -> Self {
        let placed = Square::all().filter_map(|square| self.at(square).map(|(color, piece)| (square, color, piece)));
        Position::new(!self.turn(), placed)
    }
}
