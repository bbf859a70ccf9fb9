//! A file of games in the forms that people and programs write, based on the specifications of PDN 2.0 and 3.0.

use std::time::Duration;

use kingline::checkers::{Move, Position, pdn};
use kingline::game::{Color, Game, Outcome};

const FILE: &str = include_str!("../data/games.pdn");

/// Moves of most games in the file.
const OPENING: &str = "11-15 22-18 15x22 25x18 8-11 29-25 4-8 25-22";
const JUMP: &str = "14x32 30-26";
const WHITE_FIRST: &str = "30-26 5-9 25-22";

const BLACK: Option<Outcome> = Some(Outcome::Win(Color::Black));
const WHITE: Option<Outcome> = Some(Outcome::Win(Color::White));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// Event, result and moves of a game, or the line of its error and part of the message.
type Expected = Result<(Option<&'static str>, Option<Outcome>, &'static str), (usize, &'static str)>;

const GAMES: &[Expected] = &[
    Ok((Some("all seven tags"), BLACK, OPENING)),
    Ok((Some("tags in another order"), WHITE, OPENING)),
    Ok((Some("blanks in tags"), DRAW, OPENING)),
    Ok((Some("one long line"), BLACK, OPENING)),
    Ok((Some("and another"), WHITE, OPENING)),
    Ok((Some("one word a line"), BLACK, OPENING)),
    Ok((None, WHITE, OPENING)),
    Ok((None, DRAW, OPENING)),
    Ok((None, None, OPENING)),
    Ok((None, None, "")),
    Ok((None, BLACK, "")),
    Ok((Some("no result"), None, OPENING)),
    Ok((Some("no result but that of the tag"), BLACK, OPENING)),
    Ok((Some("an unknown result"), None, OPENING)),
    Ok((Some("an empty result"), None, OPENING)),
    Ok((Some("a * just ends the game"), WHITE, OPENING)),
    Ok((Some("the result after the moves counts"), BLACK, OPENING)),
    Ok((Some("two points for Black"), BLACK, OPENING)),
    Ok((Some("two points for White"), WHITE, OPENING)),
    Ok((Some("a point for each"), DRAW, OPENING)),
    Ok((Some("nobody came"), None, "")),
    Ok((Some("results split by blanks"), DRAW, OPENING)),
    Ok((Some("halves in one character"), DRAW, OPENING)),
    Ok((Some("marks of strength"), BLACK, OPENING)),
    Ok((Some("glyphs"), BLACK, OPENING)),
    Ok((Some("comments"), BLACK, OPENING)),
    Ok((Some("comments in comments"), BLACK, OPENING)),
    Ok((Some("variations"), BLACK, OPENING)),
    Ok((Some("clocks"), BLACK, OPENING)),
    Ok((Some("moves split by blanks"), BLACK, OPENING)),
    Ok((Some("other signs for jumps, and zeros"), BLACK, OPENING)),
    Ok((Some("all squares of jumps"), BLACK, JUMP)),
    Ok((Some("all squares of jumps, split"), BLACK, JUMP)),
    Ok((Some("two ways from 14 to 30"), BLACK, "14x21x30")),
    Ok((Some("White moves first"), WHITE, WHITE_FIRST)),
    Ok((Some("White moves first, another way"), WHITE, WHITE_FIRST)),
    Ok((Some("the board by ranges"), BLACK, OPENING)),
    Ok((Some("a problem"), WHITE, "")),
    Ok((Some("a problem without a result"), None, "")),
    Ok((Some("another one"), None, "")),
    Err((219, "found \"11-16\", expected a legal move: 15x22")),
    Err((223, "expected game type 21, American checkers")),
    Err((228, "found \"33\", expected a square number")),
    Ok((Some("a result that is none"), None, "11-15 22-18")),
    Ok((None, BLACK, "11-15 22-18")),
    Err((246, "found \"{ which is called the Single Corner\", expected `}` at the end of the comment")),
    Ok((Some("after the comment"), BLACK, OPENING)),
    Err((258, "found \"(\", expected `)` at the end of the variation")),
    Ok((Some("after the variation"), BLACK, OPENING)),
    Err((269, "found \")\", expected `(` before `)`")),
    Ok((None, BLACK, OPENING)),
    Err((271, "found \"11 15\", expected a move like 11-15")),
    Err((272, "found \"15x\", expected a move like 11-15")),
    Err((273, "found \"A\", expected a move like 11-15")),
    Ok((None, WHITE, OPENING)),
    Ok((Some("line ends of two characters"), BLACK, OPENING)),
    Err((287, "found \"25x17\", expected a legal move: ")),
    Ok((Some("the last one has no end"), None, OPENING)),
];

/// Reads moves from a position, each in its simplest form.
fn line(mut position: Position, text: &str) -> Vec<Move> {
    let mut play = |word| {
        let mv = position.parse_move(word).expect("a legal move");
        position = position.play(mv);
        mv
    };
    text.split_whitespace().map(&mut play).collect()
}

#[test]
fn every_game_of_a_file_is_read_or_reported_with_its_line() {
    let games: Vec<_> = pdn::games(FILE).collect();
    for (game, expected) in games.iter().zip(GAMES) {
        match (game, expected) {
            (Ok(record), &Ok((event, result, moves))) => {
                assert_eq!((record.tag("Event"), record.result()), (event, result));
                assert_eq!(record.moves(), line(record.start(), moves), "{event:?}");
                assert_eq!(record.to_string().parse().as_ref(), Ok(record));
            }
            (Err(error), &Err((line, message))) => {
                assert_eq!(error.line, line, "{error}");
                assert!(error.to_string().contains(message), "{error}");
            }
            _ => panic!("{game:?}, expected {expected:?}"),
        }
    }
    assert_eq!(games.len(), GAMES.len());
    assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 48);
}

#[test]
fn other_line_ends_make_no_difference() {
    let unix = FILE.replace("\r\n", "\n");
    let games: Vec<_> = pdn::games(FILE).collect();
    for text in [unix.replace('\n', "\r\n"), unix] {
        assert_eq!(pdn::games(&text).collect::<Vec<_>>(), games);
    }
}

#[test]
fn tags_and_clocks_are_kept() {
    let games: Vec<pdn::Record> = pdn::games(FILE).flatten().collect();
    let named = |event| games.iter().find(|game| game.tag("Event") == Some(event)).expect("a game");
    let tags: Vec<_> = named("tags in another order").tags().collect();
    let expected = [
        ("Event", "tags in another order"),
        ("Date", ""),
        ("White", "\\ ]["),
        ("Black", "?"),
        ("Annotator", "nobody \"of note\""),
    ];
    assert_eq!(tags, expected);
    let clocks = named("clocks").clocks();
    let seconds: Vec<_> = clocks.iter().flatten().map(Duration::as_secs_f64).collect();
    assert_eq!(seconds, [299.5, 300.0, 240.0]);
    assert_eq!([0, 1, 7].map(|index| clocks[index].is_some()), [true; 3]);
}
