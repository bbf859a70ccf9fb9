//! The files with all games: scripts with a few hundred games each for the pages, and one compressed file with all
//! transcripts to take away.
//!
//! A game's number in the store decides which file it is in, so that links stay valid and a new game changes one file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::compact_game;
use super::content::Tournament;
use super::folder::SiteFolder;
use super::script::script;
use crate::record::{GameRecord, transcript};
use crate::tournament::store::{GameId, Summary};
use kingline_players::game_name::GameName;
use kingline_players::review::Review;

/// Numbers of games in one file.
pub(super) const GAMES_A_FILE: i64 = 300;

/// The number of the file with a game.
pub(super) fn file_of(GameId(id): GameId) -> i64 {
    id.div_euclid(GAMES_A_FILE)
}

/// The games of one file, collected for writing.
pub(super) struct GamesFile {
    number: i64,
    tiers: Vec<String>,
    games: Vec<Value>,
    transcripts: GzEncoder<Vec<u8>>,
}

impl GamesFile {
    pub(super) fn new(number: i64) -> GamesFile {
        let transcripts = GzEncoder::new(Vec::new(), Compression::default());
        GamesFile { number, tiers: Vec::new(), games: Vec::new(), transcripts }
    }

    /// Adds the next game. A game that cannot be replayed has no transcript.
    ///
    /// # Errors
    /// The transcript cannot be compressed.
    pub(super) fn add(
        &mut self,
        tournament: &Tournament,
        summary: &Summary,
        record: &GameRecord,
        review: Option<&Review>,
    ) -> Result<()> {
        let place = self.tiers.iter().position(|tier| *tier == record.tier);
        let tier = place.unwrap_or_else(|| {
            self.tiers.push(record.tier.clone());
            self.tiers.len() - 1
        });
        self.games.push(compact_game::line(tournament, summary, record, review, tier));
        if let Ok(text) = transcript::write(record) {
            self.transcripts.write_all(text.as_bytes())?;
            self.transcripts.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes the script; returns the compressed transcripts.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(self, folder: &mut SiteFolder) -> Result<Vec<u8>> {
        let name = format!("games-{}", self.number);
        folder
            .write(&format!("data/{name}.js"), &script(&name, &json!({ "tiers": self.tiers, "games": self.games })))?;
        self.into_transcripts()
    }

    /// The compressed transcripts alone.
    ///
    /// # Errors
    /// They cannot be compressed.
    pub(super) fn into_transcripts(self) -> Result<Vec<u8>> {
        Ok(self.transcripts.finish()?)
    }
}

/// Name of the file with all transcripts.
pub(super) fn archive_name(game: GameName) -> String {
    format!("games.{}.gz", transcript::extension(game))
}

/// Copies a member of the earlier compressed file, the transcripts of one file of games, into the new one. Such files
/// may be joined in this way.
///
/// # Errors
/// A file cannot be read or written.
pub(super) fn copy_member(earlier: &Path, offset: u64, length: u64, file: &mut impl Write) -> io::Result<()> {
    let mut earlier = File::open(earlier)?;
    earlier.seek(SeekFrom::Start(offset))?;
    io::copy(&mut earlier.take(length), file).map(drop)
}
