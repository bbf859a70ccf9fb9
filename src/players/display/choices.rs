//! The machine's moves in the current game, with the reasons for them.

use super::search_state::SearchState;
use crate::play::GameState;
use kingline::loa::Position;

/// The machine's moves in one game. Undone moves stay until other moves replace them.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// [`GameState::serial`] of the game.
    serial: u64,
    made: Vec<Chosen>,
}

/// A move of the machine.
#[derive(Debug)]
struct Chosen {
    /// Number of moves in the game, with this one.
    count: usize,
    /// Position after the move.
    after: Position<8>,
    why: SearchState,
}

impl Choices {
    /// Adds the last move of the game, which the machine has made for this reason.
    pub(super) fn add(&mut self, state: &GameState, why: SearchState) {
        self.settle(state);
        let count = state.record().moves().len();
        self.made.retain(|chosen| chosen.count < count);
        self.made.push(Chosen { count, after: state.position(), why });
    }

    /// Forgets moves that are neither made nor undone.
    pub(super) fn settle(&mut self, state: &GameState) {
        if self.serial != state.serial() {
            *self = Choices { serial: state.serial(), made: Vec::new() };
        }
        let (positions, undone) = (state.record().positions(), state.undone());
        self.made.retain(|chosen| match positions.get(chosen.count) {
            Some(position) => *position == chosen.after,
            None => chosen.count < positions.len() + undone,
        });
    }

    /// Reason for the last move of the machine among the first `moves` moves of the game.
    pub(super) fn last(&self, moves: usize) -> Option<&SearchState> {
        self.made.iter().rev().find(|chosen| chosen.count <= moves).map(|chosen| &chosen.why)
    }

    /// Black's advantage, from -1 to 1, according to the machine when it made the move that is the `count`-th of the
    /// game; `None` if a person made it, or if the machine did not search.
    pub(super) fn share(&self, count: usize) -> Option<f64> {
        self.made.iter().find(|chosen| chosen.count == count).and_then(|chosen| chosen.why.share())
    }
}
