//! Legal games without agents, determined by names and seeds.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use kingline::checkers::{Move, Position};
use kingline::game::{Color, Game};
use kingline_master::league::League;
use kingline_master::league::clock_rules::Spent;
use kingline_master::record::{Draw, EndReason, Fault, FaultKind, GameRecord, GameVerdict, Violation};
use kingline_master::referee::{Answer, Ask, GameEnd, GameSetup, NoObserver, Player, referee};
use kingline_players::game_name::GameName;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn hash(names: &[String; 2], seed: u64, salt: u64) -> u64 {
    let mut hash = DefaultHasher::new();
    (names, seed, salt).hash(&mut hash);
    hash.finish()
}

/// A player of checkers that chooses its answers by a function.
pub(crate) struct Chooser<F>(pub(crate) F);

impl<F: FnMut(&Ask<Position>) -> Answer<Move>> Player<Position> for Chooser<F> {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<Position>) -> anyhow::Result<Answer<Move>> {
        Ok((self.0)(ask))
    }

    fn finish(&mut self, _: &GameEnd<Position>) -> anyhow::Result<Option<Violation>> {
        Ok(None)
    }
}

/// A player that moves at random, or crashes in its first turn.
fn at_random(seed: u64, crashes: bool) -> impl Player<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    Chooser(move |ask: &Ask<Position>| {
        let list = ask.history.position().legal_moves();
        let mv = list[rng.random_range(0..list.len())];
        let time = Duration::from_millis(rng.random_range(0..50));
        let crash = || Violation { kind: FaultKind::Crashed, read: "exit code 1".into(), expected: "a move".into() };
        Answer::new(if crashes { Err(crash()) } else { Ok(mv) }, Spent { cpu: time, wall: time })
    })
}

/// A game of checkers; most end soon by a crash of one side.
pub(crate) fn record(names: [String; 2], seed: u64, salt: u64) -> GameRecord {
    record_by(&League::named("checkers").expect("a league"), names, seed, salt)
}

/// Like [`record`], in another league of checkers.
pub(crate) fn record_by(league: &League, names: [String; 2], seed: u64, salt: u64) -> GameRecord {
    let chance = hash(&names, seed, salt);
    let side = |crashes| at_random(chance ^ u64::from(crashes), crashes);
    let black = side(chance % 6 < 2);
    let white = side(matches!(chance % 6, 2..5));
    refereed(league, names, seed, black, white)
}

/// A game of checkers that both sides play to its end, at random.
pub(crate) fn whole(names: [String; 2], seed: u64) -> GameRecord {
    let league = League::named("checkers").expect("a league");
    let [black, white] = [0, 1].map(|salt| at_random(hash(&names, seed, salt), false));
    refereed(&league, names, seed, black, white)
}

fn refereed(
    league: &League,
    names: [String; 2],
    seed: u64,
    mut black: impl Player<Position>,
    mut white: impl Player<Position>,
) -> GameRecord {
    let setup = GameSetup { names, budgets: [league.clock.game; 2], seed, tier: "none".to_owned() };
    referee(league, setup, [&mut black, &mut white], &mut NoObserver)
}

/// A record with a verdict but no turns, for very large tournaments.
pub(crate) fn without_turns(names: [String; 2], seed: u64) -> GameRecord {
    let fault =
        |side| Fault { side, turn: 4, kind: FaultKind::OverTime, read: "1 s".to_owned(), expected: "0.5 s".to_owned() };
    let (winner, reason) = match hash(&names, seed, 0) % 6 {
        0 | 1 => (Some(Color::Black), EndReason::Blocked),
        2 => (Some(Color::White), EndReason::Blocked),
        3 => (Some(Color::White), EndReason::Fault(fault(Color::Black))),
        4 => (None, EndReason::Drawn { draw: Draw::Repetition, more_time: Some(Color::White) }),
        _ => (None, EndReason::Drawn { draw: Draw::QuietTurns, more_time: None }),
    };
    GameRecord {
        league: "checkers".to_owned(),
        game: GameName::Checkers,
        names,
        budgets: [None; 2],
        seed,
        start: String::new(),
        opening: Vec::new(),
        turns: Vec::new(),
        verdict: GameVerdict { winner, reason },
        left: [None; 2],
        tier: "none".to_owned(),
    }
}
