//! Who plays whom, how often, and from which opening? Pure functions of the rules, the entrants' names and the results
//! so far.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `round_robin` | in which order every pair meets |
//! | `elimination` | who meets whom in a round, and who is out after it (§3) |

mod elimination;
mod round_robin;
#[cfg(test)]
mod tests;

use sha2::{Digest, Sha256};

pub(super) use elimination::is_out;

use super::league::Pairing;

/// What a tournament is, apart from who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TournamentRules {
    /// Who meets whom.
    pub pairing: Pairing,
    /// Games between two agents that meet: even, above 0.
    pub games: u32,
    /// Seeds the openings and the pairing of rounds.
    pub seed: u64,
}

/// A game of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlannedGame {
    /// From 1; always 1 in a round robin.
    pub round: u32,
    /// Two games with sides swapped are a pairing and share this number; from 0, in the order of play.
    pub pairing: u32,
    /// Which of the pairings of these two agents in this round, from 0: each has another opening.
    pub opening: u32,
    /// Black and White, as indexes of the entrants.
    pub agents: [usize; 2],
    /// Seeds the opening and the referee's own moves; both games of a pairing have the same. It has at most 53 bits, so
    /// that JSON readers with floating-point numbers preserve it.
    pub seed: u64,
}

/// Which game of a tournament: its round, its agents, its opening.
pub type GameKey = (u32, [usize; 2], u32);

impl PlannedGame {
    /// Its identity within the tournament.
    pub fn key(&self) -> GameKey {
        (self.round, self.agents, self.opening)
    }
}

/// What is known of a planned game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStatus {
    /// It has to be played.
    Missing,
    /// The referee failed, and the game is not tried again in this run.
    Failed,
    /// The half points of Black and White, two per win; `None`: it counts for neither.
    Played(Option<[u32; 2]>),
}

/// The games of a tournament, as far as the results so far determine who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// All games, played or not, in the order of play; both games of a pairing side by side.
    pub games: Vec<PlannedGame>,
    /// For each entrant the round after which it was out; `None`: it is still in.
    pub out: Vec<Option<u32>>,
}

/// All games of the tournament, as far as `result` determines them. With elimination these are the games up to the
/// first round with one that is missing or has failed.
///
/// Names must differ. The order of the entrants does not matter to who plays whom, only to the indexes.
pub fn schedule(rules: &TournamentRules, names: &[&str], result: impl Fn(&PlannedGame) -> GameStatus) -> Schedule {
    match rules.pairing {
        Pairing::RoundRobin => round_robin::schedule(rules, names),
        Pairing::Elimination => elimination::schedule(rules, names, &result),
    }
}

/// Adds a pairing: two games of two agents from the same opening, colors swapped.
fn pair_up(
    rules: &TournamentRules,
    names: &[&str],
    round: u32,
    opening: u32,
    [a, b]: [usize; 2],
    games: &mut Vec<PlannedGame>,
) {
    let [first, second] = if names[a] <= names[b] { [a, b] } else { [b, a] };
    let pairing = (games.len() / 2) as u32;
    let seed = draw(rules.seed, "opening", round, opening, &[names[first], names[second]]) >> 11;
    let game = |agents| PlannedGame { round, pairing, opening, agents, seed };
    games.extend([game([first, second]), game([second, first])]);
}

/// A random number that depends on nothing but its arguments, whatever the platform and the version of a library.
fn draw(seed: u64, what: &str, round: u32, number: u32, names: &[&str]) -> u64 {
    let mut hash = Sha256::new();
    hash.update(format!("{what} {seed} {round} {number}"));
    for name in names {
        // No name has a zero byte, so that no two lists of names give the same bytes.
        hash.update([0]);
        hash.update(name);
    }
    hash.finalize().iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}
