//! Reviews of recorded games by the engine: of a tournament's store, and of a student's lost games.

pub(crate) mod file;
mod lost;

use std::num::NonZeroUsize;

use anyhow::Result;

use crate::record::{ChosenBy, EndReason, GameRecord, Replay, Written, transcript};
use crate::stop::StopFlag;
use kingline_players::of_game;
use kingline_players::review::{Mark, Review, Settings, SquareNames};

pub(crate) use file::{ReviewFile, review_games};
pub(crate) use lost::{KeptReviews, LostGame, LostGames, lost_games, review_lost};

/// Conditions under which games are reviewed.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    /// Seconds for each position; a second counts as a fixed number of nodes.
    pub(crate) seconds: f64,
    pub(crate) stop: &'a StopFlag,
    /// Called after each searched position, on any thread.
    pub(crate) progress: &'a (dyn Fn() + Sync),
}

/// Reviews a game on one thread, with moves written as agents write them; `None` if it was stopped.
///
/// Moves that no agent chose count for neither side: the random opening, and the referee's moves in place of faults. The
/// turning point is left out if a fault ended the game. Lines are kept only where they are shown: with faults.
///
/// # Errors
/// The record cannot be replayed; the error names the turn.
pub(crate) fn review_game(record: &GameRecord, work: Work<'_>) -> Result<Option<Review>> {
    let settings = Settings { seconds: work.seconds, names: SquareNames::Agents };
    let mut progress = |_| {
        (work.progress)();
        !work.stop.is_requested()
    };
    let review = transcript::to_record(record)?.review(settings, NonZeroUsize::MIN, &mut progress);
    Ok(review.map(|review| of_agents(review, record)))
}

fn of_agents(mut review: Review, record: &GameRecord) -> Review {
    let of_turns = record.turns.iter().filter(|turn| turn.mv.is_some()).map(|turn| turn.chosen_by == ChosenBy::Agent);
    let chosen: Vec<bool> = record.opening.iter().map(|_| false).chain(of_turns).collect();
    review.keep_chosen(|index| chosen[index]);
    if let EndReason::Fault(_) = record.verdict.reason {
        review.turning_point = None;
    }
    for mv in review.moves.iter_mut().filter(|mv| !mv.mark.is_some_and(Mark::is_fault)) {
        mv.best.truncate(1);
        mv.reply.clear();
    }
    review
}

/// Returns `true` if a review is of the moves of this game.
fn fits(review: &Review, record: &GameRecord) -> bool {
    let moves = of_game!(record.game, G => moves::<G>(record));
    moves.is_ok_and(|moves| moves.iter().eq(review.moves.iter().map(|reviewed| &reviewed.mv)))
}

/// The moves as agents write them.
fn moves<G: Written>(record: &GameRecord) -> Result<Vec<String>> {
    let Replay { positions, moves } = Replay::<G>::of(record)?;
    Ok(positions.iter().zip(moves).map(|(position, mv)| position.as_agents_write(mv)).collect())
}
