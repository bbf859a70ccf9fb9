//! Planned games, and the rules that determine them.

use serde::{Deserialize, Serialize};

use crate::league::Pairing;

/// Rules of a tournament, without its agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TournamentRules {
    /// Format of the tournament: who meets whom.
    pub pairing: Pairing,
    /// Number of games between two agents that meet, even and positive.
    pub games: u32,
    /// Seed of the openings and of the pairing of rounds.
    pub seed: u64,
}

/// A game of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlannedGame {
    /// Round, starting at 1; always 1 in a round robin.
    pub round: u32,
    /// 0-based number of the pairing in the order of play. A pairing is two games with sides swapped.
    pub pairing: u32,
    /// 0-based index of the pairing among those of these two agents in this round. Each has a different opening.
    pub opening: u32,
    /// Black and White, as indexes of entrants.
    pub agents: [usize; 2],
    /// Seed of the opening and of the referee's own moves, the same in both games of a pairing. It has at most 53 bits,
    /// so that JSON parsers that store numbers as floating point preserve it.
    pub seed: u64,
}

/// Identity of a game within its tournament: round, agents, opening.
pub type GameKey = (u32, [usize; 2], u32);

impl PlannedGame {
    /// Returns its identity within the tournament.
    pub fn key(&self) -> GameKey {
        (self.round, self.agents, self.opening)
    }
}

/// State of a planned game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStatus {
    /// The game is still to be played.
    Missing,
    /// The referee failed, and this run does not try the game again.
    Failed,
    /// Half points of Black and White, two per win; `None` if the game counts for neither.
    Played(Option<[u32; 2]>),
}

/// Games of a tournament, as far as the results so far determine them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// All games, played or not, in the order of play, with both games of a pairing next to each other.
    pub games: Vec<PlannedGame>,
    /// Round after which each entrant was out; `None` if it is still in.
    pub out: Vec<Option<u32>>,
}
