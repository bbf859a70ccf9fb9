//! Reader for one game. It reads even a broken game to its end.

use std::collections::HashMap;
use std::iter::Peekable;
use std::str::FromStr;

use super::Record;
use super::fields::{GAME_TYPE, check_name, own_tag, read_result};
use super::tokens::{Parts, Token};
use crate::checkers::Position;
use crate::game::{Game, LineError, ParseError};

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
        while self.parts.next_if(|(_, part)| matches!(part, Token::Clock(_))).is_some() {}
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

struct Reader<'a> {
    record: Record,
    /// Places of the tags read so far among `tags`, by name, so that lookups stay fast for any number of tags; none for tags
    /// that the record writes itself.
    names: HashMap<&'a str, Option<usize>>,
    /// Tags that the record merely stores, in the order in which their names first appeared.
    tags: Vec<(&'a str, String)>,
    /// True if anything but tags and clocks was read.
    in_moves: bool,
    depth: usize,
    /// Line where the outermost variation begins.
    opened: usize,
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

    fn ends_before(&self, part: &Token<'_>) -> bool {
        match part {
            Token::Tag { name, apart, .. } => {
                self.in_moves || *apart && self.names.contains_key(own_tag(name).unwrap_or(name))
            }
            _ => false,
        }
    }

    fn read(&mut self, line: usize, part: Token<'a>) -> Result<(), ParseError> {
        self.in_moves |= match part {
            Token::Tag { .. } | Token::Clock(_) => false,
            // Stray signs between tags do not begin the moves.
            Token::Stray(_) => self.names.is_empty(),
            _ => true,
        };
        match part {
            Token::Tag { name, value, .. } => {
                self.names.entry(own_tag(name).unwrap_or(name)).or_insert(None);
                let value = value
                    .ok_or_else(|| ParseError::new(name, "a tag like [Event \"Open\"], with its value on one line"))?;
                if self.first_error.is_none() {
                    self.read_tag(name, value)?;
                }
            }
            Token::Unclosed(text) => return Err(ParseError::new(text, "`}` at the end of the comment")),
            Token::Stray(text) => return Err(ParseError::new(text, stray(text))),
            Token::Open => {
                if self.depth == 0 {
                    self.opened = line;
                }
                self.depth += 1;
            }
            Token::Close => {
                self.depth = self.depth.checked_sub(1).ok_or_else(|| ParseError::new(")", "`(` before `)`"))?;
            }
            _ if self.depth > 0 => {}
            Token::Clock(left) => self.record.set_clock(left),
            Token::Move(text) if self.first_error.is_none() => {
                let mv = self.record.position().parse_move(&text)?;
                self.record.add(mv);
            }
            Token::Result(code) => {
                // A `*` only marks the end of a game (in PDN 3.0, of every game), so it does not override the tag.
                if code != "*" {
                    self.record.set_result(read_result(&code)?);
                }
                self.ended = true;
            }
            Token::Move(_) | Token::Aside(_) | Token::Word(_) => {}
        }
        Ok(())
    }

    fn read_tag(&mut self, name: &'a str, value: String) -> Result<(), ParseError> {
        let trimmed = value.trim();
        match own_tag(name) {
            None => {
                check_name(name)?;
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
                self.record.set_result(read_result(&code).map_err(|error| ParseError::new(trimmed, error.expected))?);
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
    use std::time::{Duration, Instant};

    use super::*;
    use crate::game::{Color, Outcome};

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
        let pieces = "\
            [Event \"x\"] {|[Event \"x] |[Event \"\\\" |[Event\n|[ |{{}|{ [|{} } |1x |11 |9|9-|(|15 * |\
            \n[A \"|%\u{feff}|[A \"x\"]\n\n";
        for piece in pieces.split('|') {
            let text = piece.repeat(many);
            let count = games(&text).count();
            assert!(count <= many && start.elapsed() < Duration::from_secs(60), "{piece}");
        }
        let tags: String = (0..many).map(|number| format!("[A{number} \"x\"]\n")).collect();
        assert_eq!(games(&tags).next().unwrap().unwrap().tags().count(), many);
        assert!(start.elapsed() < Duration::from_secs(60), "many tags");
    }

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
