//! Tests of the commands of each edition (§3, §4).

use super::*;
use crate::protocol::commands::command::Control;

fn read(dialect: &Dialect, line: &str) -> Command {
    dialect.read(line).unwrap().unwrap()
}

fn refused(dialect: &Dialect, line: &str) -> String {
    dialect.read(line).unwrap_err().to_string()
}

#[test]
fn moves_end_at_a_word_boundary() {
    let Command::Move { from, to } = read(&COURSE_2020, "a2-c2") else { panic!() };
    assert_eq!((from.to_string(), to.to_string()), ("a2".into(), "c2".into()));
    for line in ["  a2-c2\t\r", "a2-c2 junk", "a2-c2,x", "a2-c2-e2", "a2-c2# x"] {
        assert_eq!(read(&COURSE_2015, line), Command::Move { from, to }, "{line}");
    }
    for line in ["a2-c2junk", "a2-c22", "a2-c2_", "a2-c2\u{e9}", "A2-C2", "a2 - c2", "a2c2", "a2-c", "\u{e9}2-c2"] {
        assert!(refused(&COURSE_2020, line).starts_with("unknown command: found "), "{line}");
    }
    for line in ["a2-c9", "i2-c2", "a0-c2", "z9-z9,"] {
        assert!(refused(&COURSE_2020, line).starts_with("illegal move: found "), "{line}");
    }
}

#[test]
fn blank_lines_and_comments_are_no_commands() {
    for line in ["", "  \t\r", "# quit", "  #quit"] {
        assert_eq!(COURSE_2020.read(line), Ok(None), "{line:?}");
    }
}

#[test]
fn words_are_read_in_any_case_and_extra_ones_ignored() {
    for line in ["QUIT", " Quit now", "quit\t#", "exit", "q", "Q"] {
        assert_eq!(read(&COURSE_2020, line), Command::Quit, "{line}");
        assert_eq!(read(&COURSE_2015, line), Command::Quit, "{line}");
    }
    assert_eq!(read(&COURSE_2020, "AUTO  Black junk"), Command::Control(Color::Black, Control::Automatic));
    assert_eq!(read(&COURSE_2015, "manual WHITE"), Command::Control(Color::White, Control::Manual));
    assert_eq!(read(&COURSE_2020, "Print it"), Command::Print);
    assert_eq!(read(&COURSE_2020, " save\t my  game.sgf \r"), Command::Save("my  game.sgf".into()));
    assert_eq!(read(&COURSE_2015, "load A.sgf"), Command::Load("A.sgf".into()));
}

#[test]
fn each_dialect_has_its_own_commands() {
    for line in ["start", "clear", "board", "autoprint", "b"] {
        assert!(refused(&COURSE_2020, line).starts_with("unknown command: "), "{line}");
    }
    assert_eq!(read(&COURSE_2015, "autoPrint on"), Command::AutoPrint);
    for line in ["new", "limit 3", "n", "l", "u", "qu", "s", "e"] {
        assert!(refused(&COURSE_2015, line).starts_with("unknown command: "), "{line}");
    }
    assert!(refused(&COURSE_2015, "s").ends_with("expected start or set or seed"));
    let letters = [
        ("q", Command::Quit),
        ("B", Command::Board),
        ("d", Command::Dump),
        ("h", Command::Help),
        ("c", Command::New),
        ("a black", Command::Control(Color::Black, Control::Automatic)),
        ("m white", Command::Control(Color::White, Control::Manual)),
    ];
    for (line, command) in letters {
        assert_eq!(read(&COURSE_2015, line), command, "{line}");
    }
}

#[test]
fn set_has_its_own_operands_in_each_edition() {
    let square = "b3".parse().unwrap();
    let set = |piece, next| Command::Set { square, piece, next };
    let (black, white) = (Some(Color::Black), Some(Color::White));
    for line in ["set b3 Black WHITE", "SET B3 BLACK White"] {
        assert_eq!(read(&COURSE_2020, line), set(black, white));
    }
    assert_eq!(read(&COURSE_2020, "set b3 - black x"), set(None, black));
    assert_eq!(read(&COURSE_2015, "set B3 B"), set(black, white));
    assert_eq!(read(&COURSE_2015, "set b3 w black"), set(white, black));
    assert_eq!(read(&COURSE_2015, "set b3 e"), set(None, None));
    for line in ["set", "set b3", "set b9 black white", "set B9 black white", "set b3 b white", "set b3 e white"] {
        assert!(refused(&COURSE_2020, line).starts_with("invalid arguments to set: found "), "{line}");
    }
    for line in ["set b3 black", "set b3 black -", "set b3 - w"] {
        assert!(refused(&COURSE_2020, line).starts_with("invalid next player: found "), "{line}");
    }
    for line in ["set", "set b3", "set b0 w", "set b3 white", "set b3 -"] {
        assert!(refused(&COURSE_2015, line).starts_with("invalid arguments to set: found "), "{line}");
    }
}

#[test]
fn numbers_are_64_bit() {
    for (text, seed) in [("0", 0), ("-1", u64::MAX), ("18446744073709551615", u64::MAX), ("+7", 7)] {
        assert_eq!(read(&COURSE_2020, &format!("seed {text}")), Command::Seed(seed));
    }
    assert_eq!(read(&COURSE_2015, "seed -9223372036854775808"), Command::Seed(1 << 63));
    assert_eq!(read(&COURSE_2020, "limit -3"), Command::Limit(-3));
    for operand in ["", "x", "1.5", "1e3", "0x1", "18446744073709551616", "-9223372036854775809", "--1"] {
        for command in ["seed", "limit"] {
            let error = refused(&COURSE_2020, &format!("{command} {operand}"));
            assert!(error.starts_with("invalid number: found "), "{error}");
        }
    }
}

#[test]
fn wrong_operands_are_refused_with_short_messages() {
    assert_eq!(refused(&COURSE_2020, "auto green"), "unknown player: found \"green\", expected black or white");
    assert!(refused(&COURSE_2015, "manual").starts_with("unknown player: found \"\""));
    assert_eq!(refused(&COURSE_2020, "save"), "expected a file name after save");
    let junk = format!("\u{0}{}", "x".repeat(1000));
    assert!(refused(&COURSE_2020, &junk).len() < 200);
}
