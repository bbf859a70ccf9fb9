use super::bitboard::{self, Bitboard, Geometry, STEPS, Square};
use super::connection::{is_connected, joints};
use super::position::Position;
use crate::game::{MoveList, bits};

/// A move of a piece to another square. An enemy piece there is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
}

impl Move {
    /// Square on which the piece starts.
    pub fn from(self) -> Square {
        self.from
    }

    /// Square on which the piece lands.
    pub fn to(self) -> Square {
        self.to
    }
}

impl<const N: usize> Position<N> {
    pub(crate) const LINES: &'static Geometry = &bitboard::geometry::<N>();
}

#[inline]
pub(crate) fn generate<const N: usize>(position: &Position<N>, list: &mut MoveList<Move>) {
    for from in bits(position.pieces[position.turn.index()]) {
        for (axis, step) in STEPS.into_iter().enumerate() {
            each_target(position, from, (axis, step), |to| {
                list.push(Move { from: Square::from_index(from), to: Square::from_index(to) });
            });
        }
    }
}

pub(crate) fn can_connect<const N: usize>(position: &Position<N>) -> bool {
    let us = position.pieces[position.turn.index()];
    let joints = joints(us) & bitboard::board::<N>() & !us;
    if joints == 0 {
        return false;
    }
    let connects = |from: usize, to: usize| joints >> to & 1 != 0 && is_connected(us ^ 1 << from | 1 << to);
    bits(us).any(|from| {
        STEPS.into_iter().enumerate().any(|(axis, step)| {
            let line = Position::<N>::LINES.above[axis][from] | Position::<N>::LINES.below[axis][from];
            let mut found = false;
            if line & joints != 0 {
                each_target(position, from, (axis, step), |to| found |= connects(from, to));
            }
            found
        })
    })
}

/// Calls `visit` with the squares that the piece on `from` reaches on an axis, which has this step: first the one toward
/// higher bits.
///
/// A piece moves along a line by exactly the number of pieces on that line. It may pass over its own side's pieces but
/// not land on them, and may capture enemy pieces but not pass over them.
#[inline(always)]
fn each_target<const N: usize>(
    position: &Position<N>,
    from: usize,
    (axis, step): (usize, u32),
    mut visit: impl FnMut(usize),
) {
    let us = position.pieces[position.turn.index()];
    let them = position.pieces[(!position.turn).index()];
    let here: Bitboard = 1 << from;
    let above = Position::<N>::LINES.above[axis][from];
    let below = Position::<N>::LINES.below[axis][from];
    let distance = ((us | them) & (above | below | here)).count_ones() * step;
    // The ray excludes targets that are off the board or that wrapped into another line.
    let up = here.checked_shl(distance).unwrap_or(0) & above & !us;
    if up != 0 && (up - 1) & above & them == 0 {
        visit(from + distance as usize);
    }
    let down = here.checked_shr(distance).unwrap_or(0) & below & !us;
    if down != 0 && below & them & !(down | (down - 1)) == 0 {
        visit(from - distance as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Color, Game};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Compares with playing all moves of random boards. Returns the numbers of boards with and without a win, and of
    /// boards where the target of no move touches all groups but one.
    fn compare<const N: usize>(rng: &mut StdRng) -> [usize; 3] {
        let mut counts = [0; 3];
        for _ in 0..20_000 {
            let count = rng.random_range(1..=N + 4);
            let placed: Vec<(Square, Color)> = (0..count)
                .filter_map(|_| {
                    let color = if rng.random_bool(0.6) { Color::Black } else { Color::White };
                    Square::at(rng.random_range(0..N), rng.random_range(0..N)).map(|square| (square, color))
                })
                .collect();
            let position = Position::<N>::new(Color::Black, placed);
            let list = position.legal_moves();
            let wins = list.iter().any(|&mv| position.play(mv).is_connected(Color::Black));
            assert_eq!(can_connect(&position), wins, "{position}");
            let joints = joints(position.pieces[Color::Black.index()]);
            counts[usize::from(!wins)] += 1;
            counts[2] += usize::from(list.iter().all(|mv| joints & mv.to.bit() == 0));
        }
        counts
    }

    #[test]
    fn a_move_that_connects_all_pieces_is_found() {
        let mut rng = StdRng::seed_from_u64(6);
        for counts in [compare::<4>(&mut rng), compare::<5>(&mut rng), compare::<6>(&mut rng), compare::<8>(&mut rng)] {
            assert!(counts.into_iter().all(|count| count > 1000), "{counts:?}");
        }
    }
}
