//! Which positions do games start from, and how did they come about?

use std::fmt;

use anyhow::{Context, Result};
use kingline::checkers::Position;
use kingline::game::{Game, History, Value, Wdl};
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline::knowledge::tablebase::{LONGEST, Material};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::tabled::{Endings, game_to};

/// What a game starts from, the agent to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartKind {
    /// A position won under its count of quiet turns.
    Won,
    /// One that is drawn, by itself or by its count of quiet turns.
    Drawn,
}

impl StartKind {
    /// The random numbers of a game.
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
    /// The positions of these materials, all of whose successors must be solved.
    pub(super) fn of(materials: Vec<Material>, values: &SolvedValues) -> Sampler<'_> {
        Sampler { endings: Endings::of(materials), values }
    }

    /// A random game that led to a position of this kind.
    ///
    /// The count of quiet turns is drawn from those with which the position is still of this kind, all equally likely;
    /// where no game has that many, it is less.
    ///
    /// # Errors
    /// There are no positions, or one is not solved.
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
                // The game is not over yet.
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

/// The value of a position with no quiet turn behind it.
///
/// # Errors
/// Its material is not solved.
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
