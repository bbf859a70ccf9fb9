//! Boards and moves of a recorded game, for pages.

use anyhow::Result;

use crate::record::{GameRecord, Replay, Written};
use kingline::draw::{Grid, Labels, compact};
use kingline::game::{Color, Game};
use kingline_players::game_name::GameName;
use kingline_players::of_game;

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

/// Size and labels of the boards of a game. By §1 of the 6x6 specification, its rows are numbered from the top.
pub(super) fn grid_of(game: GameName) -> Grid {
    let labels = if game == GameName::Loa6 { Labels::FromTop } else { Labels::FromBottom };
    Grid { labels, ..game.grid() }
}

/// The board at the start of a game, as [`compact`] writes it.
pub(super) fn start_of(game: GameName) -> String {
    of_game!(game, G => compact(&G::start()))
}

impl ShownGame {
    pub(super) fn of(record: &GameRecord) -> Result<ShownGame> {
        of_game!(record.game, G => ShownGame::shoot::<G>(record))
    }

    fn shoot<G: Written>(record: &GameRecord) -> Result<ShownGame> {
        let replay = Replay::<G>::of(record)?;
        Ok(ShownGame {
            grid: grid_of(record.game),
            boards: replay.positions.iter().map(compact).collect(),
            moves: replay.positions.iter().zip(&replay.moves).map(|(at, &mv)| at.as_agents_write(mv)).collect(),
            first: replay.positions[0].turn(),
        })
    }
}
