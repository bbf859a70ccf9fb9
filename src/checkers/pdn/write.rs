//! Writer for game records.

use std::fmt;

use super::tag::{GAME_TYPE, ROSTER, rank};
use super::{Record, clock, result};
use crate::checkers::Position;
use crate::game::{Color, Game};

/// Maximum length of a line of moves.
const COLUMNS: usize = 80;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (roster, others): (Vec<_>, Vec<_>) = self.tags().partition(|(name, _)| rank(name) < ROSTER.len());
        let tag = |f: &mut fmt::Formatter<'_>, name: &str, value: &str| {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
        };
        roster.into_iter().try_for_each(|(name, value)| tag(f, name, value))?;
        tag(f, "Result", result::code(self.result()))?;
        others.into_iter().try_for_each(|(name, value)| tag(f, name, value))?;
        tag(f, "GameType", GAME_TYPE)?;
        if self.start() != Position::start() {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &self.start().to_string())?;
        }
        let mut column = 0;
        for word in self.words().iter().map(String::as_str).chain([result::code(self.result())]) {
            let wraps = column == 0 || column + 1 + word.len() > COLUMNS;
            write!(f, "{}{word}", if wraps { "\n" } else { " " })?;
            column = if wraps { 0 } else { column + 1 } + word.len();
        }
        writeln!(f)
    }
}

impl Record {
    /// Words of the move text: moves with their numbers and clocks.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::with_capacity(self.moves().len() * 3 / 2 + 1);
        let (mut position, mut number) = (self.start(), 1);
        for (&mv, clock) in self.moves().iter().zip(self.clocks()) {
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
    use std::time::Duration;

    use super::*;
    use crate::game::Outcome;

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
