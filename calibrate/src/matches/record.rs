//! Record of a match: a file with its games, from which an interrupted match continues.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::tally::PlayedGame;
use kingline_players::exit::BadInput;
use kingline_players::journal::{Journal, Run};

/// Games of a match, in memory and in its file.
pub(crate) struct MatchRecord {
    journal: Journal,
    openings: Vec<String>,
    /// Games of earlier runs by number, from 0.
    games: Vec<(usize, PlayedGame)>,
}

/// Row of the file.
#[derive(Serialize, Deserialize)]
struct Row {
    /// Number of the game, from 1. Both games of an opening follow each other.
    game: usize,
    opening: String,
    #[serde(flatten)]
    played: PlayedGame,
}

impl MatchRecord {
    /// Opens a new record of a match with this header and these openings, or continues one. A later run may have more
    /// openings or fewer.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or is the record of another match.
    pub(crate) fn open(
        path: &Path,
        run: Run,
        header: &Map<String, Value>,
        openings: Vec<String>,
    ) -> Result<MatchRecord> {
        let (journal, rows) = Journal::open::<Row>(path, run, header)?;
        let mut games = Vec::with_capacity(rows.len());
        for Row { game, opening, played } in rows {
            let place = game.wrapping_sub(1);
            let wanted = openings.get(place / 2);
            ensure!(
                wanted.is_none_or(|wanted| *wanted == opening),
                BadInput::new(format!(
                    "{}: game {game} has another opening than this match; help: name another file",
                    path.display()
                ))
            );
            games.push((place, played));
        }
        Ok(MatchRecord { journal, openings, games })
    }

    /// Returns the games of earlier runs by number, from 0.
    pub(super) fn take_games(&mut self) -> Vec<(usize, PlayedGame)> {
        std::mem::take(&mut self.games)
    }

    /// Adds a game to the file.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(super) fn add(&mut self, game: usize, &played: &PlayedGame) -> Result<()> {
        let opening = self.openings.get(game / 2).cloned().unwrap_or_default();
        self.journal.add(&Row { game: game + 1, opening, played }).map(drop)
    }
}
