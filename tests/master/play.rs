//! `master play` with real agents of every league, and with agents at fault.

use std::fs;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use kingline::checkers::{self, pdn};
use kingline::game::{Game, History, ParseError, Rules};
use kingline::loa::{self, sgf};
use kingline_master::record::{ChosenBy, transcript};

use super::CASES;
use crate::support::referee::*;
use crate::support::table::rows;

/// A directory with the agent `ours`.
fn with_ours() -> Dir {
    let dir = Dir::new();
    dir.agent("ours", Program::Homework, "homework");
    dir
}

/// Plays, and returns the records after replaying them by the rules of `G`.
fn play<G: Game + FromStr<Err = ParseError>>(dir: &Dir, words: &str) -> Vec<GameRecord> {
    let records = dir.play(words);
    for record in &records {
        let mut history = History::new(record.start.parse::<G>().expect("a position")).under(Rules::Course);
        for mv in record.opening.iter().chain(record.turns.iter().filter_map(|turn| turn.mv.as_ref())) {
            assert_eq!(history.ending(), None, "{record:#?}");
            history.play(history.position().parse_move(mv).expect("a legal move"));
        }
    }
    records
}

#[test]
fn checkers_agents_meet_with_colors_swapped_and_the_same_opening() {
    let dir = with_ours();
    dir.scripted("theirs", Program::Reference, "exec ./engine --seed 1");
    let records = play::<checkers::Position>(&dir, "ours theirs --time 2 --games 4 --seed 9 --opening 3");
    let names: Vec<_> = records.iter().map(|record| record.names.join(" ")).collect();
    assert_eq!(names, ["ours theirs", "theirs ours", "ours theirs", "theirs ours"]);
    assert_eq!(records[0].opening, records[1].opening);
    assert_ne!(records[0].opening, records[2].opening);
    for (record, number) in records.iter().zip(1..) {
        assert!(!matches!(record.verdict.reason, EndReason::Fault(_) | EndReason::Failed(_)), "{record:#?}");
        assert!(record.turns.iter().all(|turn| turn.spent.cpu.as_micros() > 0), "{record:#?}");
        let saved = dir.text(&format!("{}-{number}.pdn", record.names.join("-")));
        // The record keeps the start of the game, so that every export has the same date.
        assert_eq!(transcript::write(record).expect("a transcript"), saved);
        let second = record.started.expect("the start of the game");
        let today = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_secs().cast_signed();
        assert!((today - 3600..=today).contains(&second) && saved.contains("\n[Date \"20"), "{saved}");
        let game: pdn::Record = saved.parse().expect("a game");
        assert_eq!(game.moves().len(), record.opening.len() + record.turns.len());
    }
    dir.master("play ours theirs --time 2 --seed 9 --opening 3")
        .exits_with(0)
        .stdout_contains(&[" (after 3 random turns)\n"]);
    let again = dir.text("ours-theirs-5.pdn");
    assert!(again.contains(" (after 3 random turns)\"]") && again.contains(&saved_opening(&records[0])), "{again}");
}

/// First turns of a game in PDN.
fn saved_opening(record: &GameRecord) -> String {
    let [first, second, third] = &record.opening[..] else { panic!("{record:#?}") };
    format!("1. {first} {second} 2. {third}")
}

#[test]
fn checkers_begins_at_the_start_position_by_default() {
    let dir = with_ours();
    // It knows only one turn, in the start position.
    dir.script("book", "grep -qx .b.b.b.b input.txt && echo 'E b6 a5' > output.txt; exit 0");
    let record = &play::<checkers::Position>(&dir, "book ours --time 1")[0];
    assert_eq!((record.opening.len(), record.turns[0].mv.as_deref()), (0, Some("9-13")), "{record:#?}");
    assert!(!dir.text("book-ours-1.pdn").contains("random turn"));
}

#[test]
fn lines_of_action_is_played_by_both_dialects_and_by_requests() {
    let dir = Dir::new();
    dir.scripted("a", Program::Loa, "exec ./engine --time 0.02");
    dir.scripted("b", Program::Loa, "exec ./engine --time 0.02");
    let records = play::<loa::Position<8>>(&dir, "a b --league loa --turn-time 5");
    let text = dir.text("a-b-1.sgf");
    let saved: sgf::Record = text.parse().expect("a game in SGF");
    assert_eq!(saved.moves().len(), records[0].opening.len() + records[0].turns.len());
    assert!(!matches!(records[0].verdict.reason, EndReason::Fault(_)), "{records:#?}");

    for name in ["c", "d"] {
        dir.scripted(name, Program::Loa, "exec ./engine --dialect 2015 --time 0.02");
    }
    let records = play::<loa::Position<8>>(&dir, "c d --league loa-2015");
    assert_eq!(records[0].verdict.reason, EndReason::Connected, "{records:#?}");

    for name in ["e", "f"] {
        dir.scripted(name, Program::Loa6, "exec ./engine --time 0.02");
    }
    // From the start position Black wins by a strategy, however slow the machine is.
    let records = play::<loa::Position<6>>(&dir, "e f --league loa6 --games 2 --opening 0");
    assert!(records.iter().all(|record| record.verdict.reason == EndReason::Connected), "{records:#?}");
    let text = dir.text("e-f-1.sgf");
    assert!(text.parse::<sgf::Record<6>>().is_ok(), "{text}");
}

#[test]
fn faults_name_side_turn_read_and_expected() {
    let dir = with_ours();
    for [name, script, kind, read, expected] in rows(CASES, "faults in a game") {
        dir.script(name, script);
        let records = play::<checkers::Position>(&dir, &format!("ours {name} --time 0.2 --opening 0"));
        let fault = fault(&records[0]);
        assert_eq!((fault.side, fault.turn, &*format!("{:?}", fault.kind)), (Color::White, 2, kind), "{name}");
        assert!(fault.read.contains(read) && fault.expected.contains(expected), "{name}: {fault}");
        assert_eq!(records[0].verdict.winner, Some(Color::Black), "{name}");
    }
}

#[test]
fn a_clock_of_user_time_leaves_out_the_kernel() {
    let dir = Dir::new();
    let doctor: Value = dir.master("doctor --json").json();
    if doctor["survey"]["tier"] != "cgroup-v2" {
        return skipped("master::play, user time", "no control group counts user time here");
    }
    let blitz = fs::read_to_string(root().join("samples/leagues/blitz.json")).expect("a league");
    dir.write("user.json", blitz.replace("\"cpu\"", "\"user\""));
    dir.write("cpu.json", blitz);
    dir.agent("ours", Program::Homework, "homework");
    // The kernel makes the random bytes.
    dir.script("draws", "dd if=/dev/urandom of=/dev/null bs=1M count=400 2> /dev/null");
    dir.script("spin", "while :; do :; done");
    for (name, league, kind, expected) in [
        ("draws", "cpu.json", FaultKind::OverTime, "an answer within 0.300 s of CPU time"),
        ("draws", "user.json", FaultKind::NoAnswer, "a turn in output.txt"),
        ("spin", "user.json", FaultKind::OverTime, "an answer within 0.300 s of user time"),
    ] {
        let words = format!("ours {name} --league {league} --time 0.3 --opening 0");
        let records = play::<checkers::Position>(&dir, &words);
        let fault = fault(&records[0]);
        assert_eq!((fault.kind, &*fault.expected), (kind, expected), "{name}, {league}: {fault}");
        let is_inexact = league == "user.json" && doctor["survey"]["user_time"] != "counted exactly";
        assert_eq!(records[0].tier.ends_with("user time not counted exactly, unofficial"), is_inexact, "{records:#?}");
    }
}

#[test]
fn faulty_requests_are_replaced_by_random_moves() {
    let dir = Dir::new();
    dir.scripted("good", Program::Loa6, "exec ./engine --time 0.02");
    dir.script("bad", "echo Z9Z9");
    let records = play::<loa::Position<6>>(&dir, "good bad --league loa6");
    let record = &records[0];
    assert_eq!((&record.verdict.reason, record.verdict.winner), (&EndReason::Connected, Some(record.turns[0].side)));
    let bad: Vec<_> = record.turns.iter().filter(|turn| turn.side == Color::White).collect();
    assert!(!bad.is_empty() && bad.iter().all(|turn| turn.chosen_by == ChosenBy::Referee));
    assert!(bad.iter().all(|turn| turn.fault.as_ref().is_some_and(|fault| fault.kind == FaultKind::IllFormed)));
}

#[test]
fn lenient_reading_accepts_more_and_exit_statuses_are_notes() {
    let dir = with_ours();
    // Legal answers with swapped letter case, CR, extra blanks and blank lines.
    let sloppy = "./engine 2>/dev/null; sed -e 's/E/e/; s/J/j/; s/ /   /g; s/$/\\r\\n/' output.txt > o && cat o > output.txt; rm o; exit 7";
    dir.scripted("sloppy", Program::Homework, sloppy);
    let records = play::<checkers::Position>(&dir, "sloppy ours --time 20");
    assert!(matches!(&records[0].verdict.reason, EndReason::Fault(fault) if fault.kind == FaultKind::IllFormed));
    let records = play::<checkers::Position>(&dir, "sloppy ours --time 20 --lenient");
    let record = &records[0];
    assert!(!matches!(record.verdict.reason, EndReason::Fault(_) | EndReason::Failed(_)), "{record:#?}");
    let notes = record.turns.iter().filter(|turn| turn.notes == ["exit code 7"]).count();
    assert_eq!(notes, record.turns.iter().filter(|turn| turn.side == Color::Black).count(), "{record:#?}");
}

#[test]
fn no_color_removes_only_the_colors_from_the_live_board() {
    let dir = with_ours();
    dir.script("bad", "echo 'E a1 b2' > output.txt");
    let play = "\"$MASTER\" play ours bad --time 1 --opening 0";
    let plain_row = "  8  . b . b . b . b\r\n";
    // Moves up to the first line of the last drawing, and erases everything below.
    let redrawn = "A\u{1b}[J  8 ";
    for no_color in ["", "1"] {
        let Some(shown) = on_a_terminal(&dir, play, &[("TERM", "xterm"), ("NO_COLOR", no_color)]) else { return };
        assert_eq!(shown.matches(redrawn).count(), 1, "{shown:?}");
        assert_eq!(shown.matches(plain_row).count(), if no_color.is_empty() { 0 } else { 2 }, "{shown:?}");
        assert_eq!(shown.contains("\u{1b}[48;5;"), no_color.is_empty(), "{shown:?}");
    }
    let Some(shown) = on_a_terminal(&dir, play, &[("TERM", "dumb"), ("NO_COLOR", "")]) else { return };
    assert!(shown.contains("   2. White -") && !shown.contains('\u{1b}') && !shown.contains(plain_row), "{shown:?}");
}

#[test]
fn bad_usage_has_exit_code_2() {
    let dir = with_ours();
    dir.make_dir("empty");
    dir.write("league.json", "{\"name\": 1}");
    dir.run_rows(Program::Master, CASES, "bad usage");
}

#[test]
fn no_game_is_overwritten_or_played_if_it_cannot_be_saved() {
    let dir = Dir::new();
    dir.scripted("a", Program::Loa6, "exec ./engine --time 0.02");
    dir.scripted("b", Program::Loa6, "exec ./engine --time 0.02");
    for names in ["a b", "a b", "b a"] {
        dir.master(&format!("play {names} --league loa6 --games 2")).exits_with(0);
    }
    let saved: Vec<String> = dir.names().into_iter().filter(|name| name.ends_with(".sgf")).collect();
    assert_eq!(saved, ["a-b-1", "a-b-3", "a-b-6", "b-a-2", "b-a-4", "b-a-5"].map(|name| format!("{name}.sgf")));
    let long = "a".repeat(200);
    dir.scripted(&long, Program::Loa6, "exec ./engine --time 0.02");
    let ran = dir.refuses(&format!("play {long} {long} --league loa6 --json"), &["--save: ", "too long"]);
    assert_eq!(ran.stdout, "", "a game was played and not saved");
}

/// An agent reads the calibration.txt that it came with, even if it has no `calibrate`.
#[test]
fn a_calibration_that_was_handed_in_is_kept() {
    let dir = Dir::new();
    for (name, calibrate) in
        [("without", None), ("idle", Some("exit 0")), ("better", Some("echo new > calibration.txt"))]
    {
        let script = "read word < calibration.txt && [ $word = $(cat word) ] && exec ./engine";
        dir.scripted(name, Program::Reference, script);
        dir.write(&format!("{name}/calibration.txt"), "mine\n");
        dir.write(&format!("{name}/word"), if name == "better" { "new\n" } else { "mine\n" });
        if let Some(script) = calibrate {
            dir.write_program(&format!("{name}/calibrate"), &format!("#!/bin/sh\n{script}\n"));
        }
        let records = play::<checkers::Position>(&dir, &format!("{name} {name} --time 5"));
        assert_eq!(records[0].faults().count(), 0, "{name}: {}", records[0].verdict);
    }
}

#[test]
fn a_folder_for_the_games_is_made_before_play() {
    let dir = Dir::new().with("file", "mine");
    dir.scripted("a", Program::Loa6, "exec ./engine --time 0.02");
    dir.master("play a a --league loa6 --save new/games").exits_with(0);
    assert!(dir.read("new/games/a-a-1.sgf").is_some());
    let ran = dir.refuses("play a a --league loa6 --save file", &["--save: file: "]);
    assert_eq!(ran.stdout, "", "a game was played and not saved");
}

#[test]
fn a_large_playdata_is_dropped_with_a_note() {
    let dir = with_ours();
    dir.league(&json!({ "longest": 6, "limits": { "playdata": 1000 } }));
    let script =
        "[ -e playdata.txt ] && exit 9; head -c 1001 /dev/zero > kept; ./engine --seed 1; mv kept playdata.txt";
    dir.scripted("theirs", Program::Reference, script);
    let record: GameRecord = dir.master("play ours theirs --league league.json --seed 9 --json").exits_with(0).json();
    let notes: Vec<_> = record.turns.iter().filter(|turn| turn.side == Color::White).map(|turn| &turn.notes).collect();
    let note = ["playdata.txt has 1001 bytes, expected at most 1000 bytes: it is dropped"];
    assert!(notes.len() == 3 && notes.iter().all(|notes| **notes == note), "{record:#?}");
    assert!(record.faults().count() == 0, "{record:#?}");
}

#[test]
fn a_turn_ends_with_its_first_process() {
    let dir = with_ours();
    dir.script("theirs", "(sleep 3; echo 'E c3 b4' > output.txt) & sleep 0.3");
    let record: GameRecord = dir.master("play ours theirs --seed 9 --json").exits_with(0).json();
    let fault = fault(&record);
    let hint = "no output.txt; it had other processes or threads, which end with its first process; exit code 0";
    assert!(fault.kind == FaultKind::NoAnswer && fault.read.starts_with(hint), "{record:#?}");
}
