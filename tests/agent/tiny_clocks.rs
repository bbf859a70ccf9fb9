//! Turns with little time left.

use kingline::checkers::{Diagram, Position};
use kingline::game::Game;
use kingline_players::protocol::turn_files::read_answer;
use serde_json::Value;

use crate::support::command::*;

/// Two kings against one, won in 7 plies.
const WON: &str = ".....W..\n........\n........\n........\n.....W..\n..B.....\n........\n........\n";

#[test]
fn the_endgame_tables_choose_on_any_clock() {
    for left in ["300", "0.3", "0.1", "0.05"] {
        let dir = Dir::with_input(format!("GAME\nWHITE\n{left}\n{WON}"));
        dir.run(Program::Homework).exits_with(0).stderr_contains(&["by the endgame tables: won, 7 plies"]);
    }
}

/// Takes two turns as Black, each of which costs `charged` seconds of 2. Returns what playdata.txt then says of the time
/// spent, and its charges.
fn playdata_after_two_turns(calibration: &str, charged: f64) -> (f64, Value) {
    let dir = Dir::new().with("calibration.txt", calibration);
    let mut position = Position::start();
    let mut left = 2.0;
    for _ in 0..2 {
        dir.write("input.txt", format!("GAME\nBLACK\n{left}\n{}", Diagram(&position)));
        let ran = dir.run(Program::Homework);
        ran.exits_with(0).stderr_lacks(&["warning"]);
        let mv = read_answer(ran.answer(), &position).expect("a legal turn");
        let after = position.play(mv);
        let list = after.legal_moves();
        position = after.play(*list.first().expect("a move"));
        left -= charged;
        dir.delete("output.txt");
    }
    let playdata: Value = dir.json("playdata.txt");
    (playdata["spent_seconds"].as_f64().expect("a number"), playdata["charges"].clone())
}

#[test]
fn what_the_master_charges_is_learned() {
    let (spent, charges) = playdata_after_two_turns("{}", 0.5);
    let [turns, overhead, unread] = ["turns", "overhead", "unread"].map(|name| charges[name].as_f64().expect(name));
    assert_eq!(turns, 1.0, "{charges}");
    assert!(overhead > 0.2 && overhead < 0.5 && unread > 0.2 && unread < 0.5 && spent > 0.5, "{spent} {charges}");
}

#[test]
fn a_game_costs_at_most_the_time_allowed() {
    // The first turn was charged with more than the game may cost: the second hardly searches.
    let (_, charges) = playdata_after_two_turns("{\"game_seconds\": 0.5}", 0.6);
    let thought = charges["thought"].as_f64().expect("a number");
    assert!(thought < 0.02, "{charges}");
    let (_, charges) = playdata_after_two_turns("{\"frugality\": 0}", 0.6);
    assert!(charges["thought"].as_f64().expect("a number") > thought, "{charges}");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn homework_is_linked_for_a_fast_start() {
    let unwinder = std::process::Command::new("cc").arg("-print-file-name=libgcc_eh.a").output();
    if !unwinder.is_ok_and(|found| found.stdout.starts_with(b"/")) {
        return skipped("agent::tiny_clocks::homework_is_linked_for_a_fast_start", "no static form of libgcc_s");
    }
    // The type of an ELF file: 2 has a fixed address, so that nothing is relocated; 3 is the usual one.
    let kind = |program: Program| std::fs::read(program.path()).expect("a program")[16];
    assert_eq!([kind(Program::Homework), kind(Program::Reference)], [2, 3]);
}
