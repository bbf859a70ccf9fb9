use super::command::{self, Command, Control, OperandReader, Words};
use super::grammar::ended;
use super::refusal::{Pace, Refusal};
use kingline::game::{Color, Outcome, ParseError};
use kingline::loa::Move;

/// Commands, output and rules of an edition of the course.
#[derive(Debug)]
pub struct Dialect {
    edition: Edition,
    /// Two lines printed at the start.
    pub banner: &'static str,
    /// Phase of a new board.
    pub fresh: Phase,
    /// Effect of `set`, `auto` and `manual` on a game in progress.
    pub edits: Edits,
    /// Number of moves of each side after which the game is a tie.
    pub limit: Option<i64>,
    /// Error text for a move while no game is in progress.
    pub not_playing: &'static str,
    /// Formats the line that reports an automatic move.
    pub moved: fn(Color, Move) -> String,
    /// Formats the line that reports the end of a game.
    pub ended: fn(Outcome) -> String,
    /// Default pace of the automatic players.
    pub pace: Pace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edition {
    Of2020,
    Of2015,
}

/// Phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A game is in progress.
    Playing,
    /// No game is in progress until `start`.
    Stopped,
    /// The game has ended, and no other has started.
    Over,
}

/// Effect of changing the board or the players on a game in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edits {
    /// The game goes on.
    GoOn,
    /// The game stops until `start`.
    Stop,
}

/// Edition of 2020 (§3).
pub static COURSE_2020: Dialect = Dialect {
    edition: Edition::Of2020,
    banner: "Lines of Action, commands of 2020.\nType help for a list of commands.\n",
    fresh: Phase::Playing,
    edits: Edits::GoOn,
    limit: Some(30),
    not_playing: "no game in progress",
    moved: |_, mv| format!("* {mv}\n"),
    ended: |result| format!("* {}\n", ended(result)),
    pace: Pace::PerGame,
};

/// Edition of 2015 (§4).
pub static COURSE_2015: Dialect = Dialect {
    edition: Edition::Of2015,
    banner: "Lines of Action, commands of 2015.\nType help for a list of commands.\n",
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
};

/// When a command is understood. Commands of the course's 2015 edition can be abbreviated to a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// In both editions of the course.
    Course,
    Of2020,
    Of2015,
    /// Always, although the course does not have it.
    Always,
    /// Always, but it is neither listed nor completed.
    Hidden,
    /// In the edition of 2015, but it is neither completed nor abbreviated.
    Hidden2015,
    /// Only with `--analyze`; not completed.
    Analysis,
}

/// Commands: word, reader of the operands, when it is understood, and its line of the help: form and meaning. A word
/// without a line is in that of another.
const COMMANDS: &[(&str, OperandReader, When, &str, &str)] = &[
    ("new", |_| Ok(Command::New), When::Of2020, "new", "start a new game"),
    ("start", |_| Ok(Command::Start), When::Of2015, "start", "start the game"),
    ("clear", |_| Ok(Command::New), When::Of2015, "clear", "stop, and set up the board"),
    // Moves are read before commands.
    ("", |_| Ok(Command::Help), When::Course, "b1-b3", "move from b1 to b3"),
    ("auto", command::auto, When::Of2020, "auto P, manual P", "black or white is played by the machine, by you"),
    ("auto", command::auto, When::Of2015, "auto P, manual P", "black or white is played by the machine, by you; stops"),
    ("manual", command::manual, When::Course, "", ""),
    (
        "set",
        command::set_with_next,
        When::Of2020,
        "set CR P N",
        "put black, white or - on a square; black or white moves next",
    ),
    ("set", command::set_by_letter, When::Of2015, "set CR P", "put b, w or e (nothing) on a square; stops"),
    ("print", |_| Ok(Command::Print), When::Of2020, "print", "show the board"),
    ("board", |_| Ok(Command::Board), When::Of2015, "board", "show the board"),
    ("dump", |_| Ok(Command::Dump), When::Course, "dump", "print the board for programs"),
    ("autoprint", |_| Ok(Command::AutoPrint), When::Hidden2015, "autoprint", "show the board after each move"),
    ("seed", command::seed, When::Course, "seed N", "play the same way every time"),
    ("limit", command::limit, When::Of2020, "limit N", "tie after N moves of each side"),
    ("undo", |_| Ok(Command::Undo), When::Always, "undo, redo", "undo your last move, redo it"),
    ("redo", |_| Ok(Command::Redo), When::Always, "", ""),
    ("goto", command::go_to, When::Always, "goto N", "go to the position after N moves"),
    ("moves", |_| Ok(Command::Moves), When::Always, "moves", "list the legal moves, one line per piece"),
    ("hint", |_| Ok(Command::Hint), When::Always, "hint", "show what the machine would move, and its score"),
    ("time", command::time, When::Always, "time S", "think S seconds a move; default: as at the start"),
    ("level", command::level, When::Always, "level N", "play at level N, from 1 (weakest) to 8 (5 seconds a move)"),
    (
        "position",
        command::position,
        When::Always,
        "position P",
        "start a game from P: eight rows with / between them, and the side to move",
    ),
    ("save", command::save, When::Always, "save F, load F", "write the game to a file, read it from there (SGF)"),
    ("load", command::load, When::Always, "", ""),
    ("help", |_| Ok(Command::Help), When::Course, "help, ?", "show this list"),
    ("?", |_| Ok(Command::Help), When::Course, "", ""),
    ("quit", |_| Ok(Command::Quit), When::Course, "quit", "end the program"),
    ("q", |_| Ok(Command::Quit), When::Hidden, "", ""),
    ("exit", |_| Ok(Command::Quit), When::Hidden, "", ""),
    ("analyze", |_| Ok(Command::Analyze), When::Analysis, "analyze", "think about the position until stop"),
    ("stop", |_| Ok(Command::Stop), When::Analysis, "stop", "end that"),
];

/// Rules of both editions.
const RULES: &str = "\
Black moves first. A piece moves along a row, a column or a diagonal, exactly as
many squares as there are pieces of both sides on that whole line, including
itself. It may jump over pieces of its own side, but not over enemy pieces. It
captures an enemy piece by landing on it; it may not land on its own side's.
To win, connect all your pieces into one group: squares that share a side or a
corner are connected, and a single piece is a group. A move that connects both
sides is a win for the side that made it. A side without a legal move loses.
";

impl Dialect {
    /// Dialect of the course edition of `year`.
    ///
    /// # Errors
    /// The course has no such edition.
    pub fn named(year: &str) -> Result<&'static Dialect, ParseError> {
        match year {
            "2020" => Ok(&COURSE_2020),
            "2015" => Ok(&COURSE_2015),
            _ => Err(ParseError::new(year, "2020 or 2015")),
        }
    }

    /// Reads the command on a line; `None` if there is none.
    ///
    /// # Errors
    /// The line is not a command, or its operands are wrong.
    pub fn read(&self, line: &str) -> Result<Option<Command>, Refusal> {
        self.read_with(false, line)
    }

    /// Reads the command on a line, which may be one for an analysis if `analyzes` is true.
    pub(crate) fn read_with(&self, analyzes: bool, line: &str) -> Result<Option<Command>, Refusal> {
        let mut words = Words::of(line);
        let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(None) };
        match command::read_move(first)? {
            Some(mv) => Ok(Some(mv)),
            None => self.find(analyzes, first)?(&mut words).map(Some),
        }
    }

    /// Names of all listed commands, in lower case.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let is_completed = |when| !matches!(when, When::Hidden | When::Hidden2015 | When::Analysis);
        let known = COMMANDS.iter().filter(move |entry| is_completed(entry.2) && self.has(false, entry.2));
        known.map(|entry| entry.0).filter(|name| !name.is_empty())
    }

    /// Summary of the commands: of those for an analysis as well if `analyzes` is true.
    pub(crate) fn help(&self, analyzes: bool) -> String {
        let line = |entry: &(_, _, When, &str, &str)| format!("{:19}{}\n", entry.3, entry.4);
        let analysis = COMMANDS.iter().filter(|entry| analyzes && entry.2 == When::Analysis).map(line);
        let note = self.note().map(|note| format!("{note}\n"));
        let listed = self.listed().map(|(form, meaning)| format!("{form:19}{meaning}\n"));
        listed.chain(note).chain(analysis).collect()
    }

    /// Forms of all commands except those for an analysis, and their meanings.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let listed = COMMANDS.iter().filter(|entry| self.has(false, entry.2) && !entry.3.is_empty());
        listed.map(|&(.., form, meaning)| (form, meaning))
    }

    /// Last line of the list.
    pub(crate) fn note(&self) -> Option<&'static str> {
        let letters = "A first letter is enough for: auto board clear dump help manual quit";
        (self.edition == Edition::Of2015).then_some(letters)
    }

    /// Returns the rules of the game, in lines of at most 80 columns.
    pub fn rules(&self) -> String {
        let limit = self.limit.map(|moves| format!("After {moves} moves of each side the game is a tie.\n"));
        RULES.to_owned() + &limit.unwrap_or_default()
    }

    /// Tells who plays which side, and how to change that. `players` are Black's and White's.
    pub fn players(&self, players: [Control; 2]) -> String {
        let (who, change) = match players {
            [Control::Manual, Control::Automatic] => {
                ("You play Black, and the machine plays White.", "White: manual white, then auto black")
            }
            [Control::Automatic, Control::Manual] => {
                ("You play White, and the machine plays Black.", "Black: manual black, then auto white")
            }
            [Control::Manual, Control::Manual] => ("You play both sides.", "Black alone: auto white"),
            [Control::Automatic, Control::Automatic] => ("The machine plays both sides.", "Black: manual black"),
        };
        let start = if self.edits == Edits::Stop { ", then start" } else { "" };
        format!("{who}\nTo play {change}{start}.\n")
    }

    fn has(&self, analyzes: bool, when: When) -> bool {
        match when {
            When::Course | When::Always | When::Hidden => true,
            When::Of2020 => self.edition == Edition::Of2020,
            When::Of2015 | When::Hidden2015 => self.edition == Edition::Of2015,
            When::Analysis => analyzes,
        }
    }

    fn find(&self, analyzes: bool, word: &str) -> Result<OperandReader, Refusal> {
        let unknown = |expected: String| Refusal::UnknownCommand(ParseError::new(word, expected));
        let lower = word.to_ascii_lowercase();
        let known = || COMMANDS.iter().filter(|entry| self.has(analyzes, entry.2));
        if let Some(&(_, reader, ..)) = known().find(|entry| entry.0 == lower) {
            return Ok(reader);
        }
        if let Some(mv) = command::intended_move(word) {
            return Err(unknown(format!("a move in the form {mv}")));
        }
        let is_letter = lower.len() == 1 && self.edition == Edition::Of2015;
        let is_meant = |entry: &&(&str, _, _, _, _)| {
            is_letter && matches!(entry.2, When::Course | When::Of2015) && entry.0.starts_with(&lower)
        };
        let meant: Vec<_> = known().filter(is_meant).collect();
        match meant[..] {
            [&(_, reader, ..)] => Ok(reader),
            [] => Err(unknown("a command; help lists them".to_string())),
            _ => Err(unknown(meant.iter().map(|entry| entry.0).collect::<Vec<_>>().join(" or "))),
        }
    }
}

#[cfg(test)]
mod tests {
    //! Commands of each edition (§3, §4).

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

    #[test]
    fn analysis_is_understood_only_on_demand() {
        for dialect in [&COURSE_2020, &COURSE_2015] {
            for (line, command) in [("analyze", Command::Analyze), (" STOP now", Command::Stop)] {
                let refused = dialect.read(line).unwrap_err().to_string();
                assert!(refused.starts_with("unknown command: found "), "{refused}");
                assert_eq!(dialect.read_with(true, line), Ok(Some(command)));
            }
            let undo = dialect.read_with(true, "undo");
            assert_eq!((undo, dialect.read("undo")), (Ok(Some(Command::Undo)), Ok(Some(Command::Undo))));
            assert!(!dialect.names().any(|name| name == "analyze") && dialect.names().any(|name| name == "load"));
        }
        assert!(COURSE_2015.read_with(true, "st").is_err(), "no abbreviations");
    }

    #[test]
    fn every_command_of_the_editions_is_listed() {
        for (dialect, lines) in [(&COURSE_2015, 20), (&COURSE_2020, 18)] {
            let help = dialect.help(false);
            assert!(help.contains("\nauto P, manual P   black or white is played by the machine, by you"), "{help}");
            assert_eq!((help.lines().count(), dialect.help(true).lines().count()), (lines, lines + 2), "{help}");
            assert_eq!(dialect.listed().chain(dialect.note().map(|note| (note, ""))).count(), lines);
            assert!(dialect.listed().any(|command| command == ("quit", "end the program")));
        }
    }

    #[test]
    fn rules_are_short_and_contain_nothing_that_scripts_look_for() {
        for dialect in [&COURSE_2020, &COURSE_2015] {
            let rules = dialect.rules();
            assert!(rules.lines().count() <= 15 && rules.lines().all(|line| line.len() <= 80), "{rules}");
            assert!(!["*", ">", "===", "::", "wins"].iter().any(|mark| rules.contains(mark)), "{rules}");
        }
        assert!(COURSE_2020.rules().contains("30 moves") && !COURSE_2015.rules().contains("tie"));
    }
}
