//! Refused input, unusual but valid input, and bad usage.

use kingline_players::protocol::turn_files::{TurnRequest, read_answer};

use super::CASES;
use crate::support::command::*;
use crate::support::table::rows;

const GOOD: &str = "GAME\nBLACK\n0.2\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";
const STALE: &str = "E a3 b4\n";

/// Returns the good input with line `number`, 1-based, replaced.
fn with_line(number: usize, line: &str) -> String {
    let mut lines: Vec<&str> = GOOD.lines().collect();
    lines[number - 1] = line;
    lines.join("\n") + "\n"
}

/// Returns the first `lines` lines of the good input.
fn cut_after(lines: usize) -> String {
    GOOD.lines().take(lines).map(|line| format!("{line}\n")).collect()
}

/// Asserts that both programs refuse the input in `dir` with `errors` and change no files, except that an input without
/// an answer leaves no turn in output.txt.
#[track_caller]
fn refused(dir: &Dir, errors: &[&str]) {
    let names = dir.names();
    let is_asked = names.contains(&"input.txt".to_owned());
    for (before, is_turn) in
        [(STALE, true), ("J f6 d4\r\nj d4 f2\n\n", true), ("E a3 b4, said Eve\n", false), ("\n", false)]
    {
        for program in [Program::Homework, Program::Reference] {
            dir.write("output.txt", before);
            let ran = dir.run(program);
            ran.exits_with(2).stderr_contains(errors).stderr_contains(&["input.txt", "expected"]);
            let stays = !(is_asked && is_turn);
            assert_eq!(ran.answer.as_deref(), stays.then_some(before), "{ran:#?}");
        }
    }
    dir.delete("output.txt");
    assert_eq!(dir.names(), names);
}

/// Asserts that both programs answer the input with a legal turn in `GOOD` and these warnings, and no others.
#[track_caller]
fn recovered(input: impl AsRef<[u8]>, warnings: &[&str]) {
    let position = TurnRequest::parse(GOOD).expect("an input").position;
    for program in [Program::Homework, Program::Reference] {
        let ran = Dir::with_input(&input).run(program);
        read_answer(ran.exits_with(0).answer(), &position).unwrap_or_else(|error| panic!("{error:?}: {ran:#?}"));
        let expected: Vec<String> = warnings.iter().map(|warning| format!("warning: input.txt, {warning}")).collect();
        let found: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
        assert_eq!(found, expected, "{ran:#?}");
    }
}

/// Asserts that the answer is a legal turn.
#[track_caller]
fn answered(input: &str) -> Ran {
    let dir = Dir::with_input(input);
    let ran = dir.run(Program::Homework);
    let position = TurnRequest::parse(input).expect("an input").position;
    read_answer(ran.exits_with(0).answer(), &position).unwrap_or_else(|error| panic!("{error:?}: {ran:#?}"));
    ran
}

#[test]
fn errors_name_line_found_and_expected() {
    for [number, line, found, expected] in rows(CASES, "wrong lines") {
        let input = with_line(number.parse().expect("a number"), line);
        let error = format!("input.txt, line {number}: found \"{found}\", expected {expected}\n");
        refused(&Dir::with_input(input), &[&error]);
    }
}

/// Expected content of line `number`.
fn expected(number: usize) -> String {
    let header = ["SINGLE or GAME", "BLACK or WHITE", "seconds left, a number above 0"];
    let row = || format!("row {} of the board (eight rows, no blank lines between)", 12 - number);
    header.get(number - 1).map_or_else(row, ToString::to_string)
}

#[test]
fn blank_lines_are_skipped() {
    let lines: Vec<&str> = GOOD.lines().collect();
    for number in 1..=11 {
        let warning = format!("line {number}: found a blank line, expected {}; skipped", expected(number));
        for blank in ["", " \t", "\n"] {
            let spread = [&lines[..number - 1], &[blank], &lines[number - 1..]].concat().join("\n");
            recovered(spread.replace('\n', "\r\n"), &[&warning]);
            recovered(spread, &[&warning]);
        }
    }
}

#[test]
fn an_early_end_or_a_blank_line_in_place_of_side_or_row_is_an_error() {
    for number in 1..=11 {
        let expected = expected(number);
        let error = format!("input.txt, line {number}: found the end of the file, expected {expected}\n");
        refused(&Dir::with_input(cut_after(number - 1)), &[&error]);
        if ![1, 3].contains(&number) {
            let error = format!("input.txt, line {number}: found a blank line, expected {expected}\n");
            refused(&Dir::with_input(with_line(number, " ")), &[&error]);
        }
    }
    refused(&Dir::with_input("\n\n \n"), &["line 1: found a blank line"]);
    // Too few rows, followed by blank lines.
    refused(&Dir::with_input(cut_after(9) + "\n\n\n\n"), &["line 10: found a blank line, expected row 2 of the board"]);
}

#[test]
fn a_board_that_can_be_read_is_answered_with_a_warning() {
    let [mode, side, seconds] = [1, 2, 3].map(expected);
    let after = "nothing after the eight rows of the board; ignored";
    for [number, line, reading] in rows(CASES, "lines of a header that are read") {
        let number = number.parse().expect("a number");
        let warning = format!("line {number}: found {line:?}, expected {}; {reading}", expected(number));
        recovered(with_line(number, line), &[&warning]);
    }
    let row = |number: usize, line: &str, reading: &str| {
        let (rank, count) = (12 - number, line.chars().count());
        let warning =
            format!("line {number}: found {line:?}, expected 8 squares in rank {rank}, not {count}; {reading}");
        (with_line(number, line), vec![warning])
    };
    let without = |number: usize| with_line(number, "\n").replace("\n\n\n", "\n").trim_start().to_owned();
    let utf16: Vec<u8> = format!("\u{feff}{GOOD}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases = [
        row(7, " ........", "read as ........"),
        row(4, ". b . b . b . b", "read as .b.b.b.b"),
        row(11, "w.w.w.w.  (row 1)", "read as w.w.w.w."),
        (format!("{GOOD}........\n"), vec![format!("line 12: found \"........\", expected {after}")]),
        (format!("{GOOD}\n\nmore\n"), vec![format!("line 14: found \"more\", expected {after}")]),
        (without(1), vec![format!("line 1: found \"BLACK\", expected {mode}; GAME is assumed")]),
        (without(3), vec![format!("line 3: found \".b.b.b.b\", expected {seconds}; the least is assumed: 0.01")]),
        (
            with_line(1, ""),
            vec![
                format!("line 1: found a blank line, expected {mode}; skipped"),
                format!("line 2: found \"BLACK\", expected {mode}; GAME is assumed"),
            ],
        ),
        (
            with_line(3, "nan").to_lowercase(),
            vec![
                format!("line 1: found \"game\", expected {mode}; read as GAME"),
                format!("line 2: found \"black\", expected {side}; read as BLACK"),
                format!("line 3: found \"nan\", expected {seconds}; the least is assumed: 0.01"),
            ],
        ),
    ];
    for (input, warnings) in cases {
        recovered(input, &warnings.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let ran = Dir::with_input(utf16).run(Program::Homework);
    assert!(!ran.exits_with(0).stderr_contains(&["warning: input.txt, line 1: "]).answer().is_empty());
}

#[test]
fn a_time_that_is_no_positive_number_is_taken_as_short() {
    let times =
        "nan|NaN|inf|-inf|infinity|-1|-0.5|0|0.0|-0|1e-400|ten|1 2|0x10|1e|--1|.|300ms|1,000.5|0:05|5 minutes|s";
    for time in times.split('|') {
        let warning = format!("line 3: found \"{time}\", expected {}; the least is assumed: 0.01", expected(3));
        recovered(with_line(3, time), &[&warning]);
    }
}

#[test]
fn text_that_is_no_request_is_refused() {
    let junk: Vec<u8> = (0..=255).collect();
    refused(&Dir::with_input(&junk), &["line 2: "]);
    let mut bytes = with_line(7, "...x....").into_bytes();
    *bytes.iter_mut().find(|byte| **byte == b'x').expect("an x") = 0xff;
    refused(&Dir::with_input(&bytes), &["line 7: found \"\u{fffd}\""]);
}

#[test]
fn unreadable_input_is_an_error() {
    refused(&Dir::new(), &["cannot read", "No such file"]);
    refused(&Dir::with_input(vec![b'x'; 2 << 20]), &["cannot read", "longer than 1 MiB"]);
    refused(&Dir::with_input(GOOD.to_owned() + &"\n".repeat(2 << 20)), &["cannot read", "longer than 1 MiB"]);
    let dir = Dir::new();
    dir.make_dir("input.txt");
    refused(&dir, &["cannot read", "not a regular file"]);
    let dir = Dir::new();
    dir.make_pipe("input.txt");
    refused(&dir, &["cannot read", "not a regular file"]);
    for target in ["/dev/zero", "input.txt"] {
        let dir = Dir::new();
        dir.link(target, "input.txt");
        refused(&dir, &["cannot read"]);
    }
}

#[test]
fn a_side_without_a_legal_turn_is_an_error() {
    let empty = "........\n".repeat(8);
    let full = ".w.b.w.b\nb.w.b.w.\n".repeat(4);
    let blocked = "........\n".repeat(5) + "b.......\n.w......\nw.w.....\n";
    for board in [empty, full, blocked] {
        let dir = Dir::with_input(format!("GAME\nBLACK\n5\n{board}")).with("output.txt", STALE);
        for program in [Program::Homework, Program::Reference] {
            dir.run(program).exits_with(3).stderr_contains(&["the game is over", "Black", "White has won"]);
            assert_eq!(dir.names(), ["input.txt"], "no turn stays");
        }
    }
}

#[test]
fn accepts_crlf_and_blanks_without_a_warning() {
    let mut forms = vec![
        GOOD.replace('\n', "\r\n"),
        GOOD.replace('\n', "  \t\n"),
        GOOD.trim_end().to_owned(),
        GOOD.trim_end().replace('\n', "\r\n"),
        format!("{GOOD}\n\n  \n\r\n"),
        format!("\u{feff}{GOOD}"),
    ];
    for time in ["300", "1.", ".5", "+1.5", "5.63999999999997", "1E1", "0.01", "1e-05", "1e-300", "1e300"] {
        forms.push(with_line(3, time));
    }
    for form in forms {
        answered(&form).stderr_lacks(&["warning"]);
    }
}

#[test]
fn odd_boards_are_played_with_a_warning() {
    for [board, warning] in rows(CASES, "odd boards") {
        answered(&format!("SINGLE\nWHITE\n0.1\n{}\n", board.replace('/', "\n")))
            .stderr_contains(&["warning: ", warning]);
    }
}

#[test]
fn bad_usage_exits_with_2() {
    for program in [Program::Homework, Program::Reference] {
        for arguments in [&["--color", "black"][..], &["one", "two"], &["-x"]] {
            let dir = Dir::with_input(GOOD).with("output.txt", STALE);
            let ran = dir.run_command(program.command().args(arguments));
            ran.exits_with(2).stderr_contains(&["Usage"]);
            assert_eq!(ran.answer(), STALE);
        }
        let ran = Dir::with_input(GOOD).run_command(program.command().arg("no/such/place"));
        ran.exits_with(2).stderr_contains(&["no/such/place/input.txt"]);
        for option in ["--help", "--version"] {
            let ran = Dir::new().run_command(program.command().arg(option));
            assert!(!ran.exits_with(0).stdout.is_empty());
        }
    }
}

#[test]
fn the_directory_is_an_optional_argument() {
    let dir = Dir::with_input(GOOD);
    let elsewhere = Dir::new();
    elsewhere.run_command(Program::Homework.command().arg(dir.path("."))).exits_with(0);
    assert_eq!(dir.names(), ["input.txt", "output.txt", "playdata.txt"]);
    assert!(elsewhere.names().is_empty());
}
