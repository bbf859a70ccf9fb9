//! Positions that games start from, and the games that led to them.

use std::fmt;

use anyhow::{Context, Result};
use kingline::checkers::Position;
use kingline::game::{Game, History, Value, Wdl};
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline::knowledge::tablebase::{LONGEST, Material};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::tabled::{Endings, game_to};

/// Kind of starting position, with the agent to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartKind {
    /// Position won, given its count of quiet turns.
    Won,
    /// Position drawn, by itself or by its count of quiet turns.
    Drawn,
}

impl StartKind {
    /// Returns the random number generator of a game.
    pub(super) fn rng(self, seed: u64, game: u32) -> StdRng {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..12].copy_from_slice(&game.to_le_bytes());
        bytes[12] = self as u8;
        StdRng::from_seed(bytes)
    }
}

/// Positions to start from.
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
