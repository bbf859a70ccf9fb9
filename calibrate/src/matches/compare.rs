//! Comparison of a learned evaluation with another.

use anyhow::Result;
use kingline::evaluate::{checkers, loa};
use kingline::game::{Color, Game};

use super::checkers::CheckersPlayer;
use super::loa::LoaPlayer;
use super::report::MatchReport;
use super::runner::Match;
use super::sprt::{EloPair, Sprt};
use super::tally::PlayedGame;
use crate::openings;
use crate::threads::Threads;

/// Conditions of a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    /// Nodes per move for both players.
    pub(crate) nodes: u64,
    /// Largest number of openings; each is played twice.
    pub(crate) openings: usize,
    /// Seed for the openings.
    pub(crate) seed: u64,
    /// Gain that the test accepts or rejects.
    pub(crate) elo: f64,
}

/// Plays a match with equal node limits between two evaluations of checkers, until a sequential test decides whether the
/// first one is stronger.
///
/// # Errors
/// Never fails: both players are in this process.
pub(crate) fn checkers(evaluations: [checkers::Evaluation; 2], comparison: Comparison) -> Result<MatchReport> {
    let players = evaluations.map(|evaluation| CheckersPlayer::with_evaluation(evaluation, comparison.nodes));
    let openings = openings::openings(openings::SHARP, comparison.openings, comparison.seed);
    let play = |color, opening, game| super::checkers::play(players.each_ref(), color, opening, game);
    report(comparison, &openings, play)
}

/// Does the same for Lines of Action.
///
/// # Errors
/// Never fails: both players are in this process.
pub(crate) fn loa<const N: usize>(evaluations: [loa::Evaluation<N>; 2], comparison: Comparison) -> Result<MatchReport> {
    let players = evaluations.map(|evaluation| LoaPlayer::with_evaluation(evaluation, comparison.nodes));
    let openings = super::loa::openings::<N>(super::LOA_PLIES, comparison.openings, comparison.seed);
    report(comparison, &openings, |color, opening, game| super::loa::play(players.each_ref(), color, opening, game))
}

fn report<G: Game + Send + Sync>(
    comparison: Comparison,
    openings: &[G],
    play: impl Fn(Color, G, u64) -> Result<PlayedGame> + Sync,
) -> Result<MatchReport> {
    let elo = EloPair { elo0: 0.0, elo1: comparison.elo };
    let sprt = Some(Sprt { elo, alpha: 0.05, beta: 0.05 });
    let the_match = Match { openings, threads: Threads::new(None), title: "match", sprt, record: None };
    Ok(MatchReport { tally: the_match.play(play)?, sprt })
}
