//! Positions to start from, by their exact values, and the opponents of the player under test.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use kingline::checkers::{Move, Position};
use kingline::game::{Ending, Game, History, Value, Wdl};
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline::knowledge::tablebase::{LONGEST, Material};
use kingline_players::play::reference::{self, Draw};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::tabled::{Endings, game_to};

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

fn after_each(game: &History<Position>) -> Vec<(Move, History<Position>)> {
    let list = game.position().legal_moves();
    let after = |&mv: &Move| {
        let mut after = game.clone();
        after.play(mv);
        (mv, after)
    };
    list.iter().map(after).collect()
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartKind {
    /// Position won, given its count of quiet turns.
    Won,
    /// Position drawn, by itself or by its count of quiet turns.
    Drawn,
}

impl StartKind {
    pub(super) fn rng(self, seed: u64, game: u32) -> StdRng {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..12].copy_from_slice(&game.to_le_bytes());
        bytes[12] = self as u8;
        StdRng::from_seed(bytes)
    }
}

pub(super) struct Sampler<'v> {
    endings: Endings,
    values: &'v SolvedValues,
}

impl Sampler<'_> {
    /// Returns the positions of these materials, all of whose successors must be solved.
    pub(super) fn of(materials: Vec<Material>, values: &SolvedValues) -> Sampler<'_> {
        Sampler { endings: Endings::of(materials), values }
    }

    /// Draws a random game that led to a position of this kind.
    ///
    /// All counts of quiet turns for which the position is still of this kind are equally likely. The count is smaller
    /// if no game reaches it.
    ///
    /// # Errors
    /// Fails if there are no positions, or one of them is not solved.
    pub(super) fn draw(&self, kind: StartKind, rng: &mut StdRng) -> Result<History<Position>> {
        let wanted = match kind {
            StartKind::Won => Wdl::Win,
            StartKind::Drawn => Wdl::Draw,
        };
        loop {
            let position = self.endings.draw(rng).context("no material to draw from")?;
            let value = exact(self.values, &position)?;
            let most = match (kind, value) {
                (StartKind::Won, Value::Win(plies)) => LONGEST - plies,
                (StartKind::Won, _) => continue,
                // At the limit, the game would be over.
                (StartKind::Drawn, _) => LONGEST - 1,
            };
            let quiet_turns = rng.random_range(0..=most);
            if value.with_quiet_turns::<Position>(quiet_turns) != wanted {
                continue;
            }
            let game = game_to(position, quiet_turns, rng);
            if value.with_quiet_turns::<Position>(game.quiet_turns()) == wanted {
                return Ok(game);
            }
        }
    }
}

/// Returns the value of a position whose count of quiet turns is 0.
///
/// # Errors
/// Fails if its material is not solved.
pub(super) fn exact(values: &SolvedValues, position: &Position) -> Result<Value> {
    let list = position.legal_moves();
    if list.is_empty() {
        return Ok(Value::Loss(0));
    }
    values.exact(position).with_context(|| format!("{position} is not solved"))
}

impl fmt::Display for StartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StartKind::Won => "won",
            StartKind::Drawn => "drawn",
        })
    }
}
