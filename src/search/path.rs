use super::params::UNRULED_LIMIT;
use crate::game::{Game, History, Progress};

/// The keys of all positions on the way to the current node, those of the game before the root
/// included, as far back as a position can come back.
#[derive(Clone, Debug)]
pub(super) struct Path {
    keys: Vec<u64>,
    /// Place of the root among the keys.
    root: usize,
}

/// What a node must know of the path that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counters {
    /// Turns since the last zeroing one.
    pub(super) quiet_turns: u16,
    /// Turns since the last irreversible one; no farther back can a repetition lie.
    pub(super) reversible: u16,
}

impl Counters {
    pub(super) fn after(self, progress: Progress) -> Counters {
        match progress {
            Progress::Reversible => Counters { quiet_turns: self.quiet_turns + 1, reversible: self.reversible + 1 },
            Progress::Irreversible => Counters { quiet_turns: self.quiet_turns + 1, reversible: 0 },
            Progress::Zeroing => Counters { quiet_turns: 0, reversible: 0 },
        }
    }
}

impl Path {
    /// The path to the current position of a game.
    pub(super) fn new<G: Game>(history: &History<G>, plies: usize) -> (Path, Counters) {
        let mut keys = Vec::with_capacity(history.positions().len() + plies);
        keys.extend(history.positions().iter().map(Game::key));
        let quiet_turns = history.quiet_turns();
        let root = keys.len() - 1;
        (Path { keys, root }, Counters { quiet_turns, reversible: quiet_turns })
    }

    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Whether the current position counts as a draw because it was there before: once within
    /// the search (who can repeat once can repeat again, and gets nowhere even if the rules let
    /// them), or as often before the root as the rules want (§1), or [`UNRULED_LIMIT`] says.
    pub(super) fn is_repetition<G: Game>(&self, counters: Counters) -> bool {
        let limit = G::REPETITION_LIMIT.unwrap_or(UNRULED_LIMIT);
        // A position cannot come back in fewer than four plies.
        if counters.reversible < 4 {
            return false;
        }
        let now = self.keys.len() - 1;
        let mut times = 1;
        let mut back = 4;
        while back <= usize::from(counters.reversible).min(now) {
            if self.keys[now - back] == self.keys[now] {
                times += 1;
                // The root itself stands on the board, so it belongs to the game.
                if now - back > self.root || times >= limit {
                    return true;
                }
            }
            back += 2;
        }
        false
    }
}
