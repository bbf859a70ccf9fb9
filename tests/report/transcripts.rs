//! Transcripts agree with the records, and our own parsers read them.

use std::time::Duration;

use kingline::checkers::pdn;
use kingline::game::{Color, Game, Outcome};
use kingline::loa::sgf;
use kingline_master::league::League;
use kingline_master::record::transcript;
use kingline_master::record::{EndReason, GameRecord};
use kingline_players::game_name::GameName;

use crate::support::games::play_with_care;

fn games(league: &str) -> impl Iterator<Item = GameRecord> {
    let league = League::named(league).expect("a league");
    let league = League { opening: league.opening.max(2), ..league };
    let name = |side: &str| format!("{side} [\"x\\]\" <b>");
    (0..200).map(move |seed| play_with_care(&league, [name("one"), name("two")], [0.5, 0.5], seed))
}

/// Moves and clocks of a record, beginning with the opening.
fn played(record: &GameRecord) -> (Vec<String>, Vec<Option<Duration>>) {
    let opening = record.opening.iter().map(|mv| (mv.clone(), None));
    let turns = record.turns.iter().filter_map(|turn| Some((turn.mv.clone()?, turn.left)));
    opening.chain(turns).unzip()
}

#[test]
fn a_game_of_checkers_is_written_as_pdn() {
    let mut drawn = 0;
    for record in games("checkers") {
        let text = transcript::write(&record).expect("a transcript");
        let game: pdn::Record = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut position = game.start();
        let mut moves = Vec::new();
        for &mv in game.moves() {
            moves.push(position.notation(mv).to_string());
            position = position.play(mv);
        }
        assert_eq!((moves, game.clocks().to_vec()), played(&record));
        let (result, code) = match record.verdict.winner {
            Some(winner @ Color::Black) => (Outcome::Win(winner), "1-0"),
            Some(winner @ Color::White) => (Outcome::Win(winner), "0-1"),
            None => (Outcome::Draw, "1/2-1/2"),
        };
        assert_eq!(game.result(), Some(result), "{text}");
        assert!(text.contains(&format!("[Result \"{code}\"]\n")) && text.ends_with(&format!("{code}\n")), "{text}");
        assert_eq!(game.tag("Black"), Some(record.names[0].as_str()));
        assert_eq!(game.tag("Termination"), Some(record.verdict_in_words().as_str()));
        assert_eq!(game.tag("Seed"), Some(record.seed.to_string().as_str()));
        assert_eq!(game.tag("WhiteTime"), Some("300 s"));
        assert_eq!(game.tag("Date"), None);
        let dated = GameRecord { started: Some(951_868_799), ..record.clone() };
        let text = transcript::write(&dated).expect("a transcript");
        assert!(text.contains("[Date \"2000.02.29\"]\n"), "{text}");
        drawn += usize::from(record.verdict.winner.is_none());
    }
    assert!(drawn > 0, "no game was drawn");
}

fn check_sgf<const N: usize>(record: &GameRecord) {
    let text = transcript::write(record).expect("a transcript");
    let game: sgf::Record<N> = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let moves = game.moves().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!((moves, game.clocks().to_vec()), played(record));
    let result = match (record.verdict.winner, record.game) {
        (Some(winner), _) => Some(Outcome::Win(winner)),
        (None, GameName::Loa6) => None,
        (None, _) => Some(Outcome::Draw),
    };
    assert_eq!(game.result(), result, "{text}");
    let about = game.about();
    assert_eq!((&about.players, about.event.as_str()), (&record.names, record.league.as_str()));
    for fault in record.turns.iter().filter_map(|turn| turn.fault.as_ref()) {
        assert!(about.comment.contains(&format!("Faults: {fault}")), "{text}");
    }
    assert!(about.comment.starts_with(&format!("Termination: {}\n", record.verdict_in_words())), "{text}");
}

#[test]
fn a_game_of_lines_of_action_is_written_as_sgf() {
    games("loa").for_each(|record| check_sgf::<8>(&record));
    games("loa6").for_each(|record| check_sgf::<6>(&record));
    let faults = games("loa6").flat_map(|record| record.turns).filter(|turn| turn.fault.is_some()).count();
    assert!(faults > 0, "no agent was at fault");
}

#[test]
fn a_record_with_an_illegal_move_is_an_error() {
    let mut record = games("checkers").next().expect("a game");
    assert_ne!(record.verdict.reason, EndReason::Connected);
    record.turns[2].mv = Some("1-32".to_owned());
    let error = |record: &GameRecord| format!("{:#}", transcript::write(record).expect_err("a wrong game"));
    let found = error(&record);
    assert!(found.starts_with("turn 5: found \"1-32\", expected a legal move: "), "{found}");
    let mut record = games("loa").next().expect("a game");
    record.turns[1].side = Color::Black;
    let found = error(&record);
    assert!(found.starts_with("turn 4: ") && found.contains("expected a move of White"), "{found}");
    record.start = "nothing".to_owned();
    let found = error(&record);
    assert!(found.starts_with("the start of the game: "), "{found}");
}
