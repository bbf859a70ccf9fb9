//! Iterator over the games of a file. It reads even a broken game to its end.

use std::iter::Peekable;
use std::str::FromStr;

use super::Record;
use super::parts::Parts;
use super::reader::{ReadGame, Reader};
use super::tokens::Token;
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
/// Much that is not of the strict form is read all the same: see [`Games::with_notes`].
///
/// # Errors
/// A broken game yields an error for its first faulty line: for example an illegal move, an unclosed comment, or the
/// number of another game type. The rest of that game is skipped. The next game begins after a result, or with a tag
/// after moves. Such a tag also ends open variations and comments.
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

    /// Reads the next game.
    fn next_game(&mut self) -> Option<ReadGame> {
        loop {
            self.skip_clocks();
            self.parts.peek()?;
            if let Some(game) = read_game(&mut self.parts) {
                return Some(game);
            }
        }
    }

    /// Turns this into an iterator that also yields the beginnings of broken games, and notes: on unknown values of
    /// tags, tags that disagree, words outside of comments, typographic signs, White moving first without a tag, and
    /// short captures with several ways.
    pub fn with_notes(mut self) -> impl Iterator<Item = ReadGame> {
        std::iter::from_fn(move || self.next_game())
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Record, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().map(|game| game.error.map_or(Ok(game.record), Err))
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
fn read_game(parts: &mut Peekable<Parts<'_>>) -> Option<ReadGame> {
    let mut game = Reader::new();
    while let Some((line, part)) = parts.next_if(|(_, part)| !game.ends_before(part)) {
        game.read(line, part);
        if game.has_ended() {
            break;
        }
    }
    game.finish()
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
            ("[Event \"B\"]\n[FEN \"B:W32:B1]\n\n1. 1-5\n", 2),
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
            ("1. 11-15\n2. 8-11-123", 2, "found \"8-11-123\", expected a move like 11-15"),
            ("1. 11-15 23\n19 8-11", 1, "found \"23 19\", expected a move like 11-15"),
            ("1. 11-15 23\n-\n20", 1, "found \"23-20\", expected a legal move: "),
            ("[GameType \"20\"]", 1, "expected game type 21"),
            ("\n[FEN \"B:W33:B1\"]", 2, "expected a square number"),
            ("[FEN \"x]\n11-15", 1, "found \"FEN\", expected a tag like [Event \"Open\"], with its value on one line"),
            ("words", 1, "found \"words\", expected a move like 11-15"),
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

    /// Returns the moves of a game and its notes.
    fn with_notes(text: &str) -> (String, String) {
        let game = games(text).with_notes().next().unwrap();
        assert_eq!(game.error, None, "{text}");
        let notes: Vec<String> = game.notes.iter().map(ToString::to_string).collect();
        (moves(&game.record).trim_end_matches(" *").to_owned(), notes.join("; "))
    }

    #[test]
    fn faulty_tags_are_noted_and_the_moves_are_read() {
        for (text, note) in [
            ("[Event \"x\"]\n[Result \"White lost\"]\n", "line 2: the result \"White lost\" is unknown, expected "),
            ("[Result \"1\u{2013}1 (time)\"]\n", "line 1: the result "),
            ("[Date \"May 1st\"]\n", "line 1: the date \"May 1st\" is not of the form"),
            ("[GameType \"board game\"]\n", "line 1: the game type \"board game\" is unknown, expected game type 21"),
            ("[2nd \"x\"]\n", "line 1: found \"2nd\", expected a tag name: "),
            ("\n[Black Elo \"9\"]\n[Event \"x\"]", "line 2: \"[Black Elo \\\"9\\\"]\" is no tag like [Event \"Open\"]"),
            (
                "[Event \"x]\n",
                "line 1: found \"Event\", expected a tag like [Event \"Open\"], with its value on one line; ",
            ),
        ] {
            let (moves, notes) = with_notes(&format!("{text}1. 11-15 23-19"));
            assert_eq!(moves, "1. 11-15 23-19", "{text}");
            assert!(notes.starts_with(note), "{notes}");
        }
    }

    #[test]
    fn what_strict_readers_refuse_is_noted() {
        for (text, moves, note) in [
            ("1. 9-13Blackresigned 0-1", "1. 9-13 0-1", "line 1: \"9-13Blackresigned\" was read as 9-13 and a remark"),
            (
                "1. 9-13 and\nWhite resigns",
                "1. 9-13",
                "line 1: \"and\" is no move, and was skipped with the words after it",
            ),
            ("1. 9\u{2012}13 24\u{2013}20", "1. 9-13 24-20", "line 1: typographic signs were read as - and x"),
            ("1) 9-13, 24-20. 2.) 5-9;", "1. 9-13 24-20 2. 5-9", ""),
            ("1. 21-17 9-13", "1... 21-17 2. 9-13", "line 1: White moves first, as the first move shows"),
            (
                "[FEN \"b:w22:b1\"]1. 22-18",
                "1... 22-18",
                "line 1: the position \"b:w22:b1\" was read as B:W22:B1; line 1: White",
            ),
            (
                "\n[FEN \"W:W10:B9,29\"]1. 10-6",
                "1... 10-6",
                "line 2: Black's man on 29 is on its crowning row; it stays a man and cannot move",
            ),
            ("[FEN \"W:W22:B1:H0:F1\"]1. c3d4 K1-K6", "1... 22-18 2. 1-6", ""),
        ] {
            let (read, notes) = with_notes(text);
            assert_eq!(read, moves, "{text}");
            assert!(notes.starts_with(note) && note.is_empty() == notes.is_empty(), "{notes}");
        }
    }

    #[test]
    fn names_of_squares_are_known() {
        for (text, has_letters) in [("1. 11-15 K24-20", false), ("1. c3d4", true), ("1. B6-A5 *", true), ("*", false)] {
            assert_eq!(games(text).with_notes().next().map(|game| game.has_letters), Some(has_letters), "{text}");
        }
    }

    /// Black can capture from 14 to 30 over 17 and 25, or over 18 and 26.
    const TWO_WAYS: &str = "[FEN \"B:W17,18,25,26,32:B14,1\"]\n";

    #[test]
    fn later_moves_decide_on_short_captures() {
        for (rest, moves, note) in [
            ("26-22", "1. 14x21x30 26-22", "line 2: 14x30 was read as 14x21x30, by the moves after it"),
            (
                "{[%clk 0:00:09]} 32-28 30x14 28-24 1-6 24-20 14-17",
                "1. 14x23x30 {[%clk 0:00:09]} 32-28 2. 30x14 28-24 3. 1-6 24-20 4. 14-17",
                "line 2: 14x30 may be 14x23x30 or 14x21x30",
            ),
            ("32-28 30x21x14 28-24", "1. 14x23x30 32-28 2. 30x14 28-24", "line 2: 14x30 was read as 14x23x30, by the"),
            ("32-28", "1. 14x23x30 32-28", "line 2: 14x30 may be 14x23x30 or 14x21x30; it was read as 14x23x30"),
            ("", "1. 14x23x30", "line 2: 14x30 may be 14x23x30 or 14x21x30; it was read as 14x23x30"),
        ] {
            let (read, notes) = with_notes(&format!("{TWO_WAYS}1. 14x30 {rest} *"));
            assert_eq!(read, moves);
            assert!(notes.starts_with(note), "{notes}");
        }
        let broken = games(&format!("{TWO_WAYS}1. 14x30 32-1 *")).with_notes().next().unwrap();
        assert_eq!((broken.record.moves().len(), broken.notes.len()), (1, 1));
        assert!(broken.error.unwrap().to_string().starts_with("line 2: found \"32-1\", expected a legal move: "));
    }

    #[test]
    fn tags_that_disagree_are_resolved_by_the_name() {
        let text = "[GameType \"25\"]\n[Variant \"English draughts\"]\n1. 22-18";
        let (moves, notes) = with_notes(text);
        assert_eq!(moves, "1... 22-18");
        assert!(
            notes.starts_with("line 1: game type \"25\" is Russian draughts, but the variant is \"English"),
            "{notes}"
        );
        for (tags, error) in [
            (
                "[GameType \"21\"]\n[Variant \"Brazilian\"]\n",
                "line 2: found \"Brazilian (Brazilian draughts)\", expected",
            ),
            ("[Variant \"Russian draughts\"]\n", "line 1: found \"Russian draughts\", expected American checkers"),
            ("[GameType \"23\"]\n", "line 1: found \"23 (American pool checkers)\", expected game type 21"),
            ("[GameType \"Italian\"]\n", "line 1: found \"Italian (Italian draughts)\", expected game type 21"),
        ] {
            let game = games(&format!("{tags}1. 11-15 *")).with_notes().next().unwrap();
            assert!(game.error.unwrap().to_string().starts_with(error), "{tags}");
            assert_eq!(game.record.moves(), []);
        }
    }

    #[test]
    fn other_games_are_known_by_their_moves() {
        for (text, words) in [
            ("1. 32-28 19-23 2. 28x19 14x23 3. 37-32", "larger boards"),
            ("1. 11-15 23-19 33-28 4-9 34-30", "larger boards"),
            ("[FEN \"B:W10,32:B15,12\"] 1. 12-16 32-28 2. 15x6", "men never capture backward, as they do in Russian"),
            ("[FEN \"W:WK32:B1,2\"] 1. 32-28 1-6 2. 28-15", "kings move one square"),
            ("[FEN \"W:WK32:B1,19\"] 1. 32x5", "kings move one square"),
            ("1. 21-18 12-15 2. 22-19 15x22", "numbered from the other side"),
        ] {
            let game = games(text).with_notes().next().unwrap();
            let error = game.error.unwrap().to_string();
            assert!(error.contains(words) && game.record.moves().is_empty(), "{text}: {error}");
        }
        // A misprint is no other game.
        let game = games("1. 11-15 23-19 2. 8-111 1. 9-44").with_notes().next().unwrap();
        assert_eq!(game.record.moves().len(), 2);
    }
}
