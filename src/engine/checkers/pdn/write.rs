//! Writer for game records.

use std::fmt;

use super::tag::{GAME_TYPE, ROSTER, tag_rank};
use super::{Record, clock, result};
use crate::checkers::{Move, Position};
use crate::game::{Annotation, Color, Game};

/// Maximum length of a line of moves.
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
        tag(f, "Result", result::result_code(self.result()))?;
        others.into_iter().try_for_each(|(name, value)| tag(f, name, value))?;
        tag(f, "GameType", GAME_TYPE)?;
        if self.start() != Position::start() {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &self.start().to_string())?;
        }
        let mut column = 0;
        for word in words.iter().map(String::as_str).chain([result::result_code(self.result())]) {
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
            words.extend(clock.map(clock::write_clock));
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
