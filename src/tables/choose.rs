//! The best turn of a tabled position, under the count of quiet turns and the repetitions so far (§1).

use std::cmp::Reverse;

use super::board::Board;
use super::prober::{ProbeError, Prober};
use super::turns::Turns;
use super::value::{Exact, LONGEST, Wld};
use crate::checkers::{HandWritten, Move, Position};
use crate::game::{Evaluator, Game, History, MoveList, Progress};
use crate::score::Score;

/// The turn to make in a tabled position, and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// A legal turn.
    pub mv: Move,
    /// The outcome under the count of quiet turns and the repetitions so far.
    pub outcome: Wld,
    /// Plies to the next zeroing turn or the end of the game; 0 in a drawn game.
    pub plies: u8,
}

/// A turn that could be made.
struct Candidate {
    mv: Move,
    after: Position,
    /// Whether it is a zeroing turn.
    zeroing: bool,
    /// Quiet turns in a row, this one included.
    quiet_turns: u16,
    /// How often the position after it has been on the board before.
    before: usize,
    /// The other side's value after it, with no quiet turn behind it.
    value: Exact,
}

impl Prober<'_> {
    /// The best turn in the current position of a game that is not over.
    ///
    /// A won position: the turn that brings the next zeroing turn nearest; each one does, so no position
    /// comes twice, and the count does not run out. A lost one: the turn that puts it off the longest. A drawn
    /// one: of the turns that keep the draw, the one after which most of the replies lose.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`ProbeError::NotTabled`] also where there is no legal turn.
    pub fn choose(&self, history: &History<Position>) -> Result<Choice, ProbeError> {
        let candidates = self.candidates(history)?;
        let of = |outcome| candidates.iter().filter(move |candidate| candidate.outcome() == outcome);
        if let Some(best) = of(Wld::Win).min_by_key(|candidate| self.way_to_win(candidate, history)) {
            return Ok(Choice { mv: best.mv, outcome: Wld::Win, plies: best.plies() });
        }
        let mut best = None;
        for candidate in of(Wld::Draw) {
            let problems = self.problems(candidate)?;
            if best.as_ref().is_none_or(|(most, _)| problems > *most) {
                best = Some((problems, candidate.mv));
            }
        }
        if let Some((_, mv)) = best {
            return Ok(Choice { mv, outcome: Wld::Draw, plies: 0 });
        }
        let last = of(Wld::Loss).min_by_key(|candidate| Reverse((candidate.distance(), candidate.quiet_turns)));
        let last = last.ok_or(ProbeError::NotTabled)?;
        Ok(Choice { mv: last.mv, outcome: Wld::Loss, plies: last.plies() })
    }

    fn candidates(&self, history: &History<Position>) -> Result<Vec<Candidate>, ProbeError> {
        let position = history.position();
        // Most positions have too many pieces: seen before anything else is done.
        self.look(Board::of(&position))?;
        let mut list = MoveList::new();
        position.moves(&mut list);
        let candidate = |&mv: &Move| {
            let after = position.play(mv);
            let zeroing = position.progress(mv) == Progress::Zeroing;
            let before = history.positions().iter().filter(|&&earlier| !zeroing && earlier == after).count();
            let quiet_turns = if zeroing { 0 } else { history.quiet_turns() + 1 };
            Ok(Candidate { mv, after, zeroing, quiet_turns, before, value: self.exact(Board::of(&after))? })
        };
        list.iter().map(candidate).collect()
    }

    /// The smaller, the better a turn that wins.
    fn way_to_win(&self, candidate: &Candidate, history: &History<Position>) -> (bool, u8, u8) {
        // Only where the game came here by other hands than these can a position have been there twice.
        let mut replies = MoveList::new();
        candidate.after.moves(&mut replies);
        let draws = !candidate.zeroing
            && replies.iter().any(|&reply| {
                let again = candidate.after.play(reply);
                history.positions().iter().filter(|&&earlier| earlier == again).count() >= LAST_TIME - 1
            });
        (draws, candidate.plies(), candidate.distance())
    }

    /// How hard a drawn turn is to answer: the part of the replies that lose, and then what a static
    /// evaluation thinks of it.
    fn problems(&self, candidate: &Candidate) -> Result<(u32, Score), ProbeError> {
        let turns = Turns::of(Board::of(&candidate.after));
        let mut losing = 0;
        for (replies, quiet_turns) in [(&turns.zeroing, 0), (&turns.quiet, candidate.quiet_turns + 1)] {
            for &reply in replies {
                if self.look(reply)?.outcome() == Wld::Win
                    && self.exact(reply)?.with_quiet_turns(quiet_turns) == Wld::Win
                {
                    losing += 1;
                }
            }
        }
        let replies = (turns.zeroing.len() + turns.quiet.len()).max(1) as u32;
        let value = HandWritten.evaluate(HandWritten.start(&candidate.after), &candidate.after);
        Ok((1000 * losing / replies, -value))
    }
}

/// A position that comes for this time draws.
const LAST_TIME: usize = 3;

impl Candidate {
    /// The outcome for the side that makes the turn, under the count and the repetitions.
    fn outcome(&self) -> Wld {
        // A side without a move has lost before any draw is looked for.
        if self.value != Exact::Loss(0) && (self.before + 1 >= LAST_TIME || self.quiet_turns >= u16::from(LONGEST)) {
            return Wld::Draw;
        }
        self.value.with_quiet_turns(self.quiet_turns).reversed()
    }

    /// From the position after the turn, in plies.
    fn distance(&self) -> u8 {
        match self.value {
            Exact::Win(plies) | Exact::Loss(plies) => plies,
            Exact::Draw => 0,
        }
    }

    /// From the position before the turn, in plies.
    fn plies(&self) -> u8 {
        if self.zeroing { 1 } else { self.distance() + 1 }
    }
}
