//! Lines of Action as a game to learn.

use std::ops::RangeInclusive;

use kingline::evaluate::loa::{Evaluation, LARGE, SMALL};
use kingline::evaluate::network::WeightsError;
use kingline::game::{Color, Game, Knowledge, NoKnowledge};
use kingline::knowledge::tablebase::Tablebase;
use kingline::loa::{Position, Square};

use super::Learned;
use crate::learn::packing::Packing;

/// Packing of 8x8 Lines of Action: bit `8 * row + column`.
pub(crate) static LOA: Packing = packing::<8>();
/// Packing of 6x6 Lines of Action with the same bits. The last two columns and rows stay empty.
pub(crate) static LOA6: Packing = packing::<6>();

const fn packing<const N: usize>() -> Packing {
    Packing {
        name: if N == 8 { "loa" } else { "loa6" },
        phases: if N == 8 { &[20, 16, 12, 0] } else { &[14, 11, 8, 0] },
        is_legal: |turn, pieces| Position::<N>::unpack(turn, pieces).is_some(),
        // The number of pieces matters little.
        is_level: |_| true,
        material: |pieces| 10 * pieces.count_ones() as i32,
    }
}

impl<const N: usize> Learned for Position<N> {
    type Evaluation = Evaluation<N>;

    const PACKING: &'static Packing = if N == 8 { &LOA } else { &LOA6 };
    const OPENING: RangeInclusive<usize> = 2..=10;
    const LEVEL: i16 = 100;
    const LONGEST: u16 = 200;
    const EMBEDDED: &'static [u8] = if N == 8 { LARGE } else { SMALL };

    fn read(bytes: &[u8]) -> Result<Self::Evaluation, WeightsError> {
        Evaluation::read(bytes)
    }

    fn knowledge<'a>(_: &'a Tablebase<'a>) -> impl Knowledge<Self> + Copy + 'a {
        NoKnowledge
    }

    fn pack(&self) -> [u64; 2] {
        let mut pieces = [0; 2];
        for (square, color) in self.placed() {
            pieces[color.index()] |= 1 << (8 * square.row() + square.column());
        }
        pieces
    }

    fn unpack(turn: Color, pieces: [u64; 2]) -> Option<Self> {
        let placed = Color::ALL.into_iter().flat_map(|color| {
            let set = pieces[color.index()];
            (0..64).filter(move |bit| set >> bit & 1 != 0).map(move |bit| (bit, color))
        });
        let squares: Option<Vec<_>> = placed.map(|(bit, color)| Some((Square::at(bit % 8, bit / 8)?, color))).collect();
        let position = Position::new(turn, squares?);
        (position.pack() == pieces).then_some(position)
    }

    fn turned(&self) -> Self {
        self.with_turn(!self.turn())
    }
}
