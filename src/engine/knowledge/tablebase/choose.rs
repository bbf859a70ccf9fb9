//! The choice of a turn in a tabled position, under the count of quiet turns and the repetitions so far (§1).

use std::cmp::Reverse;

use super::board::Board;
use super::probe::{DistanceSearch, ProbeError, Tablebase};
use super::turns::Turns;
use super::value::LONGEST_CURSED;
use crate::checkers::{Move, Position};
use crate::game::{Evaluator, Game, History, Progress, Value, Wdl};

/// The best turn in a tabled position, and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableMove {
    /// A legal turn.
    pub mv: Move,
    /// Value of the position under the count of quiet turns and the repetitions so far. A loss may take longer than its
    /// distance.
    pub value: Value,
}

/// The occurrence of a position at which the game is drawn (§1).
const LAST_OCCURRENCE: usize = match Position::REPETITION_LIMIT {
    Some(limit) => limit as usize,
    None => usize::MAX,
};

#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    after: Position,
    board: Board,
    zeroing: bool,
    /// Number of consecutive quiet turns, including this one.
    quiet_turns: u16,
    /// Outcome for the side that makes the turn, under the count and the repetitions.
    outcome: Wdl,
}

impl Candidate {
    /// Plies to the next zeroing turn, counted from before this turn; `after` is the same number after it.
    fn plies(&self, after: u16) -> u16 {
        if self.zeroing { 1 } else { after + 1 }
    }
}

impl Tablebase<'_> {
    /// Chooses the best turn in the current position of a game that is not over.
    ///
    /// - In a won position: the turn after which the next zeroing turn is nearest. It gets nearer with each turn, so no
    ///   position is repeated and the count does not run out. If the probes do not suffice: the winning turn with the
    ///   least upper bound, which is then the distance in the answer.
    /// - In a lost position: the turn that delays the next zeroing turn longest, as far as a few probes show.
    /// - In a drawn position: the drawing turn after which the most replies lose. `evaluation` breaks ties.
    ///
    /// Makes at most `probes` probes, each about half a microsecond. Most positions take a hundred, some ten thousand.
    ///
    /// # Errors
    /// See [`ProbeError`]. Without a legal turn the error is [`ProbeError::NotTabled`]. It is
    /// [`ProbeError::Unfinished`] if the probes do not suffice for the outcome of each turn.
    pub fn choose(
        &self,
        history: &History<Position>,
        evaluation: &impl Evaluator<Position>,
        probes: u64,
    ) -> Result<TableMove, ProbeError> {
        if !self.may_have(&history.position()) {
            return Err(ProbeError::NotTabled);
        }
        let mut distances = DistanceSearch::new(self, history.rules(), probes);
        let mut candidates = candidates(history, &mut distances)?;
        let outcome = candidates.iter().map(|candidate| candidate.outcome).max().ok_or(ProbeError::NotTabled)?;
        candidates.retain(|candidate| candidate.outcome == outcome);
        // The tables' distance of a win that is not cursed counts no turn into one that is.
        let is_cursed = |candidate: &Candidate| distances.known(candidate.board).is_some_and(|after| after.is_cursed);
        if outcome == Wdl::Win && !candidates.iter().all(is_cursed) {
            candidates.retain(|candidate| !is_cursed(candidate));
        }
        let choice = match outcome {
            Wdl::Win => nearest(candidates, history, &mut distances)?,
            Wdl::Draw => hardest(candidates, history, evaluation, &mut distances)?,
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
    let limit = history.rules().quiet_limit::<Position>();
    let list = position.legal_moves();
    let mut all = Vec::with_capacity(list.len());
    for &mv in &list {
        let after = position.play(mv);
        let board = Board::of(&after);
        let zeroing = position.progress(mv) == Progress::Zeroing;
        let quiet_turns = if zeroing { 0 } else { history.quiet_turns() + 1 };
        let ends = limit.is_some_and(|limit| quiet_turns >= limit)
            || (!zeroing && occurrences(history, after) + 1 >= LAST_OCCURRENCE);
        // A side without a move has lost, even if the count or a repetition would draw the game.
        let outcome = if ends && !Turns::of(board).is_empty() {
            Wdl::Draw
        } else {
            distances.outcome(board, quiet_turns)?.reversed()
        };
        all.push(Candidate { mv, after, board, zeroing, quiet_turns, outcome });
    }
    Ok(all)
}

fn occurrences(history: &History<Position>, position: Position) -> usize {
    history.positions().iter().filter(|&&earlier| earlier == position).count()
}

/// Chooses the winning turn after which the next zeroing turn is nearest.
fn nearest(
    mut winning: Vec<Candidate>,
    history: &History<Position>,
    distances: &mut DistanceSearch<'_, '_>,
) -> Result<Option<TableMove>, ProbeError> {
    // Positions can have been repeated only if earlier turns were chosen without these tables.
    let repeats = |reply: &Move, after: Position| occurrences(history, after.play(*reply)) + 1 >= LAST_OCCURRENCE;
    let safe = |candidate: &Candidate| {
        candidate.zeroing || !candidate.after.legal_moves().iter().any(|reply| repeats(reply, candidate.after))
    };
    if winning.iter().any(safe) {
        winning.retain(safe);
    }
    // The best zeroing turn is the one after which the stored bounds put the next zeroing turn nearest.
    let mut zeroing = Vec::new();
    for candidate in winning.iter().filter(|candidate| candidate.zeroing) {
        zeroing.push((distances.probe(candidate.board)?.span.most, candidate.mv));
    }
    if let Some(&(_, mv)) = zeroing.iter().min_by_key(|&&(most, _)| most) {
        return Ok(Some(TableMove { mv, value: Value::Win(1) }));
    }
    // Only the shortest win is safe: a longer one could repeat positions that the win needs later, even within the
    // count.
    for plies in 0..LONGEST_CURSED {
        for candidate in &winning {
            match distances.decided_within(candidate.board, plies) {
                Ok(true) => return Ok(Some(TableMove { mv: candidate.mv, value: Value::Win(plies + 1) })),
                Ok(false) => {}
                Err(ProbeError::Unfinished) => return Ok(least_bound(&winning, history, distances)),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(None)
}

/// Chooses the winning turn with the least upper bound on the next zeroing turn, if possible to a position that has not
/// occurred.
fn least_bound(
    winning: &[Candidate],
    history: &History<Position>,
    distances: &DistanceSearch<'_, '_>,
) -> Option<TableMove> {
    let bounds = winning.iter().map(|candidate| {
        let most = distances.known(candidate.board).map_or(LONGEST_CURSED, |stored| stored.span.most);
        (occurrences(history, candidate.after), most, candidate.mv)
    });
    let (_, most, mv) = bounds.min_by_key(|&(before, most, _)| (before, most))?;
    Some(TableMove { mv, value: Value::Win(most + 1) })
}

/// Limit of probes for the longest resistance: about half a millisecond, enough in 98 of 100 lost positions.
const PROBES_WHEN_LOST: u64 = 1_500;

/// Chooses the losing turn after which the winner needs longest, as far as the probes show.
fn farthest(losing: Vec<Candidate>, distances: &mut DistanceSearch<'_, '_>) -> Result<Option<TableMove>, ProbeError> {
    distances.limit(PROBES_WHEN_LOST);
    let mut left = losing;
    if left.iter().any(|candidate| !candidate.zeroing) {
        // The distance of a zeroing turn is 1, no matter how long the winner needs after it.
        left.retain(|candidate| !candidate.zeroing);
    }
    let mut plies = 0;
    while plies < LONGEST_CURSED {
        match longer_than(plies, &left, distances) {
            Ok(longer) if longer.is_empty() => break,
            Ok(longer) => left = longer,
            Err(ProbeError::Unfinished) => {
                // Take the turn with the largest upper bound.
                left.sort_by_key(|candidate| {
                    Reverse(distances.known(candidate.board).map_or(0, |stored| stored.span.most))
                });
                break;
            }
            Err(error) => return Err(error),
        }
        plies += 1;
    }
    Ok(left.first().map(|last| TableMove { mv: last.mv, value: Value::Loss(last.plies(plies)) }))
}

/// Returns the turns after which the other side needs more than `plies` plies to win.
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

/// Chooses the drawing turn that is hardest to answer.
///
/// Turns to the least repeated positions come first, since a repetition gives the opponent no new chance to err. The
/// static evaluation breaks ties.
fn hardest(
    drawing: Vec<Candidate>,
    history: &History<Position>,
    evaluation: &impl Evaluator<Position>,
    distances: &mut DistanceSearch<'_, '_>,
) -> Result<Option<TableMove>, ProbeError> {
    let mut rated = Vec::new();
    for candidate in drawing {
        let before = if candidate.zeroing { 0 } else { occurrences(history, candidate.after) };
        let hard = match difficulty(candidate.board, candidate.quiet_turns, ROUNDS, distances) {
            Err(ProbeError::Unfinished) => 0,
            rated => rated?,
        };
        let eval = evaluation.evaluate(&evaluation.start(&candidate.after), &candidate.after);
        rated.push(((Reverse(before), hard, Reverse(eval)), candidate));
    }
    // `max_by_key` returns the last of equal items; in reverse, that is the first.
    let best = rated.into_iter().rev().max_by_key(|&(rating, _)| rating);
    Ok(best.map(|(_, candidate)| TableMove { mv: candidate.mv, value: Value::Draw }))
}

/// Number of rounds that [`difficulty`] looks ahead. A round is a reply and the best answer to it.
const ROUNDS: u32 = 1;
/// Difficulty of a reply that loses.
const LOST: u32 = 1000;

/// Difficulty of a drawn position for the side to move, 0 to [`LOST`]: the share of its turns that lose. A turn that
/// draws counts for 7/10 of the difficulty that the best answer to it leads to.
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

/// Returns the boards after all turns, each with the number of consecutive quiet turns before it.
fn after_each(board: Board, quiet_turns: u16) -> Vec<(Board, u16)> {
    let turns = Turns::of(board);
    let quiet = turns.quiet.into_iter().map(|after| (after, quiet_turns + 1));
    turns.zeroing.into_iter().map(|after| (after, 0)).chain(quiet).collect()
}
