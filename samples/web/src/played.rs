//! The game that a request is about.

use kingline::draw::shown::Shown;
use kingline::game::{History, ParseError};

use crate::request::Request;

/// Largest number of moves of a game.
const MOST_MOVES: usize = 2000;

/// A game in progress, or one that is over.
pub(crate) struct Played<G: Shown> {
    pub(crate) start: G,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) history: History<G>,
}

impl<G: Shown> Played<G> {
    /// Plays the moves of a request.
    ///
    /// # Errors
    /// The position or a move cannot be read, or the game was over before a move.
    pub(crate) fn read(request: &Request<'_>) -> Result<Played<G>, String> {
        if request.moves.len() > MOST_MOVES {
            return Err(format!("found {} moves, expected at most {MOST_MOVES}", request.moves.len()));
        }
        let start = match request.start {
            Some(text) => text.parse().map_err(|error| format!("{error}"))?,
            None => G::start(),
        };
        let mut played = Played { start, moves: Vec::new(), history: History::new(start) };
        for text in &request.moves {
            if let Some(ending) = played.history.ending() {
                return Err(ParseError::new(text, format!("no move: the game is over, {ending}")).to_string());
            }
            let mv = played.history.position().parse_move(text).map_err(|error| error.to_string())?;
            played.moves.push(mv);
            played.history.play(mv);
        }
        Ok(played)
    }
}
