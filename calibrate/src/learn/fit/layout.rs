//! Weights of a network in training, all in one list.
//!
//! In training, the weights of a pattern are the sum of its own and of those of its pieces at their places, which all
//! patterns share. A pattern that is rare in the data thus starts from what its pieces are worth. This is factorization, as
//! in <https://www.chessprogramming.org/Stockfish_NNUE>. The weight of a direct feature is that of one representative less
//! that of another, so that equal lines have equal weights. The network itself knows only the whole weights.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::StdRng;

use crate::learn::view::{Equals, View};

/// Order of the weights: features, places, hidden biases by stage, buckets, direct features.
pub(super) struct Layout {
    pub(super) view: &'static View,
    /// Places that each feature shares.
    parts: Vec<Vec<usize>>,
    equals: Vec<Equals>,
}

impl Layout {
    pub(super) fn new(view: &'static View) -> Layout {
        Layout { view, parts: (0..view.shape.inputs).map(view.parts).collect(), equals: (view.equals)() }
    }

    fn row(&self, number: usize) -> Range<usize> {
        number * self.view.hidden..(number + 1) * self.view.hidden
    }

    /// Returns the weights of a feature.
    pub(super) fn input(&self, feature: usize) -> Range<usize> {
        self.row(feature)
    }

    /// Returns the weights that patterns share for a piece at a place.
    fn place(&self, place: usize) -> Range<usize> {
        self.row(self.view.shape.inputs + place)
    }

    pub(super) fn hidden_bias(&self, stage: usize) -> Range<usize> {
        self.row(self.view.shape.inputs + self.view.places + stage)
    }

    /// Returns all weights of the first layer.
    pub(super) fn first_layer(&self) -> Range<usize> {
        0..self.hidden_bias(self.view.stages - 1).end
    }

    /// Returns the weights of a bucket for the side to move, followed by those for the other side.
    pub(super) fn output(&self, bucket: usize) -> Range<usize> {
        let hidden = self.view.hidden;
        let start = self.first_layer().end + bucket * (2 * hidden + 1);
        start..start + 2 * hidden
    }

    pub(super) fn output_bias(&self, bucket: usize) -> usize {
        self.output(bucket).end
    }

    /// Returns the weights of all direct features.
    pub(super) fn direct(&self) -> Range<usize> {
        let start = self.output_bias(self.view.buckets - 1) + 1;
        start..start + self.equals.len()
    }

    pub(super) fn count(&self) -> usize {
        self.direct().end
    }

    /// Returns small random initial weights.
    pub(super) fn random(&self, rng: &mut StdRng) -> Vec<f32> {
        let mut weights: Vec<f32> = (0..self.count()).map(|_| rng.random_range(-0.15..0.15)).collect();
        // Patterns begin with what they share.
        weights[..self.place(0).start].fill(0.0);
        for stage in 0..self.view.stages {
            weights[self.hidden_bias(stage)].fill(0.2);
        }
        for bucket in 0..self.view.buckets {
            weights[self.output_bias(bucket)] = 0.0;
        }
        weights[self.direct()].fill(0.0);
        weights
    }

    /// Clamps the weights to ranges that fit the numbers of a weights file.
    pub(super) fn bound(&self, weights: &mut [f32], most_output: f32) {
        let mut clamp = |range: Range<usize>, most: f32| {
            weights[range].iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
        };
        clamp(self.first_layer(), self.view.most_input());
        (0..self.view.buckets).for_each(|bucket| clamp(self.output(bucket), most_output));
        clamp(self.direct(), MOST_DIRECT / 2.0);
    }

    /// Puts the whole weights of all features into `whole`, which has the same layout.
    pub(super) fn make_whole(&self, weights: &[f32], whole: &mut [f32]) {
        whole.copy_from_slice(weights);
        for (feature, parts) in self.parts.iter().enumerate() {
            for &place in parts {
                add(&mut whole[self.input(feature)], &weights[self.place(place)]);
            }
        }
        let (direct, whole) = (&weights[self.direct()], &mut whole[self.direct()]);
        for (whole, equals) in whole.iter_mut().zip(&self.equals) {
            *whole = direct[equals.same] - direct[equals.opposite];
        }
    }

    /// Turns the gradient of the whole weights into that of the weights in training.
    pub(super) fn share(&self, gradient: &mut [f32]) {
        let (features, shared) = gradient.split_at_mut(self.place(0).start);
        let start = features.len();
        for (feature, parts) in self.parts.iter().enumerate() {
            for place in parts.iter().map(|&place| self.place(place)) {
                add(&mut shared[place.start - start..place.end - start], &features[self.input(feature)]);
            }
        }
        let whole = gradient[self.direct()].to_vec();
        let direct = &mut gradient[self.direct()];
        direct.fill(0.0);
        for (whole, equals) in whole.iter().zip(&self.equals) {
            direct[equals.same] += whole;
            direct[equals.opposite] -= whole;
        }
    }
}

/// Largest weight of a direct feature that fits 16 bits.
pub(super) const MOST_DIRECT: f32 = 2.0;

/// Adds numbers to others.
pub(super) fn add(to: &mut [f32], numbers: &[f32]) {
    for (sum, number) in to.iter_mut().zip(numbers) {
        *sum += number;
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::learn::view::{checkers, loa};

    #[test]
    fn the_gradient_is_shared_as_the_weights_are() {
        // A sum of whole weights, each times a factor, changes with each weight by its gradient.
        for view in [&checkers::CHECKERS, &loa::LOA6] {
            let layout = Layout::new(view);
            let mut rng = StdRng::seed_from_u64(3);
            let mut random = || (0..layout.count()).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f32>>();
            let (weights, factors) = (random(), random());
            let mut gradient = factors.clone();
            layout.share(&mut gradient);
            let mut whole = weights.clone();
            layout.make_whole(&weights, &mut whole);
            let sum = |one: &[f32], other: &[f32]| -> f64 {
                one.iter().zip(other).map(|(one, other)| f64::from(one * other)).sum()
            };
            // Both sides are linear in the weights.
            let (expected, found) = (sum(&whole, &factors), sum(&weights, &gradient));
            assert!((expected - found).abs() < 1e-4 * expected.abs().max(1.0), "{expected} {found}");
        }
    }

    #[test]
    fn ranges_follow_one_another() {
        for view in [&checkers::CHECKERS, &loa::LOA] {
            let layout = Layout::new(view);
            let (first, buckets) = (layout.first_layer(), view.buckets);
            assert_eq!(layout.input(view.shape.inputs - 1).end, layout.place(0).start);
            assert_eq!(layout.place(view.places - 1).end, layout.hidden_bias(0).start);
            assert_eq!((first.end, layout.output_bias(0) + 1), (layout.output(0).start, layout.output(1).start));
            assert_eq!(layout.direct(), layout.output_bias(buckets - 1) + 1..layout.count());
            assert_eq!(layout.direct().len(), view.shape.direct);
        }
    }
}
