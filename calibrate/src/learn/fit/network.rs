//! Network in training: all its weights in one list, its output for a sample, and the gradient of its loss. It is the
//! network of [`kingline::evaluate::network`] in floating point.
//!
//! In training, the weights of a pattern are the sum of its own and of those of its pieces at their places, which all
//! patterns share. A pattern that is rare in the data thus starts from what its pieces are worth. This is factorization, as
//! in <https://www.chessprogramming.org/Stockfish_NNUE>. The weight of a direct feature is that of one representative less
//! that of another, so that equal lines have equal weights. The network itself knows only the whole weights.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::StdRng;

use super::samples::Sample;
use crate::learn::game::{Equals, Seen, View};

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

pub(super) fn add(to: &mut [f32], numbers: &[f32]) {
    for (sum, number) in to.iter_mut().zip(numbers) {
        *sum += number;
    }
}

struct Side<const HIDDEN: usize> {
    seen: Seen,
    hidden: [f32; HIDDEN],
}

impl<const HIDDEN: usize> Side<HIDDEN> {
    fn new(weights: &[f32], layout: &Layout, stage: usize, sides: [u64; 2]) -> Side<HIDDEN> {
        let mut side = Side { seen: (layout.view.seen)(sides), hidden: [0.0; HIDDEN] };
        side.hidden.copy_from_slice(&weights[layout.hidden_bias(stage)]);
        for &feature in side.seen.numbers() {
            add(&mut side.hidden, &weights[layout.input(feature.into())]);
        }
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
    fn learn(&self, at: &Place<'_>, output: &[f32], change: f32, gradient: &mut [f32], place: Range<usize>) {
        let mut back = [0.0; HIDDEN];
        for ((back, gradient), (number, weight)) in
            back.iter_mut().zip(&mut gradient[place]).zip(self.hidden.iter().zip(output))
        {
            let clipped = number.clamp(0.0, 1.0);
            *gradient += change * clipped * clipped;
            let passes = if *number > 0.0 && *number < 1.0 { 2.0 * clipped } else { 0.0 };
            *back = change * weight * passes;
        }
        add(&mut gradient[at.layout.hidden_bias(at.stage)], &back);
        for &feature in self.seen.numbers() {
            add(&mut gradient[at.layout.input(feature.into())], &back);
        }
    }
}

struct Place<'a> {
    layout: &'a Layout,
    stage: usize,
    bucket: usize,
}

struct Pass<'a, const HIDDEN: usize> {
    at: Place<'a>,
    sides: [Side<HIDDEN>; 2],
    direct: Vec<u16>,
    /// Log odds that the side to move gets a point.
    odds: f32,
}

impl<'a, const HIDDEN: usize> Pass<'a, HIDDEN> {
    fn new(weights: &[f32], layout: &'a Layout, sides: [u64; 2]) -> Pass<'a, HIDDEN> {
        let view = layout.view;
        let at = Place { layout, stage: (view.stage)(sides), bucket: (view.bucket)(sides) };
        let sides = [sides, (view.turned)(sides)];
        let mut direct = Vec::new();
        (view.direct)(sides[0], &mut direct);
        let sides = sides.map(|sides| Side::<HIDDEN>::new(weights, layout, at.stage, sides));
        let (us, them) = weights[layout.output(at.bucket)].split_at(HIDDEN);
        let bias = weights[layout.output_bias(at.bucket)];
        let lines = &weights[layout.direct()];
        let past: f32 = direct.iter().map(|&feature| lines[usize::from(feature)]).sum();
        let odds = bias + sides[0].weighted(us) + sides[1].weighted(them) + past;
        Pass { at, sides, direct, odds }
    }
}

/// Returns the output of the network for a sample, as log odds. `weights` are whole, here and in [`learn`].
pub(super) fn answer<const HIDDEN: usize>(weights: &[f32], layout: &Layout, sample: &Sample) -> f32 {
    Pass::<HIDDEN>::new(weights, layout, sample.sides).odds
}

/// Adds the gradient of a sample's log loss to `gradient`. The side to move should get `target` points; `sides` is the
/// sample's position or an image of it.
pub(super) fn learn<const HIDDEN: usize>(
    weights: &[f32],
    layout: &Layout,
    sample: &Sample,
    sides: [u64; 2],
    target: f32,
    gradient: &mut [f32],
) {
    let pass = Pass::<HIDDEN>::new(weights, layout, sides);
    let change = (sigmoid(pass.odds) - target) * sample.weight;
    let place = layout.output(pass.at.bucket);
    let (first, second) = weights[place.clone()].split_at(HIDDEN);
    let [us, them] = &pass.sides;
    us.learn(&pass.at, first, change, gradient, place.start..place.start + HIDDEN);
    them.learn(&pass.at, second, change, gradient, place.start + HIDDEN..place.end);
    gradient[layout.output_bias(pass.at.bucket)] += change;
    let lines = &mut gradient[layout.direct()];
    pass.direct.iter().for_each(|&feature| lines[usize::from(feature)] += change);
}

/// Returns the share of points for these log odds.
pub(super) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::learn::game::{CHECKERS, LOA, LOA6};
    use crate::learn::loss::log_loss;

    #[test]
    fn the_gradient_is_shared_as_the_weights_are() {
        // A sum of whole weights, each times a factor, changes with each weight by its gradient.
        for view in [&CHECKERS, &LOA6] {
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
        for view in [&CHECKERS, &LOA] {
            let layout = Layout::new(view);
            let (first, buckets) = (layout.first_layer(), view.buckets);
            assert_eq!(layout.input(view.shape.inputs - 1).end, layout.place(0).start);
            assert_eq!(layout.place(view.places - 1).end, layout.hidden_bias(0).start);
            assert_eq!((first.end, layout.output_bias(0) + 1), (layout.output(0).start, layout.output(1).start));
            assert_eq!(layout.direct(), layout.output_bias(buckets - 1) + 1..layout.count());
            assert_eq!(layout.direct().len(), view.shape.direct);
        }
    }

    fn check<const HIDDEN: usize>(view: &'static View, sides: [u64; 2]) {
        let layout = Layout::new(view);
        let weights = layout.random(&mut StdRng::seed_from_u64(3));
        let mut whole = weights.clone();
        layout.make_whole(&weights, &mut whole);
        let sample = Sample { sides, score: 0, points: 0.5, weight: 1.0, is_level: false };
        let target = 0.8;
        let mut gradient = vec![0.0; layout.count()];
        learn::<HIDDEN>(&whole, &layout, &sample, sides, target, &mut gradient);
        let loss = |weights: &[f32]| log_loss(answer::<HIDDEN>(weights, &layout, &sample).into(), target.into());
        let mut checked = 0;
        // Most weights belong to features that the sample does not have: some of those are enough.
        for place in (0..layout.count()).filter(|&place| gradient[place] != 0.0 || place % 999 == 0) {
            let step = 2e-3;
            let moved = |by: f32| {
                let mut moved = whole.clone();
                moved[place] += by;
                loss(&moved)
            };
            let slope = (moved(step) - moved(-step)) / (2.0 * f64::from(step));
            assert!((slope - f64::from(gradient[place])).abs() < 2e-3, "{place}: {slope} {}", gradient[place]);
            checked += usize::from(gradient[place] != 0.0);
        }
        assert!(checked > 100, "{checked}");
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        // With kings, and with men alone.
        check::<128>(&CHECKERS, [0x1f0 | 1 << 45, 0xf_0200_0000]);
        check::<128>(&CHECKERS, [0x1f0, 0x0f02_0000]);
        check::<64>(&LOA6, [0x0000_0c02_1040, 0x0001_2100_2000]);
    }
}
