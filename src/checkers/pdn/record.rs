//! Whole games as PDN text: tags, moves, result.

use std::fmt;
use std::time::Duration;

use super::{clock, result};
use crate::checkers::{Move, Position};
use crate::game::{Color, Game, Outcome, ParseError};

/// A game, whole or in part.
///
/// ```
/// use kingline::checkers::{Position, pdn};
/// use kingline::game::{Color, Game, Outcome};
///
/// let mut record = pdn::Record::new(Position::start());
/// record.set_tag("Black", "Marion Tinsley")?;
/// record.push(record.position().parse_move("11-15")?)?;
/// record.set_result(Some(Outcome::Win(Color::Black)));
/// let text = "[Black \"Marion Tinsley\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n\n1. 11-15 1-0\n";
/// assert_eq!(record.to_string(), text);
/// assert_eq!(text.parse(), Ok(record));
/// # Ok::<(), kingline::game::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// In the order in which they are written.
    tags: Vec<(String, String)>,
    pub(super) start: Position,
    moves: Vec<Move>,
    /// What the mover had left after each move, where that is known.
    clocks: Vec<Option<Duration>>,
    pub(super) position: Position,
    pub(super) result: Option<Outcome>,
}

/// The tags that come first, in this order, and `Result` after them.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
/// The number of the game among those that PDN covers.
pub(super) const GAME_TYPE: &str = "21";
const COLUMNS: usize = 80;

impl Record {
    /// A game from `start`, without tags, moves or a result.
    pub fn new(start: Position) -> Record {
        Record { tags: Vec::new(), start, moves: Vec::new(), clocks: Vec::new(), position: start, result: None }
    }

    /// Sets a tag such as `Event` or `White`; control characters in its value become blanks.
    ///
    /// # Errors
    /// The name is not of the form of tag names, or that of a tag which the record itself writes:
    /// `Result`, `GameType`, `SetUp`, `FEN`.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        if !name.starts_with(|first: char| first.is_ascii_alphabetic())
            || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return Err(ParseError::new(name, "a tag's name: letters, digits and _, a letter first"));
        }
        if ["Result", "GameType", "SetUp", "FEN"].contains(&name) {
            return Err(ParseError::new(name, "a tag that the record does not write by itself"));
        }
        let value = value.replace(char::is_control, " ");
        match self.tags.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = value,
            None => {
                let place = self.tags.partition_point(|(other, _)| rank(other) <= rank(name));
                self.tags.insert(place, (name.to_string(), value));
            }
        }
        Ok(())
    }

    /// Adds a move.
    ///
    /// # Errors
    /// The move is not legal in the position reached so far.
    pub fn push(&mut self, mv: Move) -> Result<(), ParseError> {
        if !self.position.legal_moves().contains(&mv) {
            let found = format!("{} to {}", mv.from(), mv.to());
            return Err(ParseError::new(&found, format!("a legal move of {}", self.position)));
        }
        self.add(mv);
        Ok(())
    }

    /// Adds a legal move.
    pub(super) fn add(&mut self, mv: Move) {
        self.moves.push(mv);
        self.clocks.push(None);
        self.position = self.position.play(mv);
    }

    /// Sets what the player of the last move had left after it, in whole microseconds.
    pub fn set_clock(&mut self, left: Duration) {
        let whole = Duration::new(left.as_secs(), left.subsec_micros() * 1000);
        if let Some(clock) = self.clocks.last_mut() {
            *clock = Some(whole);
        }
    }

    /// Sets how the game ended; `None`: it is not over, or that is not known.
    pub fn set_result(&mut self, result: Option<Outcome>) {
        self.result = result;
    }

    /// The tags set, names and values, in the order in which they are written.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of the tag `name`, if it was set.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|&(other, _)| other == name).map(|(_, value)| value)
    }

    /// The position before the first move.
    pub const fn start(&self) -> Position {
        self.start
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// What the mover had left after each of the moves, where that is known.
    pub fn clocks(&self) -> &[Option<Duration>] {
        &self.clocks
    }

    /// The position after the moves so far.
    pub const fn position(&self) -> Position {
        self.position
    }

    /// How the game ended; `None`: it is not over, or that is not known.
    pub const fn result(&self) -> Option<Outcome> {
        self.result
    }
}

/// Where a tag is written.
fn rank(name: &str) -> usize {
    ROSTER.iter().position(|&first| first == name).unwrap_or(ROSTER.len())
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (roster, others) = self.tags.split_at(self.tags.partition_point(|(name, _)| rank(name) < ROSTER.len()));
        let tag = |f: &mut fmt::Formatter<'_>, name: &str, value: &str| {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
        };
        roster.iter().try_for_each(|(name, value)| tag(f, name, value))?;
        tag(f, "Result", result::code(self.result))?;
        others.iter().try_for_each(|(name, value)| tag(f, name, value))?;
        tag(f, "GameType", GAME_TYPE)?;
        if self.start != Position::start() {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &self.start.to_string())?;
        }
        let mut column = 0;
        for word in self.words().iter().map(String::as_str).chain([result::code(self.result)]) {
            let wraps = column == 0 || column + 1 + word.len() > COLUMNS;
            write!(f, "{}{word}", if wraps { "\n" } else { " " })?;
            column = if wraps { 0 } else { column + 1 } + word.len();
        }
        writeln!(f)
    }
}

impl Record {
    /// The moves as they are written, their numbers and clocks.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::with_capacity(self.moves.len() * 3 / 2 + 1);
        let (mut position, mut number) = (self.start, 1);
        for (&mv, clock) in self.moves.iter().zip(&self.clocks) {
            let black = position.turn() == Color::Black;
            if black || words.is_empty() {
                words.push(format!("{number}{}", if black { "." } else { "..." }));
            }
            words.push(position.notation(mv).to_string());
            words.extend(clock.map(clock::write));
            position = position.play(mv);
            number += usize::from(!black);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(start: &str, moves: &str) -> Record {
        let mut record = Record::new(start.parse().unwrap());
        for mv in moves.split(' ') {
            record.push(record.position().parse_move(mv).unwrap()).unwrap();
        }
        record
    }

    #[test]
    fn tags_are_written_in_their_order_with_quotes_escaped() {
        let mut record = Record::new(Position::start());
        let tags = [("Round", "1"), ("Opening", "a \\ b"), ("Event", "\"x\"\n"), ("Black", "b"), ("Round", "2")];
        for (name, value) in tags {
            record.set_tag(name, value).unwrap();
        }
        let expected = r#"[Event "\"x\" "]
[Round "2"]
[Black "b"]
[Result "*"]
[Opening "a \\ b"]
[GameType "21"]

*
"#;
        assert_eq!(record.to_string(), expected);
        assert_eq!(record.tag("Round"), Some("2"));
        for name in ["", "1st", "a b", "Caf\u{e9}", "FEN", "Result"] {
            assert!(record.set_tag(name, "x").is_err(), "{name}");
        }
    }

    #[test]
    fn white_moves_first_where_the_position_says_so() {
        let mut record = played("W:WK30,32:B3", "30-26 3-8 26-22");
        record.set_result(Some(Outcome::Draw));
        let expected = "[Result \"1/2-1/2\"]\n[GameType \"21\"]\n[SetUp \"1\"]\n[FEN \"W:WK30,32:B3\"]\n\n\
                        1... 30-26 2. 3-8 26-22 1/2-1/2\n";
        assert_eq!(record.to_string(), expected);
        assert_eq!(expected.parse(), Ok(record));
    }

    #[test]
    fn clocks_stand_behind_their_moves() {
        let mut record = played("B:W32:B1", "1-6");
        record.set_clock(Duration::from_nanos(59_930_000_999));
        record.push(record.position().parse_move("32-28").unwrap()).unwrap();
        let text = record.to_string();
        assert!(text.ends_with("\n1. 1-6 {[%clk 0:00:59.93]} 32-28 *\n"), "{text}");
        assert_eq!(record.clocks(), [Some(Duration::from_millis(59_930)), None]);
        assert_eq!(text.parse(), Ok(record));
    }

    #[test]
    fn lines_of_moves_are_as_long_as_they_may_be() {
        let back_and_forth = "1-6 32-28 6-1 28-32 ".repeat(40);
        let record = played("B:WK32:BK1", back_and_forth.trim_end());
        let text = record.to_string();
        let (_, moves) = text.split_once("\n\n").unwrap();
        let lines: Vec<&str> = moves.lines().collect();
        assert!(lines.len() > 2 && lines.iter().all(|line| line.len() <= 80 && line.trim() == *line));
        for pair in lines.windows(2) {
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() + 1 + next.len() > 80, "{text}");
        }
        assert_eq!(text.parse(), Ok(record));
    }

    #[test]
    fn illegal_moves_are_refused() {
        let mut record = played("B:W32:B1", "1-6");
        let mv = record.moves()[0];
        assert!(record.push(mv).unwrap_err().to_string().contains("a legal move of W:W32:B6"));
        assert_eq!(record.moves(), [mv]);
    }
}
