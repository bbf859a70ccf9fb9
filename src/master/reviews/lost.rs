//! Reviews of the games that students lost.

use std::collections::BTreeMap;

use super::game::{Work, review_game};
use crate::exam::grade::{Grade, Mark};
use crate::record::GameRecord;
use crate::threads::spread;
use kingline::review::{Review, all_cores};

/// Reviews of a student's lost games, by the names of the games: `game-2`.
pub type LostGames = BTreeMap<String, Review>;

/// A lost game of one of several students.
pub struct LostGame<'a> {
    /// Index of the student.
    student: usize,
    name: String,
    record: &'a GameRecord,
}

impl LostGame<'_> {
    /// Number of positions that a review searches, at least.
    pub fn positions(&self) -> u64 {
        (1 + self.record.opening.len() + self.record.turns.len()) as u64
    }
}

/// The games that students lost, by the rules or by a fault.
pub fn lost_games(grades: &[Grade]) -> Vec<LostGame<'_>> {
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

/// Reviews lost games with all cores, one game on each; returns the reviews of each of so many students. Games that cannot
/// be replayed are left out, and so are the remaining ones once `work.stop` is set.
pub fn review_lost(games: &[LostGame<'_>], students: usize, work: Work<'_>) -> Vec<LostGames> {
    let mut reviews = vec![LostGames::new(); students];
    let review = |game: &LostGame<'_>| review_game(game.record, work).ok().flatten();
    let kept = spread(games, all_cores().get(), work.stop, review, |game, review| {
        reviews[game.student].extend(review.map(|review| (game.name.clone(), review)));
        Ok::<(), std::convert::Infallible>(())
    });
    match kept {
        Ok(()) => reviews,
        Err(never) => match never {},
    }
}
