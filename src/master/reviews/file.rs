//! The file beside a store that keeps the reviews of its games.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::{Work, fits, review_game};
use crate::record::GameRecord;
use crate::threads::spread;
use crate::tournament::store::{GameId, Store};
use kingline_players::exit::BadInput;
use kingline_players::journal::{Journal, RowPlace, Run};
use kingline_players::of_game;
use kingline_players::review::{Review, all_cores, engine};

/// Reviews of the games of a store, locked against other writers: `spring.review-0.02.jsonl` beside `spring.db`.
///
/// The file only grows, in the order of the games' numbers, so a run that was killed and taken up gives the same bytes
/// as an undisturbed one. A file with another header or a damaged line is refused, not replaced: it may have taken hours.
#[derive(Debug)]
pub(crate) struct ReviewFile {
    journal: Journal,
    places: HashMap<GameId, RowPlace>,
    /// Games that could not be reviewed, with the reason.
    skipped: Vec<(GameId, String)>,
}

const RUN: Run = Run { name: "review", help: "delete it or move it away, and all games are reviewed anew" };

const FORMAT: &str = "kingline reviews 1";

/// The header of a file of reviews.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Header {
    /// Name and version of the format.
    format: String,
    /// Version of the engine, with the nodes and score of a short search.
    engine: String,
    /// Seconds for each position.
    seconds: f64,
    /// Name of the league.
    league: String,
    /// Seed of the tournament.
    seed: u64,
}

/// The row of a game: a review, or the reason why there is none.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct ReviewRow {
    /// Number of the game in the store.
    game: i64,
    /// The review.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<Review>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
}

impl Header {
    fn of(store: &Store, seconds: f64) -> Header {
        Header {
            format: FORMAT.to_owned(),
            engine: of_game!(store.league().game, G => engine::<G>()),
            seconds,
            league: store.league().name.clone(),
            seed: store.rules().seed,
        }
    }
}

impl ReviewFile {
    /// Path of the reviews of a store with these seconds for each position.
    pub(crate) fn path_of(store: &Path, seconds: f64) -> PathBuf {
        store.with_extension(format!("review-{seconds}.jsonl"))
    }

    /// Opens the file beside a store, or begins it.
    pub(crate) fn open(store: &Store, seconds: f64) -> Result<ReviewFile> {
        let path = ReviewFile::path_of(store.path(), seconds);
        let header = serde_json::to_value(Header::of(store, seconds))?;
        let (mut places, mut skipped) = (HashMap::new(), Vec::new());
        let journal = Journal::open_with(
            &path,
            RUN,
            |found| RUN.same(found, header),
            |row: ReviewRow, place| {
                let game = GameId(row.game);
                if places.insert(game, place).is_some() {
                    bail!("game {} is there twice", row.game);
                }
                skipped.extend(row.skipped.map(|why| (game, why)));
                Ok(())
            },
        )?;
        Ok(ReviewFile { journal, places, skipped })
    }

    pub(crate) fn path(&self) -> &Path {
        self.journal.path()
    }

    /// Returns `true` if a game need not be reviewed again.
    pub(crate) fn has(&self, game: GameId) -> bool {
        self.places.contains_key(&game)
    }

    /// Games that could not be reviewed, with the reason.
    pub(crate) fn skipped(&self) -> &[(GameId, String)] {
        &self.skipped
    }

    /// Returns the review of a game, if it has one.
    pub(crate) fn review(&self, game: GameId, record: &GameRecord) -> Result<Option<Review>> {
        let Some(&place) = self.places.get(&game) else { return Ok(None) };
        let ReviewRow { review, .. } = self.journal.row(place)?;
        if review.as_ref().is_some_and(|review| !fits(review, record)) {
            let (path, help) = (self.path().display(), RUN.help);
            let differ = format!("the moves of game {} differ from the store's", game.0);
            bail!(BadInput::new(format!("{path}: {differ}; help: {help}")));
        }
        Ok(review)
    }

    fn add(&mut self, row: ReviewRow) -> Result<()> {
        let game = GameId(row.game);
        self.places.insert(game, self.journal.add(&row)?);
        self.skipped.extend(row.skipped.map(|why| (game, why)));
        Ok(())
    }
}

/// Reviews those of these games that `file` does not have, in the order of their numbers, and adds them in this order.
/// Once `work.stop` is set, the remaining games are left for later. A game that cannot be replayed is skipped, and the
/// file tells why.
pub(crate) fn review_games(store: &Store, games: &[GameId], file: &mut ReviewFile, work: Work<'_>) -> Result<()> {
    let mut missing: Vec<GameId> = games.iter().copied().filter(|&game| !file.has(game)).collect();
    missing.sort_unstable();
    // A connection belongs to one thread.
    let path = store.path();
    let review = |&game: &GameId| -> Result<Option<ReviewRow>> {
        let record = Store::open(path)?.game(game)?;
        let row = |review, skipped| ReviewRow { game: game.0, review, skipped };
        Ok(match review_game(&record, work) {
            Ok(review) => review.map(|review| row(Some(review), None)),
            Err(error) => Some(row(None, Some(format!("{error:#}")))),
        })
    };
    // Games that are reviewed before one with a lower number.
    let mut waiting: BTreeMap<GameId, ReviewRow> = BTreeMap::new();
    let mut next = missing.iter().peekable();
    spread(&missing, all_cores().get(), work.stop, review, |&game, row| {
        waiting.extend(row?.map(|row| (game, row)));
        while let Some(row) = next.peek().and_then(|game| waiting.remove(game)) {
            file.add(row)?;
            next.next();
        }
        anyhow::Ok(())
    })
}
