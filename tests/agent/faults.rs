//! Valid input, but failing files and streams: the agent must still move.

use std::fs::{self};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use kingline::checkers::{Diagram, Position};
use kingline::evaluate::checkers::{BUCKETS, HIDDEN, INPUTS, STAGES};
use kingline::evaluate::network::Weights;
use kingline::game::{Game, Progress};
use kingline_players::protocol::turn_files::{Playdata, read_answer};

use super::CASES;
use crate::support::command::*;
use crate::support::table::rows;

/// Number of quiet turns before [`BOARD`] recurs, excluding the opponent's last turn.
const QUIET: usize = 23;
const STALE: &str = "E a3 b4\n";
/// Position in which kings can move, so that the men need not.
const BOARD: &str = "W:W13,21,K28,29,K30,31,32:B1,2,K3,4,5";

fn board() -> Position {
    BOARD.parse().expect("a position")
}

fn input() -> String {
    format!("GAME\nWHITE\n0.5\n{}", Diagram(&board()))
}

/// Asserts that the answer is legal, and that only protocol files remain.
#[track_caller]
fn answered(dir: &Dir, ran: &Ran) {
    read_answer(ran.exits_with(0).answer(), &board()).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
    let known = ["calibration.txt", "input.txt", "output.txt", "playdata.txt"];
    assert!(dir.names().iter().all(|name| known.contains(&name.as_str())), "{:?}", dir.names());
}

/// Runs `homework` beside this file. It must answer.
#[track_caller]
fn answered_beside(name: &str, content: impl AsRef<[u8]>) -> (Dir, Ran) {
    let dir = Dir::with_input(input()).with(name, content);
    let ran = dir.run(Program::Homework);
    answered(&dir, &ran);
    (dir, ran)
}

fn written(playdata: &Playdata) -> String {
    let dir = Dir::new();
    playdata.save(&dir.path("playdata.txt")).expect("a file that can be written");
    dir.text("playdata.txt")
}

/// Text of playdata.txt for a game that leads to [`BOARD`] after many quiet turns.
fn fitting_playdata() -> String {
    let mut known = Playdata::fresh(board());
    for turn in 0..QUIET {
        // White cycles through four squares and Black through six, so the board repeats after 24 turns.
        let white = ["30-25", "25-22", "22-26", "26-30"][turn / 2 % 4];
        let black = ["3-7", "7-10", "10-15", "15-11", "11-8", "8-3"][turn / 2 % 6];
        let text = if turn % 2 == 0 { white } else { black };
        let mv = known.history.position().parse_move(text).expect("a move");
        known = known.after(mv, None, Duration::from_millis(3));
    }
    written(&known)
}

#[test]
fn a_directory_in_place_of_the_answer_is_an_error() {
    let dir = Dir::with_input(input());
    dir.make_dir("output.txt");
    for program in [Program::Homework, Program::Reference] {
        dir.run(program).exits_with(1).stderr_contains(&["cannot write", "output.txt", "directory"]);
        assert_eq!(dir.names(), ["input.txt", "output.txt"]);
    }
}

#[test]
fn a_full_disk_is_an_error_and_leaves_existing_files() {
    let dir = Dir::with_input(input()).with("output.txt", STALE).with("playdata.txt", "{}");
    for program in [Program::Homework, Program::Reference] {
        let ran = dir.run_on_full_disk(0, "exec \"$0\"", program);
        ran.exits_with(1).stderr_contains(&["cannot write", "output.txt", "too large"]);
        assert_eq!((ran.answer(), dir.read("playdata.txt").as_deref()), (STALE, Some("{}")));
        assert_eq!(dir.names(), ["input.txt", "output.txt", "playdata.txt"]);
    }
}

#[test]
fn a_disk_too_full_for_playdata_does_not_cost_the_move() {
    let playdata = fitting_playdata();
    assert!(playdata.len() > 1024, "{playdata}");
    let dir = Dir::with_input(input()).with("playdata.txt", &playdata);
    let ran = dir.run_on_full_disk(1, "exec \"$0\"", Program::Homework);
    ran.stderr_contains(&["warning: ", "cannot write", "playdata.txt"]).stderr_lacks(&["ignored"]);
    answered(&dir, &ran);
    assert_eq!(dir.read("playdata.txt"), Some(playdata));
}

/// Runs a shell line, with `homework` as `"$0"`, in a directory where no file can be created. Returns `None` if this
/// machine cannot test that.
fn run_in_unwritable(dir: &Dir, line: &str) -> Option<Ran> {
    let set = |mode| dir.set_mode(".", mode);
    set(0o555);
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).arg(Program::Homework.path());
    if fs::write(dir.path("probe"), "").is_ok() {
        // Root can write anywhere, so it runs the program as another user.
        dir.delete("probe");
        command.uid(65534);
    }
    command.current_dir(dir.path(".")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map(|child| dir.wait_for(child));
    set(0o755);
    // Exit code 126: the shell is not allowed to run the program.
    let why = match child {
        Ok(ran) if ran.code != Some(126) => return Some(ran),
        Ok(ran) => ran.stderr,
        Err(error) => error.to_string(),
    };
    skipped("agent::faults, a directory that cannot be written", &format!("nobody else can run the program: {why}"));
    None
}

#[test]
fn an_unwritable_directory_is_an_error() {
    let dir = Dir::with_input(input());
    if let Some(ran) = run_in_unwritable(&dir, "exec \"$0\"") {
        ran.exits_with(1).stderr_contains(&["cannot write", "output.txt", "ermission denied"]);
        assert_eq!(dir.names(), ["input.txt"]);
    }
}

#[test]
fn a_file_written_in_place_is_kept_if_the_disk_is_full() {
    let dir = Dir::with_input(input()).with("output.txt", STALE.repeat(100)).with("playdata.txt", "{}");
    for name in ["output.txt", "playdata.txt"] {
        dir.set_mode(name, 0o666);
    }
    if let Some(ran) = run_in_unwritable(&dir, "trap '' XFSZ; ulimit -f 0; exec \"$0\"") {
        ran.exits_with(1).stderr_contains(&["cannot write", "output.txt", "too large"]);
        assert_eq!((ran.answer(), dir.read("playdata.txt").as_deref()), (&*STALE.repeat(100), Some("{}")));
    }
    if let Some(ran) = run_in_unwritable(&dir, "exec \"$0\"") {
        answered(&dir, &ran);
        assert!(dir.read("playdata.txt").is_some_and(|text| text.len() > 2), "{ran:#?}");
    }
}

#[test]
fn unreadable_or_unwritable_playdata_does_not_cost_the_move() {
    let dir = Dir::with_input(input());
    dir.make_dir("playdata.txt");
    let ran = dir.run(Program::Homework);
    ran.stderr_contains(&["warning: cannot read", "warning: cannot write", "playdata.txt"]);
    answered(&dir, &ran);

    let dir = Dir::with_input(input());
    dir.make_pipe("playdata.txt");
    let ran = dir.run(Program::Homework);
    ran.stderr_contains(&["warning: cannot read", "playdata.txt"]);
    answered(&dir, &ran);
}

#[test]
fn matching_playdata_is_continued() {
    let (dir, ran) = answered_beside("playdata.txt", fitting_playdata());
    ran.stderr_lacks(&["warning"]);
    let written = dir.text("playdata.txt");
    let mv = read_answer(ran.answer(), &board()).expect("a legal turn");
    // Two more turns: the one that led to the board, and the answer.
    let quiet = if board().progress(mv) == Progress::Zeroing { 0 } else { QUIET + 2 };
    assert!(written.contains(&format!("\"quiet_turns\": {quiet},")), "{written}");
}

#[test]
fn invalid_playdata_is_ignored_with_a_warning() {
    let good = fitting_playdata();
    let opening = Position::start().parse_move("11-15").expect("a move");
    let foreign = written(&Playdata::fresh(Position::start()).after(opening, None, Duration::ZERO));
    let changed = |old: &str, new: &str| {
        assert!(good.contains(old), "{old} in {good}");
        good.replacen(old, new, 1).into_bytes()
    };
    let cases = [
        Vec::new(),
        b"{".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"{}".to_vec(),
        b"GAME\n".to_vec(),
        (0..=255).collect(),
        b"[".repeat(100_000),
        b" ".repeat(2 << 20),
        good.as_bytes()[..good.len() / 2].to_vec(),
        changed("\"version\": 1", "\"version\": 2"),
        changed("\"version\": 1", "\"version\": 1, \"more\": 1"),
        changed("\"quiet_turns\": 23", "\"quiet_turns\": 22"),
        changed("\"quiet_turns\": 23", "\"quiet_turns\": 1e400"),
        changed("\"spent_seconds\": ", "\"spent_seconds\": -"),
        changed("\"spent_seconds\": ", "\"spent_seconds\": 1e30, \"score\": "),
        changed("W:W13", "W:W33,13"),
        changed("W:W13", "W:W12"),
        changed("B:W13", "B:W12"),
        foreign.into_bytes(),
    ];
    for case in cases {
        let (dir, ran) = answered_beside("playdata.txt", &case);
        ran.stderr_contains(&["warning: ", "playdata.txt", "ignored"]);
        // The new playdata starts with the current board.
        let written = dir.text("playdata.txt");
        let after = board().play(read_answer(ran.answer(), &board()).expect("a legal turn"));
        assert!(written.contains(&format!("\"{BOARD}\"")) && written.contains(&format!("\"{after}\"")), "{written}");
        assert_eq!(written.matches(":W").count(), 2, "{written}");
    }
}

#[test]
fn an_invalid_calibration_is_ignored_with_a_warning() {
    for [case] in [[""]].into_iter().chain(rows(CASES, "invalid calibrations")) {
        let (dir, ran) = answered_beside("calibration.txt", case);
        ran.stderr_contains(&["warning: ", "calibration.txt", "ignored"]);
        assert_eq!(dir.read("calibration.txt").as_deref(), Some(case));
    }
    for make in [Dir::make_dir, Dir::make_pipe] {
        let dir = Dir::with_input(input());
        make(&dir, "calibration.txt");
        let ran = dir.run(Program::Homework);
        ran.stderr_contains(&["warning: cannot read", "calibration.txt"]);
        answered(&dir, &ran);
    }
}

#[test]
fn a_bad_calibration_field_does_not_affect_the_others() {
    let tables = "\"tables\": \"no such file\"";
    for [field, message] in rows(CASES, "bad fields") {
        let text = format!("{{{field}, {tables}}}");
        let (dir, ran) = answered_beside("calibration.txt", &text);
        ran.stderr_contains(&[message, "no such file\" are ignored"]);
        assert_eq!(ran.stderr.matches("warning: ").count(), 2, "{ran:#?}");
        assert_eq!(dir.read("calibration.txt"), Some(text));
    }
}

#[test]
fn a_named_evaluation_is_used_and_an_unusable_one_is_ignored_with_a_warning() {
    let inputs = vec![vec![0; HIDDEN]; INPUTS];
    let bucket = (vec![0; HIDDEN], vec![0; HIDDEN], 0);
    let (biases, buckets) = (vec![vec![0; HIDDEN]; STAGES], vec![bucket; BUCKETS]);
    let weights = |game| Weights { game, unit: 100, inputs: &inputs, biases: &biases, buckets: &buckets, direct: &[] };
    // These weights score every position as even.
    let own = weights("checkers").to_bytes();
    let mut damaged = own.clone();
    damaged[100] ^= 1;
    for (bytes, message) in [
        (own, None),
        (damaged, Some("found a wrong checksum, expected undamaged weights")),
        (weights("loa").to_bytes(), Some("found weights for loa, expected weights for checkers")),
        (b"{}".to_vec(), Some("found no weights, expected a file that begins with \"kingline weights\"")),
    ] {
        let elsewhere = Dir::new().with("own", bytes);
        let calibration = format!("{{\"evaluation\": {:?}}}", elsewhere.path("own"));
        let (_, ran) = answered_beside("calibration.txt", calibration);
        assert_eq!(ran.stderr.contains("(+0.00; depth"), message.is_none(), "{ran:#?}");
        assert_eq!(ran.stderr.matches("warning: ").count(), usize::from(message.is_some()), "{ran:#?}");
        ran.stderr_contains(&[message.unwrap_or_default()]);
    }
    let (_, ran) = answered_beside("calibration.txt", "{\"evaluation\": \"no such file\"}");
    ran.stderr_contains(&["no such file\" is ignored, and the built-in one is used: "]);
}

#[test]
fn extreme_calibrations_are_played() {
    for [case] in rows(CASES, "extreme calibrations") {
        answered_beside("calibration.txt", case).1.stderr_lacks(&["warning"]);
    }
}

#[test]
fn closed_output_streams_do_not_cost_the_move() {
    for lines in ["exec \"$0\" 2>&-", "exec \"$0\" >&- 2>&- <&-", "exec \"$0\" 2>/dev/full >/dev/full"] {
        let dir = Dir::with_input(input());
        answered(&dir, &dir.run_in_shell(lines, Program::Homework));
        let dir = Dir::with_input(input());
        answered(&dir, &dir.run_in_shell(lines, Program::Reference));
        for program in [Program::Homework, Program::Reference] {
            Dir::new().run_in_shell(lines, program).exits_with(2);
        }
    }
}

#[test]
fn a_reader_that_goes_away_does_not_cost_the_move() {
    for (input, code) in [(input(), 0), (String::new(), 2)] {
        for program in [Program::Homework, Program::Reference] {
            let dir = Dir::with_input(&input);
            let mut command = Command::new(program.path());
            command.current_dir(dir.path(".")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("a program that starts");
            drop(child.stderr.take());
            drop(child.stdout.take());
            dir.wait_for(child).exits_with(code);
        }
    }
}
