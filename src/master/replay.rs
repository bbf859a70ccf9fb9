//! Which positions did a recorded game go through?

use std::str::FromStr;

use anyhow::{Context, Result};

use super::record::GameRecord;
use crate::game::{Game, ParseError};

/// A recorded game as positions and moves: those of the opening, then those of the turns.
pub(super) struct Replay<G: Game> {
    /// Before the first move, and after each; never empty.
    pub(super) positions: Vec<G>,
    pub(super) moves: Vec<G::Move>,
}

impl<G: Game + FromStr<Err = ParseError>> Replay<G> {
    /// Plays a recorded game.
    ///
    /// # Errors
    /// The start is not a position, or a move is not legal for its side: in which turn, from 1, the opening included.
    pub(super) fn of(record: &GameRecord) -> Result<Replay<G>> {
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

    /// The position at the end.
    pub(super) fn last(&self) -> G {
        self.positions[self.positions.len() - 1]
    }
}
