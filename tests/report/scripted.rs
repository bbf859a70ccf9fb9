//! The pages that scripts fill, in a browser.

use std::fs;
use std::path::PathBuf;

use kingline::checkers::{self, pdn};
use kingline::draw::{Board, compact};
use kingline::game::ParseError;
use kingline::loa::{self, sgf};
use kingline_master::league::League;
use kingline_master::record::transcript;
use kingline_master::report::{Site, Tournament};
use kingline_master::tournament::store::{GameId, Store};

use super::synthetic::{NASTY, PLAIN, Sample, league};
use crate::support::chromium::{Screen, elements};
use crate::support::referee::*;

/// A page that unpacks all games and writes them into an attribute.
const DECODED: &str = include_str!("decoded.html");

/// Writes the site of a sample.
pub(super) fn site(sample: &Sample) -> (PathBuf, Tournament, Store) {
    let store = Store::open(&sample.store()).expect("a store");
    let tournament = Tournament::of(&store).expect("a tournament");
    Site::write(&sample.path("site"), &tournament, |id| Ok(store.game(id)?), None, None).expect("a report");
    (sample.path("site"), tournament, store)
}

fn sample(league: &League) -> Sample {
    Sample::new(league, &PLAIN, 4)
}

/// Decodes text in which all but letters and digits may be written as `%20`.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let (digits, after) = rest.split_at(2);
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).expect("digits"), 16).expect("a byte"));
            rest = after;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).expect("text")
}

/// Boards after each move of a record.
fn boards<G: Board + std::str::FromStr<Err = ParseError>>(record: &GameRecord) -> Vec<String> {
    let mut position: G = record.start.parse().expect("a position");
    let turns = record.turns.iter().filter_map(|turn| turn.mv.as_ref());
    let play = |mv: &String| {
        position = position.play(position.parse_move(mv).expect("a move"));
        compact(&position)
    };
    record.opening.iter().chain(turns).map(play).collect()
}

#[test]
fn scripts_decode_boards_clocks_and_transcripts() {
    for name in ["checkers", "loa6", "loa"] {
        let sample = sample(&league(name));
        let (folder, tournament, store) = site(&sample);
        fs::write(folder.join("decoded.html"), DECODED).expect("a page");
        let Some(page) = elements(&folder, "decoded.html", Screen::Desktop) else { return };
        let (_, games) = page.split_once("data-games=\"").unwrap_or_else(|| panic!("{name}: {page}"));
        let text = percent_decoded(games.split_once('"').expect("an end").0);
        let games: Vec<Value> = serde_json::from_str(&text).expect("JSON");
        assert_eq!(games.len(), tournament.games.len());
        for game in &games {
            let record = store.game(GameId(game["id"].as_i64().expect("a number"))).expect("a game");
            check(name, game, &record, &tournament);
        }
    }
}

fn check(name: &str, game: &Value, record: &GameRecord, tournament: &Tournament) {
    let clock = &tournament.league.clock;
    let turns = list(&game["turns"]);
    let expected = match name {
        "checkers" => boards::<checkers::Position>(record),
        "loa" => boards::<loa::Position<8>>(record),
        _ => boards::<loa::Position<6>>(record),
    };
    let shown: Vec<&str> = turns.iter().filter_map(|turn| turn[1].as_str()).collect();
    assert_eq!(shown, expected, "{name}");
    assert_eq!(turns.len(), record.opening.len() + record.turns.len());
    for (shown, turn) in turns[record.opening.len()..].iter().zip(&record.turns) {
        assert_eq!(shown[0], json!(turn.side));
        assert_eq!(shown[2], clock.seconds(turn.spent.cpu).to_string());
        assert_eq!(shown[3], clock.seconds(turn.spent.wall).to_string());
        assert_eq!(shown[4].as_u64(), turn.left.map(|left| left.as_micros() as u64));
    }
    for side in Color::ALL {
        let left = record.left[side.index()].map(|left| left.as_micros() as u64);
        assert_eq!(game["left"][side.index()].as_u64(), left);
    }
    let (text, own) = (game["text"].as_str().expect("a text"), transcript::write(record).expect("a transcript"));
    match name {
        "checkers" => assert_eq!(text.parse::<pdn::Record>(), own.parse(), "{text}\n{own}"),
        "loa" => assert_eq!(text.parse::<sgf::Record<8>>(), own.parse(), "{text}\n{own}"),
        _ => assert_eq!(text.parse::<sgf::Record<6>>(), own.parse(), "{text}\n{own}"),
    }
}

#[test]
fn pages_with_scripts_are_filled() {
    let sample = sample(&league("checkers"));
    let (folder, _, store) = site(&sample);
    let first = store.game(GameId(1)).expect("a game");
    let turns = first.opening.len() + first.turns.len();
    let [last, third] = [turns, 3].map(|turn| format!("Turn {turn} of {turns}: "));
    for (address, parts) in [
        ("game.html#1", &[&*last, "This game as PDN", "class=\"now\""][..]),
        ("game.html#1.3", &[&third, "Seed", "random opening"]),
        ("game.html#99999", &["This tournament has no game 99999."]),
        ("games.html", &["24 of 24 games", "game.html#24"]),
        ("games.html#agent=1&against=2", &["4 of 24 games"]),
        ("games.html#agent=1&result=won", &["of 24 games"]),
        ("pair.html#1,2", &["Results of alpha", "alpha has Black", "4 of 24 games"]),
        ("cross.html", &["pair.html#1,2", "1 to 4: "]),
    ] {
        let Some(page) = elements(&folder, address, Screen::Desktop) else { return };
        contains(&page, parts);
    }
}

#[test]
fn names_that_are_markup_stay_text() {
    let sample = Sample::new(&league("loa6"), &NASTY, 2);
    let (folder, ..) = site(&sample);
    for address in ["game.html#1", "games.html", "pair.html#1,2", "cross.html", "index.html"] {
        let Some(page) = elements(&folder, address, Screen::Desktop) else { return };
        assert!(!page.contains("<img") && !page.contains("<script>") && !page.contains("<svg/"), "{address}");
        // A page shows only the names of the agents in its game.
        assert!(address.starts_with("game.") || page.contains("&lt;script&gt;alert(1)"), "{address}");
    }
}
