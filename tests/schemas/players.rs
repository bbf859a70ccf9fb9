//! Outputs of the players, and of `review`.

use super::Table;
use crate::support::command::*;

/// A game in which White gives a piece away and loses.
const LOST: &str = include_str!("../data/lost-game.pdn");
/// White can win by the tables, but gives both kings away; the record breaks off.
const ENDING: &str = "[SetUp \"1\"]\n[FEN \"W:WK15,K10:BK2\"]\n\n1... 10-7 2. 1-2 *\n";
/// Black can win in five plies.
const PUZZLE: &str = include_str!("../data/puzzle.sgf");
const START: &str =
    "GAME\nBLACK\n5.0\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";

#[test]
fn outputs_of_players_fit_their_schemas() {
    let mut table = Table::under("Players");
    let dir = Dir::with_input(START).with("game.pdn", LOST).with("ending.pdn", ENDING).with("game.sgf", PUZZLE);
    let review = |words: &str| dir.review(words);
    let reviews = "game.pdn game.sgf --player Anna --format json --seconds 0.01";
    table.hold("review --format json", &review(reviews).exits_with(0).stdout);
    // A game that is read up to its error.
    table.hold("review --format json", &review("ending.pdn --format json --seconds 0.01").exits_with(2).stdout);
    let puzzles = review("game.sgf --puzzles --format json --seconds 0.02");
    assert!(puzzles.stdout.contains("\"solution\""), "{puzzles:#?}");
    table.hold("review --puzzles --format json", &puzzles.stdout);
    dir.run(Program::Calibrate).exits_with(0);
    table.hold("calibration.txt", &dir.text("calibration.txt"));
    dir.run(Program::Homework).exits_with(0);
    table.hold("playdata.txt", &dir.text("playdata.txt"));
    table.is_complete();
}
