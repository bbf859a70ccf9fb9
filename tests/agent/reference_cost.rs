//! `reference --cost`: CPU cost of turns and games. The moves stay the same, and the agent is never late.

use kingline::checkers::{Diagram, Position};
use kingline::game::{Color, Game, History, Rules};
use kingline_players::protocol::turn_files::read_answer;

use crate::support::command::*;

/// Runs `reference` with these arguments. Returns its CPU seconds, measured by the shell in steps of 0.01 s.
#[track_caller]
fn run(dir: &Dir, arguments: &str) -> (f64, Ran) {
    let ran = dir.run_in_shell(&format!("\"$0\" {arguments} || exit; times"), Program::Reference);
    // The last line shows user and system time of the shell's children: `0m0.310000s 0m0.000000s`.
    let line = ran.exits_with(0).stdout.lines().last().expect("a line of times");
    let seconds = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m').expect("minutes and seconds");
        60.0 * minutes.parse::<f64>().expect("minutes") + seconds.parse::<f64>().expect("seconds")
    };
    (line.split_whitespace().map(seconds).sum(), ran.clone())
}

fn input(mode: &str, left: f64, position: &Position) -> String {
    let side = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
    format!("{mode}\n{side}\n{left:.6}\n{}", Diagram(position))
}

/// CPU seconds of a game so far, from its playdata.txt.
fn spent(dir: &Dir) -> f64 {
    let playdata: serde_json::Value = dir.json("playdata.txt");
    playdata["spent_seconds"].as_f64().expect("seconds")
}

/// Plays a game of at most `longest` turns, with `budget` seconds for each side. Returns the CPU seconds of both sides,
/// and the number of turns.
///
/// # Panics
/// A side is late, or its playdata.txt differs from the shell's measurement.
fn game(budget: f64, arguments: &str, longest: usize) -> ([f64; 2], usize) {
    let sides = [Dir::new(), Dir::new()];
    let mut history = History::new(Position::start()).under(Rules::Course);
    let (mut seconds, mut measured, mut turns) = ([0.0; 2], [0.0; 2], 0);
    while history.ending().is_none() && turns < longest {
        let position = history.position();
        let side = position.turn().index();
        sides[side].write("input.txt", input("GAME", budget - seconds[side], &position));
        let (now, ran) = run(&sides[side], arguments);
        ran.stderr_lacks(&["warning"]);
        seconds[side] = spent(&sides[side]);
        measured[side] += now;
        assert!(f64::max(seconds[side], measured[side]) < budget, "late in turn {turns}: {seconds:?}, {measured:?}");
        history.play(read_answer(ran.answer(), &position).expect("a legal turn"));
        turns += 1;
    }
    for (seconds, measured) in seconds.into_iter().zip(measured) {
        // Each turn may be off by one step of user time and one of system time.
        assert!((seconds - measured).abs() < 0.02 * (1 + turns / 2) as f64, "{seconds} s, measured {measured} s");
    }
    (seconds, turns)
}

#[test]
fn a_single_move_costs_as_much_as_a_turn_of_a_game() {
    for mode in ["SINGLE", "GAME"] {
        let dir = Dir::with_input(input(mode, 300.0, &Position::start()));
        let (costly, ran) = run(&dir, "--seed 1 --cost 6");
        assert!((0.28..0.4).contains(&costly), "{mode}: {costly} s");
        let (quick, plain) = run(&dir, "--seed 1");
        assert!(quick < 0.1, "{mode}: {quick} s");
        assert_eq!(ran.answer(), plain.answer());
        assert_eq!(dir.read("playdata.txt").is_some(), mode == "GAME", "{:?}", dir.names());
    }
}

#[test]
fn a_game_costs_the_given_time_and_the_moves_stay_the_same() {
    let (spent, turns) = game(300.0, "--seed 5 --cost 1", 80);
    // Short games cost less: ten turns per side take 0.5 s.
    let least = f64::min(0.75, 0.02 * turns as f64);
    assert!(spent.iter().all(|&spent| spent > least && spent < 1.5), "{spent:?} s in {turns} turns");

    let mut position = Position::start();
    let [costly, plain] = [Dir::new(), Dir::new()];
    for seed in 0..8 {
        let answers = [(&costly, " --cost 0.1"), (&plain, "")].map(|(dir, cost)| {
            dir.write("input.txt", input("SINGLE", 300.0, &position));
            run(dir, &format!("--seed {seed}{cost}")).1.answer().to_owned()
        });
        assert_eq!(answers[0], answers[1], "{position}");
        position = position.play(read_answer(&answers[0], &position).expect("a legal turn"));
    }
}

#[test]
fn near_the_end_of_its_time_it_spends_nothing() {
    for (left, most) in [(0.01, 0.04), (0.3, 0.04), (0.7, 0.06)] {
        for mode in ["SINGLE", "GAME"] {
            let dir = Dir::with_input(input(mode, left, &Position::start()));
            let (seconds, ran) = run(&dir, "--seed 1 --cost 100");
            assert!(seconds <= most, "{seconds} s of {left} s in {mode}");
            read_answer(ran.answer(), &Position::start()).expect("a legal turn");
        }
    }
    let (spent, turns) = game(1.0, "--seed 2 --cost 6", 60);
    assert!(spent.iter().all(|&spent| spent > 0.2), "{spent:?} s in {turns} turns");
}

#[test]
fn an_invalid_cost_is_refused() {
    let dir = Dir::with_input(input("GAME", 300.0, &Position::start()));
    for cost in ["0", "-1", "nan", "inf", "1e9", "six", ""] {
        let ran = dir.run_with_args(Program::Reference, &[&format!("--cost={cost}")]);
        ran.exits_with(2).stderr_contains(&["--cost", "expected seconds, a number above 0, at most 10000"]);
    }
    assert_eq!(dir.names(), ["input.txt"]);
}

#[test]
fn unusable_playdata_does_not_cost_the_move() {
    let dir = Dir::with_input(input("GAME", 300.0, &Position::start())).with("playdata.txt", "{");
    run(&dir, "--cost 0.1").1.stderr_contains(&["warning: ", "playdata.txt is ignored"]);
    // The file just written is from another game, because no legal turn leads back to the start.
    run(&dir, "--cost 0.1").1.stderr_contains(&["warning: ", "from another game"]);
    dir.delete("playdata.txt");
    dir.make_dir("playdata.txt");
    let (_, ran) = run(&dir, "--cost 0.1");
    ran.stderr_contains(&["warning: cannot read", "warning: cannot write", "playdata.txt"]);
    read_answer(ran.answer(), &Position::start()).expect("a legal turn");
}
