//! Positions of a recorded game.

use std::str::FromStr;

use anyhow::{Context, Result};

use super::game::GameRecord;
use kingline::game::{Game, ParseError};

pub(crate) struct Replay<G: Game> {
    /// Positions before the first move and after each move; never empty.
    pub(crate) positions: Vec<G>,
    pub(crate) moves: Vec<G::Move>,
}

impl<G: Game + FromStr<Err = ParseError>> Replay<G> {
    /// Replays a recorded game.
    ///
    /// # Errors
    /// The start is not a valid position, or a move is illegal for its side. The error names the 1-based turn, counting
    /// the opening.
    pub(crate) fn of(record: &GameRecord) -> Result<Replay<G>> {
        let start: G = record.start.parse().context("the start of the game")?;
        let mut replay = Replay { positions: vec![start], moves: Vec::new() };
        let opening = record.opening.iter().map(|mv| (None, mv));
        let turns = record.turns.iter().filter_map(|turn| Some((Some(turn.side), turn.mv.as_ref()?)));
        let mut position = start;
        for (index, (side, text)) in opening.chain(turns).enumerate() {
            let of_turn = || format!("turn {}", index + 1);
            if side.is_some_and(|side| side != position.turn()) {
                return Err(ParseError::new(text, format!("a move of {}", position.turn()))).with_context(of_turn);
            }
            let mv = position.parse_move(text).with_context(of_turn)?;
            position = position.play(mv);
            replay.positions.push(position);
            replay.moves.push(mv);
        }
        Ok(replay)
    }

    pub(crate) fn last(&self) -> G {
        self.positions[self.positions.len() - 1]
    }
}
