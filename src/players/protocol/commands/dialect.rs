//! Differences between the two editions of the course, as data.

#[cfg(test)]
mod tests;

use super::command::{self, Command, Words};
use super::grammar::ended;
use super::pace::Pace;
use super::refusal::Refusal;
use super::vocabulary::Vocabulary;
use kingline::game::{Color, Outcome, ParseError};
use kingline::loa::Move;

/// Commands, output and rules of an edition of the course.
#[derive(Debug)]
pub struct Dialect {
    /// Two lines printed at the start.
    pub banner: &'static str,
    /// Summary of the commands.
    pub help: &'static str,
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
    words: &'static [(&'static str, OperandReader)],
    /// Further commands, which have no abbreviation and are not completed.
    others: &'static [(&'static str, OperandReader)],
    letters: Letters,
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

/// Use of first letters as abbreviations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    Never,
    /// A letter stands for the only command that starts with it.
    IfUnambiguous,
}

/// Reads the operands of a command.
pub(super) type OperandReader = fn(&mut Words) -> Result<Command, Refusal>;

/// Edition of 2020 (§3).
pub static COURSE_2020: Dialect = Dialect {
    banner: "Lines of Action, commands of 2020.\nType help for a list of commands.\n",
    help: "\
new                start a new game
b1-b3              move from b1 to b3
auto P, manual P   black or white is played by the machine, by you
set CR P N         put black, white or - on a square; black or white moves next
print              show the board
dump               print the board for programs
seed N             play the same way every time
limit N            tie after N moves of each side
undo, redo         undo your last move, redo it
goto N             go to the position after N moves
moves              list the legal moves, one line per piece
hint               show what the machine would move, and its score
time S             think S seconds a move; default: as at the start
level N            play at level N, from 1 (weakest) to 8 (5 seconds a move)
position P         start a game from P: eight rows with / between them, and the side to move
save F, load F     write the game to a file, read it from there (SGF)
help, ?            show this list
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
        ("print", |_| Ok(Command::Print)),
        ("dump", |_| Ok(Command::Dump)),
        ("seed", command::seed),
        ("limit", command::limit),
        ("help", |_| Ok(Command::Help)),
        ("?", |_| Ok(Command::Help)),
        ("quit", |_| Ok(Command::Quit)),
    ],
    others: &[("q", |_| Ok(Command::Quit)), ("exit", |_| Ok(Command::Quit))],
    letters: Letters::Never,
};

/// Edition of 2015 (§4).
pub static COURSE_2015: Dialect = Dialect {
    banner: "Lines of Action, commands of 2015.\nType help for a list of commands.\n",
    help: "\
start              start the game
clear              stop, and set up the board
b1-b3              move from b1 to b3
auto P, manual P   black or white is played by the machine, by you; stops
set CR P           put b, w or e (nothing) on a square; stops
board              show the board
dump               print the board for programs
autoprint          show the board after each move
seed N             play the same way every time
undo, redo         undo your last move, redo it
goto N             go to the position after N moves
moves              list the legal moves, one line per piece
hint               show what the machine would move, and its score
time S             think S seconds a move; default: as at the start
level N            play at level N, from 1 (weakest) to 8 (5 seconds a move)
position P         start a game from P: eight rows with / between them, and the side to move
save F, load F     write the game to a file, read it from there (SGF)
help, ?            show this list
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
    others: &[("autoprint", |_| Ok(Command::AutoPrint)), ("exit", |_| Ok(Command::Quit))],
    letters: Letters::IfUnambiguous,
};

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
        self.read_with(Vocabulary::Usual, line)
    }

    /// Reads the command on a line, if it is one of this edition or of a vocabulary beside it.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn read_with(&self, vocabulary: Vocabulary, line: &str) -> Result<Option<Command>, Refusal> {
        let mut words = Words::of(line);
        let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(None) };
        match command::read_move(first)? {
            Some(mv) => Ok(Some(mv)),
            None => self.find(vocabulary, first)?(&mut words).map(Some),
        }
    }

    /// Names of all usual commands, in lower case.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().chain(Vocabulary::Usual.words()).map(|&(name, _)| name)
    }

    fn find(&self, vocabulary: Vocabulary, word: &str) -> Result<OperandReader, Refusal> {
        let unknown = |expected: String| Refusal::UnknownCommand(ParseError::new(word, expected));
        let lower = word.to_ascii_lowercase();
        let mut all = self.words.iter().chain(self.others).chain(vocabulary.words());
        if let Some(&(_, reader)) = all.find(|&&(name, _)| name == lower) {
            return Ok(reader);
        }
        if let Some(mv) = command::intended_move(word) {
            return Err(unknown(format!("a move in the form {mv}")));
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
