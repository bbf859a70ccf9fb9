//! Brackets compared with the schedules that they are built from.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::record::{Draw, EndReason, GameVerdict};
use crate::tournament::schedule::schedule;
use crate::tournament::store::Summary;
use kingline::game::Color;

fn rules(games: u32) -> TournamentRules {
    TournamentRules { pairing: Pairing::Elimination, games, seed: 3 }
}

/// Returns the state of a tournament of `agents` agents with the given results.
fn state(rules: &TournamentRules, agents: usize, result: impl Fn(&PlannedGame) -> GameStatus) -> TournamentState {
    let names: Vec<String> = (0..agents).map(|agent| format!("agent{agent:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let planned = schedule(rules, &names, &result);
    let mut state = TournamentState { out: planned.out, done: Vec::new(), missing: Vec::new(), failed: Vec::new() };
    for game in planned.games {
        match result(&game) {
            GameStatus::Missing => state.missing.push(game),
            GameStatus::Failed => state.failed.push(game),
            GameStatus::Played(half_points) => state.done.push(summary(&game, half_points)),
        }
    }
    state
}

fn summary(game: &PlannedGame, half_points: Option<[u32; 2]>) -> Summary {
    let &PlannedGame { round, pairing, opening, seed, agents } = game;
    Summary { round, pairing, opening, seed, agents, half_points, ..Summary::default() }
}

fn played(games: u32, agents: usize, result: impl Fn(&PlannedGame) -> GameStatus) -> Bracket {
    let rules = rules(games);
    Bracket::of(&rules, &state(&rules, agents, result)).unwrap()
}

/// The agent with the lower index wins every game.
fn by_index(game: &PlannedGame) -> GameStatus {
    GameStatus::Played(Some(if game.agents[0] < game.agents[1] { [2, 0] } else { [0, 2] }))
}

fn drawn(_: &PlannedGame) -> GameStatus {
    GameStatus::Played(Some([1, 1]))
}

#[test]
fn one_agent_is_left_if_no_game_is_drawn() {
    let bracket = played(2, 8, by_index);
    assert_eq!(bracket.winners, Some(vec![0]));
    let meetings: Vec<usize> = bracket.rounds.iter().map(|round| round.meetings.len()).collect();
    assert_eq!(meetings, [4, 2, 1]);
    for meeting in bracket.rounds.iter().flat_map(|round| &round.meetings) {
        assert!(meeting.agents[0] < meeting.agents[1]);
        assert_eq!((meeting.half_points, meeting.losses), ([4, 0], [0, 2]));
        assert_eq!([0, 1].map(|place| meeting.result(place)), [MeetingResult::StaysIn, MeetingResult::Out]);
        assert_eq!((meeting.out(), meeting.remarks()), (Some(meeting.agents[1]), Vec::new()));
    }
}

#[test]
fn if_nobody_loses_more_than_half_all_meet_and_all_win() {
    let bracket = played(4, 5, drawn);
    assert_eq!(bracket.winners, Some(vec![0, 1, 2, 3, 4]));
    let meetings: Vec<&Meeting> = bracket.rounds.iter().flat_map(|round| &round.meetings).collect();
    assert_eq!(meetings.len(), 10);
    for meeting in meetings {
        assert_eq!((meeting.half_points, meeting.out()), ([4, 4], None));
        assert!((0..2).all(|place| meeting.result(place) == MeetingResult::StaysIn));
    }
    for (number, round) in (1..).zip(&bracket.rounds) {
        assert_eq!((round.number, round.resting.len() + 2 * round.meetings.len()), (number, 5));
    }
    // White always wins, so each agent loses half of the games.
    let one_each = |_: &PlannedGame| GameStatus::Played(Some([0, 2]));
    assert_eq!(played(2, 2, one_each).winners, Some(vec![0, 1]));
}

#[test]
fn an_agent_without_an_opponent_rests_and_one_that_is_out_does_not() {
    let bracket = played(2, 3, by_index);
    assert_eq!(bracket.winners, Some(vec![0]));
    let [first, second] = &bracket.rounds[..] else { panic!("{bracket:?}") };
    assert_eq!((first.meetings.len(), first.resting.len(), second.resting.len()), (1, 1, 0));
    let out = first.meetings[0].out().unwrap();
    assert!(!first.meetings[0].agents.contains(&first.resting[0]) && !second.meetings[0].agents.contains(&out));
}

#[test]
fn games_without_a_result_leave_the_tournament_open() {
    // The first pairing of the first meeting has this status; the lower index wins all other games.
    let with = |status: GameStatus| {
        let result = move |game: &PlannedGame| match (game.round, game.pairing) {
            (1, 0) => status,
            _ => by_index(game),
        };
        played(4, 4, result)
    };
    for (status, remark) in [
        (GameStatus::Missing, "2 of 4 games still to be played"),
        (GameStatus::Failed, "2 of 4 games failed, to be played again"),
    ] {
        let bracket = with(status);
        assert_eq!((bracket.winners, bracket.rounds.len()), (None, 1));
        let [open, decided] = bracket.rounds[0].meetings[..] else { panic!("two meetings") };
        assert_eq!((open.half_points, open.games), ([4, 0], 4));
        assert_eq!([0, 1].map(|place| open.result(place)), [MeetingResult::StaysIn, MeetingResult::Open]);
        assert_eq!((open.out(), open.remarks()), (None, vec![remark.to_owned()]));
        assert_eq!((decided.out(), decided.remarks()), (Some(decided.agents[1]), Vec::new()));
    }
    let uncounted = with(GameStatus::Played(None));
    assert_eq!(uncounted.winners.map(|winners| winners.len()), Some(2), "two lost games of four eliminate nobody");
    let meeting = uncounted.rounds[0].meetings[0];
    assert_eq!((meeting.out(), meeting.remarks()), (None, vec!["2 of 4 games without points".to_owned()]));
}

#[test]
fn an_agent_that_lost_more_than_half_is_out_before_the_last_game() {
    let last_is_missing = |game: &PlannedGame| match game.opening {
        1 if game.agents[0] > game.agents[1] => GameStatus::Missing,
        _ => by_index(game),
    };
    let bracket = played(4, 2, last_is_missing);
    let meeting = bracket.rounds[0].meetings[0];
    assert_eq!((bracket.winners, meeting.out(), meeting.missing), (None, Some(1), 1));
}

#[test]
fn a_tournament_of_one_is_won_and_a_round_robin_has_no_bracket() {
    assert_eq!(played(2, 1, by_index), Bracket { rounds: Vec::new(), winners: Some(vec![0]) });
    let rules = TournamentRules { pairing: Pairing::RoundRobin, ..rules(2) };
    assert_eq!(Bracket::of(&rules, &state(&rules, 3, by_index)), None);
}

#[test]
fn programs_read_names_and_points() {
    let half_lost = |game: &PlannedGame| match game.opening {
        0 => by_index(game),
        _ => drawn(game),
    };
    let meeting = json!({
        "agents": ["ann", "bob"], "points": [3.0, 1.0], "out": null, "games": 4,
        "uncounted": 0, "missing": 0, "failed": 0,
    });
    let expected = json!([{ "round": 1, "meetings": [meeting], "resting": [] }]);
    assert_eq!(json!(played(4, 2, half_lost).json(&["ann", "bob"])), expected);
}

#[test]
fn two_draws_lost_on_time_put_an_agent_out_where_the_rule_says_so() {
    let drawn =
        |more_time| GameVerdict { winner: None, reason: EndReason::Drawn { draw: Draw::Repetition, more_time } };
    for (draws, more_time, out, words) in [
        (DrawRule::MoreTimeLeft, [Color::Black, Color::White].map(Some), Some(1), "less time left loses a drawn game"),
        (DrawRule::MoreTimeLeft, [Some(Color::Black), None], None, "neither does if both have the same"),
        (DrawRule::Halves, [Color::Black, Color::White].map(Some), None, "Neither side loses a drawn game."),
        (DrawRule::Nothing, [Color::Black, Color::White].map(Some), None, "loses a game without a winner."),
    ] {
        // The first agent has more time left in each game.
        let result = |game: &PlannedGame| {
            GameStatus::Played(drawn(more_time[usize::from(game.agents[0] != 0)]).half_points(draws))
        };
        let bracket = Bracket::of(&rules(2), &state(&rules(2), 2, result)).unwrap();
        assert_eq!(bracket.rounds[0].meetings[0].out(), out, "{draws:?} {more_time:?}");
        assert!(rule(draws).contains(words), "{}", rule(draws));
    }
}

proptest! {
    #[test]
    fn bracket_and_schedule_put_out_the_same_agents(agents in 0usize..12, pairings in 1u32..4, chance: u64) {
        let rules = rules(2 * pairings);
        let result = |game: &PlannedGame| {
            let random = (game.seed ^ chance).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            match (random + u64::from(game.agents[0] < game.agents[1])) % 16 {
                0 => GameStatus::Failed,
                1 => GameStatus::Played(None),
                2..6 => GameStatus::Played(Some([1, 1])),
                6..12 => GameStatus::Played(Some([2, 0])),
                _ => GameStatus::Played(Some([0, 2])),
            }
        };
        let state = state(&rules, agents, result);
        let Bracket { rounds, winners } = Bracket::of(&rules, &state).unwrap();
        prop_assert_eq!(winners.is_some(), state.failed.is_empty());
        let is_decided = |round: &&Round| state.failed.iter().all(|game| game.round != round.number);
        let mut out = vec![None; agents];
        for round in rounds.iter().filter(is_decided) {
            for agent in round.meetings.iter().filter_map(Meeting::out) {
                prop_assert_eq!(out[agent].replace(round.number), None);
            }
        }
        prop_assert_eq!(&out, &state.out);
        let games: u32 = rounds.iter().flat_map(|round| &round.meetings).map(|meeting| meeting.games).sum();
        prop_assert_eq!(games as usize, state.done.len() + state.failed.len());
    }
}
