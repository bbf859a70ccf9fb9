//! Audits of the referee's records, unchanged and altered.

use std::time::Duration;

use kingline::game::Color;
use kingline_master::league::{FaultRule, League};
use kingline_master::record::{ChosenBy, Draw, EndReason, FaultKind, GameRecord, GameVerdict, Violation};
use kingline_master::tournament::audit::{Audit, audit};
use kingline_players::game_name::GameName;

use crate::support::games::{RandomPlayer, play, violation};

/// A game between two players that move at random and commit a fault in this part of their turns.
fn at_random(league: &League, seed: u64, faults: [f64; 2]) -> GameRecord {
    let player = |side: usize| RandomPlayer {
        faults: (faults[side], &[FaultKind::Illegal]),
        nanos: 999,
        ..RandomPlayer::new((seed, side))
    };
    through_json(&play(league, Default::default(), &mut [player(0), player(1)], seed))
}

/// A game in which Black is wrong about the winner.
fn wrong_claim(league: &League) -> GameRecord {
    let liar = RandomPlayer { claims_wrong_winner: true, ..RandomPlayer::new(1) };
    through_json(&play(league, Default::default(), &mut [liar, RandomPlayer::new(2)], 1))
}

/// The record as from a file.
fn through_json(record: &GameRecord) -> GameRecord {
    serde_json::from_str(&serde_json::to_string(record).expect("JSON")).expect("a record")
}

fn league_of(name: &str) -> League {
    League { opening: 2, ..League::named(name).expect("a league") }
}

/// Returns a game between two random players for which `is_wanted` is true.
fn game(league: &League, is_wanted: impl Fn(&GameRecord) -> bool) -> GameRecord {
    let mut games = (0..2000).map(|seed| at_random(league, seed, [0.0; 2]));
    games.find(is_wanted).expect("a game of this kind")
}

fn won(league: &League) -> GameRecord {
    game(league, |record| record.verdict.winner == Some(Color::White))
}

type Change<'a> = &'a dyn Fn(&mut GameRecord);

/// Returns the contradictions in a record as text.
fn contradictions_of(record: &GameRecord, league: &League) -> String {
    audit(record, league).contradictions.join("\n")
}

#[test]
fn games_as_the_referee_recorded_them_are_confirmed() {
    for name in League::NAMES {
        for resolution in [0, 1, 10_000] {
            let mut league = league_of(name);
            league.clock.resolution = Duration::from_micros(resolution);
            for seed in 0..40 {
                let record = at_random(&league, seed, [[0.0; 2], [0.1; 2]][(seed % 2) as usize]);
                assert_eq!(contradictions_of(&record, &league), "", "{name} {seed}: {record:#?}");
                assert_eq!(audit(&record, &league).verdict, Some(record.verdict));
            }
        }
    }
    let league = league_of("loa");
    let record = wrong_claim(&league);
    assert!(matches!(record.verdict.reason, EndReason::Fault(_)));
    assert_eq!(contradictions_of(&record, &league), "");
    let files = league_of("checkers");
    assert!(
        contradictions_of(&wrong_claim(&files), &files).starts_with("the verdict: "),
        "this protocol has no claims"
    );
}

#[test]
fn a_changed_verdict_is_contradicted_by_the_moves() {
    let league = league_of("checkers");
    let mut record = won(&league);
    record.verdict.winner = Some(Color::Black);
    let text = contradictions_of(&record, &league);
    for part in ["the verdict: found \"Black wins: White has no ", "\", expected \"White wins: Black has no "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let by_moves = audit(&record, &league).verdict.unwrap();
    assert_eq!(by_moves.winner, Some(Color::White));
    record.verdict = GameVerdict {
        winner: None,
        reason: EndReason::Drawn { draw: Draw::Repetition, more_time: Some(Color::Black) },
    };
    assert!(
        contradictions_of(&record, &league)
            .contains("found \"drawn: the position was repeated too often; Black has more")
    );
    let fault = Violation { read: "\u{1b}[2J".into(), ..violation(FaultKind::Crashed) }.by(Color::White, 1);
    record.verdict = GameVerdict { winner: Some(Color::Black), reason: EndReason::Fault(fault) };
    let text = contradictions_of(&record, &league);
    assert!(text.contains("the verdict: ") && !text.contains('\u{1b}'), "{text}");
    // A draw whose point goes to the wrong side.
    let is_draw = |record: &GameRecord| matches!(record.verdict.reason, EndReason::Drawn { more_time: Some(_), .. });
    let mut drawn = game(&league, is_draw);
    let EndReason::Drawn { more_time, .. } = &mut drawn.verdict.reason else { panic!("a draw") };
    *more_time = more_time.map(|side| !side);
    assert!(contradictions_of(&drawn, &league).starts_with("the verdict: "), "{}", contradictions_of(&drawn, &league));
}

#[test]
fn captured_and_blocked_are_told_apart() {
    let league = league_of("checkers");
    for [reason, other] in [[EndReason::Captured, EndReason::Blocked], [EndReason::Blocked, EndReason::Captured]] {
        let mut record = game(&league, |record| record.verdict.reason == reason);
        record.verdict.reason = other;
        let contradictions = contradictions_of(&record, &league);
        assert!(contradictions.starts_with("the verdict: "), "{contradictions}");
    }
}

#[test]
fn changed_moves_are_reported_with_their_turn() {
    let league = league_of("checkers");
    let whole = won(&league);
    let cases: [(Change, &str); 12] = [
        (&|record| record.turns[4].mv = Some("1-32".into()), "turn 7: found \"1-32\", expected a legal move: "),
        (&|record| record.turns[0].side = Color::White, "turn 3: found a turn by White, expected one by Black"),
        (&|record| record.turns[0].mv = None, "turn 3: found no move, expected a move, or a fault"),
        (&|record| record.turns[0].chosen_by = ChosenBy::Referee, "turn 3: found a move by the referee"),
        (&|record| drop(record.turns.pop()), "\", expected a game that goes on: White is to move"),
        (&|record| record.turns.push(record.turns[0].clone()), "expected none: the game was over, White wins"),
        (&|record| drop(record.opening.pop()), "the opening: found 1 random turns, expected 2"),
        (&|record| record.opening[0] = "1-2".into(), "turn 1: found \"1-2\", expected a legal move: "),
        (&|record| record.start = "W:W32:B1".into(), "the start: found \"W:W32:B1\""),
        (&|record| record.game = GameName::Loa, "the game: found Lines of Action, expected checkers"),
        (
            &|record| record.turns[0].fault = Some(violation(FaultKind::Hung).by(Color::Black, 3)),
            "found a fault and a move by the agent",
        ),
        (
            &|record| record.turns[0].fault = Some(violation(FaultKind::Hung).by(Color::White, 3)),
            "found a fault by White in turn 3",
        ),
    ];
    for (change, expected) in cases {
        let mut record = whole.clone();
        change(&mut record);
        let text = contradictions_of(&record, &league);
        assert!(text.contains(expected), "{expected}: {text}");
        assert_eq!(audit(&record, &league).verdict, None, "{text}");
    }
    let faulty = at_random(&league, 1, [0.2, 0.0]);
    let mut longer = faulty.clone();
    longer.turns.push(whole.turns[0].clone());
    let text = contradictions_of(&longer, &league);
    assert!(text.contains("the game was over by a fault"), "{text}");
    let forgiving = League { faults: FaultRule::RandomMove, ..league.clone() };
    assert!(contradictions_of(&faulty, &forgiving).contains("in this league a fault does not end the game"));
}

#[test]
fn changed_times_are_reported_with_their_turn() {
    let league = league_of("checkers");
    let whole = won(&league);
    let (more, second) = (Some(Duration::from_secs(301)), Duration::from_secs(1));
    let turn = whole.turns.iter().position(|turn| turn.left != whole.budgets[0]).unwrap();
    let after = format!("'s time left after turn {}: found 301 s, expected ", turn + 3);
    let cases: [(Change, &[&str]); 5] = [
        (&|record| record.turns[turn].left = more, &[&after, " s before, less 0.", " s for the turn"]),
        (&|record| record.left[1] = more, &["White's time left at the end: found 301 s, expected 29"]),
        (&|record| record.turns[turn].spent.cpu += second, &["time left after turn"]),
        // Wall time does not count in this league.
        (&|record| record.turns[turn].spent.wall += second, &[]),
        (&|record| record.budgets[0] = more, &["Black's time at the start: found 301 s, expected 300 s"]),
    ];
    for (change, expected) in cases {
        let mut record = whole.clone();
        change(&mut record);
        let text = contradictions_of(&record, &league);
        assert_eq!(text.is_empty(), expected.is_empty(), "{text}");
        assert!(expected.iter().all(|expected| text.contains(expected)), "{expected:?}: {text}");
    }
}

#[test]
fn a_game_that_failed_contradicts_nothing() {
    let league = league_of("checkers");
    let names = ["x".into(), "y".into()];
    let record = GameRecord::failed(&league, names, 1, String::new(), anyhow::anyhow!("no process"));
    assert_eq!(audit(&record, &league), Audit { verdict: Some(record.verdict.clone()), contradictions: Vec::new() });
}
