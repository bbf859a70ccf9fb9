//! Large stores, for measuring `master report` and its reviews, and a page of the site of one.

use std::fs;

use kingline_master::tournament::store::StoreWriter;
use kingline_players::game_name::GameName;

use super::synthetic::{Sample, league, play_all};

/// Writes `large.db` to the folder `KINGLINE_SAMPLE`. `KINGLINE_AGENTS`, 32 if it is not set, is the number of agents, every two
/// of which play two games.
#[test]
#[ignore = "writes a store for a measurement"]
fn a_large_sample_is_written() {
    let folder = std::env::var("KINGLINE_SAMPLE").expect("KINGLINE_SAMPLE");
    let agents = std::env::var("KINGLINE_AGENTS").map_or(32, |agents| agents.parse().expect("a number"));
    let league = league("checkers");
    assert_eq!(league.game, GameName::Checkers);
    let names: Vec<String> = (0..agents).map(|number| format!("agent{number}")).collect();
    let agents: Vec<(&str, Option<&str>)> = names.iter().map(|name| (name.as_str(), None)).collect();
    let sample = Sample::begin(&league, &agents, 2).0;
    // As if there were three times as many agents, all others worse, so that these play with care.
    let absent = vec!["absent"; 2 * names.len()];
    let order: Vec<&str> = names.iter().map(String::as_str).chain(absent).collect();
    play_all(&mut StoreWriter::resume(&sample.store()).expect("a store"), &order);
    fs::copy(sample.store(), format!("{folder}/large.db")).expect("a copy");
}
