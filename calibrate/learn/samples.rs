//! Which positions teach, and how do they look to the side to move?

use std::path::PathBuf;

use anyhow::{Result, ensure};
use kingline::game::Color;

use super::file::{self, Games};
use super::packing::Packing;
use super::record::Record;

/// A position to learn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// The pieces as the side to move sees them: its own, and the other side's.
    pub(crate) sides: [u64; 2],
    /// The search's score for the side to move; of equal positions the mean.
    pub(crate) score: i16,
    /// The side's points in the game, 0, 0.5 or 1; of equal positions the mean.
    pub(crate) points: f32,
    /// How much it counts.
    pub(crate) weight: f32,
    /// Whether both sides have the same material.
    pub(crate) is_level: bool,
}

/// Positions to learn from, and others, of other games, to see what was learned.
pub(crate) struct Samples {
    pub(crate) training: Vec<Sample>,
    pub(crate) held_out: Vec<Sample>,
}

/// How samples are chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// How much a position of unequal material counts, where one of equal material counts 1.
    pub(crate) unequal: f32,
    /// Whether positions teach in which the other side threatens to capture.
    pub(crate) threatened: bool,
    /// One game in this number is held out.
    pub(crate) held_out: u32,
}

/// Samples of all quiet positions in these files.
///
/// Each position counts once. It is quiet if the side to move cannot capture: in the others a search goes on, whatever
/// they are worth.
///
/// # Errors
/// A file cannot be read, or is not of this game, or there is nothing to learn in them.
pub(crate) fn read(files: &[PathBuf], packing: &'static Packing, choice: Choice) -> Result<Samples> {
    let mut samples = Samples { training: Vec::new(), held_out: Vec::new() };
    for path in files {
        let Games { header, records } = file::read(path, packing)?;
        for record in records {
            if record.captures || record.threatened && !choice.threatened {
                continue;
            }
            // By the number that identifies the game among those of all seeds, so that it is held out of every fit.
            let held_out = header.id(record.game).is_multiple_of(choice.held_out);
            let into = if held_out { &mut samples.held_out } else { &mut samples.training };
            into.push(sample(&record, packing, choice));
        }
    }
    samples.training = each_once(samples.training);
    samples.held_out = each_once(samples.held_out);
    // What is held out must be new.
    let Samples { training, held_out } = &mut samples;
    held_out.retain(|sample| training.binary_search_by_key(&sample.sides, |other| other.sides).is_err());
    ensure!(!samples.training.is_empty() && !samples.held_out.is_empty(), "found no quiet positions to learn from");
    Ok(samples)
}

/// Equal positions become one, with the mean of their results and scores: what begins alike would count as often as it
/// was played. Ordered by their pieces.
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

fn sample(record: &Record, packing: &Packing, choice: Choice) -> Sample {
    let [black, white] = record.pieces;
    let sides = match record.turn {
        Color::White => [white, black],
        Color::Black => [black, white].map(packing.turn_around),
    };
    let is_level = (packing.is_level)(sides);
    let weight = if is_level { 1.0 } else { choice.unequal };
    Sample { sides, score: record.score, points: record.result.points(), weight, is_level }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_count_once_by_their_means() {
        let sample = |sides, score, points| Sample { sides, score, points, weight: 1.0, is_level: true };
        let once = each_once(vec![sample([2, 1], 10, 1.0), sample([1, 1], 7, 0.0), sample([2, 1], 31, 0.5)]);
        assert_eq!(once, [sample([1, 1], 7, 0.0), sample([2, 1], 21, 0.75)]);
    }
}
