use std::collections::HashSet;

use super::{GameStatus, PlannedGame, Schedule, TournamentRules, draw, pair_up};

/// Rounds in which pairs that have not met yet meet; who loses more than half of the games of a meeting is out (§3).
/// No more can be put out when all that are in have met: then the tournament is over.
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
        let begin = schedule.games.len();
        for &pair in &pairs {
            for opening in 0..rules.games / 2 {
                pair_up(rules, names, round, opening, pair, &mut schedule.games);
            }
            met.extend([pair, [pair[1], pair[0]]]);
        }
        let games = &schedule.games[begin..];
        if games.is_empty() || games.iter().any(|game| result(game) == GameStatus::Missing) {
            break;
        }
        for meeting in games.chunks(rules.games as usize) {
            for agent in meeting[0].agents {
                let losses = meeting.iter().filter(|game| is_lost(game, agent, result(game))).count();
                if 2 * losses > rules.games as usize {
                    schedule.out[agent] = Some(round);
                }
            }
        }
    }
    schedule
}

/// Who meets whom in a round: agents that are in and have not met, the order drawn by lot, those first that rested
/// most often; each takes the first that is free. With an odd number, or where all free ones have met, somebody rests.
fn pairs(
    rules: &TournamentRules,
    names: &[&str],
    round: u32,
    out: &[Option<u32>],
    met: &HashSet<[usize; 2]>,
    rests: &mut [u32],
) -> Vec<[usize; 2]> {
    let mut free: Vec<usize> = (0..names.len()).filter(|&agent| out[agent].is_none()).collect();
    let lot = |agent: usize| draw(rules.seed, "round", round, 0, &[names[agent]]);
    free.sort_by_cached_key(|&agent| (u32::MAX - rests[agent], lot(agent), names[agent]));
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

/// Whether `agent` lost this game of its own. A game that counts for neither side, or failed, is nobody's loss.
fn is_lost(game: &PlannedGame, agent: usize, result: GameStatus) -> bool {
    let side = usize::from(game.agents[1] == agent);
    matches!(result, GameStatus::Played(Some(points)) if points[side] == 0)
}
