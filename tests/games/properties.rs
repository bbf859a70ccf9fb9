//! Properties of random checkers positions, games and texts, beyond those that all games share.

use std::time::Duration;

use kingline::checkers::{Diagram, Position, Route, Square, pdn};
use kingline::game::{Color, Game, LineError, Outcome, Progress};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::games::conformance::conforming::Conforming;
use crate::games::conformance::{config, picks, play};

fn any_board() -> impl Strategy<Value = Position> {
    Position::any_board()
}

/// Writes the position as rows and reads it back.
fn redrawn(position: &Position) -> Position {
    let text = Diagram(position).to_string();
    let rows: Vec<&str> = text.lines().collect();
    Diagram::read(rows.try_into().expect("eight rows"), position.turn()).expect("a board")
}

fn check_position(position: &Position) -> Result<(), TestCaseError> {
    prop_assert_eq!(redrawn(position), *position);
    prop_assert_eq!(position.flipped().flipped(), *position);

    let list = position.legal_moves();
    prop_assert_eq!(position.must_jump(), list.iter().any(|mv| mv.captures() > 0));
    for &mv in &list {
        prop_assert_eq!(position.must_jump(), mv.captures() > 0);
        prop_assert_eq!(position.parse_move(&position.notation(mv).to_string()), Ok(mv));
        let routes = Route::all(position, mv);
        prop_assert!(!routes.is_empty());
        for route in routes {
            prop_assert_eq!(Route::find(position, route.squares()), Some(mv), "{}", route);
            prop_assert_eq!(route.is_jump(), mv.captures() > 0);
        }
        let after = position.play(mv);
        prop_assert_eq!(after.count(after.turn()) + mv.captures(), position.count(after.turn()));
        prop_assert_eq!(after.count(position.turn()), position.count(position.turn()));
        let crowns = after.kings(position.turn()) > position.kings(position.turn());
        prop_assert_eq!(position.progress(mv) == Progress::Zeroing, mv.captures() > 0 || crowns);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn position_round_trip_in_games(picks in picks()) {
        for (position, _) in play(Position::start(), &picks) {
            check_position(&position)?;
        }
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn position_round_trip_on_arbitrary_boards(position in any_board()) {
        check_position(&position)?;
    }

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>(), position in any_board()) {
        let _ = text.parse::<Square>();
        let _ = position.parse_move(&text);
        check_games(&text)?;
    }

    #[test]
    fn arbitrary_sequences_of_known_words_never_panic(words in vec(select(WORDS.split('|').collect::<Vec<_>>()), 0..24), position in any_board()) {
        let text = words.concat();
        let _ = position.parse_move(&text);
        if let Ok(read) = text.parse::<Position>() {
            check_position(&read)?;
        }
        check_games(&text)?;
    }
}

/// Checks the games of any text: errors come in the order of their lines, and games survive being written and read
/// back.
fn check_games(text: &str) -> Result<(), TestCaseError> {
    let (mut records, mut line) = (Vec::new(), 1);
    for game in pdn::games(text) {
        match game {
            Ok(record) => records.push(record),
            Err(error) => {
                prop_assert!((line..=text.split('\n').count()).contains(&error.line), "{}", error);
                line = error.line;
            }
        }
    }
    let written: Vec<String> = records.iter().map(ToString::to_string).collect();
    prop_assert_eq!(read_all(&written.concat()), Ok(records));
    Ok(())
}

/// Reads all games of a text, or returns the error of the first broken one.
fn read_all(text: &str) -> Result<Vec<pdn::Record>, LineError> {
    pdn::games(text).collect()
}

/// Fragments of PDN text.
const WORDS: &str = "[|]|(|)|{|}|;|$|$1|\"|\\|\n|\r\n| | |1|.|1.|...|*|!|?|1-0|0-0|1/2-1/2|%|{a|11-15|23-19|8x11|x|-|\
    {[%clk 0:00:59.5]}|[Event \"|[FEN \"|[Result \"0-1\"]|\"]|B:|:W|:B|K|W:|21|1-4|,|\u{e9}";

/// Tags that a caller may set.
fn tag() -> impl Strategy<Value = (String, String)> {
    let name = prop_oneof![
        select(&["Event", "Site", "Date", "Round", "White", "Black", "Opening"][..]).prop_map(String::from),
        "[A-Za-z][A-Za-z0-9_]{0,8}",
    ];
    (name, prop_oneof!["[\\\\\"\\[\\]{}; a]{0,12}", any::<String>()])
}

fn result() -> impl Strategy<Value = Option<Outcome>> {
    use Outcome::{Draw, Win};
    select(&[Some(Win(Color::Black)), Some(Win(Color::White)), Some(Draw), None][..])
}

/// Complete games, some from the start, others from any board.
fn record() -> impl Strategy<Value = pdn::Record> {
    let start = prop_oneof![Just(Position::start()), any_board()];
    (start, picks(), vec(tag(), 0..8), result()).prop_map(|(start, picks, tags, result)| {
        let mut record = pdn::Record::new(start);
        for (name, value) in tags {
            // The record refuses the names of tags that it writes itself.
            let _ = record.set_tag(&name, &value);
        }
        for (_, mv) in play(start, &picks) {
            record.push(mv).expect("a legal move");
            // Some moves come with a clock.
            if mv.from().number().is_multiple_of(2) {
                record.set_clock(Duration::from_micros(mv.to().number().pow(7) as u64));
            }
        }
        record.set_result(result);
        record
    })
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn record_round_trip(records in vec(record(), 0..4)) {
        let text: Vec<String> = records.iter().map(ToString::to_string).collect();
        prop_assert_eq!(read_all(&text.join("\n")), Ok(records.clone()));
        for (text, record) in text.iter().zip(records) {
            prop_assert!(text.lines().all(|line| line.starts_with('[') || line.len() <= 80));
            prop_assert_eq!(text.parse(), Ok(record));
        }
    }

    #[test]
    fn records_are_read_whatever_the_width_of_their_lines(records in vec(record(), 0..4)) {
        let text: Vec<String> = records.iter().map(ToString::to_string).collect();
        prop_assert_eq!(read_all(&text.concat().replace('\n', "\r\n")), Ok(records.clone()));
        prop_assert_eq!(read_all(&text.concat().replace('\n', " ")), Ok(records.clone()));
        let narrow = text.iter().flat_map(|text| text.lines()).map(|line| match line.strip_prefix('[') {
            Some(tag) => format!("[\n{}\n]\n", tag.trim_end_matches(']').replacen(' ', "\n", 1)),
            None => format!("{}\n", line.replace(' ', "\n")),
        });
        prop_assert_eq!(read_all(&narrow.collect::<String>()), Ok(records));
    }

    #[test]
    fn broken_games_leave_the_others_intact(games in vec((record(), select(BROKEN)), 0..4)) {
        let text: String = games.iter().map(|(record, broken)| format!("{record}{broken}\n\n")).collect();
        let read: Vec<_> = pdn::games(&text).collect();
        prop_assert_eq!(read.len(), 2 * games.len());
        for (pair, (record, _)) in read.chunks(2).zip(games) {
            prop_assert_eq!(pair[0].as_ref(), Ok(&record));
            prop_assert!(pair[1].is_err(), "{:?}", pair[1]);
        }
    }
}

const BROKEN: &[&str] = &[
    "11-16 23-16 1-0",
    "[FEN \"x\n\n11-15 *",
    "[Event \"x\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *",
    "[FEN \"W:W31-50:B1-20\"] 1. 32-28",
    "11-15 (23-19",
    "11-15 (23-19 1-0 (",
    "11-15) 23-19 *",
    "} 11-15 1/2 - 1/2",
    "] *",
    "11 15 23 19",
    "none at all",
];
