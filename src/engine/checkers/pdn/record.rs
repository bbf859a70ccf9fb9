//! Game records: tags, moves and result.

use std::time::Duration;

use super::tag;
use crate::checkers::{Move, Position};
use crate::game::{Game, Outcome, ParseError};

/// A complete or partial game.
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
    /// Tags, in the order in which they are written.
    tags: Vec<(String, String)>,
    start: Position,
    moves: Vec<Move>,
    /// Remaining time of the mover after each move, if known.
    clocks: Vec<Option<Duration>>,
    position: Position,
    result: Option<Outcome>,
}

impl Record {
    /// Creates a game from `start`, without tags, moves or a result.
    pub fn new(start: Position) -> Record {
        Record { tags: Vec::new(), start, moves: Vec::new(), clocks: Vec::new(), position: start, result: None }
    }

    /// Sets a tag such as `Event` or `White`; control characters in its value become blanks.
    ///
    /// # Errors
    /// The name is not a valid tag name, or the record itself writes that tag: `Result`, `GameType`, `SetUp` or `FEN`,
    /// in upper or lower case.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        tag::check_name(name)?;
        if tag::own_tag(name).is_some() {
            return Err(ParseError::new(name, "a tag other than those that the record itself writes"));
        }
        let value = tag::printable(value);
        match self.tags.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = value,
            None => {
                let place = self.tags.partition_point(|(other, _)| tag::tag_rank(other) <= tag::tag_rank(name));
                self.tags.insert(place, (name.to_string(), value));
            }
        }
        Ok(())
    }

    /// Sets the tags of a record that has none; their names must be distinct and valid for [`set_tag`](Self::set_tag).
    pub(super) fn set_tags<'a>(&mut self, tags: Vec<(&'a str, String)>) {
        self.tags = tags.into_iter().map(|(name, value)| (name.to_owned(), tag::printable(&value))).collect();
        self.tags.sort_by_key(|(name, _)| tag::tag_rank(name));
    }

    /// Sets the starting position of a record without moves.
    pub(super) fn set_start(&mut self, start: Position) {
        (self.start, self.position) = (start, start);
    }

    /// Adds a move.
    ///
    /// # Errors
    /// The move is not legal in the position reached so far.
    pub fn push(&mut self, mv: Move) -> Result<(), ParseError> {
        if !self.position.legal_moves().contains(&mv) {
            let found = format!("{} to {}", mv.from(), mv.to());
            return Err(ParseError::new(&found, format!("a legal move in {}", self.position)));
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

    /// Sets the remaining time of the player who made the last move, truncated to microseconds.
    pub fn set_clock(&mut self, left: Duration) {
        let whole = Duration::new(left.as_secs(), left.subsec_micros() * 1000);
        if let Some(clock) = self.clocks.last_mut() {
            *clock = Some(whole);
        }
    }

    /// Sets the result; `None` if the game is not over, or its result is unknown.
    pub fn set_result(&mut self, result: Option<Outcome>) {
        self.result = result;
    }

    /// Returns the names and values of the tags, in the order in which they are written.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the value of the tag `name`, if it was set.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|&(other, _)| other == name).map(|(_, value)| value)
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> Position {
        self.start
    }

    /// Returns the moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the remaining time of the mover after each move, if known.
    pub fn clocks(&self) -> &[Option<Duration>] {
        &self.clocks
    }

    /// Returns the position after the moves so far.
    pub const fn position(&self) -> Position {
        self.position
    }

    /// Returns the result; `None` if the game is not over, or its result is unknown.
    pub const fn result(&self) -> Option<Outcome> {
        self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tags_are_checked() {
        let mut record = Record::new(Position::start());
        for name in ["", "1st", "FEN", "Result", "Setup"] {
            assert!(record.set_tag(name, "x").is_err(), "{name}");
        }
        assert_eq!(record.tags().count(), 0);
    }

    #[test]
    fn illegal_moves_are_refused() {
        let mut record = Record::new("B:W32:B1".parse().unwrap());
        let mv = record.position().parse_move("1-6").unwrap();
        record.push(mv).unwrap();
        assert!(record.push(mv).unwrap_err().to_string().contains("a legal move in W:W32:B6"));
        assert_eq!(record.moves(), [mv]);
    }
}
