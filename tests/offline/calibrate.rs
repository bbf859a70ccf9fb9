//! `calibrate` itself: the files it writes, its matches, and bad usage.

use std::path::Path;

use kingline_players::protocol::turn_files::Calibration;

use super::matches::play;
use super::{REFUSED, rows};
use crate::support::command::*;

const OPENING: &str = include_str!("../../samples/ten-milliseconds/input.txt");

#[test]
fn calibration_is_written_and_used_and_keeps_other_fields() {
    let before = "{\"frugality\": 0.25, \"tables\": \"../six.tables\"}";
    let dir = Dir::with_input(OPENING).with("calibration.txt", before);
    dir.run(Program::Calibrate).exits_with(0);
    let text = dir.text("calibration.txt");
    let measured = Calibration::parse(&text, &mut Vec::new()).expect("a calibration");
    assert!((measured.frugality - 0.25).abs() < 1e-9, "{text}");
    assert_eq!(measured.tables.as_deref(), Some(Path::new("../six.tables")), "{text}");
    assert!(measured.nodes_per_second.checkers > 1e4, "{text}");
    assert!(measured.costs.start_up_ms > 0.0 && measured.costs.clock_ms > 0.0, "{text}");
    assert_eq!(dir.names(), ["calibration.txt", "input.txt"]);
    let ran = dir.run(Program::Homework);
    ran.exits_with(0).stderr_contains(&["warning: the endgame tables in \"./../six.tables\" are ignored"]);
    assert_eq!(ran.stderr.matches("warning").count(), 1, "{ran:#?}");
}

#[test]
fn fields_that_agents_ignore_are_kept_with_a_warning() {
    let before = "{\"frugality\": 7, \"frugalty\": 0.5, \"costs\": 1}";
    let dir = Dir::new().with("calibration.txt", before);
    dir.run(Program::Calibrate).exits_with(0).stderr_contains(&["frugality is 7, expected 0 to 1", "frugalty"]);
    let text = dir.text("calibration.txt");
    let fields: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&fields["frugality"], &fields["frugalty"]), (&7.into(), &0.5.into()), "{text}");
    assert!(fields["costs"]["files_ms"].is_f64(), "{text}");
}

#[test]
fn an_invalid_calibration_is_replaced_with_a_warning() {
    let dir = Dir::new().with("calibration.txt", "{\"version\": 2, \"frugality\": 0.5}");
    dir.run(Program::Calibrate).exits_with(0).stderr_contains(&["warning: ", "version is 2, expected 1", "replaced"]);
    let text = dir.text("calibration.txt");
    let mut faults = Vec::new();
    assert_eq!(Calibration::parse(&text, &mut faults).expect("a calibration").frugality, 1.0, "{text}");
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn a_directory_in_place_of_the_calibration_is_an_error() {
    let dir = Dir::new();
    dir.make_dir("calibration.txt");
    dir.run(Program::Calibrate).exits_with(1).stderr_contains(&["cannot write", "calibration.txt"]);
}

#[test]
fn a_match_prints_its_counts() {
    let dir = Dir::new();
    let ran = dir.calibrate("match {\"nodes\":300} {\"nodes\":30} --openings 2");
    ran.exits_with(0);
    let first = ran.stdout.lines().next().expect("a line");
    let counts: Vec<usize> = first
        .split(' ')
        .filter_map(|word| word.strip_prefix(['+', '=', '-']))
        .filter_map(|count| count.parse().ok())
        .collect();
    assert_eq!(counts.iter().sum::<usize>(), 4, "{first}");
    dir.calibrate("bench everything").exits_with(2);
    for game in ["loa", "loa6"] {
        let few = format!("match {{\"nodes\":300}} {{\"seconds\":0.001}} --openings 1 --game {game}");
        dir.calibrate(&few).exits_with(0).stdout_contains(&[" turns a game"]);
    }
}

#[test]
fn errors_in_players_name_field_found_and_expected() {
    for [game, player, message] in rows(REFUSED, "players of a match") {
        let expected = format!("expected a player as `calibrate match --help` describes it, not {player}: ");
        for players in [[player, "{}"], ["{}", player]] {
            play(&[&players[..], &["--game", game]].concat()).exits_with(2).stderr_contains(&[&expected, message]);
        }
    }
    play(&["{}", "{}", "--threads", "0"]).exits_with(2).stderr_contains(&["--threads"]);
}

/// Returns the fields of a player, as listed in the error about an unknown field.
fn known(game: &str, player: &str) -> Vec<String> {
    let ran = play(&[player, "{}", "--game", game]);
    let (_, names) = ran.exits_with(2).stderr.rsplit_once("expected ").expect("what was expected");
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn match_help_describes_every_field_of_every_player() {
    let ran = play(&["--help"]);
    let help = &ran.exits_with(0).stdout;
    let section = |title: &str| {
        let (_, text) = help.split_once(title).unwrap_or_else(|| panic!("no {title}: {help}"));
        text.split("\n\n").next().expect("a text").to_owned()
    };
    let search = section("Parameters of the search, and their defaults");
    for (game, title, inner) in [
        ("checkers", "Checkers players:", &["{\"params\": {\"knots\": 1}}"][..]),
        (
            "loa",
            "Lines of Action players:",
            &["{\"settings\": {\"search\": {\"knots\": 1}}}", "{\"settings\": {\"knots\": 1}}"],
        ),
    ] {
        let text = section(title);
        let fields = known(game, "{\"knots\": 1}");
        assert!(fields.len() >= 3, "{fields:?}");
        for field in fields {
            let line = text.lines().find(|line| line.starts_with(&format!("  {field} ")));
            assert!(line.is_some(), "{field} is not described: {help}");
            assert!(
                text.split_once(&format!("  {field} ")).is_some_and(|(_, rest)| rest.contains("Default: ")),
                "{field}"
            );
        }
        for field in inner.iter().flat_map(|player| known(game, player)) {
            let (line, name) = (format!("\n  {field}: "), format!("\"{field}\", "));
            assert!(search.contains(&line) || text.contains(&name), "{field} is not described: {help}");
        }
        let example = text.lines().find_map(|line| line.trim().strip_prefix("Example: '")?.strip_suffix('\''));
        // The second player is read only if the first one is valid.
        play(&[example.expect("an example"), "{\"knots\": 1}", "--game", game])
            .exits_with(2)
            .stderr_contains(&["not {\"knots\": 1}: "]);
    }
    for message in
        ["Openings", "--seed", "--threads", "% ± ", "course", "won positions not won", "CPU seconds", "LLR", "--json"]
    {
        assert!(help.contains(message), "{message} is not described: {help}");
    }
}

#[test]
fn a_closed_stdout_is_not_a_failure() {
    let dir = Dir::new();
    dir.run_in_shell("\"$0\" depth 5 | true", Program::Calibrate)
        .exits_with(0)
        .stderr_lacks(&["panicked", "calibrate:"]);
}
