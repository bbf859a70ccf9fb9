//! Reviewing the games of a store with all cores, one game on each.

use std::collections::BTreeMap;

use anyhow::Result;

use super::file::ReviewFile;
use super::game::{Work, review_game};
use super::lines::GameLine;
use crate::threads::spread;
use crate::tournament::store::{GameId, Store};
use kingline_players::review::all_cores;

/// Reviews those of these games that `file` does not have, in the order of their numbers, and adds them in this order.
/// Once `work.stop` is set, the remaining games are left for later. A game that cannot be replayed is skipped, and the
/// file tells why.
///
/// # Errors
/// The store cannot be read, or the file cannot be written.
pub fn review_games(store: &Store, games: &[GameId], file: &mut ReviewFile, work: Work<'_>) -> Result<()> {
    let mut missing: Vec<GameId> = games.iter().copied().filter(|&game| !file.has(game)).collect();
    missing.sort_unstable();
    // A connection belongs to one thread.
    let path = store.path();
    let review = |&game: &GameId| -> Result<Option<GameLine>> {
        let record = Store::open(path)?.game(game)?;
        let line = |review, skipped| GameLine { game: game.0, review, skipped };
        Ok(match review_game(&record, work) {
            Ok(review) => review.map(|review| line(Some(review), None)),
            Err(error) => Some(line(None, Some(format!("{error:#}")))),
        })
    };
    // Games that are reviewed before one with a lower number.
    let mut waiting: BTreeMap<GameId, GameLine> = BTreeMap::new();
    let mut next = missing.iter().peekable();
    spread(&missing, all_cores().get(), work.stop, review, |&game, line| {
        waiting.extend(line?.map(|line| (game, line)));
        while let Some(line) = next.peek().and_then(|game| waiting.remove(game)) {
            file.add(&line)?;
            next.next();
        }
        anyhow::Ok(())
    })
}
