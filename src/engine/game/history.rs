//! Game history: the earlier positions that can still matter.

use super::ending::{DrawReason, Ending};
use super::rules::{Game, Progress};

/// A game in progress: the positions that can still matter, oldest first, the current one last.
///
/// A zeroing move makes all earlier positions unreachable and resets the count of quiet turns. The count therefore
/// always equals the number of earlier positions stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<G> {
    positions: Vec<G>,
}

impl<G: Game> History<G> {
    /// Creates a game that begins at `position`; its past is unknown.
    pub fn new(position: G) -> History<G> {
        History { positions: vec![position] }
    }

    /// Returns the current position.
    pub fn position(&self) -> G {
        self.positions[self.positions.len() - 1]
    }

    /// Positions since the last zeroing move, the current one last; never empty.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// Number of consecutive quiet turns up to the current position.
    pub fn quiet_turns(&self) -> u16 {
        u16::try_from(self.positions.len() - 1).unwrap_or(u16::MAX)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let position = self.position();
        if position.progress(mv) == Progress::Zeroing {
            self.positions.clear();
        }
        self.positions.push(position.play(mv));
    }

    /// Number of occurrences of the current position, this one included.
    pub fn occurrences(&self) -> usize {
        let now = self.position();
        self.positions.iter().filter(|&&earlier| earlier == now).count()
    }

    /// Returns how the game ended, if it is over. A side with no legal move has lost, even if the game would otherwise
    /// be drawn.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.position().ending() {
            return Some(ending);
        }
        if G::QUIET_LIMIT.is_some_and(|limit| self.quiet_turns() >= limit) {
            Some(Ending::Draw(DrawReason::QuietTurns))
        } else if G::REPETITION_LIMIT.is_some_and(|limit| self.occurrences() >= usize::from(limit)) {
            Some(Ending::Draw(DrawReason::Repetition))
        } else {
            None
        }
    }
}

impl<G: Game> From<G> for History<G> {
    /// Creates a game that begins at this position; its past is unknown.
    fn from(position: G) -> History<G> {
        History::new(position)
    }
}

impl<G: Game> From<&History<G>> for History<G> {
    fn from(history: &History<G>) -> History<G> {
        history.clone()
    }
}
