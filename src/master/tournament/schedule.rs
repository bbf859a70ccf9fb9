//! Schedules: who plays whom, how often, and from which opening. Pure functions of the rules, the entrants' names and
//! the results so far.

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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

/// Returns all games of the tournament, as far as `result` determines them. With elimination, the last round is the
/// first one with a missing or failed game.
///
/// Names must be unique. The order of the entrants affects only the indexes, not who plays whom.
pub fn schedule(rules: &TournamentRules, names: &[&str], result: impl Fn(&PlannedGame) -> GameStatus) -> Schedule {
    match rules.pairing {
        Pairing::RoundRobin => round_robin(rules, names),
        Pairing::Elimination => elimination(rules, names, &result),
    }
}

/// Adds two games between two agents, from the same opening with colors swapped.
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

/// Returns a pseudorandom number that depends only on the arguments, not on the platform or a library's version.
fn draw(seed: u64, what: &str, round: u32, number: u32, names: &[&str]) -> u64 {
    let mut hash = Sha256::new();
    hash.update(format!("{what} {seed} {round} {number}"));
    for name in names {
        // Names contain no zero byte, so different lists of names give different bytes.
        hash.update([0]);
        hash.update(name);
    }
    hash.finalize().iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Schedules all pairs by the circle method: one entrant stays and the others rotate, so that at any time all have
/// played about equally often. Source: J. Schurig, 1886.
fn round_robin(rules: &TournamentRules, names: &[&str]) -> Schedule {
    let mut games = Vec::new();
    // With an odd number of entrants, the last place of the circle is empty, and the entrant paired with it rests.
    let places = names.len().next_multiple_of(2);
    let turns = (0..places.saturating_sub(1)).flat_map(|turn| circle(places, turn));
    let pairs: Vec<_> = turns.filter(|pair| pair.iter().all(|&place| place < names.len())).collect();
    for opening in 0..rules.games / 2 {
        for &pair in &pairs {
            pair_up(rules, names, 1, opening, pair, &mut games);
        }
    }
    Schedule { games, out: vec![None; names.len()] }
}

/// Returns the pairs in one turn of the circle. Every place is in one pair, and no pair repeats within `places - 1`
/// turns.
fn circle(places: usize, turn: usize) -> impl Iterator<Item = [usize; 2]> {
    let wheel = places - 1;
    let pairs = (1..places / 2).map(move |step| [(turn + step) % wheel, (turn + wheel - step) % wheel]);
    std::iter::once([wheel, turn]).chain(pairs)
}

/// Schedules rounds of meetings between agents that have not met yet. An agent that loses more than half of a meeting's
/// games is out (§3). The tournament is over when all remaining agents have met.
///
/// The next round waits until every game of this one is decided. A meeting with a failed game has no result yet, and an
/// agent that it may eliminate must not play on.
fn elimination(rules: &TournamentRules, names: &[&str], result: &impl Fn(&PlannedGame) -> GameStatus) -> Schedule {
    let mut schedule = Schedule { games: Vec::new(), out: vec![None; names.len()] };
    let mut met = HashSet::new();
    let mut rests = vec![0u32; names.len()];
    for round in 1.. {
        let pairs = pairs(rules, names, round, &schedule.out, &met, &mut rests);
        let start = schedule.games.len();
        for &pair in &pairs {
            for opening in 0..rules.games / 2 {
                pair_up(rules, names, round, opening, pair, &mut schedule.games);
            }
            met.extend([pair, [pair[1], pair[0]]]);
        }
        let games = &schedule.games[start..];
        let is_decided = |game: &PlannedGame| matches!(result(game), GameStatus::Played(_));
        if games.is_empty() || !games.iter().all(is_decided) {
            break;
        }
        for meeting in games.chunks(rules.games as usize) {
            for agent in meeting[0].agents {
                let losses = meeting.iter().filter(|game| is_lost(game, agent, result(game))).count();
                if is_out(losses as u32, rules.games) {
                    schedule.out[agent] = Some(round);
                }
            }
        }
    }
    schedule
}

/// Returns true if an agent that loses `losses` of a meeting's `games` games is out (§3).
pub(super) fn is_out(losses: u32, games: u32) -> bool {
    2 * losses > games
}

/// Pairs the agents of a round: remaining agents in random order, but those that rested most often first. Each meets
/// the first free agent that it has not met. An agent without such an opponent rests.
fn pairs(
    rules: &TournamentRules,
    names: &[&str],
    round: u32,
    out: &[Option<u32>],
    met: &HashSet<[usize; 2]>,
    rests: &mut [u32],
) -> Vec<[usize; 2]> {
    let mut free: Vec<usize> = (0..names.len()).filter(|&agent| out[agent].is_none()).collect();
    let random = |agent: usize| draw(rules.seed, "round", round, 0, &[names[agent]]);
    free.sort_by_cached_key(|&agent| (u32::MAX - rests[agent], random(agent), names[agent]));
    let mut pairs = Vec::new();
    while !free.is_empty() {
        let agent = free.remove(0);
        match free.iter().position(|&other| !met.contains(&[agent, other])) {
            Some(place) => pairs.push([agent, free.remove(place)]),
            None => rests[agent] += 1,
        }
    }
    pairs
}

/// Returns true if `agent`, which played this game, lost it. A game that counts for neither side is not lost.
fn is_lost(game: &PlannedGame, agent: usize, result: GameStatus) -> bool {
    let side = usize::from(game.agents[1] == agent);
    matches!(result, GameStatus::Played(Some(points)) if points[side] == 0)
}
