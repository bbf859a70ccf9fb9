//! What does a page show of a recorded game: its boards and moves.

use anyhow::Result;

use crate::checkers;
use crate::draw::{Board, Grid, Labels, compact};
use crate::game::Color;
use crate::loa;
use crate::master::league::GameKind;
use crate::master::record::GameRecord;
use crate::master::replay::Replay;
use crate::master::written::Written;

/// A recorded game as its pages show it.
pub(super) struct ShownGame {
    /// What its boards have in common.
    pub(super) grid: Grid,
    /// The board before the first move and after each, as [`compact`] writes it.
    pub(super) boards: Vec<String>,
    /// The moves as agents write them, all squares that the piece touches.
    pub(super) moves: Vec<String>,
    /// The side to move at the start.
    pub(super) first: Color,
}

/// Games that can be shown.
trait Drawn: Written {
    const GRID: Grid;
}

impl Drawn for checkers::Position {
    const GRID: Grid = Grid { size: Self::SIZE, labels: Labels::FromBottom };
}

impl<const N: usize> Drawn for loa::Position<N> {
    /// §1 of 6x6: rows are counted from the top.
    const GRID: Grid = Grid { size: N, labels: if N == 6 { Labels::FromTop } else { Labels::FromBottom } };
}

impl ShownGame {
    /// Plays a recorded game.
    ///
    /// # Errors
    /// Its moves are not those of a game; see which one and why.
    pub(super) fn of(record: &GameRecord) -> Result<ShownGame> {
        match record.game {
            GameKind::Checkers => ShownGame::shoot::<checkers::Position>(record),
            GameKind::Loa => ShownGame::shoot::<loa::Position<8>>(record),
            GameKind::Loa6 => ShownGame::shoot::<loa::Position<6>>(record),
        }
    }

    fn shoot<G: Drawn>(record: &GameRecord) -> Result<ShownGame> {
        let replay = Replay::<G>::of(record)?;
        Ok(ShownGame {
            grid: G::GRID,
            boards: replay.positions.iter().map(compact).collect(),
            moves: replay
                .positions
                .iter()
                .zip(&replay.moves)
                .map(|(position, &mv)| position.as_agents_write(mv))
                .collect(),
            first: replay.positions[0].turn(),
        })
    }
}
