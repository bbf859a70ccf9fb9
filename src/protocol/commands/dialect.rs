//! What do the two editions of the course do differently? The answers are data.

#[cfg(test)]
mod tests;

use super::command::{self, Command, Words};
use super::grammar::ended;
use super::pace::Pace;
use super::refusal::Refusal;
use crate::game::{Color, Outcome, ParseError};
use crate::loa::Move;

/// How an edition of the course speaks, and by which rules it plays.
#[derive(Debug)]
pub struct Dialect {
    /// Two lines at the start.
    pub banner: &'static str,
    /// A summary of the commands.
    pub help: &'static str,
    /// Whether a new board is played on at once.
    pub fresh: Phase,
    /// What `set`, `auto` and `manual` do to a game in progress.
    pub edits: Edits,
    /// Moves of each side before the game is a tie.
    pub limit: Option<i64>,
    /// The error for a move while no game is in progress.
    pub not_playing: &'static str,
    /// The line of an automatic move.
    pub moved: fn(Color, Move) -> String,
    /// The line of a game's end.
    pub ended: fn(Outcome) -> String,
    /// How long the automatic players think by default.
    pub pace: Pace,
    words: &'static [(&'static str, OperandReader)],
    letters: Letters,
}

/// Whether a game is in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The sides move.
    Playing,
    /// No game is in progress before `start`.
    Stopped,
    /// The game has ended, and no other has begun.
    Over,
}

/// What changing the board or the players does to a game in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edits {
    /// It goes on.
    GoOn,
    /// It stops until `start`.
    Stop,
}

/// Whether first letters stand for commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    Never,
    /// Where only one word starts with the letter.
    IfUnambiguous,
}

/// Reads the operands of a command.
type OperandReader = fn(&mut Words) -> Result<Command, Refusal>;

/// §3.
pub static COURSE_2020: Dialect = Dialect {
    banner: "Lines of Action, commands of 2020.\nType help for a list of commands.\n",
    help: "\
new                begin a new game
a2-c2              move from a2 to c2
auto P, manual P   black or white is played by the machine, by you
set CR P N         put black, white or - on a square; black or white moves next
dump               print the board
seed N             play the same way every time
limit N            tie after N moves of each side
undo               take back your last move
save F, load F     write the game to a file, read it from there (SGF)
help, ?            this
quit               end the program
",
    fresh: Phase::Playing,
    edits: Edits::GoOn,
    limit: Some(30),
    not_playing: "no game in progress",
    moved: |_, mv| format!("* {mv}\n"),
    ended: |result| format!("* {}\n", ended(result)),
    pace: Pace::PerGame,
    words: &[
        ("new", |_| Ok(Command::New)),
        ("auto", command::auto),
        ("manual", command::manual),
        ("set", command::set_with_next),
        ("dump", |_| Ok(Command::Dump)),
        ("seed", command::seed),
        ("limit", command::limit),
        ("help", |_| Ok(Command::Help)),
        ("?", |_| Ok(Command::Help)),
        ("quit", |_| Ok(Command::Quit)),
    ],
    letters: Letters::Never,
};

/// §4.
pub static COURSE_2015: Dialect = Dialect {
    banner: "Lines of Action, commands of 2015.\nType help for a list of commands.\n",
    help: "\
start              begin to play
clear              stop, and set up the board
a2-c2              move from a2 to c2
auto P, manual P   black or white is played by the machine, by you; stops
set CR P           put b, w or e (nothing) on a square; stops
board              show the board
dump               print the board for programs
seed N             play the same way every time
undo               take back your last move
save F, load F     write the game to a file, read it from there (SGF)
help, ?            this
quit               end the program
A first letter is enough for: auto board clear dump help manual quit
",
    fresh: Phase::Stopped,
    edits: Edits::Stop,
    limit: None,
    not_playing: "game not started",
    moved: |color, mv| match color {
        Color::Black => format!("B::{mv}\n"),
        Color::White => format!("W::{mv}\n"),
    },
    ended: |result| format!("{}\n", ended(result)),
    pace: Pace::PerProcess,
    words: &[
        ("start", |_| Ok(Command::Start)),
        ("clear", |_| Ok(Command::New)),
        ("auto", command::auto),
        ("manual", command::manual),
        ("set", command::set_by_letter),
        ("board", |_| Ok(Command::Board)),
        ("dump", |_| Ok(Command::Dump)),
        ("seed", command::seed),
        ("help", |_| Ok(Command::Help)),
        ("?", |_| Ok(Command::Help)),
        ("quit", |_| Ok(Command::Quit)),
    ],
    letters: Letters::IfUnambiguous,
};

/// Commands that no edition of the course has; letters do not stand for them.
const EXTRAS: [(&str, OperandReader); 3] =
    [("undo", |_| Ok(Command::Undo)), ("save", command::save), ("load", command::load)];

impl Dialect {
    /// The dialect of the course's edition of this year.
    ///
    /// # Errors
    /// There is no such edition.
    pub fn named(year: &str) -> Result<&'static Dialect, ParseError> {
        match year {
            "2020" => Ok(&COURSE_2020),
            "2015" => Ok(&COURSE_2015),
            _ => Err(ParseError::new(year, "2020 or 2015")),
        }
    }

    /// What a line asks for; `None` if nothing.
    ///
    /// # Errors
    /// The line is no command, or its operands are wrong.
    pub fn read(&self, line: &str) -> Result<Option<Command>, Refusal> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(None) };
        match command::read_move(first)? {
            Some(mv) => Ok(Some(mv)),
            None => self.find(first)?(&mut words).map(Some),
        }
    }

    fn find(&self, word: &str) -> Result<OperandReader, Refusal> {
        let unknown = |expected: String| Refusal::UnknownCommand(ParseError::new(word, expected));
        let lower = word.to_ascii_lowercase();
        if let Some(&(_, reader)) = self.words.iter().chain(&EXTRAS).find(|&&(name, _)| name == lower) {
            return Ok(reader);
        }
        let is_letter = lower.len() == 1 && self.letters == Letters::IfUnambiguous;
        let meant: Vec<_> = self.words.iter().filter(|(name, _)| is_letter && name.starts_with(&lower)).collect();
        match meant[..] {
            [&(_, reader)] => Ok(reader),
            [] => Err(unknown("a command; help lists them".to_string())),
            _ => Err(unknown(meant.iter().map(|&&(name, _)| name).collect::<Vec<_>>().join(" or "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::Control;
    use super::*;

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
    fn lines_that_do_nothing() {
        for line in ["", "  \t\r", "# quit", "  #quit"] {
            assert_eq!(COURSE_2020.read(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn words_in_any_case_and_more_words_than_needed() {
        for line in ["QUIT", " Quit now", "quit\t#"] {
            assert_eq!(read(&COURSE_2020, line), Command::Quit, "{line}");
            assert_eq!(read(&COURSE_2015, line), Command::Quit, "{line}");
        }
        assert_eq!(read(&COURSE_2020, "AUTO  Black junk"), Command::Control(Color::Black, Control::Automatic));
        assert_eq!(read(&COURSE_2015, "manual WHITE"), Command::Control(Color::White, Control::Manual));
        assert_eq!(read(&COURSE_2020, "save a.sgf b.sgf"), Command::Save("a.sgf".into()));
        assert_eq!(read(&COURSE_2015, "load A.sgf"), Command::Load("A.sgf".into()));
    }

    #[test]
    fn each_dialect_has_its_own_commands() {
        for line in ["start", "clear", "board", "q", "b"] {
            assert!(refused(&COURSE_2020, line).starts_with("unknown command: "), "{line}");
        }
        for line in ["new", "limit 3", "n", "l", "u", "qu", "s"] {
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
    fn set_in_both_editions() {
        let square = "b3".parse().unwrap();
        let set = |piece, next| Command::Set { square, piece, next };
        let (black, white) = (Some(Color::Black), Some(Color::White));
        assert_eq!(read(&COURSE_2020, "set b3 Black WHITE"), set(black, white));
        assert_eq!(read(&COURSE_2020, "set b3 - black x"), set(None, black));
        assert_eq!(read(&COURSE_2015, "set b3 B"), set(black, white));
        assert_eq!(read(&COURSE_2015, "set b3 w black"), set(white, black));
        assert_eq!(read(&COURSE_2015, "set b3 e"), set(None, None));
        for line in ["set", "set b3", "set b9 black white", "set B3 black white", "set b3 b white", "set b3 e white"] {
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
                let told = refused(&COURSE_2020, &format!("{command} {operand}"));
                assert!(told.starts_with("invalid number: found "), "{told}");
            }
        }
    }

    #[test]
    fn what_else_is_refused() {
        assert_eq!(refused(&COURSE_2020, "auto green"), "unknown player: found \"green\", expected black or white");
        assert!(refused(&COURSE_2015, "manual").starts_with("unknown player: found \"\""));
        assert_eq!(refused(&COURSE_2020, "save"), "expected the name of a file after save");
        let junk = format!("\u{0}{}", "x".repeat(1000));
        assert!(refused(&COURSE_2020, &junk).len() < 200);
    }
}
