//! Synthetic tournaments under the real rules: agents play at random, the better ones more carefully.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use kingline::checkers;
use kingline::draw::{Board, Content};
use kingline::game::{Color, DrawReason, Ending, Game, History};
use kingline::loa;
use kingline_master::league::clock_rules::Spent;
use kingline_master::league::{FaultRule, League};
use kingline_master::record::{ChosenBy, Draw, EndReason, Fault, FaultKind, GameRecord, GameVerdict, Turn};
use kingline_master::tournament::schedule::{PlannedGame, TournamentRules};
use kingline_master::tournament::store::{NextRound, Store, StoreWriter};
use kingline_players::game_name::GameName;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;

use crate::support::command::Dir;

/// Store of a synthetic tournament.
pub(crate) struct Sample {
    folder: TempDir,
}

impl Sample {
    /// Plays a tournament of agents with these names and titles. The first plays best; later ones commit more faults.
    pub(crate) fn new(league: &League, agents: &[(&str, Option<&str>)], games: u32) -> Sample {
        let (sample, mut writer) = Sample::begin(league, agents, games);
        play_all(&mut writer, &agents.iter().map(|&(name, _)| name).collect::<Vec<_>>());
        sample
    }

    /// Plays the next round, of agents with these names and hashes. Its store is called `store`, that of the earlier
    /// round `week1`.
    pub(crate) fn next_round(&self, agents: &[(&str, &str)]) -> Sample {
        let sample = Sample { folder: tempfile::tempdir().expect("a folder") };
        fs::copy(self.store(), self.path("week1.db")).expect("a copy");
        let earlier = Store::open(&self.path("week1.db")).expect("a store");
        NextRound::begin(&earlier, &sample.store()).and_then(NextRound::place).expect("a new round");
        let mut writer = StoreWriter::resume(&sample.store()).expect("a store");
        writer.enter(agents.iter().copied()).expect("agents");
        play_all(&mut writer, &agents.iter().map(|&(name, _)| name).collect::<Vec<_>>());
        sample
    }

    /// Hash of the files of an agent with this name.
    pub(crate) fn hash(name: &str) -> String {
        format!("{:064x}", name.len())
    }

    /// A tournament before its first game.
    pub(crate) fn without_games(league: &League, agents: &[(&str, Option<&str>)]) -> Sample {
        Sample::begin(league, agents, 2).0
    }

    fn begin(league: &League, agents: &[(&str, Option<&str>)], games: u32) -> (Sample, StoreWriter) {
        let sample = Sample { folder: tempfile::tempdir().expect("a folder") };
        let rules = TournamentRules { pairing: league.pairing, games, seed: 7 };
        let mut writer = StoreWriter::create(&sample.store(), league, &rules).expect("a store");
        let hashes: Vec<String> = agents.iter().map(|(name, _)| Sample::hash(name)).collect();
        writer.enter(agents.iter().zip(&hashes).map(|(&(name, _), hash)| (name, hash.as_str()))).expect("agents");
        for (name, title) in agents {
            title.iter().for_each(|title| writer.set_title(name, title).expect("a title"));
        }
        (sample, writer)
    }

    /// Copies the store to `spring.db` in a directory to run commands in.
    pub(crate) fn dir(&self) -> Dir {
        let dir = Dir::new();
        fs::copy(self.store(), dir.path("spring.db")).expect("a copy");
        dir
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.folder.path().join("store.db")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Number of games recorded at once.
const BLOCK: usize = 500;

/// Plays the missing games. Earlier agents in `order` play with more care.
pub(crate) fn play_all(writer: &mut StoreWriter, order: &[&str]) {
    let (stored, league) = (writer.agents().expect("agents"), writer.league().clone());
    loop {
        let missing = writer.schedule(&|_| false).expect("a schedule").missing;
        if missing.is_empty() {
            return;
        }
        // In blocks, since the records of a large tournament do not fit into memory.
        for block in missing.chunks(BLOCK) {
            let played: Vec<(&PlannedGame, GameRecord)> = block
                .iter()
                .map(|game| {
                    let names = game.agents.map(|agent| stored[agent].name.clone());
                    let rank = |name: &String| order.iter().position(|other| other == name).expect("an agent");
                    let care = names.each_ref().map(|name| 1.0 - rank(name) as f64 / order.len() as f64);
                    (game, play(&league, names, care, game.seed ^ u64::from(game.agents[0] < game.agents[1])))
                })
                .collect();
            writer.record_all(played.iter().map(|(game, record)| (*game, record))).expect("games recorded");
        }
    }
}

/// Plays a game between agents that choose with this much care, from 0 to 1.
pub(crate) fn play(league: &League, names: [String; 2], care: [f64; 2], seed: u64) -> GameRecord {
    match league.game {
        GameName::Checkers => play_by::<checkers::Position>(league, names, care, seed),
        GameName::Loa => play_by::<loa::Position<8>>(league, names, care, seed),
        GameName::Loa6 => play_by::<loa::Position<6>>(league, names, care, seed),
    }
}

fn play_by<G: Board>(league: &League, names: [String; 2], care: [f64; 2], seed: u64) -> GameRecord {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut history = History::new(G::start());
    let mut opening = Vec::new();
    for _ in 0..league.opening {
        let mv = choose(&history.position(), 0.0, &mut rng);
        opening.push(history.position().notation(mv).to_string());
        history.play(mv);
    }
    let mut left = [league.clock.game; 2];
    let mut turns: Vec<Turn> = Vec::new();
    let reason = loop {
        if let Some(reason) = over(&history, left) {
            break reason;
        }
        let number = opening.len() + turns.len() + 1;
        if league.longest.is_some_and(|longest| number > longest as usize) {
            break (None, EndReason::Drawn { draw: Draw::MoveLimit, more_time: more_time(left) });
        }
        let position = history.position();
        let side = position.turn();
        let cpu = Duration::from_micros(rng.random_range(1000..200_000));
        let spent = Spent { cpu, wall: cpu + Duration::from_micros(rng.random_range(500..5000)) };
        let clock = &mut left[side.index()];
        *clock = clock.map(|left| left.saturating_sub(league.clock.charged(league.clock.counts.of(&spent))));
        let at_fault = rng.random_bool(0.02 * (1.0 - care[side.index()]).powi(2));
        let fault = at_fault.then(|| Fault {
            side,
            turn: number as u32,
            kind: [FaultKind::Illegal, FaultKind::OverTime, FaultKind::IllFormed][rng.random_range(0..3)],
            read: "\"<b>e4</b>\"".to_owned(),
            expected: "a legal move".to_owned(),
        });
        let notes = if rng.random_bool(0.01) { vec!["exit status 1".to_owned()] } else { Vec::new() };
        let mut turn = Turn {
            peak: None,
            side,
            mv: None,
            chosen_by: ChosenBy::Agent,
            spent,
            left: left[side.index()],
            fault: fault.clone(),
            notes,
        };
        if let (Some(fault), FaultRule::LosesGame) = (&fault, league.faults) {
            turns.push(turn);
            break (Some(!side), EndReason::Fault(fault.clone()));
        }
        turn.chosen_by = if at_fault { ChosenBy::Referee } else { ChosenBy::Agent };
        let mv = choose(&position, if at_fault { 0.0 } else { care[side.index()] }, &mut rng);
        turn.mv = Some(position.notation(mv).to_string());
        turns.push(turn);
        history.play(mv);
    };
    GameRecord {
        league: league.name.clone(),
        game: league.game,
        names,
        budgets: [league.clock.game; 2],
        seed,
        start: G::start().to_string(),
        opening,
        turns,
        verdict: GameVerdict { winner: reason.0, reason: reason.1 },
        left,
        tier: "cgroup v2".to_owned(),
    }
}

/// Returns the winner and the reason if the game is over by its rules.
fn over<G: Board>(history: &History<G>, left: [Option<Duration>; 2]) -> Option<(Option<Color>, EndReason)> {
    let drawn = |draw| (None, EndReason::Drawn { draw, more_time: more_time(left) });
    Some(match history.ending()? {
        Ending::Win(winner) if history.position().outcome().is_some() => (Some(winner), EndReason::Connected),
        Ending::Win(winner) if has_pieces(&history.position(), !winner) => (Some(winner), EndReason::Blocked),
        Ending::Win(winner) => (Some(winner), EndReason::Captured),
        Ending::Draw(DrawReason::Repetition) => drawn(Draw::Repetition),
        Ending::Draw(DrawReason::QuietTurns) => drawn(Draw::QuietTurns),
        Ending::Draw(DrawReason::Position) => drawn(Draw::Position),
    })
}

fn has_pieces<B: Board>(position: &B, side: Color) -> bool {
    let squares = (0..B::SIZE).flat_map(|row| (0..B::SIZE).map(move |column| (column, row)));
    squares.map(|(column, row)| position.content(column, row)).any(|content| match content {
        Content::Man(owner) | Content::King(owner) => owner == side,
        Content::Empty => false,
    })
}

fn more_time([black, white]: [Option<Duration>; 2]) -> Option<Color> {
    match black?.cmp(&white?) {
        std::cmp::Ordering::Greater => Some(Color::Black),
        std::cmp::Ordering::Less => Some(Color::White),
        std::cmp::Ordering::Equal => None,
    }
}

/// Chooses at random or, with probability `care`, a move that wins or, failing that, leaves the other side the fewest
/// replies.
fn choose<G: Game>(position: &G, care: f64, rng: &mut StdRng) -> G::Move {
    let list = position.legal_moves();
    let any = list[rng.random_range(0..list.len())];
    if !rng.random_bool(care) {
        return any;
    }
    let replies = |mv: &G::Move| {
        let after = position.play(*mv);
        let replies = after.legal_moves();
        if after.outcome().is_some() { 0 } else { replies.len() }
    };
    list.iter().copied().min_by_key(replies).unwrap_or(any)
}
