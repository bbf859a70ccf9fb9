use std::path::PathBuf;

use super::refusal::{Level, Pace, Refusal};
use kingline::game::{Color, ParseError};
use kingline::loa::{Position, Square};

/// Source of a side's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Commands.
    Manual,
    /// The machine.
    Automatic,
}

/// Command with its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Sets up the board for a new game.
    New,
    /// Starts the game.
    Start,
    /// Moves a piece of the side to move.
    Move {
        /// Square of the piece.
        from: Square,
        /// Its destination.
        to: Square,
    },
    /// Makes a side manual or automatic.
    Control(Color, Control),
    /// Changes the board.
    Set {
        /// Square to change.
        square: Square,
        /// Piece to put there; `None` empties the square.
        piece: Option<Color>,
        /// Side to move next; `None` leaves it as it is.
        next: Option<Color>,
    },
    /// Starts a game from this position.
    Position(Position<8>),
    /// Prints the board for programs.
    Dump,
    /// Prints the board for people.
    Board,
    /// Prints the board for people on standard error.
    Print,
    /// Prints the board for people after each move from now on.
    AutoPrint,
    /// Seeds the automatic players, whose choices then depend only on this number.
    Seed(u64),
    /// Sets the number of moves of each side after which the game is a tie.
    Limit(i64),
    /// Sets how long automatic players think, or their level; `None` restores the initial pace.
    Time(Option<Pace>),
    /// Undoes moves.
    Undo,
    /// Redoes undone moves.
    Redo,
    /// Goes to the position after this number of moves.
    GoTo(usize),
    /// Lists the legal moves.
    Moves,
    /// Prints the move that the machine would make.
    Hint,
    /// Searches the position until another command ends that.
    Analyze,
    /// Ends an analysis.
    Stop,
    /// Writes the game to a file.
    Save(PathBuf),
    /// Reads a game from a file.
    Load(PathBuf),
    /// Lists the commands.
    Help,
    /// Ends the program.
    Quit,
}

impl Command {
    /// Returns true if the command changes nothing and needs no search, so that it can be executed during one.
    pub(crate) fn is_query(&self) -> bool {
        use Command::{Board, Dump, Help, Moves, Print, Save};
        matches!(self, Dump | Board | Print | Moves | Help | Save(_))
    }
}

pub(super) type OperandReader = fn(&mut Words) -> Result<Command, Refusal>;

pub(super) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    pub(super) fn of(line: &'a str) -> Words<'a> {
        Words(line)
    }

    /// Unread rest of the line, without the blanks around it.
    fn rest(&self) -> &'a str {
        self.0.trim()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Reads a move `a2-c2`, if `word` begins with one and a word boundary follows (§3).
pub(super) fn read_move(word: &str) -> Result<Option<Command>, Refusal> {
    let Some(text) = word.get(..5) else { return Ok(None) };
    let is_square =
        |place: &str| matches!(place.as_bytes(), [column, row] if column.is_ascii_lowercase() && row.is_ascii_digit());
    let Some((from, to)) = text.split_once('-').filter(|&(from, to)| is_square(from) && is_square(to)) else {
        return Ok(None);
    };
    if word[5..].starts_with(|next: char| next.is_alphanumeric() || next == '_') {
        return Ok(None);
    }
    let square = |text: &str| text.parse::<Square>().map_err(Refusal::IllegalMove);
    Ok(Some(Command::Move { from: square(from)?, to: square(to)? }))
}

/// Returns the form of a move that `word` means in another form: `b1-b3` for `b1b3`, `B1-B3` or `b1–b3`.
pub(super) fn intended_move(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let (from, rest) = lower.split_at_checked(2)?;
    let (between, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let is_move = [from, to].iter().all(|square| square.parse::<Square>().is_ok())
        && between.chars().all(|letter| !letter.is_alphanumeric() || letter == 'x');
    is_move.then(|| format!("{from}-{to}"))
}

pub(super) fn auto(words: &mut Words) -> Result<Command, Refusal> {
    Ok(Command::Control(read_player(words)?, Control::Automatic))
}

pub(super) fn manual(words: &mut Words) -> Result<Command, Refusal> {
    Ok(Command::Control(read_player(words)?, Control::Manual))
}

fn read_player(words: &mut Words) -> Result<Color, Refusal> {
    let word = words.next().unwrap_or_default();
    color(word).ok_or_else(|| Refusal::UnknownPlayer(ParseError::new(word, "black or white")))
}

/// Reads the operands of `set CR P N` (§3).
pub(super) fn set_with_next(words: &mut Words) -> Result<Command, Refusal> {
    let square = read_square(words)?;
    let word = words.next().unwrap_or_default();
    let piece = match color(word) {
        None if word != "-" => return Err(Refusal::InvalidSet(ParseError::new(word, "black, white or -"))),
        piece => piece,
    };
    let word = words.next().unwrap_or_default();
    let next = color(word).ok_or_else(|| Refusal::InvalidNext(ParseError::new(word, "black or white")))?;
    Ok(Command::Set { square, piece, next: Some(next) })
}

/// Reads the operands of `set CR P` (§4). The other side moves next.
pub(super) fn set_by_letter(words: &mut Words) -> Result<Command, Refusal> {
    let square = read_square(words)?;
    let word = words.next().unwrap_or_default();
    let piece = match word {
        "b" | "B" => Some(Color::Black),
        "w" | "W" => Some(Color::White),
        "e" | "E" => None,
        _ => return Err(Refusal::InvalidSet(ParseError::new(word, "b, w or e"))),
    };
    Ok(Command::Set { square, piece, next: piece.map(|color| !color) })
}

fn read_square(words: &mut Words) -> Result<Square, Refusal> {
    let word = words.next().unwrap_or_default();
    word.to_ascii_lowercase().parse().map_err(|_| Refusal::InvalidSet(ParseError::new(word, "a square, a1 to h8")))
}

/// Reads a 64-bit number. A negative number stands for the unsigned number with the same bits.
pub(super) fn seed(words: &mut Words) -> Result<Command, Refusal> {
    let word = words.next().unwrap_or_default();
    let seed = word.parse().or_else(|_| word.parse::<i64>().map(i64::cast_unsigned));
    seed.map(Command::Seed).map_err(|_| invalid_number(word))
}

pub(super) fn limit(words: &mut Words) -> Result<Command, Refusal> {
    let word = words.next().unwrap_or_default();
    word.parse().map(Command::Limit).map_err(|_| invalid_number(word))
}

fn invalid_number(word: &str) -> Refusal {
    Refusal::InvalidNumber(ParseError::new(word, "a 64-bit integer"))
}

/// Reads the operand of `time S`: seconds, or `default`.
pub(super) fn time(words: &mut Words) -> Result<Command, Refusal> {
    let word = words.next().unwrap_or_default();
    let pace = if word.eq_ignore_ascii_case("default") { Ok(None) } else { Pace::constant(word).map(Some) };
    pace.map(Command::Time).map_err(Refusal::InvalidNumber)
}

/// Reads the operand of `level N`.
pub(super) fn level(words: &mut Words) -> Result<Command, Refusal> {
    let level = Level::read(words.next().unwrap_or_default());
    level.map(|level| Command::Time(Some(Pace::Level(level)))).map_err(Refusal::InvalidNumber)
}

pub(super) fn go_to(words: &mut Words) -> Result<Command, Refusal> {
    let word = words.next().unwrap_or_default();
    let moves = word.parse().map(Command::GoTo);
    moves.map_err(|_| Refusal::InvalidNumber(ParseError::new(word, "a number of moves")))
}

/// Reads the operands of `position ROWS SIDE`.
pub(super) fn position(words: &mut Words) -> Result<Command, Refusal> {
    words.rest().parse().map(Command::Position).map_err(Refusal::InvalidPosition)
}

pub(super) fn save(words: &mut Words) -> Result<Command, Refusal> {
    read_file_name(words, "save").map(Command::Save)
}

pub(super) fn load(words: &mut Words) -> Result<Command, Refusal> {
    read_file_name(words, "load").map(Command::Load)
}

/// Reads a file name: the rest of the line, since the name may contain blanks.
fn read_file_name(words: &mut Words, command: &str) -> Result<PathBuf, Refusal> {
    let name = Some(words.rest()).filter(|name| !name.is_empty());
    name.map(PathBuf::from).ok_or_else(|| Refusal::File(format!("expected a file name after {command}")))
}

fn color(word: &str) -> Option<Color> {
    if word.eq_ignore_ascii_case("black") {
        Some(Color::Black)
    } else if word.eq_ignore_ascii_case("white") {
        Some(Color::White)
    } else {
        None
    }
}
