//! Who meets whom in an elimination round, and who is out after it (§3)?

use std::collections::HashSet;

use super::{GameStatus, PlannedGame, Schedule, TournamentRules, draw, pair_up};

/// Rounds in which pairs meet that have not met yet; an agent that loses more than half of the games of a meeting is
/// out (§3). When all that are left have met, the tournament is over.
///
/// The next round waits until all games of this one are decided: a meeting with a game that failed has no result yet, and
/// who would be out by it must not play on.
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

/// Whether an agent is out that loses this number of the games of a meeting (§3).
pub(in crate::master) fn is_out(losses: u32, games: u32) -> bool {
    2 * losses > games
}

/// Who meets whom in a round: agents that are left and have not met, in random order, those that rested most often
/// first; each meets the first that is free. With an odd number, or if all free ones have met, somebody rests.
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

/// Whether `agent` lost this game, which is one of its own. A game that counts for neither side is not lost.
fn is_lost(game: &PlannedGame, agent: usize, result: GameStatus) -> bool {
    let side = usize::from(game.agents[1] == agent);
    matches!(result, GameStatus::Played(Some(points)) if points[side] == 0)
}
