//! What does the opponent play?

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use kingline::checkers::{Move, Position};
use kingline::game::{Ending, Game, History, Value, Wdl};
use kingline::knowledge::tablebase::LONGEST;
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline::play::reference;
use rand::RngExt;
use rand::rngs::StdRng;

use super::sampler::exact;

/// Who plays against the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum OpponentKind {
    /// Knows every position.
    Perfect,
    /// The plain minimax that agents are graded against, with all the time it wants.
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
    /// Its turn in a game that is not over.
    ///
    /// # Errors
    /// A position is not solved.
    pub(super) fn turn(self, values: &SolvedValues, game: &History<Position>, rng: &mut StdRng) -> Result<Move> {
        match self {
            OpponentKind::Perfect => perfect_turn(values, game, rng),
            OpponentKind::Reference => reference::choose(&game.position(), Duration::MAX, rng).context("no legal turn"),
        }
    }
}

/// How good a turn is for the side that makes it: more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Under the count of quiet turns and the repetitions.
    outcome: Wdl,
    /// Of wins the soonest, of losses the latest, of draws the one after which most replies lose.
    best: u32,
    /// Of equal losses one that repeats a position, of equal draws one that does not.
    repeats: usize,
}

/// The turn of a perfect player in a game that is not over; one of the best at random.
///
/// A loss it delays as long as possible; in a draw it sets as many traps as possible, and prolongs the game.
///
/// # Errors
/// A position is not solved.
fn perfect_turn(values: &SolvedValues, game: &History<Position>, rng: &mut StdRng) -> Result<Move> {
    let ranked: Vec<(Rank, Move)> =
        after_each(game).into_iter().map(|(mv, after)| Ok((rank(values, &after)?, mv))).collect::<Result<_>>()?;
    let best = ranked.iter().map(|&(rank, _)| rank).max().context("no legal turn")?;
    let best: Vec<Move> = ranked.into_iter().filter(|&(rank, _)| rank == best).map(|(_, mv)| mv).collect();
    Ok(best[rng.random_range(0..best.len())])
}

/// The games after every legal turn.
fn after_each(game: &History<Position>) -> Vec<(Move, History<Position>)> {
    let list = game.position().legal_moves();
    let after = |&mv: &Move| {
        let mut after = game.clone();
        after.play(mv);
        (mv, after)
    };
    list.iter().map(after).collect()
}

/// How good the last turn of a game was.
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

/// What the last turn of a game is worth to the side that made it, and the plies from it to the next zeroing turn.
fn worth(values: &SolvedValues, game: &History<Position>) -> Result<(Wdl, u16)> {
    match game.ending() {
        // Only the side to move can have lost.
        Some(Ending::Win(_)) => Ok((Wdl::Win, 0)),
        Some(Ending::Draw(_)) => Ok((Wdl::Draw, 0)),
        None => {
            let value = exact(values, &game.position())?;
            let plies = match value {
                // That turn itself was a zeroing one.
                _ if game.quiet_turns() == 0 => 0,
                Value::Win(plies) | Value::Loss(plies) => plies,
                Value::Draw => 0,
            };
            Ok((value.with_quiet_turns::<Position>(game.quiet_turns()).reversed(), plies))
        }
    }
}

/// How many of a thousand replies lose.
fn losing_replies(values: &SolvedValues, game: &History<Position>) -> Result<u32> {
    let replies = after_each(game);
    let mut losing = 0;
    for (_, after) in &replies {
        losing += u32::from(worth(values, after)?.0 == Wdl::Loss);
    }
    Ok(1000 * losing / replies.len().max(1) as u32)
}
