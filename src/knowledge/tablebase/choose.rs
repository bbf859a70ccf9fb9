//! Which turn is best in a tabled position, under the count of quiet turns and the repetitions so far (§1)?

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests;

use std::cmp::Reverse;

use super::board::Board;
use super::distance::DistanceSearch;
use super::probe::{ProbeError, Tablebase};
use super::stored::StoredValue;
use super::turns::Turns;
use super::value::LONGEST;
use crate::checkers::{Move, Position};
use crate::evaluate::checkers::Evaluation;
use crate::game::{Evaluator, Game, History, Progress, Value, Wdl};

/// The turn to make in a tabled position, and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableMove {
    /// A legal turn.
    pub mv: Move,
    /// What the position is worth, under the count of quiet turns and the repetitions so far. The distance of a loss
    /// may be longer.
    pub value: Value,
}

/// The time that a position is on the board for which the game is drawn (§1).
const LAST_TIME: usize = match Position::REPETITION_LIMIT {
    Some(limit) => limit as usize,
    None => usize::MAX,
};

/// A turn that could be made.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    after: Position,
    board: Board,
    /// Whether it is a zeroing turn.
    zeroing: bool,
    /// Quiet turns in a row, this one included.
    quiet_turns: u16,
    /// For the side that makes it, under the count and the repetitions.
    outcome: Wdl,
}

impl Candidate {
    /// Plies from before the turn to the next zeroing turn, given those from after it.
    fn plies(&self, after: u16) -> u16 {
        if self.zeroing { 1 } else { after + 1 }
    }
}

impl Tablebase<'_> {
    /// The best turn in the current position of a game that is not over.
    ///
    /// A won position: the turn that brings the next zeroing turn nearest; each one does, so no position is repeated
    /// and the count does not run out. A lost one: the turn that delays it longest, as far as a few probes show. A
    /// drawn one: of the turns that keep the draw, the one after which most replies lose.
    ///
    /// It takes at most `probes` probes, each a fraction of a microsecond; most positions take a few hundred, some ten
    /// thousand.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`ProbeError::NotTabled`] also where there is no legal turn.
    pub fn choose(&self, history: &History<Position>, probes: u64) -> Result<TableMove, ProbeError> {
        if !self.may_have(&history.position()) {
            return Err(ProbeError::NotTabled);
        }
        let mut distances = DistanceSearch::new(self, probes);
        let mut candidates = candidates(history, &mut distances)?;
        let outcome = candidates.iter().map(|candidate| candidate.outcome).max().ok_or(ProbeError::NotTabled)?;
        candidates.retain(|candidate| candidate.outcome == outcome);
        let choice = match outcome {
            Wdl::Win => nearest(candidates, history, &mut distances)?,
            Wdl::Draw => hardest(candidates, history, &mut distances)?,
            Wdl::Loss => farthest(candidates, &mut distances)?,
        };
        choice.ok_or(ProbeError::NotTabled)
    }
}

fn candidates(
    history: &History<Position>,
    distances: &mut DistanceSearch<'_, '_>,
) -> Result<Vec<Candidate>, ProbeError> {
    let position = history.position();
    let list = position.legal_moves();
    let mut all = Vec::with_capacity(list.len());
    for &mv in &list {
        let after = position.play(mv);
        let board = Board::of(&after);
        let zeroing = position.progress(mv) == Progress::Zeroing;
        let quiet_turns = if zeroing { 0 } else { history.quiet_turns() + 1 };
        let ends = quiet_turns >= LONGEST || (!zeroing && times_before(history, after) + 1 >= LAST_TIME);
        // A side without a move has lost: that comes before any draw.
        let outcome = if ends && !Turns::of(board).is_empty() {
            Wdl::Draw
        } else {
            distances.outcome(board, quiet_turns)?.reversed()
        };
        all.push(Candidate { mv, after, board, zeroing, quiet_turns, outcome });
    }
    Ok(all)
}

fn times_before(history: &History<Position>, position: Position) -> usize {
    history.positions().iter().filter(|&&earlier| earlier == position).count()
}

/// Of the turns that win, the one that brings the next zeroing turn nearest.
fn nearest(
    mut winning: Vec<Candidate>,
    history: &History<Position>,
    distances: &mut DistanceSearch<'_, '_>,
) -> Result<Option<TableMove>, ProbeError> {
    // Positions can have been repeated only if the game was not played by these tables so far.
    let repeats = |reply: &Move, after: Position| times_before(history, after.play(*reply)) + 1 >= LAST_TIME;
    let safe = |candidate: &Candidate| {
        candidate.zeroing || !candidate.after.legal_moves().iter().any(|reply| repeats(reply, candidate.after))
    };
    if winning.iter().any(safe) {
        winning.retain(safe);
    }
    // Of zeroing turns the one after which the bounds in the tables put the next zeroing turn nearest.
    let mut zeroing = Vec::new();
    for candidate in winning.iter().filter(|candidate| candidate.zeroing) {
        zeroing.push((distances.probe(candidate.board)?.most(), candidate.mv));
    }
    if let Some(&(_, mv)) = zeroing.iter().min_by_key(|&&(most, _)| most) {
        return Ok(Some(TableMove { mv, value: Value::Win(1) }));
    }
    // Only the shortest way is safe: on a longer one, even within the count, positions could be repeated that the win
    // needs later.
    for plies in 0..LONGEST {
        for candidate in &winning {
            if distances.decided_within(candidate.board, plies)? {
                return Ok(Some(TableMove { mv: candidate.mv, value: Value::Win(plies + 1) }));
            }
        }
    }
    Ok(None)
}

/// Probes for the longest resistance, about half a millisecond: enough in 98 of 100 lost positions.
const PROBES_WHEN_LOST: u64 = 1_500;

/// Of the turns that lose, the one after which the other side needs longest, as far as the probes show.
fn farthest(losing: Vec<Candidate>, distances: &mut DistanceSearch<'_, '_>) -> Result<Option<TableMove>, ProbeError> {
    distances.limit(PROBES_WHEN_LOST);
    let mut left = losing;
    if left.iter().any(|candidate| !candidate.zeroing) {
        // The distance of a zeroing turn is 1, however long the other side needs after it.
        left.retain(|candidate| !candidate.zeroing);
    }
    let mut plies = 0;
    while plies < LONGEST {
        match longer_than(plies, &left, distances) {
            Ok(longer) if longer.is_empty() => break,
            Ok(longer) => left = longer,
            Err(ProbeError::Unfinished) => {
                // The one that may still be the longest.
                left.sort_by_key(|candidate| Reverse(distances.known(candidate.board).map_or(0, StoredValue::most)));
                break;
            }
            Err(error) => return Err(error),
        }
        plies += 1;
    }
    Ok(left.first().map(|last| TableMove { mv: last.mv, value: Value::Loss(last.plies(plies)) }))
}

/// The turns after which the other side needs more than `plies` plies.
fn longer_than(
    plies: u16,
    losing: &[Candidate],
    distances: &mut DistanceSearch<'_, '_>,
) -> Result<Vec<Candidate>, ProbeError> {
    let mut longer = Vec::new();
    for &candidate in losing {
        if !distances.decided_within(candidate.board, plies)? {
            longer.push(candidate);
        }
    }
    Ok(longer)
}

/// Of the turns that draw, the one that is hardest to answer; but first those to the positions repeated least, since a
/// repetition gives the opponent no new chance to err. Of equal ones the one with the best static evaluation.
fn hardest(
    drawing: Vec<Candidate>,
    history: &History<Position>,
    distances: &mut DistanceSearch<'_, '_>,
) -> Result<Option<TableMove>, ProbeError> {
    let evaluation = Evaluation::default();
    let mut rated = Vec::new();
    for candidate in drawing {
        let before = if candidate.zeroing { 0 } else { times_before(history, candidate.after) };
        let hard = difficulty(candidate.board, candidate.quiet_turns, ROUNDS, distances)?;
        let eval = evaluation.evaluate(&evaluation.start(&candidate.after), &candidate.after);
        rated.push(((Reverse(before), hard, Reverse(eval)), candidate));
    }
    // `max_by_key` takes the last of equals: reversed, the first.
    let best = rated.into_iter().rev().max_by_key(|&(rating, _)| rating);
    Ok(best.map(|(_, candidate)| TableMove { mv: candidate.mv, value: Value::Draw }))
}

/// Rounds of a reply and the best answer to it that [`difficulty`] looks ahead.
const ROUNDS: u32 = 1;
/// The difficulty of a reply that loses.
const LOST: u32 = 1000;

/// How hard a drawn position is for the side to move, 0 to [`LOST`]: the share of its turns that lose; a turn that
/// draws counts for 7/10 of how hard the best answer to it makes the next one.
fn difficulty(
    board: Board,
    quiet_turns: u16,
    rounds: u32,
    distances: &mut DistanceSearch<'_, '_>,
) -> Result<u32, ProbeError> {
    let mut sum = 0;
    let replies = after_each(board, quiet_turns);
    for &(reply, quiet_turns) in &replies {
        match distances.outcome(reply, quiet_turns)? {
            Wdl::Win => sum += LOST,
            Wdl::Draw if rounds > 0 => {
                let mut best = 0;
                for (answer, quiet_turns) in after_each(reply, quiet_turns) {
                    if distances.outcome(answer, quiet_turns)? == Wdl::Draw {
                        best = best.max(difficulty(answer, quiet_turns, rounds - 1, distances)?);
                    }
                }
                sum += best * 7 / 10;
            }
            _ => {}
        }
    }
    Ok(sum / replies.len().max(1) as u32)
}

/// The boards after all turns, each with the quiet turns in a row up to it.
fn after_each(board: Board, quiet_turns: u16) -> Vec<(Board, u16)> {
    let turns = Turns::of(board);
    let quiet = turns.quiet.into_iter().map(|after| (after, quiet_turns + 1));
    turns.zeroing.into_iter().map(|after| (after, 0)).chain(quiet).collect()
}
