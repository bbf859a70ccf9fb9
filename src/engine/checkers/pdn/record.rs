use std::fmt;
use std::time::Duration;

use super::fields::{GAME_TYPE, ROSTER, check_name, own_tag, printable, result_code, tag_rank, write_clock};
use crate::checkers::{Move, Position};
use crate::game::{Annotation, Color, Game, Outcome, ParseError, Rules};

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

/// Tag that names the rules. No standard has one.
const RULES: &str = "Rules";

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
        check_name(name)?;
        if own_tag(name).is_some() {
            return Err(ParseError::new(name, "a tag other than those that the record itself writes"));
        }
        let value = printable(value);
        match self.tags.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = value,
            None => {
                let place = self.tags.partition_point(|(other, _)| tag_rank(other) <= tag_rank(name));
                self.tags.insert(place, (name.to_string(), value));
            }
        }
        Ok(())
    }

    /// Sets the tags of a record that has none; their names must be distinct and valid for [`set_tag`](Self::set_tag).
    pub(super) fn set_tags(&mut self, tags: Vec<(&str, String)>) {
        self.tags = tags.into_iter().map(|(name, value)| (name.to_owned(), printable(&value))).collect();
        self.tags.sort_by_key(|(name, _)| tag_rank(name));
    }

    /// Sets the position before the first move, and removes all moves.
    pub(super) fn set_start(&mut self, start: Position) {
        (self.start, self.position) = (start, start);
        self.moves.clear();
        self.clocks.clear();
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

    /// Names the rules of the game in the tag `Rules`.
    pub fn set_rules(&mut self, rules: Rules) {
        self.set_tag(RULES, &rules.to_string()).expect("a tag of its own");
    }

    /// Rules of the game: those that the tag `Rules` names, or else the game's own.
    pub fn rules(&self) -> Rules {
        self.tag(RULES).and_then(|name| name.to_ascii_lowercase().parse().ok()).unwrap_or_default()
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

const COLUMNS: usize = 80;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &self.words("", &[]))
    }
}

impl Record {
    /// Writes the record with comments: `opening` before the first move, and one annotation for each of the first moves.
    /// Braces in comments become parentheses, and control characters blanks.
    pub fn annotated(&self, opening: &str, notes: &[Annotation<Move>]) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write(&mut text, &self.words(opening, notes));
        text
    }

    /// Writes the tags, and the words of the move text in lines.
    fn write<W: fmt::Write>(&self, f: &mut W, words: &[String]) -> fmt::Result {
        let (roster, others): (Vec<_>, Vec<_>) = self.tags().partition(|(name, _)| tag_rank(name) < ROSTER.len());
        let tag = |f: &mut W, name: &str, value: &str| {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
        };
        roster.into_iter().try_for_each(|(name, value)| tag(f, name, value))?;
        tag(f, "Result", result_code(self.result()))?;
        others.into_iter().try_for_each(|(name, value)| tag(f, name, value))?;
        tag(f, "GameType", GAME_TYPE)?;
        if self.start() != Position::start() {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &self.start().to_string())?;
        }
        let mut column = 0;
        for word in words.iter().map(String::as_str).chain([result_code(self.result())]) {
            let wraps = column == 0 || column + 1 + word.len() > COLUMNS;
            write!(f, "{}{word}", if wraps { "\n" } else { " " })?;
            column = if wraps { 0 } else { column + 1 } + word.len();
        }
        writeln!(f)
    }

    /// Words of the move text: moves with their numbers, clocks and annotations.
    fn words(&self, opening: &str, notes: &[Annotation<Move>]) -> Vec<String> {
        let mut words = Vec::with_capacity(self.moves().len() * 3 / 2 + 1);
        push_comment(&mut words, opening);
        let (mut position, mut number) = (self.start(), 1);
        // White's move needs a number only at the start and after a comment.
        let mut is_first = true;
        for (index, (&mv, clock)) in self.moves().iter().zip(self.clocks()).enumerate() {
            let black = position.turn() == Color::Black;
            push_move(&mut words, (position, mv), number, is_first);
            is_first = false;
            let note = notes.get(index);
            words.extend(note.and_then(|note| note.glyph).map(|glyph| format!("${}", glyph.number())));
            words.extend(clock.map(write_clock));
            if let Some(note) = note {
                let before = words.len();
                push_comment(&mut words, &note.comment);
                push_variation(&mut words, position, &note.variation, number);
                is_first = words.len() > before;
            }
            position = position.play(mv);
            number += usize::from(!black);
        }
        words
    }
}

/// Adds a move, and before it its number where one is needed.
fn push_move(words: &mut Vec<String>, (position, mv): (Position, Move), number: usize, is_first: bool) {
    let black = position.turn() == Color::Black;
    if black || is_first {
        words.push(format!("{number}{}", if black { "." } else { "..." }));
    }
    words.push(position.notation(mv).to_string());
}

/// Adds the words of a comment, which lines may part, in braces.
fn push_comment(words: &mut Vec<String>, comment: &str) {
    let plain = comment.replace('{', "(").replace('}', ")").replace(char::is_control, " ");
    let mut parts: Vec<String> = plain.split_whitespace().map(str::to_owned).collect();
    if let Some(first) = parts.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = parts.last_mut() {
        last.push('}');
    }
    words.extend(parts);
}

/// Adds a variation in parentheses, if it has moves.
fn push_variation(words: &mut Vec<String>, start: Position, moves: &[Move], mut number: usize) {
    let begin = words.len();
    let mut position = start;
    for &mv in moves {
        let is_first = words.len() == begin;
        push_move(words, (position, mv), number, is_first);
        number += usize::from(position.turn() == Color::White);
        position = position.play(mv);
    }
    if let Some(word) = words.get_mut(begin) {
        word.insert(0, '(');
        words.last_mut().expect("a move").push(')');
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::{Glyph, Outcome};

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

    fn played(start: &str, moves: &str) -> Record {
        let mut record = Record::new(start.parse().unwrap());
        for mv in moves.split(' ') {
            record.push(record.position().parse_move(mv).unwrap()).unwrap();
        }
        record
    }

    #[test]
    fn annotations_follow_their_moves_and_are_skipped_by_the_reader() {
        let mut record = played("B:W21-32:B1-12", "11-15 23-19 8-11");
        record.set_clock(Duration::from_secs(3));
        let line = |start: Position, text: &str| -> Vec<Move> {
            let mut position = start;
            let mut moves = Vec::new();
            for word in text.split(' ') {
                moves.push(position.parse_move(word).unwrap());
                position = position.play(moves[moves.len() - 1]);
            }
            moves
        };
        let after = Position::start().play(record.moves()[0]);
        let notes = [
            Annotation {
                glyph: Some(Glyph::Dubious),
                comment: "a {brace}\nand a line".to_owned(),
                ..Annotation::default()
            },
            Annotation { glyph: Some(Glyph::Blunder), comment: String::new(), variation: line(after, "22-17 9-13") },
        ];
        let text = record.annotated("Reviewed.", &notes);
        let moves = text.split_once("\n\n").unwrap().1;
        let expected = "{Reviewed.} 1. 11-15 $6 {a (brace) and a line} 1... 23-19 $4 (1... 22-17 2.\n\
                        9-13) 2. 8-11 {[%clk 0:00:03]} *\n";
        assert_eq!(moves, expected);
        assert_eq!(text.parse(), Ok(record));
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
    fn clocks_follow_their_moves() {
        let mut record = played("B:W32:B1", "1-6");
        record.set_clock(Duration::from_nanos(59_930_000_999));
        record.push(record.position().parse_move("32-28").unwrap()).unwrap();
        let text = record.to_string();
        assert!(text.ends_with("\n1. 1-6 {[%clk 0:00:59.93]} 32-28 *\n"), "{text}");
        assert_eq!(record.clocks(), [Some(Duration::from_millis(59_930)), None]);
        assert_eq!(text.parse(), Ok(record));
    }

    #[test]
    fn move_text_wraps_at_80_columns() {
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
}
