//! What does a page show of a recorded game: its boards and moves.

use std::str::FromStr;

use anyhow::Result;

use crate::checkers::{self, Route};
use crate::draw::{Board, Grid, Labels, compact};
use crate::game::{Color, ParseError};
use crate::loa;
use crate::master::league::GameKind;
use crate::master::record::GameRecord;
use crate::master::replay::Replay;
use crate::protocol::request;

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
trait Drawn: Board + FromStr<Err = ParseError> {
    const GRID: Grid;
    /// A legal move as agents write it, or nearly.
    fn written(&self, mv: Self::Move) -> String;
}

impl Drawn for checkers::Position {
    const GRID: Grid = Grid { size: Self::SIZE, labels: Labels::FromBottom };

    fn written(&self, mv: Self::Move) -> String {
        Route::of(self, mv).to_string()
    }
}

impl<const N: usize> Drawn for loa::Position<N> {
    /// §1 of 6x6: rows are counted from the top.
    const GRID: Grid = Grid { size: N, labels: if N == 6 { Labels::FromTop } else { Labels::FromBottom } };

    fn written(&self, mv: Self::Move) -> String {
        if N == 6 { request::write_answer(mv).trim_end().to_owned() } else { mv.to_string() }
    }
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
            moves: replay.positions.iter().zip(&replay.moves).map(|(position, &mv)| position.written(mv)).collect(),
            first: replay.positions[0].turn(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn moves_are_written_as_agents_write_them() {
        let mv = loa::Position::<6>::start().parse_move("d6-b4").unwrap();
        assert_eq!(loa::Position::<6>::start().written(mv), "D1B3");
    }
}
