//! Side files: the agent uses tables on disk that calibration.txt names, and reports damage.

use std::fs::{self};
use std::process::Command;
use std::sync::OnceLock;

use kingline::checkers::{Diagram, Position};
use kingline::game::{Game, Rules, Value};
use kingline::knowledge::checksum;
use kingline::knowledge::tablebase::Tablebase;
use kingline_players::protocol::turn_files::read_answer;
use serde_json::json;

use crate::support::command::*;

/// Position in which two kings beat one.
const BOARD: &str = "W:WK30,K31:BK11";
/// Output of `homework` if the tables chose its move.
const BY_TABLES: &str = "by the endgame tables: ";

/// Returns the file for up to three pieces.
fn three() -> &'static [u8] {
    static BUILT: OnceLock<Vec<u8>> = OnceLock::new();
    BUILT.get_or_init(|| super::built("3"))
}

/// Makes a file, as the format describes it, with one material whose positions all have the same value.
fn of_one_value(material: u32, positions: u32, value: u8) -> Vec<u8> {
    let section = [&[0, value][..], &positions.to_le_bytes()].concat();
    let entry = [material.to_le_bytes(), (section.len() as u32).to_le_bytes()].concat();
    let directory = [&entry, &[0; 8][..], &checksum(&section).to_le_bytes()].concat();
    let len = 32 + directory.len() + section.len();
    let counts = [2u32.to_le_bytes(), 1u32.to_le_bytes()].concat();
    let sums = [(len as u64).to_le_bytes(), checksum(&directory).to_le_bytes()].concat();
    [b"kltables", &counts[..], &sums, &directory, &section].concat()
}

/// Makes a file in which every position after a turn in [`BOARD`] is drawn, contrary to the embedded tables.
fn drawn() -> Vec<u8> {
    of_one_value(1 << 3 | 2 << 9, 14_880, 0)
}

fn board(text: &str) -> Position {
    text.parse().expect("a position")
}

/// Makes an agent whose calibration.txt names the file `t` in the folder `side`.
fn agent(position: &str) -> Dir {
    let dir = Dir::with_input(format!("SINGLE\nWHITE\n0.5\n{}", Diagram(&board(position))));
    dir.make_dir("side");
    name(&dir, "side/t");
    dir
}

fn name(dir: &Dir, tables: &str) {
    dir.write("calibration.txt", json!({ "tables": tables }).to_string());
}

/// Runs a turn with this side file.
fn turn(bytes: &[u8]) -> Ran {
    let dir = agent(BOARD);
    dir.write("side/t", bytes);
    dir.run(Program::Homework)
}

/// Checks that the answer keeps the win with the smallest distance, according to the embedded tables.
#[track_caller]
fn played_right(ran: &Ran) {
    let known = Tablebase::with_embedded(None);
    let position = board(BOARD);
    let mv = read_answer(ran.exits_with(0).answer(), &position).unwrap_or_else(|error| panic!("{error} {ran:#?}"));
    let Ok(Value::Win(plies)) = known.value(&position, Rules::Course) else { panic!("{BOARD} is won") };
    assert_eq!(known.value(&position.play(mv), Rules::Course), Ok(Value::Loss(plies - 1)), "{ran:#?}");
    assert!(ran.stderr.contains(&format!("{BY_TABLES}won, {plies} plies")), "{ran:#?}");
}

/// Checks that the first line is a warning with each of these texts, and that the move is right.
#[track_caller]
fn warned(ran: &Ran, expected: &[&str]) {
    let first = ran.stderr.lines().next().unwrap_or_default();
    assert!(first.starts_with("warning: the endgame tables in ") && first.contains(" ignored"), "{ran:#?}");
    assert_eq!(ran.stderr.matches("warning: ").count(), 1, "{ran:#?}");
    // The board, a blank line and the move follow.
    assert_eq!(ran.stderr.trim_end().lines().count(), 1 + 12, "{ran:#?}");
    ran.stderr_contains(expected);
    played_right(ran);
}

#[test]
fn it_is_probed_first_and_found_from_the_agents_directory() {
    let ran = turn(three());
    ran.stderr_lacks(&["warning"]);
    played_right(&ran);
    turn(&drawn()).exits_with(0).stderr_contains(&[BY_TABLES, "drawn"]).stderr_lacks(&["warning"]);
    let dir = agent(BOARD);
    dir.write("side/t", drawn());
    let elsewhere = Dir::new();
    let ran = elsewhere.run_command(Command::new(Program::Homework.path()).arg(dir.path(".")));
    ran.exits_with(0).stderr_contains(&["drawn"]).stderr_lacks(&["warning"]);
    let absolute = dir.path("side/t");
    dir.link(&absolute, "side/link");
    name(&dir, absolute.with_file_name("link").to_str().expect("UTF-8"));
    dir.run(Program::Homework).exits_with(0).stderr_contains(&["drawn"]).stderr_lacks(&["warning"]);
}

#[test]
fn the_side_file_answers_for_six_pieces() {
    let six = "W:WK30,K31,K32:BK1,K2,K3";
    let even = of_one_value(3 << 3 | 3 << 9, 18_123_840, 0);
    let dir = agent(six);
    dir.write("side/t", &even);
    dir.run(Program::Homework).exits_with(0).stderr_contains(&[BY_TABLES, "drawn"]).stderr_lacks(&["warning"]);
    // If the file is broken, the position is searched as if there were no file.
    let mut altered = even;
    *altered.last_mut().expect("a byte") ^= 1;
    dir.write("side/t", altered);
    let ran = dir.run(Program::Homework);
    ran.exits_with(0).stderr_contains(&["warning: the endgame tables in ", "are broken: the table of KKK-KKK: "]);
    ran.stderr_contains(&["depth "]).stderr_lacks(&[BY_TABLES]);
    assert!(read_answer(ran.answer(), &board(six)).is_ok(), "{ran:#?}");
    assert_eq!(ran.stderr.matches("warning: ").count(), 1, "{ran:#?}");
}

#[test]
fn an_unreadable_file_is_reported() {
    let unreadable = "side/t\" are ignored: cannot be read: ";
    let dir = agent(BOARD);
    warned(&dir.run(Program::Homework), &[unreadable, "No such file"]);
    dir.make_dir("side/t");
    warned(&dir.run(Program::Homework), &[unreadable, "not a regular file"]);
    let dir = agent(BOARD);
    dir.make_pipe("side/t");
    warned(&dir.run(Program::Homework), &[unreadable, "not a regular file"]);
    let dir = agent(BOARD);
    dir.write("side/t", three());
    dir.set_mode("side/t", 0o000);
    if fs::read(dir.path("side/t")).is_ok() {
        skipped("tables::side_file, a file without permissions", "this user may read every file");
    } else {
        warned(&dir.run(Program::Homework), &[unreadable, "ermission denied"]);
    }
    for odd in ["", "side", "side/t/t", "two\nlines", "nothing\0behind", "/dev/zero", "\u{1b}[2J"] {
        name(&dir, odd);
        warned(&dir.run(Program::Homework), &["are ignored: cannot be read: "]);
    }
}

#[test]
fn a_foreign_file_is_reported() {
    let foreign = "not an endgame table file: it does not start with \"kltables\"";
    for bytes in [&b""[..], b"kltable", b"Some text.\n", b"\x7fELF\x02\x01\x01\0", b"\x89PNG\r\n\x1a\n", &[0; 70_000]] {
        warned(&turn(bytes), &[foreign]);
    }
    let mut older = three().to_vec();
    older[8] = 1;
    warned(&turn(&older), &["are ignored: version 1, expected 2"]);
}

#[test]
fn a_truncated_file_is_reported() {
    let len = three().len();
    let expected = format!("bytes, expected {len}");
    for cut in (32..len).step_by(len / 40).chain([32, 33, 40, len - 4096, len - 1]) {
        warned(&turn(&three()[..cut]), &[&format!("are ignored: {cut} {expected}")]);
    }
    for cut in [8, 12, 31] {
        warned(&turn(&three()[..cut]), &["bytes, expected 32"]);
    }
    let longer = [three(), b"\n"].concat();
    warned(&turn(&longer), &[&expected]);
}

#[test]
fn every_altered_byte_of_the_directory_is_reported() {
    let count = usize::from(three()[12]);
    let rest = three().len() - 32 - 16 * count;
    let data = 32 + 16 * count + rest.div_ceil(4096 + 8) * 8;
    let dir = agent(BOARD);
    for place in 0..data {
        let mut altered = three().to_vec();
        altered[place] ^= 0x20;
        dir.write("side/t", altered);
        warned(&dir.run(Program::Homework), &[" are ignored: "]);
    }
}

#[test]
fn altered_data_is_reported_where_it_is_read() {
    let dir = agent(BOARD);
    let mut warnings = 0;
    for place in (1..=three().len() - 600).step_by(three().len() / 60) {
        let mut altered = three().to_vec();
        let place = three().len() - place;
        altered[place] ^= 1;
        dir.write("side/t", altered);
        let ran = dir.run(Program::Homework);
        if ran.stderr.contains("warning") {
            warned(&ran, &["side/t\" are broken: the table of ", " bytes at offset ", " do not match their checksum"]);
            warnings += 1;
        }
        played_right(&ran);
    }
    assert!(warnings > 5, "{warnings}");
    let zeros = [&three()[..1000], &vec![0; three().len() - 1000]].concat();
    warned(&turn(&zeros), &["are broken: "]);
}

#[test]
fn the_side_file_may_change_between_turns() {
    let dir = agent(BOARD);
    let turn = |bytes: &[u8]| {
        dir.write("side/t", bytes);
        dir.run(Program::Homework)
    };
    turn(three()).stderr_lacks(&["warning"]);
    warned(&turn(&three()[..5000]), &["are ignored: 5000 bytes"]);
    turn(&drawn()).stderr_contains(&["drawn"]).stderr_lacks(&["warning"]);
    warned(&turn(b"notes"), &["not an endgame table file"]);
    played_right(turn(three()).stderr_lacks(&["warning"]));
    dir.delete("side/t");
    warned(&dir.run(Program::Homework), &["No such file"]);
}

#[test]
fn a_game_continues_without_the_side_file() {
    let dir = agent(BOARD);
    dir.write("side/t", &three()[..9000]);
    dir.write("input.txt", dir.text("input.txt").replace("SINGLE", "GAME"));
    let ran = dir.run(Program::Homework);
    warned(&ran, &[]);
    let playdata = dir.text("playdata.txt");
    let mv = read_answer(ran.answer(), &board(BOARD)).expect("a legal turn");
    assert!(playdata.contains(&board(BOARD).play(mv).to_string()), "{playdata}");
}
