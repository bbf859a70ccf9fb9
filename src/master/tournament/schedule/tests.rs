//! Schedules are fair, complete, and independent of the order of names.

use std::collections::{BTreeSet, HashMap, HashSet};

use proptest::prelude::*;

use super::*;

fn rules(pairing: Pairing) -> impl Strategy<Value = TournamentRules> {
    (1u32..4, any::<u64>()).prop_map(move |(pairings, seed)| TournamentRules { pairing, games: 2 * pairings, seed })
}

fn names(most: usize) -> impl Strategy<Value = Vec<String>> {
    proptest::collection::hash_set("[a-z]{1,4}", 0..most).prop_map(|names| names.into_iter().collect())
}

fn strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// Returns each game with names in place of indexes.
fn games(rules: &TournamentRules, names: &[String]) -> BTreeSet<(String, String, u32, u64)> {
    let schedule = schedule(rules, &strs(names), |_| GameStatus::Missing);
    let by_name = |game: &PlannedGame| {
        let [black, white] = game.agents.map(|agent| names[agent].clone());
        (black, white, game.opening, game.seed)
    };
    schedule.games.iter().map(by_name).collect()
}

/// Checks that both games of a pairing have the same opening with sides swapped, and that no two pairings share an
/// opening.
fn pairings_are_fair(games: &[PlannedGame]) {
    let mut seeds = HashSet::new();
    for (number, pair) in games.chunks(2).enumerate() {
        let [one, two] = pair else { panic!("half a pairing") };
        assert_eq!((one.pairing as usize, two.pairing as usize), (number, number));
        assert_eq!([one.agents[1], one.agents[0]], two.agents);
        assert_ne!(one.agents[0], one.agents[1]);
        assert_eq!((one.round, one.opening, one.seed), (two.round, two.opening, two.seed));
        assert!(one.seed < 1 << 53);
        assert!(seeds.insert(one.seed), "no opening is played twice");
    }
}

/// A result that depends only on the seed and colors of the game; one in five is a draw.
fn at_random(game: &PlannedGame) -> GameStatus {
    let random = draw(game.seed, "result", 0, u32::from(game.agents[0] < game.agents[1]), &[]);
    GameStatus::Played(match random % 5 {
        0 | 1 => Some([2, 0]),
        2 | 3 => Some([0, 2]),
        _ if random.is_multiple_of(2) => Some([1, 1]),
        _ => None,
    })
}

proptest! {
    #[test]
    fn a_round_robin_pairs_everyone_with_everyone(rules in rules(Pairing::RoundRobin), names in names(12)) {
        let Schedule { games, out } = schedule(&rules, &strs(&names), |_| GameStatus::Missing);
        pairings_are_fair(&games);
        let mut counts = HashMap::new();
        for game in &games {
            *counts.entry(game.agents).or_insert(0) += 1;
            prop_assert_eq!(game.round, 1);
        }
        for (a, b) in (0..names.len()).flat_map(|a| (0..names.len()).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            prop_assert_eq!(counts.remove(&[a, b]), Some(rules.games / 2));
        }
        prop_assert!(counts.is_empty());
        prop_assert_eq!(out, vec![None; names.len()]);
    }

    #[test]
    fn a_round_robin_balances_the_games_played(rules in rules(Pairing::RoundRobin), names in names(12)) {
        let mut played = vec![0; names.len()];
        for pair in schedule(&rules, &strs(&names), |_| GameStatus::Missing).games.chunks(2) {
            for agent in pair[0].agents {
                played[agent] += 1;
            }
            let (least, most) = (played.iter().min().unwrap(), played.iter().max().unwrap());
            prop_assert!(most - least <= 2, "{played:?}");
        }
    }

    #[test]
    fn games_do_not_depend_on_who_else_plays(rules in rules(Pairing::RoundRobin), names in names(9)) {
        let all = games(&rules, &names);
        let mut others = names.clone();
        let gone = others.pop();
        let without = all.into_iter().filter(|(a, b, ..)| ![a, b].contains(&gone.as_ref().unwrap_or(&String::new())));
        prop_assert_eq!(games(&rules, &others), without.collect::<BTreeSet<_>>());
        others.reverse();
        others.extend(gone);
        prop_assert_eq!(games(&rules, &others), games(&rules, &names), "the order does not matter");
    }

    #[test]
    fn rounds_continue_until_all_remaining_agents_have_met(rules in rules(Pairing::Elimination), names in names(14)) {
        let names = strs(&names);
        // Plays round after round, and checks that earlier games do not change.
        let mut played: HashMap<PlannedGame, GameStatus> = HashMap::new();
        let mut before = Vec::new();
        let Schedule { games, out } = loop {
            let now = schedule(&rules, &names, |game| played.get(game).copied().unwrap_or(GameStatus::Missing));
            prop_assert_eq!(&now.games[..before.len()], &before[..]);
            if now.games.len() == before.len() {
                break now;
            }
            before.clone_from(&now.games);
            played.extend(now.games.iter().map(|game| (*game, at_random(game))));
        };
        pairings_are_fair(&games);
        let whole = schedule(&rules, &names, at_random);
        prop_assert_eq!(&whole, &Schedule { games: games.clone(), out: out.clone() });

        let mut met = HashSet::new();
        let mut losses: HashMap<(u32, usize), u32> = HashMap::new();
        for round in games.chunk_by(|a, b| a.round == b.round) {
            let mut busy = HashSet::new();
            let number = round[0].round;
            for meeting in round.chunks(rules.games as usize) {
                for agent in meeting[0].agents {
                    prop_assert!(busy.insert(agent), "one meeting a round");
                    prop_assert!(out[agent].is_none_or(|after| after >= number), "an agent that is out does not play");
                }
                let [black, white] = meeting[0].agents;
                prop_assert!(met.insert([black.min(white), black.max(white)]), "nobody meets anybody twice");
                for game in meeting {
                    let GameStatus::Played(points) = at_random(game) else { panic!("all are played") };
                    for (agent, points) in game.agents.into_iter().zip(points.unwrap_or([1, 1])) {
                        *losses.entry((number, agent)).or_default() += u32::from(points == 0);
                    }
                }
            }
            if number == 1 {
                prop_assert_eq!(busy.len(), names.len() / 2 * 2, "only an odd one rests");
            }
        }
        for ((round, agent), losses) in losses {
            prop_assert_eq!(2 * losses > rules.games, out[agent] == Some(round));
        }
        let left: Vec<usize> = (0..names.len()).filter(|&agent| out[agent].is_none()).collect();
        prop_assert!(names.is_empty() || !left.is_empty(), "somebody wins");
        for (place, &a) in left.iter().enumerate() {
            prop_assert!(left[place + 1..].iter().all(|&b| met.contains(&[a, b])));
        }
    }

    #[test]
    fn the_next_round_waits_for_a_game_that_failed(rules in rules(Pairing::Elimination), names in names(10)) {
        // The other games of the round have random results.
        let first_failed = |game: &PlannedGame| match (game.round, game.pairing) {
            (1, 0) => GameStatus::Failed,
            _ => at_random(game),
        };
        let failed = schedule(&rules, &strs(&names), first_failed);
        prop_assert!(failed.out.iter().all(Option::is_none) && failed.games.iter().all(|game| game.round == 1));
        // Once it is replayed, the schedule continues as if it had never failed.
        let missing = schedule(&rules, &strs(&names), |_| GameStatus::Missing);
        prop_assert_eq!(failed.games, missing.games);
    }
}

#[test]
fn an_agent_that_loses_more_than_half_is_out() {
    let rules = TournamentRules { pairing: Pairing::Elimination, games: 4, seed: 1 };
    // Points of a and b in both games of each opening.
    for (points, out) in [
        ([[0, 2], [2, 0]], [None, None]),
        ([[2, 0], [0, 2]], [None, None]),
        ([[1, 1], [1, 1]], [None, None]),
        ([[2, 0], [2, 0]], [None, Some(1)]),
        ([[2, 0], [1, 1]], [None, None]),
    ] {
        let result = |game: &PlannedGame| {
            let [black, white] = points[game.opening as usize];
            GameStatus::Played(Some(if game.agents == [0, 1] { [black, white] } else { [white, black] }))
        };
        assert_eq!(schedule(&rules, &["a", "b"], result).out, out, "{points:?}");
    }
}
