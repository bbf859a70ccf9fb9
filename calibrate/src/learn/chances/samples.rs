//! Positions with an estimated score, and the results of their games.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::learn::file::{self, Games};
use crate::learn::packing::Packing;
use crate::learn::relabel::MOST_SCORE;
use kingline_players::exit::BadInput;

/// A position, as the fit sees it.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// Number of both sides' pieces.
    pub(super) pieces: u32,
    /// Score for the side to move, in hundredths.
    pub(super) score: f64,
    /// Points of the side to move: 0, 0.5 or 1.
    pub(super) points: f64,
    /// Number that distinguishes the game from those of other seeds.
    pub(super) game: u32,
}

/// Reads the positions of all files whose scores are estimates.
///
/// # Errors
/// Fails if a file cannot be read, is damaged, or contains other games, or if there are no such positions.
pub(super) fn read(paths: &[PathBuf], packing: &'static Packing) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in paths {
        let Games { header, records } = file::read(path, packing)?;
        // A relabelled win has the largest score.
        let estimated = records.iter().filter(|record| record.score.abs() < MOST_SCORE);
        samples.extend(estimated.map(|record| Sample {
            pieces: record.pieces.map(u64::count_ones).iter().sum(),
            score: record.score.into(),
            points: record.result.points().into(),
            game: header.id(record.game),
        }));
    }
    ensure!(!samples.is_empty(), BadInput::new("found no positions with an estimated score"));
    Ok(samples)
}

/// Number of different games.
pub(super) fn count_games(samples: &[Sample]) -> usize {
    samples.iter().map(|sample| sample.game).collect::<BTreeSet<u32>>().len()
}
