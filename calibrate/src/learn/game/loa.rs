//! Lines of Action as a game to learn.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use kingline::evaluate::loa::lines::Geometry;
use kingline::evaluate::loa::{BUCKETS, Evaluation, HIDDEN, LARGE, SMALL, STAGES, bucket, quads, shape};
use kingline::evaluate::network::WeightsError;
use kingline::game::{Color, Game, Knowledge, NoKnowledge};
use kingline::knowledge::tablebase::Tablebase;
use kingline::loa::{Position, Square};

use super::{Equals, Learned, Seen, View};

/// Bit `8 * row + column` of a side is its piece on that square.
pub(in crate::learn) static LOA: View = view::<8>();
/// The same bits on the board of 6x6 squares. The last two columns and rows stay empty.
pub(in crate::learn) static LOA6: View = view::<6>();

/// Lines of the boards.
static LARGE_LINES: LazyLock<Geometry> = LazyLock::new(Geometry::new::<8>);
static SMALL_LINES: LazyLock<Geometry> = LazyLock::new(Geometry::new::<6>);

fn lines(n: usize) -> &'static Geometry {
    if n == 8 { &LARGE_LINES } else { &SMALL_LINES }
}

const fn view<const N: usize>() -> View {
    View {
        name: if N == 8 { "loa" } else { "loa6" },
        phases: if N == 8 { &[20, 16, 12, 0] } else { &[14, 11, 8, 0] },
        is_legal: |turn, pieces| Position::<N>::unpack(turn, pieces).is_some(),
        // The number of pieces matters little.
        is_level: |_| true,
        material: |pieces| 10 * pieces.count_ones() as i32,
        shape: shape(N),
        hidden: HIDDEN,
        stages: STAGES,
        buckets: BUCKETS,
        places: 2 * 64,
        is_evaluated: |_| true,
        sides: |record| match record.turn {
            Color::Black => record.pieces,
            Color::White => [record.pieces[1], record.pieces[0]],
        },
        turned: |[own, theirs]| [theirs, own],
        stage: |_| 0,
        bucket: |[own, theirs]| bucket(N, (own | theirs).count_ones()),
        seen: |sides| Seen::new(quads::seen::<N>(sides)[0][..quads::count(N)].iter().copied()),
        parts: |number| quads::places(N, number).collect(),
        images: if N == 8 { &IMAGES_8 } else { &IMAGES_6 },
        equals: || {
            let equals = lines(N).equals();
            let same = |feature: usize| feature.min(equals[feature][0]);
            (0..equals.len())
                .map(|feature| Equals { same: same(feature), opposite: same(equals[feature][1]) })
                .collect()
        },
        direct: |sides, features| features.extend(lines(N).features(sides).map(|feature| feature as u16)),
    }
}

impl<const N: usize> Learned for Position<N> {
    type Evaluation = Evaluation<N>;

    const VIEW: &'static View = if N == 8 { &LOA } else { &LOA6 };
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

/// The eight images of a board: its rotations and reflections. A position and its images have the same value, whoever is to
/// move. Four of them, those without the exchange of rows and columns, also keep both sides' pieces of the start where they
/// are: Black's in the first and last row, White's in the first and last column.
static IMAGES_8: [fn(u64) -> u64; 8] = images::<8>();
static IMAGES_6: [fn(u64) -> u64; 8] = images::<6>();

const fn images<const N: usize>() -> [fn(u64) -> u64; 8] {
    [
        |pieces| pieces,
        |pieces| upside_down::<N>(pieces),
        |pieces| mirrored::<N>(pieces),
        |pieces| mirrored::<N>(upside_down::<N>(pieces)),
        transposed,
        |pieces| upside_down::<N>(transposed(pieces)),
        |pieces| mirrored::<N>(transposed(pieces)),
        |pieces| mirrored::<N>(upside_down::<N>(transposed(pieces))),
    ]
}

/// Exchanges the lowest and the highest row, and so on.
fn upside_down<const N: usize>(pieces: u64) -> u64 {
    pieces.swap_bytes() >> (8 * (8 - N))
}

/// Exchanges the first and the last column, and so on.
fn mirrored<const N: usize>(pieces: u64) -> u64 {
    pieces.swap_bytes().reverse_bits() >> (8 - N)
}

/// Exchanges columns and rows, by parts of the board: <https://www.chessprogramming.org/Flipping_Mirroring_and_Rotating>.
fn transposed(pieces: u64) -> u64 {
    let exchange = |pieces: u64, mask: u64, by: u32| {
        let differs = (pieces ^ (pieces >> by)) & mask;
        pieces ^ differs ^ (differs << by)
    };
    let pieces = exchange(pieces, 0x00aa_00aa_00aa_00aa, 7);
    let pieces = exchange(pieces, 0x0000_cccc_0000_cccc, 14);
    exchange(pieces, 0x0000_0000_f0f0_f0f0, 28)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn images_differ_and_keep_the_legal_moves() {
        let mut position = Position::<6>::start();
        for turn in 0..20 {
            let list = position.legal_moves();
            position = position.play(list[turn * 7 % list.len()]);
            let images: HashSet<_> = LOA6.images.iter().map(|image| position.pack().map(image)).collect();
            assert!(turn < 4 || images.len() == 8, "{position}");
            for pieces in images {
                let image = Position::<6>::unpack(position.turn(), pieces).unwrap();
                assert_eq!(image.legal_moves().len(), position.legal_moves().len(), "{position}, {image}");
            }
        }
    }

    #[test]
    fn half_of_the_images_keep_both_starts() {
        let start = Position::<8>::start().pack();
        let keeps: Vec<_> = LOA.images.iter().map(|image| start.map(image) == start).collect();
        assert_eq!(keeps, [true, true, true, true, false, false, false, false]);
        let exchanged = [start[1], start[0]];
        assert!(LOA.images[4..].iter().all(|image| start.map(image) == exchanged));
        assert_eq!(Position::<8>::start().turn(), Color::Black);
    }
}
