//! Reads whole games.

use std::iter::Peekable;
use std::str::FromStr;

use super::Record;
use super::record::GAME_TYPE;
use super::result;
use super::tokens::{Token, Tokens};
use crate::checkers::Position;
use crate::game::{Game, LineError, ParseError};

impl Record {
    /// Reads all games of a file. Comments but clocks, annotations and variations are passed over.
    ///
    /// # Errors
    /// The first line that is not right: a tag or a comment without an end, an illegal move, ...
    pub fn read_all(text: &str) -> Result<Vec<Record>, LineError> {
        let mut tokens = Tokens::new(text).peekable();
        std::iter::from_fn(|| read_game(&mut tokens).transpose()).collect()
    }

    fn read_tag(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        match name {
            "Result" => self.result = result::read(value)?,
            "SetUp" => {}
            // The number may be followed by details, which are always the same for this game.
            "GameType" if value.split(',').next().is_some_and(|number| number.trim() == GAME_TYPE) => {}
            "GameType" => return Err(ParseError::new(value, "game type 21, American checkers")),
            "FEN" => {
                self.start = value.parse()?;
                self.position = self.start;
            }
            _ => self.set_tag(name, value)?,
        }
        Ok(())
    }

    /// Reads a word between moves; true when it ends the game.
    fn read_word(&mut self, word: &str) -> Result<bool, ParseError> {
        let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let word = if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word };
        if let Ok(result) = result::read(word) {
            self.result = result;
            return Ok(true);
        }
        // Marks of strength; a * of its own was a result.
        let mv = word.trim_end_matches(['!', '?', '*']);
        if !mv.is_empty() {
            self.add(self.position.parse_move(mv)?);
        }
        Ok(false)
    }
}

/// Reads one game; `None` at the end. A game ends at its result, or where the tags of another begin.
fn read_game(tokens: &mut Peekable<Tokens>) -> Result<Option<Record>, LineError> {
    skip_clocks(tokens);
    if tokens.peek().is_none() {
        return Ok(None);
    }
    let mut record = Record::new(Position::start());
    let mut in_moves = false;
    let mut variations = Vec::new();
    while let Some(item) =
        tokens.next_if(|item| !(in_moves && variations.is_empty() && matches!(item, Ok((_, Token::Tag(..))))))
    {
        let (line, token) = item?;
        let in_line = |error| LineError { line, error };
        in_moves |= !matches!(token, Token::Tag(..) | Token::Clock(_));
        match token {
            Token::Open => variations.push(line),
            Token::Close => {
                variations.pop().ok_or_else(|| LineError::new(line, ")", "no ) without its ("))?;
            }
            _ if !variations.is_empty() => {}
            Token::Clock(left) => record.set_clock(left),
            Token::Tag(name, value) => record.read_tag(name, &value).map_err(in_line)?,
            Token::Word(word) => {
                let over = record.read_word(word).map_err(in_line)?;
                if over {
                    break;
                }
            }
        }
    }
    match variations.first() {
        Some(&line) => Err(LineError::new(line, "(", "a ) that ends the variation")),
        None => Ok(Some(record)),
    }
}

/// Passes over clocks behind a game's end: they are nobody's.
fn skip_clocks(tokens: &mut Peekable<Tokens>) {
    while tokens.next_if(|item| matches!(item, Ok((_, Token::Clock(_))))).is_some() {}
}

impl FromStr for Record {
    type Err = LineError;

    /// Reads the only game of `text`.
    fn from_str(text: &str) -> Result<Record, LineError> {
        let mut tokens = Tokens::new(text).peekable();
        let record = read_game(&mut tokens)?.ok_or_else(|| LineError::new(1, "", "a game"))?;
        skip_clocks(&mut tokens);
        match tokens.next() {
            None => Ok(record),
            Some(Err(error)) => Err(error),
            Some(Ok((line, token))) => Err(LineError::new(line, token.text(), "one game only")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::{Color, Outcome};

    fn moves(record: &Record) -> String {
        let text = record.to_string();
        text.split_once("\n\n").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_others_write_is_read() {
        let text = "[Event \"A\"]\r\n[Result \"1-0\"]\r\n[GameType \"21,B,8,N1,0\"]\r\n\r\n\
            1. 11-15! {first (of} 23-19?! $3 (2... 8-11 (3. 22-17) {)} ; )\r\n) 2.8-11* ;x\r\n22-17 12 4-8\r\n1-0\r\n\
            \r\n11-15 23-19 *\r\n[Event \"C\"]\r\n1. 9-14 22-18 5-9\r\n[Event \"D\"]";
        let records = Record::read_all(text).unwrap();
        let all: Vec<String> = records.iter().map(moves).collect();
        let expected = ["1. 11-15 23-19 2. 8-11 22-17 3. 4-8 1-0", "1. 11-15 23-19 *", "1. 9-14 22-18 2. 5-9 *", "*"];
        assert_eq!(all, expected);
        let events: Vec<Option<&str>> = records.iter().map(|record| record.tag("Event")).collect();
        assert_eq!(events, [Some("A"), None, Some("C"), Some("D")]);
    }

    #[test]
    fn jumps_are_read_by_their_ends_or_by_all_squares() {
        let start = "[SetUp \"1\"] [FEN \"B:W18,27,30:B14\"]";
        let records = Record::read_all(&format!("{start} 1. 14x32 0-1 {start} 14x23x32")).unwrap();
        assert_eq!(records[0].moves(), records[1].moves());
        assert_eq!(records[0].position().to_string(), "W:W30:BK32");
        assert!(Record::read_all(&format!("{start} 14x23 23x32")).is_err());
    }

    #[test]
    fn the_result_after_the_moves_counts_and_else_the_tag() {
        for (text, result) in [
            ("[Result \"0-1\"] 1. 11-15", Some(Outcome::Win(Color::White))),
            ("[Result \"0-1\"] 1. 11-15 1/2-1/2", Some(Outcome::Draw)),
            ("11-15*", None),
        ] {
            assert_eq!(text.parse::<Record>().unwrap().result(), result, "{text}");
        }
    }

    #[test]
    fn clocks_belong_to_the_move_before_them() {
        let text = "{[%clk 0:00:09]}[Event \"A\"]{[%clk 0:00:08]}[Site \"B\"] 1. 11-15 {a [%clk 0:00:07]} ({[%clk 0:00:06]}) \
            23-19 * {[%clk 0:00:05]}";
        let record: Record = text.parse().unwrap();
        assert_eq!(record.clocks(), [Some(Duration::from_secs(7)), None]);
        assert_eq!(Record::read_all(&format!("{text}{text}")).unwrap(), [record.clone(), record]);
    }

    #[test]
    fn errors_name_their_line() {
        for (text, line, message) in [
            ("\n1. 11-15\n11-16", 3, "found \"11-16\", expected one of the legal moves: "),
            ("1. 11-15 1-0\n1. 11-15\n2. nonsense", 3, "found \"nonsense\", expected a move like 11-15"),
            ("[Event \"x\"]\n[Result \"won\"]", 2, "found \"won\", expected a result: 1-0"),
            ("[GameType \"20\"]", 1, "expected game type 21"),
            ("\n[FEN \"B:W33:B1\"]", 2, "expected a square's number"),
            ("[2 \"x\"]", 1, "expected a tag's name"),
            ("[FEN \"B:W:B1\"]\n1-5\n1-5", 3, "the game is over"),
            ("11-15\n(\n(", 2, "expected a ) that ends the variation"),
            ("11-15\n(())\n)", 3, "expected no ) without its ("),
        ] {
            let error = Record::read_all(text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }

    #[test]
    fn one_game_is_one_game() {
        assert_eq!(Record::read_all(" {nothing} \n"), Ok(Vec::new()));
        assert_eq!("".parse::<Record>().unwrap_err().to_string(), "line 1: found \"\", expected a game");
        assert_eq!("*\n*".parse::<Record>().unwrap_err().to_string(), "line 2: found \"*\", expected one game only");
    }

    #[test]
    fn deep_nesting_is_no_recursion() {
        let deep = 200_000;
        let text = format!("{}{}11-15", "(".repeat(deep), ")".repeat(deep));
        assert_eq!(text.parse::<Record>().unwrap().moves().len(), 1);
        assert!("(".repeat(deep).parse::<Record>().is_err());
    }
}
