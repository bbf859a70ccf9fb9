//! Reader for multi-game files.

use std::iter::Peekable;
use std::str::FromStr;

use super::Record;
use super::read::{BrokenGame, read_game};
use super::tokens::Token;
use super::words::{Part, Parts};
use crate::game::LineError;

/// Iterator over the games of a PDN file; see [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    parts: Peekable<Parts<'a>>,
}

/// Reads the games of a file one by one, in time linear in the length of the text.
///
/// Comments other than clocks, annotations and variations are skipped. A result after the moves overrides the one in
/// the tag, except `*`, which only ends the game.
///
/// # Errors
/// A broken game yields an error for its first faulty line: for example an illegal move, an unclosed tag or comment, or
/// the number of another game type. The rest of that game is skipped. The next game begins after a result, or with a
/// tag after moves. Such a tag also ends open variations and comments.
///
/// ```
/// use kingline::checkers::pdn;
/// use kingline::game::{Color, Outcome};
///
/// let text = "[Event \"A\"]\n1. 11-15 23-19 1-0\n\n[Event \"B\"]\n1. 11-16 23-16 1-0\n\n[Event \"C\"]\n1. 9-14 *\n";
/// let games: Vec<_> = pdn::games(text).collect();
/// let [Ok(first), Err(error), Ok(_)] = &games[..] else { panic!("three games, the second one broken") };
/// assert_eq!(first.result(), Some(Outcome::Win(Color::Black)));
/// assert!(error.to_string().starts_with("line 5: found \"23-16\", expected a legal move: "));
/// ```
pub fn games(text: &str) -> Games<'_> {
    Games { parts: Parts::new(text).peekable() }
}

impl Games<'_> {
    /// Skips clocks after the end of a game, which belong to no move.
    fn skip_clocks(&mut self) {
        while self.parts.next_if(|(_, part)| matches!(part, Part::Sign(Token::Clock(_)))).is_some() {}
    }
}

impl Games<'_> {
    /// Reads the next game. A broken one comes with its moves before the error.
    fn next_game(&mut self) -> Option<Result<Record, Box<BrokenGame>>> {
        loop {
            self.skip_clocks();
            self.parts.peek()?;
            if let Some(game) = read_game(&mut self.parts).transpose() {
                return Some(game);
            }
        }
    }

    /// Turns this into an iterator that also yields the beginnings of broken games.
    pub fn with_broken(mut self) -> impl Iterator<Item = Result<Record, Box<BrokenGame>>> {
        std::iter::from_fn(move || self.next_game())
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Record, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().map(|game| game.map_err(|broken| broken.error))
    }
}

impl FromStr for Record {
    type Err = LineError;

    /// Reads a text that contains exactly one game.
    fn from_str(text: &str) -> Result<Record, LineError> {
        let mut games = games(text);
        let record = games.next().unwrap_or_else(|| Err(LineError::new(1, "", "a game")))?;
        games.skip_clocks();
        let more = games.parts.peek().map(|(line, part)| LineError::new(*line, part.text(), "one game only"));
        games.next().and(more).map_or(Ok(record), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Returns the event of each readable game, and the line of each error.
    fn read(text: &str) -> Vec<Result<String, usize>> {
        let name = |record: Record| record.tag("Event").unwrap_or("-").to_owned();
        games(text).map(|game| game.map(name).map_err(|error| error.line)).collect()
    }

    fn named(name: &str) -> Result<String, usize> {
        Ok(name.to_owned())
    }

    fn moves(record: &Record) -> String {
        let text = record.to_string();
        text.split_once("\n\n").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn accepts_records_of_other_programs() {
        let text = "[Event \"A\"]\r\n[Result \"1-0\"]\r\n[GameType \"21,B,8,N1,0\"]\r\n\r\n\
            1. 11-15! {first (of} 23-19?! $3 (2... 8-11 (3. 22-17) {)} ; )\r\n) 2.8-11* ;x\r\n22- 17 12 4-8\r\n1-0\r\n\
            \r\n11-15 23-19 *\r\n[Event \"C\"]\r\n1. 9-14 22-18 5-9\r\n[Event \"D\"]";
        let records: Vec<Record> = games(text).map(Result::unwrap).collect();
        let expected = ["1. 11-15 23-19 2. 8-11 22-17 3. 4-8 1-0", "1. 11-15 23-19 *", "1. 9-14 22-18 2. 5-9 *", "*"];
        assert_eq!(records.iter().map(moves).collect::<Vec<_>>(), expected);
        let events: Vec<Option<&str>> = records.iter().map(|record| record.tag("Event")).collect();
        assert_eq!(events, [Some("A"), None, Some("C"), Some("D")]);
    }

    #[test]
    fn a_broken_game_is_reported_and_the_next_one_read() {
        let [a, c] = [
            "[Event \"A\"]\n[Result \"?\"]\n\n1. 11-15 23-19\n\n",
            "[Event \"C\"]\n[Result \"*\"]\n\n1. 11-15 {c} 23-19 *\n",
        ];
        for (broken, line) in [
            ("[Event \"B\"]\n\n1. 11-15\n2. 11-15 23-19 1-0\n", 4),
            ("[Event \"B\"]\n\n1. 11-15\n2. 11-15 (11-15 1-0) 23-19\n\n", 4),
            ("[Event \"B\"]\n[FEN \"x\"]\n[Site \"s\"]\n\n1. 11-15 23-19 1-0\n", 2),
            ("[Event \"B\"]\n[GameType \"20\"]\n[Site \"s\"]\n\n1. 32-28 (1. 33-29) 19-23 1 - 0\n", 2),
            ("[GameType \"20\"]\n[Event \"B\"]\n\n", 1),
            ("[Event \"B]\n[Site \"s\"]\n\n1. 11-15 23-19\n", 1),
            ("[Site \"s\"]\n[White Elo \"5\"]\n[Round \"2\"]\n\n1. 11-15 23-19\n", 2),
            ("[Event \"B\"]\n]\n[Site \"s\"]\n1. 11-15 23-19 1-0\n", 2),
            ("[Event \"B\"]\n1. 11-15 { never closed\n23-19 1-0\n\n", 2),
            ("[Event \"B\"]\n{ never {closed\n1. 11-15\n23-19 1-0\n\n", 2),
            ("[Event \"B\"]\n1. 11-15 (11-16\n(23-19\n\n", 2),
            ("[Event \"B\"]\n1. 11-15 (11-16 { 23-19 1-0\n\n", 2),
            ("[Event \"B\"]\n1. 11-15 ) 23-19 1-0\n", 2),
            ("[Event \"B\"]\n1. 11-15 15 } 23-19 1-0\n", 2),
        ] {
            let before = a.lines().count();
            let text = format!("{a}{broken}{c}");
            assert_eq!(read(&text), [named("A"), Err(before + line), named("C")], "{text}");
        }
        assert_eq!(read(&format!("What follows (of\n1890 is a game:\n{c}")), [Err(1), named("C")]);
    }

    #[test]
    fn games_without_moves_or_results_are_separated_by_a_repeated_tag() {
        let text =
            "[Event \"A\"]\n[FEN \"B:W32:B1\"]\n\n[FEN \"B:W32:B2\"]\n[Event \"B\"]\n\n[Site \"s\"]\n[Event \"C\"]\n";
        assert_eq!(read(text), [named("A"), named("C")]);
        let broken = text.replace("B2", "B2,B2");
        assert_eq!(read(&broken), [named("A"), Err(4)]);
        assert_eq!(read(&broken.replace("[Site", "[Event \"S\"]\n[Site")), [named("A"), Err(4), named("C")]);
    }

    #[test]
    fn parsing_expects_exactly_one_game() {
        assert_eq!(read(" {nothing} \n"), []);
        assert_eq!("".parse::<Record>().unwrap_err().to_string(), "line 1: found \"\", expected a game");
        assert_eq!("*\n*".parse::<Record>().unwrap_err().to_string(), "line 2: found \"*\", expected one game only");
        assert_eq!(read("(or 1. 9-14) 1-0 (or 0-1) {[%clk 0:00:01]} 2. (then) *\n1. (9-14)"), [named("-"), named("-")]);
        assert_eq!("9-14 * (or 1-0)".parse::<Record>().unwrap().moves().len(), 1);
        assert_eq!("* [Event \"A\"]".parse::<Record>().unwrap_err().error.found, "Event");
    }

    #[test]
    fn deep_nesting_does_not_recurse() {
        let deep = 200_000;
        for (open, close) in [("(", ")"), ("{", "}")] {
            let text = format!("{}{}11-15", open.repeat(deep), close.repeat(deep));
            assert_eq!(text.parse::<Record>().unwrap().moves().len(), 1);
            assert!(open.repeat(deep).parse::<Record>().is_err());
        }
    }

    #[test]
    fn hostile_files_take_no_more_than_linear_time() {
        let many = 100_000;
        let start = Instant::now();
        for piece in [
            "[Event \"x\"] {",
            "[Event \"x] ",
            "[Event \"\\\" ",
            "[Event\n",
            "[ ",
            "{{}",
            "{ [",
            "{} } ",
            "1x ",
            "11 ",
            "9",
            "9-",
            "(",
            "15 * ",
            "\n[A \"",
            "%\u{feff}",
            "[A \"x\"]\n\n",
        ] {
            let text = piece.repeat(many);
            let count = games(&text).count();
            assert!(count <= many && start.elapsed() < Duration::from_secs(60), "{piece}");
        }
        let tags: String = (0..many).map(|number| format!("[A{number} \"x\"]\n")).collect();
        assert_eq!(games(&tags).next().unwrap().unwrap().tags().count(), many);
        assert!(start.elapsed() < Duration::from_secs(60), "many tags");
    }
}
