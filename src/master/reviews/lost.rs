//! Reviews of the games that students lost, kept from run to run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Work, fits, review_game};
use crate::exam::{Grade, Mark};
use crate::hash::short_hash;
use crate::record::{EndReason, GameRecord};
use crate::threads::spread;
use kingline::checkers::Position;
use kingline_players::files::{read_bytes, write_whole};
use kingline_players::review::{Review, all_cores, engine};

/// Reviews of a student's lost games, by the names of the games: `game-2`.
pub(crate) type LostGames = BTreeMap<String, Review>;

/// A lost game of one of several students.
pub(crate) struct LostGame<'a> {
    student: usize,
    name: String,
    record: &'a GameRecord,
}

impl LostGame<'_> {
    /// Number of positions that a review searches, at least.
    pub(crate) fn positions(&self) -> u64 {
        (1 + self.record.opening.len() + self.record.turns.len()) as u64
    }
}

/// The games that students lost, by the rules or by a fault.
pub(crate) fn lost_games(grades: &[Grade]) -> Vec<LostGame<'_>> {
    let mut lost = Vec::new();
    for (student, grade) in grades.iter().enumerate() {
        for (name, record) in grade.marks.iter().flat_map(Mark::games) {
            // The loser, unless both have the same name.
            let loser = record.verdict.winner.map(|winner| &record.names[(!winner).index()]);
            let is_own_win = record.verdict.winner.is_some_and(|winner| record.names[winner.index()] == grade.agent);
            if loser == Some(&grade.agent) && !is_own_win {
                lost.push(LostGame { student, name, record });
            }
        }
    }
    lost
}

/// Folder of reviews from earlier runs. Each has a file, named by a hash of all that the review depends on: the game
/// without its times, the engine and the effort.
pub(crate) struct KeptReviews<'a> {
    /// `None`: reviews are not kept.
    folder: Option<&'a Path>,
    conditions: String,
}

impl KeptReviews<'_> {
    /// Reviews with so many seconds for each position.
    pub(crate) fn in_folder(folder: Option<&Path>, seconds: f64) -> Result<KeptReviews<'_>> {
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        Ok(KeptReviews { folder, conditions: format!("{} {seconds}", engine::<Position>()) })
    }

    fn path(&self, record: &GameRecord) -> Option<PathBuf> {
        let moves: Vec<_> = record.turns.iter().map(|turn| (&turn.mv, turn.chosen_by)).collect();
        let by_fault = matches!(record.verdict.reason, EndReason::Fault(_));
        let game = (&self.conditions, &record.start, &record.opening, moves, by_fault);
        Some(self.folder?.join(format!("{}.json", short_hash(serde_json::to_vec(&game).ok()?))))
    }

    /// The kept review of a game. One that is damaged is made again.
    fn read(&self, record: &GameRecord) -> Option<Review> {
        let review = serde_json::from_slice(&read_bytes(&self.path(record)?).ok()?).ok()?;
        Some(review).filter(|review| fits(review, record))
    }

    fn write(&self, record: &GameRecord, review: &Review) -> Result<()> {
        self.path(record).map_or(Ok(()), |path| write_whole(&path, &serde_json::to_vec(review)?))
    }

    /// Takes the games whose reviews are kept out of `games`; returns these reviews, for each of so many students.
    pub(crate) fn known(&self, games: &mut Vec<LostGame<'_>>, students: usize) -> Vec<LostGames> {
        let mut reviews = vec![LostGames::new(); students];
        games.retain(|game| match self.read(game.record) {
            Some(review) => {
                reviews[game.student].insert(game.name.clone(), review);
                false
            }
            None => true,
        });
        reviews
    }
}

/// Reviews lost games with all cores, one game on each, keeps the reviews, and adds them to those of the students. Games
/// that cannot be replayed are left out, and so are the remaining ones once `work.stop` is set.
pub(crate) fn review_lost(
    games: &[LostGame<'_>],
    reviews: &mut [LostGames],
    kept: &KeptReviews<'_>,
    work: Work<'_>,
) -> Result<()> {
    let review = |game: &LostGame<'_>| review_game(game.record, work).ok().flatten();
    spread(games, all_cores().get(), work.stop, review, |game, review| {
        let Some(review) = review else { return Ok(()) };
        kept.write(game.record, &review)?;
        reviews[game.student].insert(game.name.clone(), review);
        Ok(())
    })
}
