//! Network in training: its output for a sample, and the gradient of its loss.
//!
//! It is the network of [`kingline::evaluate::network`] in floating point. All weights here are whole; see
//! [`layout`](super::layout).

use std::ops::Range;

use super::layout::{Layout, add};
use crate::learn::samples::Sample;
use crate::learn::view::Seen;

/// Accumulator of one side.
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

/// Stage and bucket of a sample.
struct Place<'a> {
    layout: &'a Layout,
    stage: usize,
    bucket: usize,
}

/// A forward pass.
struct Pass<'a, const HIDDEN: usize> {
    at: Place<'a>,
    sides: [Side<HIDDEN>; 2],
    /// Direct features of the sample.
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

/// Returns the output of the network for a sample, as log odds.
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

/// Returns the log loss of predicting `odds` for a side that scored `points`.
pub(super) fn log_loss(odds: f32, points: f32) -> f32 {
    // ln(1 + e^x) without overflow.
    let softplus = |x: f32| x.max(0.0) + (-x.abs()).exp().ln_1p();
    points * softplus(-odds) + (1.0 - points) * softplus(odds)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::learn::view::{View, checkers, loa};

    fn check<const HIDDEN: usize>(view: &'static View, sides: [u64; 2]) {
        let layout = Layout::new(view);
        let weights = layout.random(&mut StdRng::seed_from_u64(3));
        let mut whole = weights.clone();
        layout.make_whole(&weights, &mut whole);
        let sample = Sample { sides, score: 0, points: 0.5, weight: 1.0, is_level: false };
        let target = 0.8;
        let mut gradient = vec![0.0; layout.count()];
        learn::<HIDDEN>(&whole, &layout, &sample, sides, target, &mut gradient);
        let loss = |weights: &[f32]| f64::from(log_loss(answer::<HIDDEN>(weights, &layout, &sample), target));
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
        check::<128>(&checkers::CHECKERS, [0x1f0 | 1 << 45, 0xf_0200_0000]);
        check::<128>(&checkers::CHECKERS, [0x1f0, 0x0f02_0000]);
        check::<64>(&loa::LOA6, [0x0000_0c02_1040, 0x0001_2100_2000]);
    }
}
