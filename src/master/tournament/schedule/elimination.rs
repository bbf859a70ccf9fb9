//! Elimination: rounds of meetings, and who is out after each (§3).

use std::collections::HashSet;

use super::games::{GameStatus, PlannedGame, Schedule, TournamentRules};
use super::pairing::{draw, pair_up};

/// Schedules rounds of meetings between agents that have not met yet. An agent that loses more than half of a meeting's
/// games is out (§3). The tournament is over when all remaining agents have met.
///
/// The next round waits until every game of this one is decided. A meeting with a failed game has no result yet, and an
/// agent that it may eliminate must not play on.
pub(super) fn schedule(
    rules: &TournamentRules,
    names: &[&str],
    result: &impl Fn(&PlannedGame) -> GameStatus,
) -> Schedule {
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
pub(crate) fn is_out(losses: u32, games: u32) -> bool {
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
