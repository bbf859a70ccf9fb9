//! Games by another program's client, pydraughts.

use std::time::Duration;

use kingline::checkers::Position;
use kingline::game::{Game, History, random_opening};
use kingline::search::Limits;
use kingline_players::play::{BoardEngine, EngineSettings};
use kingline_players::protocol::hub::{read_move, write_move};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::support::command::*;
use crate::support::programs::{Program, python_with};

/// Nodes for a move.
const NODES: u64 = 5_000;
/// Size of the transposition table, in MiB.
const HASH: u64 = 16;
/// Time after which a move is late: many times what the nodes take, even on a busy machine.
const LATE: Duration = Duration::from_secs(5);
/// Random plies before the engine plays.
const OPENING: usize = 6;

/// For each opening, plays a game of the engine against itself by the client: prints the moves of the engine, each with
/// the seconds that it took.
const GAMES: &str = include_str!("games.py");

/// Different random openings in which neither side is ahead by a piece.
fn openings(count: usize) -> Vec<String> {
    let mut rng = StdRng::seed_from_u64(37);
    let mut openings: Vec<String> = Vec::new();
    while openings.len() < count {
        let Some(opening) = random_opening::<Position>(OPENING, |moves| rng.random_range(0..moves)) else { continue };
        let moves = opening.moves.iter().map(|&mv| write_move(mv)).collect::<Vec<_>>().join(" ");
        let [captures, answers] =
            [0, 1].map(|side| opening.moves.iter().skip(side).step_by(2).map(|mv| mv.captures()).sum::<u32>());
        if captures == answers && !openings.contains(&moves) {
            openings.push(moves);
        }
    }
    openings
}

/// The move of the engine called directly.
fn choice(engine: &mut BoardEngine, history: &History<Position>) -> String {
    let known = engine.only_move(history).or_else(|| engine.tabled(history).map(|choice| choice.mv));
    let best = known.or_else(|| engine.search(history, Limits::nodes(NODES), None, &mut ()).best);
    write_move(best.expect("a legal move"))
}

/// Plays this number of games by the client, and compares each move with that of the engine called directly.
fn compare(test: &str, games: usize) {
    let mut python = match python_with("draughts.engine") {
        Ok(python) => python,
        Err(why) => return skipped(test, &why),
    };
    let openings = openings(games);
    python.args(["-W", "ignore", "-c", GAMES]).arg(Program::Hub.path());
    python.args([HASH.to_string(), NODES.to_string(), openings.join(",")]);
    let ran = Dir::new().run_command(&mut python);
    let mut lines = ran.exits_with(0).stdout.lines();
    assert_eq!(lines.next(), Some("kingline evaluation hash rules tables threads variant"));
    let (mut made, mut slowest) = (0, Duration::ZERO);
    for opening in &openings {
        let mut settings = EngineSettings::default();
        settings.hash = HASH;
        let (mut engine, mut history) = (BoardEngine::new(settings), History::from(Position::start()));
        for text in opening.split(' ') {
            history.play(read_move(&history.position(), text).expect("a legal move"));
        }
        for word in lines.next().expect("a game").split(' ') {
            let (text, seconds) = word.split_once(':').expect("a move and its time");
            let mv = read_move(&history.position(), text).expect("a legal move");
            assert_eq!(write_move(mv), choice(&mut engine, &history), "{opening}: move {made}");
            let took = Duration::from_secs_f64(seconds.parse().expect("seconds"));
            assert!(took < LATE, "{opening}: {text} took {took:?}");
            history.play(mv);
            (made, slowest) = (made + 1, slowest.max(took));
        }
    }
    println!("{games} games, {made} moves, slowest {slowest:?}");
    assert!(lines.next().is_none() && made > 20 * games, "{made} moves");
}

#[test]
fn pydraughts_plays_the_moves_of_the_engine() {
    compare("hub::clients::pydraughts_plays_the_moves_of_the_engine", 1);
}

/// `cargo test --release --test players -- --ignored hub::clients::twenty_games --nocapture`
#[test]
#[ignore = "takes a minute"]
fn twenty_games_by_pydraughts_are_those_of_the_engine() {
    compare("hub::clients::twenty_games_by_pydraughts_are_those_of_the_engine", 20);
}
