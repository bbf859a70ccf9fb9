//! Network in training: its output for a sample, and the gradient of its loss.
//!
//! It is the network of [`kingline::evaluate::network`] in floating point. In training, the weights of a block's pattern
//! are the sum of its own and of those of its pieces on their squares, which all patterns share. A pattern that is rare in
//! the data thus starts from what its pieces are worth. This is factorization, as in
//! <https://www.chessprogramming.org/Stockfish_NNUE>.

use std::ops::Range;

use kingline::evaluate::checkers::{BLOCKS, Feature, INPUTS, PLACES, TILES, places};
use rand::RngExt;
use rand::rngs::StdRng;

use crate::learn::samples::Sample;
use crate::learn::view::{bucket, stage, turn_around};

/// Layout of all weights in one list.
#[derive(Clone, Copy)]
pub(super) struct Layout<const HIDDEN: usize> {
    pub(super) stages: usize,
    pub(super) buckets: usize,
}

impl<const HIDDEN: usize> Layout<HIDDEN> {
    const fn row(self, number: usize) -> Range<usize> {
        number * HIDDEN..(number + 1) * HIDDEN
    }

    /// Returns the weights of a feature, without those that patterns share.
    fn input(self, feature: Feature) -> Range<usize> {
        self.row(feature.number())
    }

    /// Returns the weights that patterns share for a piece at a place.
    const fn shared(self, stage: usize, place: usize) -> Range<usize> {
        self.row(INPUTS + PLACES * stage + place)
    }

    pub(super) const fn hidden_bias(self, stage: usize) -> Range<usize> {
        self.row(INPUTS + PLACES * self.stages + stage)
    }

    /// Returns all weights of the first layer.
    pub(super) const fn first_layer(self) -> Range<usize> {
        0..self.hidden_bias(self.stages - 1).end
    }

    /// Returns the weights of a feature with those that it shares.
    pub(super) fn whole_input(self, weights: &[f32], feature: Feature) -> Vec<f32> {
        let mut whole = weights[self.input(feature)].to_vec();
        let shared = (feature.tile < BLOCKS).then(|| feature.places()).into_iter().flatten();
        for place in shared {
            whole.iter_mut().zip(&weights[self.shared(feature.stage, place)]).for_each(|(sum, weight)| *sum += weight);
        }
        whole
    }

    /// Returns the weights of a bucket for the side to move, followed by those for the other side.
    pub(super) const fn output(self, bucket: usize) -> Range<usize> {
        let start = self.first_layer().end + bucket * (2 * HIDDEN + 1);
        start..start + 2 * HIDDEN
    }

    pub(super) const fn output_bias(self, bucket: usize) -> usize {
        self.output(bucket).end
    }

    pub(super) const fn count(self) -> usize {
        self.output_bias(self.buckets - 1) + 1
    }

    /// Returns small random initial weights.
    pub(super) fn random(self, rng: &mut StdRng) -> Vec<f32> {
        let mut weights: Vec<f32> = (0..self.count()).map(|_| rng.random_range(-0.15..0.15)).collect();
        // Patterns begin with what they share.
        weights[..self.shared(0, 0).start].fill(0.0);
        for stage in 0..self.stages {
            weights[self.hidden_bias(stage)].fill(0.2);
        }
        for bucket in 0..self.buckets {
            weights[self.output_bias(bucket)] = 0.0;
        }
        weights
    }
}

/// Largest number of rows of weights that one side's accumulator sums: its tiles, and 24 pieces.
const MOST_ROWS: usize = TILES + 24;

/// Accumulator of one side.
struct Side<const HIDDEN: usize> {
    stage: usize,
    /// First weights of the rows that it sums.
    rows: [usize; MOST_ROWS],
    count: usize,
    hidden: [f32; HIDDEN],
}

impl<const HIDDEN: usize> Side<HIDDEN> {
    fn new(weights: &[f32], layout: Layout<HIDDEN>, stage: usize, sides: [u64; 2]) -> Side<HIDDEN> {
        let mut side = Side { stage, rows: [0; MOST_ROWS], count: 0, hidden: [0.0; HIDDEN] };
        side.hidden.copy_from_slice(&weights[layout.hidden_bias(stage)]);
        let mut add = |row: Range<usize>| {
            side.rows[side.count] = row.start;
            side.count += 1;
            for (sum, weight) in side.hidden.iter_mut().zip(&weights[row]) {
                *sum += weight;
            }
        };
        Feature::seen(stage, sides).into_iter().for_each(|feature| add(layout.input(feature)));
        places(sides).for_each(|place| add(layout.shared(stage, place)));
        side
    }

    /// Returns the contribution of this side to the output.
    fn weighted(&self, weights: &[f32]) -> f32 {
        // Several sums at a time fill a vector register.
        let mut sums = [0.0; 8];
        for (numbers, weights) in self.hidden.chunks_exact(8).zip(weights.chunks_exact(8)) {
            for (sum, (number, weight)) in sums.iter_mut().zip(numbers.iter().zip(weights)) {
                let clipped = number.clamp(0.0, 1.0);
                *sum += clipped * clipped * weight;
            }
        }
        sums.iter().sum()
    }

    /// Adds the gradient of this side's weights to `gradient`, where `change` is the derivative of the loss with
    /// respect to the output.
    fn learn(&self, layout: Layout<HIDDEN>, output: &[f32], change: f32, gradient: &mut [f32], place: Range<usize>) {
        let mut back = [0.0; HIDDEN];
        for ((back, gradient), (number, weight)) in
            back.iter_mut().zip(&mut gradient[place]).zip(self.hidden.iter().zip(output))
        {
            let clipped = number.clamp(0.0, 1.0);
            *gradient += change * clipped * clipped;
            let passes = if *number > 0.0 && *number < 1.0 { 2.0 * clipped } else { 0.0 };
            *back = change * weight * passes;
        }
        let mut add = |place: Range<usize>| {
            for (gradient, back) in gradient[place].iter_mut().zip(&back) {
                *gradient += back;
            }
        };
        add(layout.hidden_bias(self.stage));
        for &row in &self.rows[..self.count] {
            add(row..row + HIDDEN);
        }
    }
}

/// Returns the log odds that the side to move gets a point, the bucket, and both sides' accumulators.
fn forward<const HIDDEN: usize>(
    weights: &[f32],
    layout: Layout<HIDDEN>,
    sample: &Sample,
) -> (f32, usize, [Side<HIDDEN>; 2]) {
    let [own, theirs] = sample.sides;
    let (stage, bucket) = (stage(sample.sides), bucket(sample.sides));
    let us = Side::new(weights, layout, stage, [own, theirs]);
    let them = Side::new(weights, layout, stage, [theirs, own].map(turn_around));
    let (first, second) = weights[layout.output(bucket)].split_at(HIDDEN);
    let odds = weights[layout.output_bias(bucket)] + us.weighted(first) + them.weighted(second);
    (odds, bucket, [us, them])
}

/// Returns the output of the network for a sample, as log odds.
pub(super) fn answer<const HIDDEN: usize>(weights: &[f32], layout: Layout<HIDDEN>, sample: &Sample) -> f32 {
    forward(weights, layout, sample).0
}

/// Adds the gradient of a sample's log loss to `gradient`. The side to move should get `target` points.
pub(super) fn learn<const HIDDEN: usize>(
    weights: &[f32],
    layout: Layout<HIDDEN>,
    sample: &Sample,
    target: f32,
    gradient: &mut [f32],
) {
    let (odds, bucket, [us, them]) = forward(weights, layout, sample);
    let change = (sigmoid(odds) - target) * sample.weight;
    let place = layout.output(bucket);
    let (first, second) = weights[place.clone()].split_at(HIDDEN);
    us.learn(layout, first, change, gradient, place.start..place.start + HIDDEN);
    them.learn(layout, second, change, gradient, place.start + HIDDEN..place.end);
    gradient[layout.output_bias(bucket)] += change;
}

/// Returns the share of points for these log odds.
pub(super) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// Returns the log loss of predicting `odds` for a side that scored `points`.
pub(super) fn log_loss(odds: f32, points: f32) -> f32 {
    // ln(1 + e^x) without overflow.
    let softplus = |x: f32| x.max(0.0) + (-x.abs()).exp().ln_1p();
    points * softplus(-odds) + (1.0 - points) * softplus(odds)
}

#[cfg(test)]
mod tests {
    use kingline::evaluate::checkers::STAGES;
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn whole_patterns_hold_what_their_pieces_share() {
        let layout = Layout::<8> { stages: STAGES, buckets: 16 };
        let mut rng = StdRng::seed_from_u64(3);
        let weights: Vec<f32> = (0..layout.count()).map(|_| rng.random_range(-1.0..1.0)).collect();
        for sides in [[0b1001_0110, 0x00f0_0000], [0x4_0000_00f0, 0x8000_0000_00f0_0000]] {
            let stage = stage(sides);
            let side = Side::new(&weights, layout, stage, sides);
            let mut whole = weights[layout.hidden_bias(stage)].to_vec();
            for feature in Feature::seen(stage, sides) {
                whole.iter_mut().zip(layout.whole_input(&weights, feature)).for_each(|(sum, weight)| *sum += weight);
            }
            assert!(whole.iter().zip(side.hidden).all(|(whole, parts)| (whole - parts).abs() < 1e-4), "{whole:?}");
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let layout = Layout::<16> { stages: STAGES, buckets: 16 };
        let weights = layout.random(&mut StdRng::seed_from_u64(3));
        // With kings, and with men alone.
        for sides in [[0x1f0 | 1 << 45, 0xf_0200_0000], [0x1f0, 0x0f02_0000]] {
            let sample = Sample { sides, score: 0, points: 0.5, weight: 1.0, is_level: false };
            let target = 0.8;
            let mut gradient = vec![0.0; layout.count()];
            learn(&weights, layout, &sample, target, &mut gradient);
            let loss = |weights: &[f32]| f64::from(log_loss(answer(weights, layout, &sample), target));
            let mut checked = 0;
            // Most weights belong to features that the sample does not have: some of those are enough.
            for place in (0..layout.count()).filter(|&place| gradient[place] != 0.0 || place % 50 == 0) {
                let step = 1e-2;
                let moved = |by: f32| {
                    let mut moved = weights.clone();
                    moved[place] += by;
                    loss(&moved)
                };
                let slope = (moved(step) - moved(-step)) / (2.0 * f64::from(step));
                assert!((slope - f64::from(gradient[place])).abs() < 2e-3, "{place}: {slope} {}", gradient[place]);
                checked += usize::from(gradient[place] != 0.0);
            }
            assert!(checked > 100, "{checked}");
        }
    }
}
