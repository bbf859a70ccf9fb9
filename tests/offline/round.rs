//! `calibrate fit` and `calibrate round`: weights from games.

use kingline::evaluate::checkers::Evaluation;
use kingline::evaluate::loa;
use serde_json::Value;

use super::REFUSED;
use crate::support::command::*;

#[test]
fn a_small_round_learns_from_end_to_end() {
    let dir = Dir::new();
    // So few games teach little more than counting pieces, which is where the round starts.
    let round = "round --folder r --games 4000 --nodes 100 --passes 14 --rate 0.01 --openings 150 --elo 100";
    dir.calibrate(round).exits_with(0);
    for weights in ["r/zero.weights", "r/learned.weights"] {
        Evaluation::read(&dir.bytes(weights)).unwrap_or_else(|error| panic!("{weights}: {error}"));
    }
    let curve = dir.text("r/learned.svg");
    assert!(curve.starts_with("<svg ") && curve.matches("<polyline").count() == 2, "{curve}");
    let history: Value = dir.json("r/history.json");
    assert_eq!((&history["games"], &history["seed"]), (&Value::from(4000), &Value::from(1)), "{history}");
    assert!(history["positions"].as_u64() > Some(50_000), "{history}");
    // In level positions, pieces alone give a loss of 0.693.
    let losses = &history["learned"]["losses"];
    assert!(losses["all"].as_f64() < Some(0.63) && losses["level"].as_f64() < Some(0.69), "{history}");
    assert!(["H0", "H1"].map(Value::from).contains(&history["match"]["sprt"]["verdict"]), "{history}");
    assert!(history["match"]["points"].as_f64() > Some(0.3), "{history}");

    // A second run makes the same weights from the existing games.
    let [games, weights] = ["r/checkers-1-of-1.games", "r/learned.weights"].map(|name| dir.bytes(name));
    dir.calibrate(&round.replace("--openings 150", "--openings 1")).exits_with(0);
    assert!(dir.bytes("r/checkers-1-of-1.games") == games && dir.bytes("r/learned.weights") == weights);
}

#[test]
fn a_small_round_of_lines_of_action_gives_weights_that_play() {
    let dir = Dir::new();
    let round = "round loa6 --folder r --games 1500 --nodes 100 --passes 10 --rate 0.01 --openings 60 --elo 100";
    dir.calibrate(round).exits_with(0);
    for weights in ["r/zero.weights", "r/learned.weights"] {
        loa::Evaluation::<6>::read(&dir.bytes(weights)).unwrap_or_else(|error| panic!("{weights}: {error}"));
    }
    let history: Value = dir.json("r/history.json");
    assert_eq!((&history["game"], &history["games"]), (&Value::from("loa6"), &Value::from(1500)), "{history}");
    // A constant gives a loss of 0.693.
    assert!(history["learned"]["losses"]["all"].as_f64() < Some(0.67), "{history}");
    assert!(history["match"]["points"].as_f64() > Some(0.4), "{history}");

    // The weights play in matches on their board, and on no other.
    let player = r#"{"nodes":50,"evaluation":"r/learned.weights"}"#;
    let play = |game: &str| dir.calibrate(&format!("match {player} {{\"nodes\":50}} --game {game} --openings 2"));
    play("loa6").exits_with(0);
    play("loa").exits_with(2).stderr_contains(&["evaluation", "found weights for loa6, expected weights for loa"]);
    let missing = dir.calibrate(r#"match {"evaluation":"none"} {} --game loa --openings 2"#);
    missing.exits_with(2).stderr_contains(&["the evaluation none: "]);
}

#[test]
fn equal_games_and_seeds_give_equal_weights_on_any_number_of_threads() {
    let dir = Dir::new();
    dir.calibrate("selfplay checkers --folder g --games 30 --nodes 100").exits_with(0);
    for (name, options) in [("a", "--threads 1"), ("b", "--threads 3"), ("c", "--threads 2 --seed 2")] {
        let words = format!("fit checkers g/checkers-1-of-1.games --passes 2 --output {name} {options}");
        let ran = dir.calibrate(&words);
        assert!(ran.exits_with(0).stdout.lines().count() == 5, "{ran:#?}");
    }
    let [a, b, c] = ["a", "b", "c"].map(|name| dir.bytes(name));
    assert!(a == b && a != c);
    // With those weights the games differ, and their file's header identifies the weights.
    dir.calibrate("selfplay checkers --folder h --games 30 --nodes 100 --evaluation a").exits_with(0);
    let [with_embedded, with_file] = ["g", "h"].map(|folder| dir.bytes(&format!("{folder}/checkers-1-of-1.games")));
    assert!(with_embedded[256..] != with_file[256..] && with_embedded[..256] != with_file[..256]);
}

/// A killed run leaves a game without its end.
#[test]
fn games_without_an_end_are_left_out_and_that_is_said() {
    let dir = Dir::new();
    dir.calibrate("selfplay checkers --folder g --games 20 --nodes 100").exits_with(0);
    let games = dir.bytes("g/checkers-1-of-1.games");
    dir.write("cut", &games[..games.len() - 40]);
    for words in ["fit checkers cut --passes 1 --output w", "relabel checkers cut --output again --nodes 50"] {
        let ran = dir.calibrate(words);
        ran.exits_with(0).stderr_contains(&["note: cut: ", " bytes after the last complete game are left out"]);
    }
}

#[test]
fn fit_reports_wrong_games_and_writes_nothing() {
    let dir = Dir::new();
    dir.calibrate("selfplay checkers --folder g --games 20 --nodes 100").exits_with(0);
    dir.calibrate("selfplay loa6 --folder l --games 1 --nodes 50").exits_with(0);
    let games = "g/checkers-1-of-1.games";
    let mut damaged = dir.bytes(games);
    damaged[256 + 32 * 40 + 3] ^= 1;
    dir.write("damaged", &damaged);
    dir.write("text", "no games at all\n".repeat(100));
    dir.write("empty", &damaged[..256]);
    dir.run_rows(Program::Calibrate, REFUSED, "fit and round");
    assert!(!dir.names().iter().any(|name| name.starts_with('w')), "{:?}", dir.names());
}
