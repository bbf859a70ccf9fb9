//! A file of games in the forms that people and programs write, based on the specifications of PDN 2.0 and 3.0.

use std::time::Duration;

use kingline::checkers::{Move, Position, pdn};
use kingline::game::{Color, Game, Outcome};

const FILE: &str = include_str!("../data/games.pdn");

const EXPECTED: &str = include_str!("../data/games.txt");

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
    let all: Vec<&str> = EXPECTED.lines().skip(1).collect();
    for (game, expected) in games.iter().zip(&all) {
        match (game, &expected.split(" | ").collect::<Vec<_>>()[..]) {
            (Ok(record), &[event, result, moves]) => {
                let found = match record.result() {
                    Some(Outcome::Win(Color::Black)) => "1-0",
                    Some(Outcome::Win(Color::White)) => "0-1",
                    Some(Outcome::Draw) => "1/2-1/2",
                    None => "*",
                };
                assert_eq!((record.tag("Event").unwrap_or("-"), found), (event, result));
                let moves = if moves == "-" { "" } else { moves };
                assert_eq!(record.moves(), line(record.start(), moves), "{event}");
                assert_eq!(record.to_string().parse().as_ref(), Ok(record));
            }
            (Err(error), &[line, message]) => {
                assert_eq!(format!("line {}", error.line), line, "{error}");
                assert!(error.to_string().contains(message), "{error}");
            }
            _ => panic!("{game:?}, expected {expected}"),
        }
    }
    assert_eq!(games.len(), all.len());
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
