//! Audits of the referee's records, unchanged and altered.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::league::FaultRule;
use crate::league::clock_rules::Spent;
use crate::record::{ChosenBy, Draw, FaultKind, Violation};
use crate::referee::{Answer, Ask, GameEnd, GameSetup, NoObserver, Player, referee};
use kingline::game::{Color, Game};
use kingline_players::game_name::GameName;

/// A player that moves at random, with an occasional fault.
struct AtRandom {
    rng: StdRng,
    /// One turn in `faults` is a fault, on average; 0 for none.
    faults: u32,
    claims_wrong_winner: bool,
}

impl AtRandom {
    fn new(seed: u64, faults: u32) -> AtRandom {
        AtRandom { rng: StdRng::seed_from_u64(seed), faults, claims_wrong_winner: false }
    }
}

fn wrong(kind: FaultKind) -> Violation {
    Violation { kind, read: "\u{1b}[2J".into(), expected: "b".into() }
}

impl<G: Game> Player<G> for AtRandom {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>> {
        let list = ask.history.position().legal_moves();
        let mv = list[self.rng.random_range(0..list.len())];
        let is_fault = self.faults > 0 && self.rng.random_range(0..self.faults) == 0;
        let time = Duration::from_nanos(self.rng.random_range(0..40_000_000));
        let mv = if is_fault { Err(wrong(FaultKind::Illegal)) } else { Ok(mv) };
        Ok(Answer::new(mv, Spent { cpu: time, wall: 2 * time }))
    }

    fn finish(&mut self, _: &GameEnd<G>) -> anyhow::Result<Option<Violation>> {
        Ok(self.claims_wrong_winner.then(|| wrong(FaultKind::WrongWinner)))
    }
}

fn play(league: &League, mut players: [AtRandom; 2], seed: u64) -> GameRecord {
    let setup =
        GameSetup { names: ["x".into(), "y".into()], budgets: [league.clock.game; 2], seed, tier: String::new() };
    let [black, white] = &mut players;
    let record = match league.game {
        GameName::Checkers => referee::<checkers::Position>(league, setup, [black, white], &mut NoObserver),
        GameName::Loa => referee::<loa::Position<8>>(league, setup, [black, white], &mut NoObserver),
        GameName::Loa6 => referee::<loa::Position<6>>(league, setup, [black, white], &mut NoObserver),
    };
    // Through JSON, like a record from a file.
    serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap()
}

fn league_of(name: &str) -> League {
    League { opening: 2, ..League::named(name).unwrap() }
}

/// Returns a game between two random players for which `is_wanted` is true.
fn game(league: &League, is_wanted: impl Fn(&GameRecord) -> bool) -> GameRecord {
    let mut seeds = 0..2000;
    let game = seeds.find_map(|seed| {
        let record = play(league, [AtRandom::new(seed, 0), AtRandom::new(!seed, 0)], seed);
        is_wanted(&record).then_some(record)
    });
    game.expect("a game of this kind")
}

fn won(league: &League) -> GameRecord {
    game(league, |record| record.verdict.winner == Some(Color::White))
}

type Change<'a> = &'a dyn Fn(&mut GameRecord);

/// Returns the contradictions in a record as text.
fn contradictions_of(record: &GameRecord, league: &League) -> String {
    audit(record, league).contradictions.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn games_as_the_referee_recorded_them_are_confirmed() {
    for name in League::NAMES {
        for resolution in [0, 1, 10_000] {
            let mut league = league_of(name);
            league.clock.resolution = Duration::from_micros(resolution);
            for seed in 0..40 {
                let faults = [0, 9][(seed % 2) as usize];
                let record = play(&league, [AtRandom::new(seed, faults), AtRandom::new(!seed, faults)], seed);
                assert_eq!(contradictions_of(&record, &league), "", "{name} {seed}: {record:#?}");
                assert_eq!(audit(&record, &league).verdict, Some(record.verdict));
            }
        }
    }
    let league = league_of("loa");
    let liar = AtRandom { claims_wrong_winner: true, ..AtRandom::new(1, 0) };
    let record = play(&league, [liar, AtRandom::new(2, 0)], 1);
    assert!(matches!(record.verdict.reason, EndReason::Fault(_)));
    assert_eq!(contradictions_of(&record, &league), "");
    let files = league_of("checkers");
    let liar = AtRandom { claims_wrong_winner: true, ..AtRandom::new(1, 0) };
    let record = play(&files, [liar, AtRandom::new(2, 0)], 1);
    assert!(contradictions_of(&record, &files).starts_with("the verdict: "), "this protocol has no claims");
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
    let fault = wrong(FaultKind::Crashed).by(Color::White, 1);
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
    let changed = |change: &dyn Fn(&mut GameRecord)| {
        let mut record = whole.clone();
        change(&mut record);
        let audited = audit(&record, &league);
        assert_eq!(audited.verdict, None, "{}", contradictions_of(&record, &league));
        contradictions_of(&record, &league)
    };
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
            &|record| record.turns[0].fault = Some(wrong(FaultKind::Hung).by(Color::Black, 3)),
            "found a fault and a move by the agent",
        ),
        (
            &|record| record.turns[0].fault = Some(wrong(FaultKind::Hung).by(Color::White, 3)),
            "found a fault by White in turn 3",
        ),
    ];
    for (change, expected) in cases {
        let text = changed(change);
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let faulty = play(&league, [AtRandom::new(1, 5), AtRandom::new(2, 0)], 1);
    let mut longer = faulty.clone();
    longer.turns.push(whole.turns[0].clone());
    assert!(
        contradictions_of(&longer, &league).contains("the game was over by a fault"),
        "{}",
        contradictions_of(&longer, &league)
    );
    let forgiving = League { faults: FaultRule::RandomMove, ..league.clone() };
    assert!(contradictions_of(&faulty, &forgiving).contains("in this league a fault does not end the game"));
}

#[test]
fn changed_times_are_reported_with_their_turn() {
    let league = league_of("checkers");
    let whole = won(&league);
    let changed = |change: &dyn Fn(&mut GameRecord)| {
        let mut record = whole.clone();
        change(&mut record);
        contradictions_of(&record, &league)
    };
    let more = Some(Duration::from_secs(301));
    let turn = whole.turns.iter().position(|turn| turn.left != whole.budgets[0]).unwrap();
    let text = changed(&|record| record.turns[turn].left = more);
    assert!(text.contains(&format!("'s time left after turn {}: found 301 s, expected ", turn + 3)), "{text}");
    assert!(text.contains(" s before, less 0.0") && text.contains(" s for the turn"), "{text}");
    let text = changed(&|record| record.left[1] = more);
    assert!(text.contains("White's time left at the end: found 301 s, expected 29"), "{text}");
    let text = changed(&|record| record.turns[turn].spent.cpu += Duration::from_secs(1));
    assert!(text.contains("time left after turn"), "{text}");
    // Wall time does not count in this league.
    assert_eq!(changed(&|record| record.turns[turn].spent.wall += Duration::from_secs(1)), "");
    let text = changed(&|record| record.budgets[0] = more);
    assert!(text.contains("Black's time at the start: found 301 s, expected 300 s"), "{text}");
}

#[test]
fn a_game_that_failed_contradicts_nothing() {
    let league = league_of("checkers");
    let names = ["x".into(), "y".into()];
    let record = GameRecord::failed(&league, names, 1, String::new(), anyhow::anyhow!("no process"));
    assert_eq!(audit(&record, &league), Audit { verdict: Some(record.verdict.clone()), contradictions: Vec::new() });
}
