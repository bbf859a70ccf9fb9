//! Games and agents as read from a store.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::tournament::schedule::{GameKey, PlannedGame};
use crate::tournament::shard::Shard;
use kingline::game::Color;

/// Value of [`Summary::reason`] for a game that the referee failed to play.
pub(super) const FAILED: &str = "failed";

/// Number of a game in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub i64);

/// An agent that takes part in the tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAgent {
    /// Name of its folder.
    pub name: String,
    /// The name that the agent gives itself, if its league asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Hash of its files; see [`Agent`](crate::intake::agent::Agent).
    pub hash: String,
}

/// Short form of a played game, enough for standings. Pairs contain Black's value, then White's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Number of the game, for [`Store::game`](super::Store::game).
    pub id: GameId,
    /// Round, starting at 1; always 1 in a round robin.
    pub round: u32,
    /// 0-based number of the pairing in the order of play. Both games of a pairing share it and their opening.
    pub pairing: u32,
    /// 0-based index of the pairing among those of these two agents in this round.
    pub opening: u32,
    /// Seed of the opening and of the referee's own moves.
    pub seed: u64,
    /// Indexes into [`Store::agents`](super::Store::agents).
    pub agents: [usize; 2],
    /// The winner, if there is one.
    pub winner: Option<Color>,
    /// Half points, two per win; `None` if the game counts for neither side.
    pub half_points: Option<[u32; 2]>,
    /// Reason why the game ended, in hyphenated words: `connected`, `repetition`, `over-time`.
    pub reason: String,
    /// Faults of each side.
    pub faults: [u32; 2],
    /// Time faults among `faults`: out of time, or hung.
    pub timeouts: [u32; 2],
    /// Number of turns that the agents took.
    pub turns: u32,
    /// Time that each side used, by the league's clock.
    pub spent: [Duration; 2],
}

impl Summary {
    /// Returns the game's identity within the tournament.
    pub fn key(&self) -> GameKey {
        (self.round, self.agents, self.opening)
    }

    /// Returns true if the referee failed, so that the game has to be played again.
    pub fn is_failed(&self) -> bool {
        self.reason == FAILED
    }
}

/// The part of a tournament that is in the results of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The shard.
    pub shard: Shard,
    /// True if all games of the shard are there, failed ones included.
    pub is_complete: bool,
}

/// State of the games of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentState {
    /// Round after which each agent was out; `None` if it is still in.
    pub out: Vec<Option<u32>>,
    /// Games that were played.
    pub done: Vec<Summary>,
    /// Games still to be played; with elimination, more may follow.
    pub missing: Vec<PlannedGame>,
    /// Games that failed and are not tried again now.
    pub failed: Vec<PlannedGame>,
}
