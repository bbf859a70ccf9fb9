//! Training of a network, batch by batch on all cores. The same samples and seed give the same weights on any number of
//! threads.

use std::f32::consts::PI;

use anyhow::{Result, ensure};
use kingline_players::progress::Progress;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::network::{Layout, add, answer, learn, sigmoid};
use super::samples::{Sample, Samples};
use crate::learn::loss::log_loss;

const BATCH: usize = 16_384;
/// Number of parts per batch. Each has its own gradient, so that the sum does not depend on the number of threads.
const PARTS: usize = 8;

#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Number of passes over all samples.
    pub(super) passes: u32,
    /// Initial learning rate; it falls to 0 along a cosine.
    pub(super) rate: f32,
    /// Share of the game's result in a target; the search score makes up the rest.
    pub(super) share: f32,
    /// Score at which a side has e times the other's chances.
    pub(super) unit: f32,
    pub(super) seed: u64,
    pub(super) threads: usize,
}

/// Log losses against the games' results, over held-out positions.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(in crate::learn) struct Losses {
    /// Loss over all positions.
    pub(super) all: f64,
    /// Loss over the positions with the same material on both sides.
    pub(super) level: f64,
}

/// Trains a network. Returns its whole weights, and reports the losses after each pass.
pub(super) fn train<const HIDDEN: usize>(
    samples: &mut Samples,
    layout: &Layout,
    plan: Plan,
    most_output: f32,
    mut pass_done: impl FnMut(u32, Losses) -> Result<()>,
) -> Result<Vec<f32>> {
    let mut rng = StdRng::seed_from_u64(plan.seed);
    let mut weights = layout.random(&mut rng);
    let mut whole = weights.clone();
    let mut adam = Adam::new(layout.count());
    let mut gradients = vec![vec![0.0_f32; layout.count()]; PARTS];
    let batches = samples.training.len().div_ceil(BATCH);
    let steps = plan.passes as usize * batches;
    let mut progress = Progress::new("fit", steps);
    let mut note = String::new();
    for pass in 0..plan.passes {
        samples.training.shuffle(&mut rng);
        for (number, batch) in samples.training.chunks(BATCH).enumerate() {
            let step = pass as usize * batches + number;
            let rate = plan.rate * 0.5 * (1.0 + (PI * step as f32 / steps as f32).cos());
            layout.make_whole(&weights, &mut whole);
            gradients_of::<HIDDEN>(&whole, layout, plan, batch, rng.random(), &mut gradients);
            let (sum, others) = gradients.split_at_mut(1);
            others.iter().for_each(|other| add(&mut sum[0], other));
            sum[0].iter_mut().for_each(|sum| *sum /= batch.len() as f32);
            layout.share(&mut sum[0]);
            adam.step(&mut weights, &sum[0], rate);
            layout.bound(&mut weights, most_output);
            progress.step(&note);
        }
        layout.make_whole(&weights, &mut whole);
        let losses = losses::<HIDDEN>(&whole, layout, &samples.held_out, plan.threads);
        note = format!("held-out loss {:.4}", losses.all);
        ensure!(
            losses.all.is_finite(),
            "pass {}: the loss is {}, expected a number; help: a smaller --rate",
            pass + 1,
            losses.all
        );
        pass_done(pass + 1, losses)?;
    }
    Ok(whole)
}

/// Computes the gradient of each part of a batch. Each sample is learned from one of its images, drawn by `seed`.
fn gradients_of<const HIDDEN: usize>(
    weights: &[f32],
    layout: &Layout,
    plan: Plan,
    batch: &[Sample],
    seed: u64,
    gradients: &mut [Vec<f32>],
) {
    let size = batch.len().div_ceil(PARTS).max(1);
    let images = layout.view.images;
    std::thread::scope(|scope| {
        let each = PARTS.div_ceil(plan.threads);
        for (thread, gradients) in gradients.chunks_mut(each).enumerate() {
            let work = move || {
                for (number, gradient) in gradients.iter_mut().enumerate() {
                    gradient.fill(0.0);
                    let part = thread * each + number;
                    let mut rng = StdRng::seed_from_u64(seed ^ part as u64);
                    for sample in batch.chunks(size).nth(part).unwrap_or_default() {
                        let by_score = sigmoid(f32::from(sample.score) / plan.unit);
                        let target = plan.share * sample.points + (1.0 - plan.share) * by_score;
                        let image = images[rng.random_range(0..images.len())];
                        learn::<HIDDEN>(weights, layout, sample, sample.sides.map(image), target, gradient);
                    }
                }
            };
            scope.spawn(work);
        }
    });
}

fn losses<const HIDDEN: usize>(weights: &[f32], layout: &Layout, samples: &[Sample], threads: usize) -> Losses {
    let size = samples.len().div_ceil(threads).max(1);
    let sums: Vec<[f64; 4]> = std::thread::scope(|scope| {
        let running: Vec<_> = samples
            .chunks(size)
            .map(|part| {
                scope.spawn(|| sums_of(part.iter().map(|sample| (sample, answer::<HIDDEN>(weights, layout, sample)))))
            })
            .collect();
        running.into_iter().filter_map(|part| part.join().ok()).collect()
    });
    means(sums.iter().fold([0.0; 4], |sum, part| std::array::from_fn(|place| sum[place] + part[place])))
}

fn means([all, count, level, levels]: [f64; 4]) -> Losses {
    Losses { all: all / count.max(1.0), level: level / levels.max(1.0) }
}

/// Returns the sum and count of the losses over all answers, then over those for positions with level material.
fn sums_of<'a>(answers: impl Iterator<Item = (&'a Sample, f32)>) -> [f64; 4] {
    answers.fold([0.0; 4], |[all, count, level, levels], (sample, odds)| {
        let loss = log_loss(odds.into(), sample.points.into());
        let is_level = if sample.is_level { 1.0 } else { 0.0 };
        [all + loss, count + 1.0, level + is_level * loss, levels + is_level]
    })
}

/// Returns the losses of the search scores at this unit, which the network should approach.
pub(super) fn losses_of_scores(samples: &[Sample], unit: f32) -> Losses {
    means(sums_of(samples.iter().map(|sample| (sample, f32::from(sample.score) / unit))))
}

/// Optimizer, from D. Kingma, J. Ba, "Adam: a method for stochastic optimization", 2015.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(count: usize) -> Adam {
        Adam { mean: vec![0.0; count], square: vec![0.0; count], steps: 0 }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        const MEAN_DECAY: f32 = 0.9;
        const SQUARE_DECAY: f32 = 0.999;
        const SMALL: f32 = 1e-8;
        self.steps += 1;
        let rate = rate * (1.0 - SQUARE_DECAY.powi(self.steps)).sqrt() / (1.0 - MEAN_DECAY.powi(self.steps));
        let memory = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(memory) {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
            *weight -= rate * *mean / (square.sqrt() + SMALL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_to_the_minimum() {
        let mut weights = [5.0, -3.0];
        let mut adam = Adam::new(2);
        for _ in 0..2000 {
            let gradient = [2.0 * (weights[0] - 1.0), 20.0 * (weights[1] - 2.0)];
            adam.step(&mut weights, &gradient, 0.02);
        }
        assert!((weights[0] - 1.0).abs() < 1e-2 && (weights[1] - 2.0).abs() < 1e-2, "{weights:?}");
    }
}
