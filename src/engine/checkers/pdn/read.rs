//! Reader for one game. It reads even a broken game to its end.

use std::collections::HashMap;
use std::iter::Peekable;

use super::tag::{self, GAME_TYPE};
use super::tokens::Token;
use super::words::{Part, Parts};
use super::{Record, result};
use crate::checkers::Position;
use crate::game::{Game, LineError, ParseError};

/// Reads the game that begins with the next part.
///
/// A game ends at its result, or where the tags of another begin: at a tag after moves, or at a repeated tag after an
/// empty line. The rest of a broken game is skipped. Returns `None` if only comments, numbers and variations are left,
/// as after a result.
///
/// # Errors
/// The first error of the game, with the game before it.
pub(super) fn read_game(parts: &mut Peekable<Parts<'_>>) -> Result<Option<Record>, Box<BrokenGame>> {
    let mut game = Reader::new();
    while let Some((line, part)) = parts.next_if(|(_, part)| !game.ends_before(part)) {
        if let Err(error) = game.read(line, part) {
            game.first_error.get_or_insert(LineError { line, error });
        }
        if game.ended {
            break;
        }
    }
    game.finish()
}

/// A game with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenGame {
    /// The first error.
    pub error: LineError,
    /// The tags of the game, and its moves before the error.
    pub record: Record,
}

/// A game being read.
struct Reader<'a> {
    record: Record,
    /// Places of the tags read so far among `tags`, by name, so that lookups stay fast for any number of tags; none for tags
    /// that the record writes itself.
    names: HashMap<&'a str, Option<usize>>,
    /// Tags that the record merely stores, in the order in which their names first appeared.
    tags: Vec<(&'a str, String)>,
    /// True if anything but tags and clocks was read.
    in_moves: bool,
    /// Nesting depth of variations at the next part.
    depth: usize,
    /// Line where the outermost variation begins.
    opened: usize,
    /// True if a result was read.
    ended: bool,
    /// First error; later moves and tags are not checked.
    first_error: Option<LineError>,
}

impl<'a> Reader<'a> {
    fn new() -> Reader<'a> {
        Reader {
            record: Record::new(Position::start()),
            names: HashMap::new(),
            tags: Vec::new(),
            in_moves: false,
            depth: 0,
            opened: 0,
            ended: false,
            first_error: None,
        }
    }

    /// Returns `true` if `part` belongs to the next game.
    fn ends_before(&self, part: &Part<'_>) -> bool {
        match part {
            Part::Sign(Token::Tag { name, apart, .. }) => {
                self.in_moves || *apart && self.names.contains_key(tag::own_tag(name).unwrap_or(name))
            }
            _ => false,
        }
    }

    fn read(&mut self, line: usize, part: Part<'a>) -> Result<(), ParseError> {
        self.in_moves |= match part {
            Part::Sign(Token::Tag { .. } | Token::Clock(_)) => false,
            // Stray signs between tags do not begin the moves.
            Part::Sign(Token::Stray(_)) => self.names.is_empty(),
            _ => true,
        };
        match part {
            Part::Sign(Token::Tag { name, value, .. }) => {
                self.names.entry(tag::own_tag(name).unwrap_or(name)).or_insert(None);
                let value = value
                    .ok_or_else(|| ParseError::new(name, "a tag like [Event \"Open\"], with its value on one line"))?;
                if self.first_error.is_none() {
                    self.read_tag(name, value)?;
                }
            }
            Part::Sign(Token::Unclosed(text)) => return Err(ParseError::new(text, "`}` at the end of the comment")),
            Part::Sign(Token::Stray(text)) => return Err(ParseError::new(text, stray(text))),
            Part::Sign(Token::Open) => {
                if self.depth == 0 {
                    self.opened = line;
                }
                self.depth += 1;
            }
            Part::Sign(Token::Close) => {
                self.depth = self.depth.checked_sub(1).ok_or_else(|| ParseError::new(")", "`(` before `)`"))?;
            }
            _ if self.depth > 0 => {}
            Part::Sign(Token::Clock(left)) => self.record.set_clock(left),
            Part::Move(text) if self.first_error.is_none() => {
                let mv = self.record.position().parse_move(&text)?;
                self.record.add(mv);
            }
            Part::Result(code) => {
                // A `*` only marks the end of a game (in PDN 3.0, of every game), so it does not override the tag.
                if code != "*" {
                    self.record.set_result(result::read_result(&code)?);
                }
                self.ended = true;
            }
            Part::Move(_) | Part::Aside(_) | Part::Sign(Token::Word(_)) => {}
        }
        Ok(())
    }

    fn read_tag(&mut self, name: &'a str, value: String) -> Result<(), ParseError> {
        let trimmed = value.trim();
        match tag::own_tag(name) {
            None => {
                tag::check_name(name)?;
                let place = self.names.entry(name).or_default().get_or_insert(self.tags.len());
                match self.tags.get_mut(*place) {
                    Some(tag) => tag.1 = value,
                    None => self.tags.push((name, value)),
                }
            }
            // Placeholders for unknown values.
            Some(_) if ["", "?"].contains(&trimmed) => {}
            Some("Result") => {
                let code: String = trimmed.split_whitespace().collect();
                self.record.set_result(result::read_result(&code).map_err(|error| ParseError::new(trimmed, error.expected))?);
            }
            Some("FEN") => self.record.set_start(trimmed.parse()?),
            // Details may follow the number; they are always the same for this game.
            Some("GameType") if trimmed.split(',').next().is_none_or(|number| number.trim() != GAME_TYPE) => {
                return Err(ParseError::new(&variant(trimmed), "game type 21, American checkers"));
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Option<Record>, Box<BrokenGame>> {
        let unclosed = || LineError::new(self.opened, "(", "`)` at the end of the variation");
        let error = self.first_error.or_else(|| (self.depth > 0).then(unclosed));
        if error.is_none() && self.names.is_empty() && self.record.moves().is_empty() && !self.ended {
            return Ok(None);
        }
        self.record.set_tags(self.tags);
        match error {
            Some(error) => Err(Box::new(BrokenGame { error, record: self.record })),
            None => Ok(Some(self.record)),
        }
    }
}

/// Returns a game type with the name of its game, if it is a known one. Source: the draft of PDN 3.0.
fn variant(game_type: &str) -> String {
    let name = match game_type.split(',').next().map_or("", str::trim) {
        "20" => "International draughts",
        "22" => "Italian draughts",
        "23" => "American pool checkers",
        "24" => "Spanish draughts",
        "25" => "Russian draughts",
        "26" => "Brazilian draughts",
        "27" => "Canadian draughts",
        "28" => "Portuguese draughts",
        "29" => "Czech draughts",
        "30" => "Turkish draughts",
        "31" => "Thai draughts",
        "40" => "Frisian draughts",
        _ => return game_type.to_owned(),
    };
    format!("{game_type} ({name})")
}

/// Returns what is expected in place of `text`, which begins with a stray sign.
fn stray(text: &str) -> &'static str {
    match text.bytes().next() {
        Some(b'[') => "a tag like [Event \"Open\"]",
        Some(b']') => "`[` before `]`",
        _ => "`{` before `}`",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::games;
    use super::*;
    use crate::game::{Color, Outcome};

    const BLACK: Option<Outcome> = Some(Outcome::Win(Color::Black));
    const WHITE: Option<Outcome> = Some(Outcome::Win(Color::White));

    fn all(text: &str) -> Vec<Record> {
        games(text).collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn jumps_are_read_by_their_ends_or_by_all_squares() {
        let start = "[SetUp \"1\"] [FEN \"B:W18,27,30:B14\"]";
        let records = all(&format!("{start} 1. 14x32 0-1 {start} 14x 23 x32"));
        assert_eq!(records[0].moves(), records[1].moves());
        assert_eq!(records[0].position().to_string(), "W:W30:BK32");
        assert!(format!("{start} 14x23 23x32").parse::<Record>().is_err());
    }

    #[test]
    fn the_result_after_the_moves_overrides_the_tag() {
        for (text, result) in [
            ("[Result \"0-1\"] 1. 11-15", WHITE),
            ("[Result \"0-1\"] 1. 11-15 1/2-1/2", Some(Outcome::Draw)),
            ("[Result \"0-1\"] 1. 11-15 1-0", BLACK),
            ("[Result \"0-1\"] 1. 11-15 0-0", None),
            ("[Result \"0-1\"] 1. 11-15 *", WHITE),
            ("[Result \"*\"] 1. 11-15 2-0", BLACK),
            ("[Result \"1-0\"] (11-16 0-1) *", BLACK),
            ("11-15*", None),
        ] {
            assert_eq!(text.parse::<Record>().unwrap().result(), result, "{text}");
        }
    }

    #[test]
    fn tags_with_unknown_values_are_ignored() {
        for (value, result) in [("?", None), ("", None), (" ? ", None), ("1 - 0", BLACK), (" 0-2 ", WHITE)] {
            let text = format!("[Result \"{value}\"][FEN \"\"][GameType \"?\"] 1. 11-15");
            assert_eq!(text.parse::<Record>().unwrap().result(), result, "{text}");
        }
    }

    #[test]
    fn tags_may_come_in_any_order_and_the_last_of_one_name_counts() {
        let text = "[setup \"1\"][Opening \"x\"][White \"w\"][gametype \"21\"][White \"v\"][Event \"e\"][B \"1\"][A \"2\"][B \"3\"]\n\
            [FEN \"w:bK1:w5.\"]";
        let record: Record = text.parse().unwrap();
        let tags: Vec<_> = record.tags().collect();
        assert_eq!(tags, [("Event", "e"), ("White", "v"), ("Opening", "x"), ("B", "3"), ("A", "2")]);
        assert_eq!(record.start().to_string(), "W:W5:BK1");
    }

    #[test]
    fn clocks_belong_to_the_move_before_them() {
        let text = "{[%clk 0:00:09]}[Event \"A\"]{[%clk 0:00:08]}[Site \"B\"] 1. 11-15 {a [%clk 0:00:07]} ({[%clk 0:00:06]}) \
            23-19 * {[%clk 0:00:05]}";
        let record: Record = text.parse().unwrap();
        assert_eq!(record.clocks(), [Some(Duration::from_secs(7)), None]);
        assert_eq!(all(&format!("{text}{text}")), [record.clone(), record]);
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line, message) in [
            ("\n1. 11-15\n11-16", 3, "found \"11-16\", expected a legal move: "),
            ("1. 11-15\n2. nonsense", 2, "found \"nonsense\", expected a move like 11-15"),
            ("1. 11-15 23\n19 8-11", 1, "found \"23 19\", expected a move like 11-15"),
            ("1. 11-15 23\n-\n20", 1, "found \"23-20\", expected a legal move: "),
            ("[Event \"x\"]\n[Result \"won\"]", 2, "found \"won\", expected a result: 1-0"),
            ("[GameType \"20\"]", 1, "expected game type 21"),
            ("\n[FEN \"B:W33:B1\"]", 2, "expected a square number"),
            ("[2 \"x\"]", 1, "expected a tag name"),
            ("\n[White Elo \"9\"]", 2, "found \"[White Elo \\\"9\\\"]\", expected a tag like"),
            (
                "[Event \"x]\n11-15",
                1,
                "found \"Event\", expected a tag like [Event \"Open\"], with its value on one line",
            ),
            ("[FEN \"B:W:B1\"]\n1-5\n1-5", 3, "the game is over"),
            ("11-15\n(\n(", 2, "expected `)` at the end of the variation"),
            ("11-15\n(())\n)", 3, "expected `(` before `)`"),
            ("11-15\n}", 2, "expected `{` before `}`"),
            ("11-15]", 1, "expected `[` before `]`"),
            ("11-15\n({\n\n(", 2, "found \"{\", expected `}` at the end of the comment"),
        ] {
            let error = text.parse::<Record>().unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
