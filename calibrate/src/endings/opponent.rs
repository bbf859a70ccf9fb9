//! Opponents of the player under test.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use kingline::checkers::{Move, Position};
use kingline::game::{Ending, Game, History, Value, Wdl};
use kingline::knowledge::tablebase::LONGEST;
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline_players::play::reference::{self, Draw};
use rand::RngExt;
use rand::rngs::StdRng;

use super::sampler::exact;

/// Opponent of the player under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum OpponentKind {
    /// Player that knows the value of every position.
    Perfect,
    /// Plain minimax that agents are graded against, with unlimited time.
    Reference,
}

impl fmt::Display for OpponentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OpponentKind::Perfect => "a perfect opponent",
            OpponentKind::Reference => "`reference`",
        })
    }
}

impl OpponentKind {
    /// Returns the opponent's turn in a game that is not over.
    ///
    /// # Errors
    /// Fails if a position is not solved.
    pub(super) fn turn(self, values: &SolvedValues, game: &History<Position>, rng: &mut StdRng) -> Result<Move> {
        match self {
            OpponentKind::Perfect => perfect_turn(values, game, rng),
            OpponentKind::Reference => {
                reference::choose(&game.position(), Duration::MAX, Draw::Best, rng).context("no legal turn")
            }
        }
    }
}

/// Value of a turn for the side that makes it; larger is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Outcome, given the count of quiet turns and the repetitions.
    outcome: Wdl,
    /// Prefers the soonest win, the latest loss, and the draw after which most replies lose.
    best: u32,
    /// Prefers a repetition among equal losses, and a new position among equal draws.
    repeats: usize,
}

/// Returns one of a perfect player's best turns, at random, in a game that is not over.
///
/// The player delays a loss as long as possible. In a draw it sets as many traps as possible and prolongs the game.
///
/// # Errors
/// Fails if a position is not solved.
fn perfect_turn(values: &SolvedValues, game: &History<Position>, rng: &mut StdRng) -> Result<Move> {
    let ranked: Vec<(Rank, Move)> =
        after_each(game).into_iter().map(|(mv, after)| Ok((rank(values, &after)?, mv))).collect::<Result<_>>()?;
    let best = ranked.iter().map(|&(rank, _)| rank).max().context("no legal turn")?;
    let best: Vec<Move> = ranked.into_iter().filter(|&(rank, _)| rank == best).map(|(_, mv)| mv).collect();
    Ok(best[rng.random_range(0..best.len())])
}

/// Returns the game after each legal turn.
fn after_each(game: &History<Position>) -> Vec<(Move, History<Position>)> {
    let list = game.position().legal_moves();
    let after = |&mv: &Move| {
        let mut after = game.clone();
        after.play(mv);
        (mv, after)
    };
    list.iter().map(after).collect()
}

/// Ranks the last turn of a game.
fn rank(values: &SolvedValues, game: &History<Position>) -> Result<Rank> {
    const MOST_TIMES: usize = 3;
    let (outcome, plies) = worth(values, game)?;
    let times = game.occurrences();
    let (best, repeats) = match outcome {
        Wdl::Win => (u32::from(LONGEST.saturating_sub(plies)), 0),
        Wdl::Loss => (u32::from(plies), times),
        Wdl::Draw if game.ending().is_some() => (0, 0),
        Wdl::Draw => (1 + losing_replies(values, game)?, MOST_TIMES.saturating_sub(times)),
    };
    Ok(Rank { outcome, best, repeats })
}

/// Returns the value of a game's last turn for the side that made it, and the number of plies from that turn to the
/// next zeroing one.
fn worth(values: &SolvedValues, game: &History<Position>) -> Result<(Wdl, u16)> {
    match game.ending() {
        // Only the side to move can have lost.
        Some(Ending::Win(_)) => Ok((Wdl::Win, 0)),
        Some(Ending::Draw(_)) => Ok((Wdl::Draw, 0)),
        None => {
            let value = exact(values, &game.position())?;
            let plies = match value {
                // The last turn was itself a zeroing one.
                _ if game.quiet_turns() == 0 => 0,
                Value::Win(plies) | Value::Loss(plies) => plies,
                Value::Draw => 0,
            };
            Ok((value.with_quiet_turns::<Position>(game.quiet_turns()).reversed(), plies))
        }
    }
}

/// Returns the number of losing replies per thousand.
fn losing_replies(values: &SolvedValues, game: &History<Position>) -> Result<u32> {
    let replies = after_each(game);
    let mut losing = 0;
    for (_, after) in &replies {
        losing += u32::from(worth(values, after)?.0 == Wdl::Loss);
    }
    Ok(1000 * losing / replies.len().max(1) as u32)
}
