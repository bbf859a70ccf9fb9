//! Averages over positions: the worth of pieces, and the value by concentration.

use kingline::evaluate::loa::{BUCKETS, Evaluation, bucket};
use kingline::game::{Color, Evaluator, Game};
use kingline::loa::{Position, Square};

/// Number of steps of concentration.
pub(super) const STEPS: usize = 13;
/// Width of a step, in squares of mean distance.
pub(super) const STEP: f64 = 0.25;

/// Averages by stage: the buckets of the evaluation.
pub(super) struct Found {
    /// Worth of a piece by square, row by row from the lowest, in hundredths of the evaluation's unit.
    pub(super) worth: [[Mean; 64]; BUCKETS],
    /// Value for a side by how much closer its pieces lie to their center than the other side's, from the least.
    pub(super) by_concentration: [[Mean; STEPS]; BUCKETS],
}

/// Mean of numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    sum: f64,
    pub(super) count: u32,
}

impl Mean {
    fn add(&mut self, number: f64) {
        self.sum += number;
        self.count += 1;
    }

    /// Returns the mean; `None` without numbers.
    pub(super) fn get(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

/// Measures an evaluation.
pub(super) fn measure(positions: &[Position<8>], evaluation: &Evaluation<8>) -> Found {
    let value = |position: &Position<8>| f64::from(evaluation.evaluate(&evaluation.start(position), position).value());
    let mut found =
        Found { worth: [[Mean::default(); 64]; BUCKETS], by_concentration: [[Mean::default(); STEPS]; BUCKETS] };
    for position in positions {
        let (us, all) = (position.turn(), value(position));
        let stage = bucket(8, position.count(Color::Black) + position.count(Color::White));
        for (gone, _) in position.placed().filter(|&(_, color)| color == us) {
            let without = Position::new(us, position.placed().filter(|&(square, _)| square != gone));
            // The symmetries of the board make squares alike.
            for square in images(gone) {
                found.worth[stage][square].add(all - value(&without));
            }
        }
        let closer = spread(position, !us) - spread(position, us);
        let step = closer / STEP + (STEPS / 2) as f64;
        if (-0.5..STEPS as f64 - 0.5).contains(&step) {
            found.by_concentration[stage][step.round() as usize].add(all);
        }
    }
    found
}

/// Mean distance of a side's pieces from their center of mass, in squares.
fn spread(position: &Position<8>, color: Color) -> f64 {
    let pieces: Vec<[f64; 2]> = position
        .placed()
        .filter(|&(_, owner)| owner == color)
        .map(|(square, _)| [square.column() as f64, square.row() as f64])
        .collect();
    let count = pieces.len().max(1) as f64;
    let center = [0, 1].map(|axis: usize| pieces.iter().map(|piece| piece[axis]).sum::<f64>() / count);
    pieces.iter().map(|piece| (piece[0] - center[0]).hypot(piece[1] - center[1])).sum::<f64>() / count
}

/// Returns the numbers of the eight squares that rotations and reflections make of one, some of them equal.
fn images(square: Square) -> [usize; 8] {
    let (column, row) = (square.column(), square.row());
    let places = [[column, row], [row, column]];
    std::array::from_fn(|image| {
        let [column, row] = places[image / 4];
        let column = if image & 1 == 0 { column } else { 7 - column };
        let row = if image & 2 == 0 { row } else { 7 - row };
        8 * row + column
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_that_are_alike_have_the_same_worth() {
        let found = measure(&[Position::start()], &Evaluation::default());
        let worth = |square: usize| found.worth[0][square].get();
        assert_eq!(worth(1), worth(8 * 6 + 7));
        assert!(worth(1).is_some() && worth(0).is_none() && found.worth[3][1].get().is_none());
        assert_eq!(found.by_concentration[0].map(|mean| mean.count).iter().sum::<u32>(), 1);
        assert_eq!(found.by_concentration[0][STEPS / 2].count, 1, "both sides are spread alike");
    }
}
