//! Refused input, unusual but valid input, and bad usage.

use kingline::protocol::turn_files::{TurnRequest, read_answer};

use crate::support::command::{Dir, Ran};
use crate::support::programs::Program;

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

/// Asserts that both programs refuse the input in `dir` with `errors` and change no files.
#[track_caller]
fn refused(dir: &Dir, errors: &[&str]) {
    dir.write("output.txt", STALE);
    let names = dir.names();
    for program in [Program::Homework, Program::Reference] {
        let ran = dir.run(program);
        ran.exits_with(2).stderr_contains(errors).stderr_contains(&["input.txt", "expected"]);
        assert_eq!(ran.answer(), STALE);
        assert_eq!(dir.names(), names, "{ran:#?}");
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
    let after = "nothing after the eight rows of the board";
    let letters = "one of . w b W B in file d of rank 5";
    let cases: &[(String, usize, &str, &str)] = &[
        (with_line(1, "DOUBLE"), 1, "DOUBLE", "SINGLE or GAME"),
        (with_line(1, "game"), 1, "game", "SINGLE or GAME"),
        (with_line(2, "GREEN"), 2, "GREEN", "BLACK or WHITE"),
        (with_line(2, "BLACK WHITE"), 2, "BLACK WHITE", "BLACK or WHITE"),
        (format!("{GOOD}........\n"), 12, "........", after),
        (format!("{GOOD}\n\nmore\n"), 14, "more", after),
        (with_line(4, "b.b.b.b."), 4, "b.b.b.b.", "all pieces on dark squares; a8 is a light one"),
        (with_line(11, "w.w.w.wW"), 11, "w.w.w.wW", "all pieces on dark squares; h1 is a light one"),
        (with_line(9, "w.w.w.w"), 9, "w.w.w.w", "8 squares in rank 3, not 7"),
        (with_line(6, ".b.b.b.b."), 6, ".b.b.b.b.", "8 squares in rank 6, not 9"),
        (with_line(5, "b.b.b.b.b.b.b.b."), 5, "b.b.b.b.b.b.b.b.", "8 squares in rank 7, not 16"),
        (with_line(7, " ........"), 7, " ........", "8 squares in rank 5, not 9"),
        (with_line(7, "...x...."), 7, "x", letters),
        (with_line(7, "...0...."), 7, "0", letters),
        (with_line(7, "... ...."), 7, " ", letters),
        (with_line(7, "...\t...."), 7, "\\t", letters),
        (with_line(7, "...\0...."), 7, "\\0", letters),
        (with_line(7, "...\u{e9}...."), 7, "\u{e9}", letters),
    ];
    for (input, line, found, expected) in cases {
        let error = format!("input.txt, line {line}: found \"{found}\", expected {expected}\n");
        refused(&Dir::with_input(input), &[&error]);
    }
}

#[test]
fn blank_lines_and_early_ends_are_errors_at_their_line() {
    let [mode, side] = ["SINGLE or GAME", "BLACK or WHITE"];
    let seconds = "seconds left, a number above 0";
    let row = |row: usize| format!("row {row} of the board (eight rows, no blank lines between)");
    // One or two blank lines before each line, or a blank line in its place.
    for number in 1..=11 {
        let expected = [mode, side, seconds].get(number - 1).map_or_else(|| row(12 - number), ToString::to_string);
        let error = format!("input.txt, line {number}: found a blank line, expected {expected}\n");
        let lines: Vec<&str> = GOOD.lines().collect();
        for blank in ["", " \t", "\n"] {
            let spread = [&lines[..number - 1], &[blank], &lines[number - 1..]].concat().join("\n");
            for input in [format!("{spread}\n"), spread.replace('\n', "\r\n"), with_line(number, blank)] {
                refused(&Dir::with_input(input), &[&error]);
            }
        }
        let error = format!("input.txt, line {number}: found the end of the file, expected {expected}\n");
        refused(&Dir::with_input(cut_after(number - 1)), &[&error]);
    }
    refused(&Dir::with_input("\n\n \n"), &["line 1: found a blank line"]);
    // Too few rows, followed by blank lines.
    refused(&Dir::with_input(cut_after(9) + "\n\n\n\n"), &["line 10: found a blank line, expected row 2 of the board"]);
}

#[test]
fn times_must_be_numbers_above_zero() {
    for time in [
        "nan", "NaN", "inf", "-inf", "infinity", "-1", "-0.5", "0", "0.0", "-0", "1e-400", "ten", "1,5", "1 2", "0x10",
        "1e", "--1", "300s", ".",
    ] {
        let error = format!("line 3: found \"{time}\", expected seconds left, a number above 0\n");
        refused(&Dir::with_input(with_line(3, time)), &[&error]);
    }
}

#[test]
fn invalid_utf8_is_refused() {
    let junk: Vec<u8> = (0..=255).collect();
    refused(&Dir::with_input(&junk), &["line 1: "]);
    refused(&Dir::with_input(b"\xff\xfeG\0A\0M\0E\0\n\0"), &["line 1: "]);
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
        std::os::unix::fs::symlink(target, dir.path("input.txt")).expect("a link");
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
            let ran = dir.run(program);
            ran.exits_with(3).stderr_contains(&["the game is over", "Black", "White has won"]);
            assert_eq!(ran.answer(), STALE);
            assert_eq!(dir.names(), ["input.txt", "output.txt"]);
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
    let row = |dots: &str| dots.replace('|', "\n") + "\n";
    let cases = [
        (".w.....b|........|........|..b.....|........|....w...|........|......b.", "crowning row"),
        (".b.b.b.b|b.b.b.b.|.b.b.b.b|b.......|........|w.w.w.w.|.w.w.w.w|w.w.w.w.", "Black has 13 pieces"),
        (".W.W.W.W|W.W.W.W.|.W.W.W.W|W.W.....|.B.B.B.B|B.B.B.B.|.B.B.B.B|B.B.B.B.", "White has 14 pieces"),
        (".W.W.W.W|W.W.W.W.|.W.W.W.W|W.W.W.W.|.W.W.W.W|W.W.W...|.W.W.W.W|W.W.W.W.", "White has 31 pieces"),
    ];
    for (board, warning) in cases {
        answered(&format!("SINGLE\nWHITE\n0.1\n{}", row(board))).stderr_contains(&["warning: ", warning]);
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
