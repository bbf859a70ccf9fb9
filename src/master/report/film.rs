//! Boards and moves of a recorded game, for pages.

use anyhow::Result;

use crate::record::GameRecord;
use crate::record::replay::Replay;
use crate::record::written::Written;
use kingline::draw::{Board, Grid, Labels, compact};
use kingline::game::{Color, Game};
use kingline::{checkers, loa};
use kingline_players::game_name::GameName;

/// A recorded game with all its boards.
pub(super) struct ShownGame {
    /// Size and labels of its boards.
    pub(super) grid: Grid,
    /// The board before the first move and after each, as [`compact`] writes it.
    pub(super) boards: Vec<String>,
    /// The moves as agents write them, with all squares that the piece touches.
    pub(super) moves: Vec<String>,
    pub(super) first: Color,
}

trait Drawn: Written {
    const GRID: Grid;
}

impl Drawn for checkers::Position {
    const GRID: Grid = Grid { size: Self::SIZE, labels: Labels::FromBottom };
}

impl<const N: usize> Drawn for loa::Position<N> {
    /// By §1 of the 6x6 specification, rows are numbered from the top.
    const GRID: Grid = Grid { size: N, labels: if N == 6 { Labels::FromTop } else { Labels::FromBottom } };
}

/// Size and labels of the boards of a game.
pub(super) fn grid_of(game: GameName) -> Grid {
    match game {
        GameName::Checkers => checkers::Position::GRID,
        GameName::Loa => loa::Position::<8>::GRID,
        GameName::Loa6 => loa::Position::<6>::GRID,
    }
}

/// The board at the start of a game, as [`compact`] writes it.
pub(super) fn start_of(game: GameName) -> String {
    match game {
        GameName::Checkers => compact(&checkers::Position::start()),
        GameName::Loa => compact(&loa::Position::<8>::start()),
        GameName::Loa6 => compact(&loa::Position::<6>::start()),
    }
}

impl ShownGame {
    /// Replays a recorded game.
    pub(super) fn of(record: &GameRecord) -> Result<ShownGame> {
        match record.game {
            GameName::Checkers => ShownGame::shoot::<checkers::Position>(record),
            GameName::Loa => ShownGame::shoot::<loa::Position<8>>(record),
            GameName::Loa6 => ShownGame::shoot::<loa::Position<6>>(record),
        }
    }

    fn shoot<G: Drawn>(record: &GameRecord) -> Result<ShownGame> {
        let replay = Replay::<G>::of(record)?;
        Ok(ShownGame {
            grid: G::GRID,
            boards: replay.positions.iter().map(compact).collect(),
            moves: replay.positions.iter().zip(&replay.moves).map(|(at, &mv)| at.as_agents_write(mv)).collect(),
            first: replay.positions[0].turn(),
        })
    }
}
