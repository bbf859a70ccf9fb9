//! Comparison of a learned evaluation with another.

use kingline::evaluate::checkers::Evaluation;

use super::checkers::{self, CheckersPlayer};
use super::report::MatchReport;
use super::runner::play_until_sure;
use super::sprt::{EloPair, Sprt};
use crate::openings;
use crate::threads::Threads;

/// Plays a match with equal node limits between a learned evaluation and the one it started from, until a sequential
/// test decides whether the gain is `elo`.
pub(crate) fn compare(evaluations: [Evaluation; 2], nodes: u64, openings: usize, seed: u64, elo: f64) -> MatchReport {
    let [first, second] = evaluations.map(|evaluation| CheckersPlayer::with_evaluation(evaluation, nodes));
    let sprt = Some(Sprt { elo: EloPair { elo0: 0.0, elo1: elo }, alpha: 0.05, beta: 0.05 });
    let openings = openings::openings(openings::SHARP, openings, seed);
    let threads = Threads::new(None);
    let play = |color, opening, game| checkers::play(&first, &second, color, opening, game);
    MatchReport { tally: play_until_sure(&openings, threads, "match", sprt, play), sprt }
}
