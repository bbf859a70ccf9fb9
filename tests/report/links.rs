//! The links on a site.

use std::collections::{BTreeMap, BTreeSet};

use kingline_master::report::Tournament;
use kingline_master::tournament::store::{GameId, Store};

use super::html::ids;
use super::site::{elimination, pages, report};
use super::synthetic::{NASTY, PLAIN, Sample, league};

/// Returns true if the part of an address after `game.html#` names a game of the tournament, and a turn of it if any.
fn is_game(anchor: &str, tournament: &Tournament, store: &Store) -> bool {
    let (game, turn) = anchor.split_once('.').unwrap_or((anchor, "1"));
    let id = GameId(game.parse().expect("a number"));
    let record = store.game(id).expect("a game");
    let turns = record.opening.len() + record.turns.len();
    tournament.games.iter().any(|game| game.id == id) && (1..=turns).contains(&turn.parse().expect("a turn"))
}

fn is_agent(number: &str, tournament: &Tournament) -> bool {
    (1..=tournament.agents.len()).contains(&number.parse().expect("a number"))
}

/// Checks all links on the site of a sample, and returns those to other places.
fn checked_links(sample: &Sample) -> BTreeSet<String> {
    let (site, tournament, store) = report(sample);
    let all: BTreeMap<&str, BTreeSet<String>> = pages(&site).map(|(name, tags, _)| (name, ids(&tags))).collect();
    let mut outside = BTreeSet::new();
    for (name, tags, _) in pages(&site) {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        for tag in &tags {
            let links = ["href", "src"].into_iter().filter_map(|name| tag.attributes.get(name));
            for link in links.filter(|&link| link != "data:,") {
                if link.contains(':') {
                    assert_eq!(tag.attributes.get("rel").map(String::as_str), Some("nofollow noopener"), "{tag:?}");
                    outside.insert(link.clone());
                    continue;
                }
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = match (path, path.strip_prefix("../")) {
                    ("", _) => name.to_owned(),
                    (_, Some(above)) if !folder.is_empty() => above.to_owned(),
                    (_, None) if folder.is_empty() => path.to_owned(),
                    _ => panic!("{link} on {name}"),
                };
                assert!(site.contains_key(&target), "{link} on {name}");
                let is_id = || all.get(target.as_str()).is_some_and(|ids| ids.contains(anchor));
                let is_place = || match target.as_str() {
                    "game.html" => is_game(anchor, &tournament, &store),
                    "pair.html" => anchor.split(',').all(|number| is_agent(number, &tournament)),
                    "games.html" => anchor.strip_prefix("agent=").is_some_and(|number| is_agent(number, &tournament)),
                    _ => false,
                };
                assert!(anchor.is_empty() || is_id() || is_place(), "{link} on {name}");
            }
        }
    }
    outside
}

#[test]
fn every_link_has_a_target() {
    const OUTSIDE: [&str; 2] = ["http://localhost/%22%3E", "https://example.org/a?b=1&c="];
    for (league, agents, expected) in [
        (league("checkers"), &PLAIN[..], &[][..]),
        (league("loa6"), &NASTY, &OUTSIDE),
        (elimination("loa6"), &NASTY, &OUTSIDE),
        (league("loa"), &PLAIN, &[]),
    ] {
        let outside = checked_links(&Sample::new(&league, agents, 2));
        assert_eq!(outside.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn every_link_on_a_site_of_a_thousand_games_has_a_target() {
    let names: Vec<String> = (1..=23).map(|number| format!("agent{number}")).collect();
    let agents: Vec<(&str, Option<&str>)> = names.iter().map(|name| (name.as_str(), None)).collect();
    assert_eq!(checked_links(&Sample::new(&league("checkers"), &agents, 4)), BTreeSet::new());
}
