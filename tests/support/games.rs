//! Games without agents under the real rules, determined by names and seeds.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use kingline::game::{Color, Game};
use kingline_master::league::League;
use kingline_master::league::clock_rules::Spent;
use kingline_master::record::{Draw, EndReason, FaultKind, GameRecord, GameVerdict, Violation};
use kingline_master::referee::{Answer, Ask, GameEnd, GameSetup, NoObserver, Player, referee};
use kingline_players::of_game;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A player that moves at random.
pub(crate) struct RandomPlayer {
    pub(crate) rng: StdRng,
    /// Probability of a move that wins or, failing that, leaves the other side the fewest replies.
    pub(crate) care: f64,
    /// Probability of a fault in a turn, of one of these kinds.
    pub(crate) faults: (f64, &'static [FaultKind]),
    pub(crate) claims_wrong_winner: bool,
    /// Maximum number of nanoseconds that its turns take beyond whole microseconds.
    pub(crate) nanos: u64,
}

/// A player that chooses its answers by a function.
pub(crate) struct Chooser<F>(pub(crate) F);

impl<G: Game, F: FnMut(&Ask<G>) -> Answer<G::Move>> Player<G> for Chooser<F> {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>> {
        Ok((self.0)(ask))
    }

    fn finish(&mut self, _: &GameEnd<G>) -> anyhow::Result<Option<Violation>> {
        Ok(None)
    }
}

fn hash(seed: impl Hash) -> u64 {
    let mut hash = DefaultHasher::new();
    seed.hash(&mut hash);
    hash.finish()
}

impl RandomPlayer {
    pub(crate) fn new(seed: impl Hash) -> RandomPlayer {
        let rng = StdRng::seed_from_u64(hash(seed));
        RandomPlayer { rng, care: 0.0, faults: (0.0, &[FaultKind::Crashed]), claims_wrong_winner: false, nanos: 0 }
    }
}

pub(crate) fn violation(kind: FaultKind) -> Violation {
    Violation { kind, read: "\"<b>e4</b>\"".into(), expected: "a legal move".into() }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>> {
        let position = ask.history.position();
        let list = position.legal_moves();
        let mut mv = list[self.rng.random_range(0..list.len())];
        if self.rng.random_bool(self.care) {
            let replies = |mv: &G::Move| {
                let after = position.play(*mv);
                if after.outcome().is_some() { 0 } else { after.legal_moves().len() }
            };
            mv = list.iter().copied().min_by_key(replies).unwrap_or(mv);
        }
        let (rate, kinds) = self.faults;
        let kind = kinds[self.rng.random_range(0..kinds.len())];
        let mv = if self.rng.random_bool(rate) { Err(violation(kind)) } else { Ok(mv) };
        let micros = Duration::from_micros(self.rng.random_range(0..200_000));
        let cpu = micros + Duration::from_nanos(self.rng.random_range(0..=self.nanos));
        let wall = cpu + Duration::from_micros(self.rng.random_range(500..5000));
        let notes = if self.rng.random_bool(0.01) { vec!["exit status 1".to_owned()] } else { Vec::new() };
        Ok(Answer { notes, ..Answer::new(mv, Spent { cpu, wall }) })
    }

    fn finish(&mut self, _: &GameEnd<G>) -> anyhow::Result<Option<Violation>> {
        Ok(self.claims_wrong_winner.then(|| violation(FaultKind::WrongWinner)))
    }
}

pub(crate) fn play(league: &League, names: [String; 2], players: &mut [RandomPlayer; 2], seed: u64) -> GameRecord {
    let setup = GameSetup { names, budgets: [league.clock.game; 2], seed, started: None, tier: "cgroup v2".to_owned() };
    let [black, white] = players;
    of_game!(league.game, G => referee::<G>(league, setup, [black, white], &mut NoObserver))
}

/// A game between agents that play with this much care, from 0 to 1; less careful ones commit more faults.
pub(crate) fn play_with_care(league: &League, names: [String; 2], care: [f64; 2], seed: u64) -> GameRecord {
    const FAULTS: &[FaultKind] = &[FaultKind::Illegal, FaultKind::OverTime, FaultKind::IllFormed];
    let mut players = care.map(|care| RandomPlayer {
        care,
        faults: (0.02 * (1.0 - care).powi(2), FAULTS),
        ..RandomPlayer::new((&names, seed, care.to_bits()))
    });
    play(league, names, &mut players, seed)
}

/// A game of checkers; most end soon by a crash of one side. `salt` selects another game of the same names and seed.
pub(crate) fn short_game(names: [String; 2], seed: u64, salt: u64) -> GameRecord {
    let chance = hash((&names, seed, salt));
    let mut players = [chance % 6 < 2, matches!(chance % 6, 2..5)].map(|crashes| RandomPlayer {
        faults: (f64::from(u8::from(crashes)), &[FaultKind::Crashed]),
        ..RandomPlayer::new((chance, crashes))
    });
    play(&League::named("checkers").expect("a league"), names, &mut players, seed)
}

/// A game of checkers that both sides play to its end.
pub(crate) fn whole_game(names: [String; 2], seed: u64) -> GameRecord {
    let mut players = [0, 1].map(|side| RandomPlayer::new((&names, seed, side)));
    play(&League::named("checkers").expect("a league"), names, &mut players, seed)
}

/// A record with a verdict but no turns, for very large tournaments.
pub(crate) fn without_turns(names: [String; 2], seed: u64) -> GameRecord {
    let (winner, reason) = match hash((&names, seed)) % 6 {
        0 | 1 => (Some(Color::Black), EndReason::Blocked),
        2 => (Some(Color::White), EndReason::Blocked),
        3 => (Some(Color::White), EndReason::Fault(violation(FaultKind::OverTime).by(Color::Black, 4))),
        4 => (None, EndReason::Drawn { draw: Draw::Repetition, more_time: Some(Color::White) }),
        _ => (None, EndReason::Drawn { draw: Draw::QuietTurns, more_time: None }),
    };
    let league = League::named("checkers").expect("a league");
    let record = GameRecord::failed(&league, names, seed, "none".to_owned(), anyhow::anyhow!("replaced"));
    GameRecord { verdict: GameVerdict { winner, reason }, ..record }
}
