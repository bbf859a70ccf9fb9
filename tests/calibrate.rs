//! The offline program: what it writes, and what it says of a wrong command line.

use std::path::Path;
use std::process::Command;

use kingline::agent::Calibration;

use crate::command::{Dir, Program};

const OPENING: &str = include_str!("../samples/ten-milliseconds/input.txt");

#[test]
fn calibration_is_written_and_used_and_keeps_what_is_for_the_user_to_say() {
    let before = "{\"frugality\": 0.25, \"tables\": \"../six.tables\"}";
    let dir = Dir::with_input(OPENING).with("calibration.txt", before);
    dir.run(Program::Calibrate).ended(0);
    let text = dir.read("calibration.txt").expect("what was measured");
    let measured = Calibration::parse(&text, &mut Vec::new()).expect("a calibration");
    assert!((measured.frugality - 0.25).abs() < 1e-9, "{text}");
    assert_eq!(measured.tables.as_deref(), Some(Path::new("../six.tables")), "{text}");
    assert!(measured.nodes_per_second.checkers > 1e4, "{text}");
    assert!(measured.costs.start_up_ms > 0.0 && measured.costs.clock_ms > 0.0, "{text}");
    assert_eq!(dir.names(), ["calibration.txt", "input.txt"]);
    let ran = dir.run(Program::Homework);
    ran.ended(0).told(&["warning: the endgame tables in \"./../six.tables\" are of no use"]);
    assert_eq!(ran.stderr.matches("warning").count(), 1, "{ran:#?}");
}

#[test]
fn what_an_agent_will_ignore_is_told_and_stays() {
    let before = "{\"frugality\": 7, \"frugalty\": 0.5, \"costs\": 1}";
    let dir = Dir::new().with("calibration.txt", before);
    dir.run(Program::Calibrate).ended(0).told(&["frugality is 7, expected 0 to 1", "frugalty"]);
    let text = dir.read("calibration.txt").expect("what was measured");
    let fields: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&fields["frugality"], &fields["frugalty"]), (&7.into(), &0.5.into()), "{text}");
    assert!(fields["costs"]["files_ms"].is_f64(), "{text}");
}

#[test]
fn a_calibration_that_is_of_no_use_is_written_anew() {
    let dir = Dir::new().with("calibration.txt", "{\"version\": 2, \"frugality\": 0.5}");
    dir.run(Program::Calibrate).ended(0).told(&["warning: ", "version is 2, expected 1", "written anew"]);
    let text = dir.read("calibration.txt").expect("what was measured");
    let mut faults = Vec::new();
    assert_eq!(Calibration::parse(&text, &mut faults).expect("a calibration").frugality, 1.0, "{text}");
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn a_directory_in_the_place_of_the_calibration_is_told() {
    let dir = Dir::new();
    dir.make_dir("calibration.txt");
    dir.run(Program::Calibrate).ended(1).told(&["cannot write", "calibration.txt"]);
}

#[test]
fn matches_are_counted_and_wrong_players_are_told() {
    let dir = Dir::new();
    let ran = dir.finish(Command::new(Program::Calibrate.path()).args([
        "match",
        "{\"nodes\": 300}",
        "{\"nodes\": 30}",
        "--openings",
        "2",
    ]));
    ran.ended(0);
    let first = ran.stdout.lines().next().expect("a line");
    let counts: Vec<usize> = first
        .split(' ')
        .filter_map(|word| word.strip_prefix(['+', '=', '-']))
        .filter_map(|count| count.parse().ok())
        .collect();
    assert_eq!(counts.iter().sum::<usize>(), 4, "{first}");
    dir.finish(Command::new(Program::Calibrate.path()).args(["match", "{\"knots\": 1}", "{}"]))
        .ended(2)
        .told(&["knots", "expected a player"]);
    dir.finish(Command::new(Program::Calibrate.path()).args(["bench", "everything"])).ended(2);
    for game in ["loa", "loa6"] {
        let few = ["match", "{\"nodes\": 300}", "{\"seconds\": 0.001}", "--openings", "1", "--game", game];
        let ran = dir.finish(Command::new(Program::Calibrate.path()).args(few));
        assert!(ran.ended(0).stdout.contains(" turns a game"), "{ran:#?}");
    }
    let unknown = ["match", "{\"settings\": {\"search\": {\"magic\": 1}}}", "{}", "--game", "loa"];
    dir.finish(Command::new(Program::Calibrate.path()).args(unknown)).ended(2).told(&["magic"]);
}

#[test]
fn nobody_need_read_the_results() {
    let dir = Dir::new();
    dir.run_in_shell("\"$0\" depth 5 | true", Program::Calibrate).ended(0).did_not_tell(&["panicked", "calibrate:"]);
}
