//! Samples: the positions to learn from, as their side to move sees them.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use kingline_players::exit::BadInput;

use crate::learn::game::View;
use crate::learn::loss::best_scale;
use crate::learn::reader::{self, Games};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// Pieces as the side to move sees them: its own, then the other side's.
    pub(super) sides: [u64; 2],
    /// Score of the search for the side to move, averaged over equal positions.
    pub(super) score: i16,
    /// Points of the side to move in the game, 0, 0.5 or 1, averaged over equal positions.
    pub(super) points: f32,
    /// Weight of the sample in the loss.
    pub(super) weight: f32,
    /// True if both sides have the same material.
    pub(super) is_level: bool,
}

/// Samples to learn from, and held-out ones from other games to measure the result.
pub(super) struct Samples {
    pub(super) training: Vec<Sample>,
    pub(super) held_out: Vec<Sample>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Weight of a position with unequal material; one with level material has weight 1.
    pub(super) unequal: f32,
    /// True to keep positions in which the other side threatens to capture.
    pub(super) threatened: bool,
    /// `N` to hold out one game in N.
    pub(super) held_out: u32,
}

/// Reads the samples of all positions in these files that the search evaluates. Each position counts once.
pub(super) fn read(files: &[PathBuf], view: &'static View, choice: Choice) -> Result<Samples> {
    let mut samples = Samples { training: Vec::new(), held_out: Vec::new() };
    for path in files {
        let Games { header, records } = reader::read(path, view)?;
        for record in records {
            if !(view.is_evaluated)(&record) || record.threatened && !choice.threatened {
                continue;
            }
            // The id identifies the game across seeds, so that every fit holds out the same games.
            let held_out = header.id(record.game).is_multiple_of(choice.held_out);
            let into = if held_out { &mut samples.held_out } else { &mut samples.training };
            let sides = (view.sides)(&record);
            let is_level = (view.is_level)(sides);
            let weight = if is_level { 1.0 } else { choice.unequal };
            into.push(Sample { sides, score: record.score, points: record.result.points(), weight, is_level });
        }
    }
    samples.training = each_once(samples.training);
    samples.held_out = each_once(samples.held_out);
    // Held-out positions must not occur in training.
    let Samples { training, held_out } = &mut samples;
    held_out.retain(|sample| training.binary_search_by_key(&sample.sides, |other| other.sides).is_err());
    let is_empty = samples.training.is_empty() || samples.held_out.is_empty();
    ensure!(!is_empty, BadInput::new("found no positions to learn from"));
    Ok(samples)
}

/// Merges equal positions into one with the mean of their results and scores. Otherwise common openings would count as
/// often as they were played. Returns them ordered by their pieces.
fn each_once(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.sort_unstable_by_key(|sample| (sample.sides, sample.score, (2.0 * sample.points) as u8));
    let mut once: Vec<Sample> = Vec::new();
    for equal in samples.chunk_by(|one, other| one.sides == other.sides) {
        let mean = |of: fn(&Sample) -> f32| equal.iter().map(of).sum::<f32>() / equal.len() as f32;
        let score = mean(|sample| sample.score.into()).round() as i16;
        once.push(Sample { score, points: mean(|sample| sample.points), ..equal[0] });
    }
    once
}

/// Returns the unit at which the search scores predict the results best.
pub(super) fn best_unit(samples: &[Sample]) -> f32 {
    let pairs: Vec<_> = samples.iter().map(|sample| (sample.score.into(), sample.points.into())).collect();
    (1.0 / best_scale(&pairs)).clamp(20.0, 1000.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_count_once_with_their_means() {
        let sample = |sides, score, points| Sample { sides, score, points, weight: 1.0, is_level: true };
        let once = each_once(vec![sample([2, 1], 10, 1.0), sample([1, 1], 7, 0.0), sample([2, 1], 31, 0.5)]);
        assert_eq!(once, [sample([1, 1], 7, 0.0), sample([2, 1], 21, 0.75)]);
    }
}
