//! Comparison of a learned evaluation with another.

use anyhow::Result;
use kingline::evaluate::checkers::Evaluation;

use super::checkers::{self, CheckersPlayer};
use super::report::MatchReport;
use super::runner::Match;
use super::sprt::{EloPair, Sprt};
use crate::openings;
use crate::threads::Threads;

/// Plays a match with equal node limits between a learned evaluation and the one it started from, until a sequential
/// test decides whether the gain is `elo`.
///
/// # Errors
/// Never fails: both players are in this process.
pub(crate) fn compare(
    evaluations: [Evaluation; 2],
    nodes: u64,
    openings: usize,
    seed: u64,
    elo: f64,
) -> Result<MatchReport> {
    let [first, second] = evaluations.map(|evaluation| CheckersPlayer::with_evaluation(evaluation, nodes));
    let sprt = Some(Sprt { elo: EloPair { elo0: 0.0, elo1: elo }, alpha: 0.05, beta: 0.05 });
    let openings = openings::openings(openings::SHARP, openings, seed);
    let threads = Threads::new(None);
    let the_match = Match { openings: &openings, threads, title: "match", sprt, record: None };
    let tally = the_match.play(|color, opening, game| checkers::play([&first, &second], color, opening, game))?;
    Ok(MatchReport { tally, sprt })
}
