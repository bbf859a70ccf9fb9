//! The site of a tournament: its content, its links, and agents' text that tries to be markup.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use kingline_master::league::{GameKind, League, Pairing};
use kingline_master::record::{ChosenBy, GameRecord};
use kingline_master::report::{Tournament, write};
use kingline_master::tournament::standings::standings;
use kingline_master::tournament::store::{GameId, Store};

use super::html::{Tag, ids, parse};
use super::synthetic::Sample;
use crate::support::command::Dir;
use crate::support::programs::Program;

/// Files of a site, by their paths in its folder.
pub(super) type Site = BTreeMap<String, String>;

pub(super) fn read(folder: &Path) -> Site {
    let mut site = Site::new();
    for sub in ["", "agents", "games"] {
        for entry in fs::read_dir(folder.join(sub)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.strip_prefix(folder).expect("within").to_string_lossy().into_owned();
                site.insert(name, fs::read_to_string(path).expect("text"));
            }
        }
    }
    site
}

pub(super) fn pages(site: &Site) -> impl Iterator<Item = (&str, Vec<Tag>, String)> {
    site.iter().filter(|(name, _)| name.ends_with(".html")).map(|(name, page)| {
        let (tags, text) = parse(page);
        (name.as_str(), tags, text)
    })
}

/// Writes the report on a sample; returns it with the tournament and its store.
fn report(sample: &Sample) -> (Site, Tournament, Store) {
    let store = Store::open(&sample.store()).expect("a store");
    let tournament = Tournament::of(&store).expect("a tournament");
    let folder = sample.path("site");
    let written = write(&folder, &tournament, |id| Ok(store.game(id)?), None).expect("a report");
    let site = read(&folder);
    assert_eq!(written.files, site.len() as u64);
    assert_eq!(written.bytes, site.values().map(|text| text.len() as u64).sum::<u64>());
    (site, tournament, store)
}

/// A league with at least two random turns before each game.
pub(super) fn league(name: &str) -> League {
    let league = League::named(name).expect("a league");
    League { opening: league.opening.max(2), ..league }
}

/// Returns [`league`] with elimination rounds.
fn elimination(name: &str) -> League {
    League { pairing: Pairing::Elimination, ..league(name) }
}

pub(super) const PLAIN: [(&str, Option<&str>); 4] = [("alpha", None), ("beta", None), ("gamma", None), ("delta", None)];
/// Agents whose names try to be markup.
pub(super) const NASTY: [(&str, Option<&str>); 5] = [
    ("<script>alert(1)</script>", Some("</title><script src=//evil.example></script>")),
    ("\"><img src=x onerror=alert(1)>", Some("javascript:alert(1) data:text/html,x")),
    ("../../../etc/passwd", Some("me https://example.org/a?b=1&c=<b>\"onclick=\"x")),
    ("' onmouseover='x", Some("http://localhost/%22%3E<svg/onload=alert(1)>")),
    ("\u{202e}drawkcab\u{0}&lt;b&gt;", None),
];

#[test]
fn every_link_has_a_target() {
    const OUTSIDE: [&str; 2] = ["http://localhost/%22%3E", "https://example.org/a?b=1&c="];
    for (league, agents, expected) in [
        (league("checkers"), &PLAIN[..], &[][..]),
        (league("loa6"), &NASTY, &OUTSIDE),
        (elimination("loa6"), &NASTY, &OUTSIDE),
        (league("loa"), &PLAIN, &[]),
    ] {
        let sample = Sample::new(&league, agents, 2);
        let (site, ..) = report(&sample);
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
                    assert!(anchor.is_empty() || all[target.as_str()].contains(anchor), "{link} on {name}");
                }
            }
        }
        assert_eq!(outside.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn names_of_agents_are_escaped() {
    const TAGS: &str = "a b body button caption circle code dd defs details div dl dt figcaption figure footer g h1 h2 h3 \
        head header html kbd li link main meta nav noscript output p path pre q rect script section span strong summary \
        svg table tbody td text th thead title tr ul use";
    let known: BTreeSet<&str> = TAGS.split(' ').collect();
    let sample = Sample::new(&elimination("loa6"), &NASTY, 6);
    let (site, tournament, _) = report(&sample);
    let mut texts = String::new();
    for (name, tags, text) in pages(&site) {
        for tag in &tags {
            assert!(known.contains(tag.name.as_str()), "{tag:?} on {name}");
            assert!(!tag.attributes.keys().any(|key| key.starts_with("on")), "{tag:?} on {name}");
        }
        let scripts: Vec<&Tag> = tags.iter().filter(|tag| tag.name == "script").collect();
        assert!(matches!(&scripts[..], [one] if one.attributes["src"].ends_with("site.js")), "{scripts:?}");
        assert!(!text.contains(['\u{202e}', '\u{0}']), "{name}");
        texts += &text;
    }
    for shown in ["\"><img src=x onerror=alert(1)>", "</title", "\\u{202e}drawkcab\\u{0}&lt;b&gt;", "\"<b>e4</b>\""] {
        assert!(texts.contains(shown), "{shown} appears nowhere");
    }
    assert_eq!(site.keys().filter(|name| name.starts_with("agents/")).count(), tournament.agents.len());
    assert!(site.keys().all(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-./".contains(&byte))));
    assert!(!sample.path("site/agents/../../../etc").exists());
}

#[test]
fn the_index_shows_standings_and_endings() {
    let sample = Sample::new(&league("checkers"), &PLAIN, 12);
    let (site, tournament, _) = report(&sample);
    let (_, text) = parse(&site["index.html"]);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    for row in standings(&tournament.games, &tournament.out) {
        let name = &tournament.agents[row.agent].name;
        let points = format!("{}{}", row.half_points / 2, if row.half_points % 2 == 1 { "½" } else { "" });
        let line = format!("{} {name} {points} {} {} {} {} ", row.rank, row.played, row.wins, row.draws, row.losses);
        assert!(text.contains(&line), "{line:?} is not in {text}");
    }
    let faults: u32 = tournament.games.iter().flat_map(|game| game.faults).sum();
    assert!(faults > 0 && text.contains(&format!("{faults} faults")), "{text}");
    for shown in [
        "72 games",
        "72 games measured by cgroup v2",
        "Tournament seed 7",
        "after 2 random turns",
        "Clock: CPU time in steps of 0.01 s",
        "no legal move left",
        "all pieces captured",
    ] {
        assert!(text.contains(shown), "{shown:?} is not in {text}");
    }
    let data: serde_json::Value = serde_json::from_str(&site["report.json"]).expect("JSON");
    assert_eq!(data["games"], 72);
    let elo = |place: usize| data["agents"][place]["rating"]["elo"].as_f64().expect("a rating");
    let points = |place: usize| data["agents"][place]["points"].as_f64().expect("points");
    for place in 1..4 {
        // All pairs have met equally often, so ratings and points give the same order.
        assert!(points(place - 1) >= points(place) && elo(place - 1) > elo(place) - 1.0, "{data}");
    }
}

/// Checks that a game's page has everything a reader without scripts needs.
fn check_game(site: &Site, id: GameId, record: &GameRecord) {
    let name = format!("games/{}.html", id.0);
    let (tags, text) = parse(&site[&name]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rows: Vec<&Tag> = tags
        .iter()
        .filter(|tag| tag.name == "tr" && tag.attributes.get("id").is_some_and(|id| id.starts_with('t')))
        .collect();
    assert_eq!(rows.len(), record.opening.len() + record.turns.len(), "{name}");
    for (index, turn) in record.turns.iter().enumerate() {
        let number = record.opening.len() + index + 1;
        let side = turn.side;
        let line =
            text.split(&format!(" {number} {side} ")).nth(1).unwrap_or_else(|| panic!("turn {number} of {name}"));
        let cells: Vec<&str> = line.split(' ').collect();
        // The checkers league measures hundredths of a second, the others microseconds.
        let seconds = |time: Duration| match record.game {
            GameKind::Checkers => format!("{}.{:02}", time.as_secs(), time.subsec_millis() / 10),
            _ => format!("{}.{:06}", time.as_secs(), time.subsec_micros()),
        };
        assert_eq!(cells[1..3], [seconds(turn.spent.cpu), seconds(turn.spent.wall)], "turn {number} of {name}");
        if let Some(left) = turn.left {
            assert_eq!(cells[3], seconds(left), "turn {number} of {name}");
        }
        if turn.fault.is_some() {
            assert!(line.contains(": \"<b>e4</b>\"; expected a legal move"), "turn {number} of {name}");
        }
        let at_random = line[..line.len().min(160)].contains("played at random");
        assert!(at_random || turn.chosen_by == ChosenBy::Agent, "turn {number} of {name}");
    }
    let verdict = record.verdict.to_string() + " (after 2 random turns)";
    assert!(text.contains(&verdict), "{name}: {verdict}");
    let steps = match record.game {
        GameKind::Checkers => "Turns and clocks; CPU time in steps of 0.01 s",
        _ => "Turns and clocks; Wall time in steps of 0.000001 s",
    };
    assert!(text.contains(steps), "{name}: {steps}");
    assert!(text.contains(&format!("Seed {}", record.seed)), "{name}");
    let boards: Vec<&Tag> =
        tags.iter().filter(|tag| tag.attributes.get("class").is_some_and(|class| class == "board")).collect();
    let labels: Vec<&str> = boards.iter().map(|board| board.attributes["aria-label"].as_str()).collect();
    assert_eq!(labels, ["The board at the end", "The board at the start"], "{name}");
    let pieces = tags.iter().filter(|tag| tag.name == "use" && tag.attributes.contains_key("x")).count();
    let at_start = if record.game == GameKind::Loa6 { 16 } else { 24 };
    assert!(pieces > at_start, "{name}");
    let last = rows.iter().rev().find_map(|row| row.attributes.get("data-board")).expect("a board");
    let at_end = last.bytes().filter(u8::is_ascii_alphabetic).count();
    assert_eq!(pieces, at_start + at_end, "{name}");
}

#[test]
fn the_page_of_a_game_has_every_turn() {
    for name in ["checkers", "loa6", "loa"] {
        let sample = Sample::new(&league(name), &PLAIN, 4);
        let (site, tournament, store) = report(&sample);
        assert_eq!(tournament.games.len(), 24);
        for game in &tournament.games {
            check_game(&site, game.id, &store.game(game.id).expect("a game"));
        }
    }
}

#[test]
fn moves_are_shown_in_the_notation_of_the_agents() {
    let sample = Sample::new(&league("loa6"), &PLAIN[..2], 2);
    let (site, tournament, store) = report(&sample);
    let record = store.game(tournament.games[0].id).expect("a game");
    let (from, to) = record.opening[0].split_once('-').expect("a move like a1-b2");
    let written = |square: &str| {
        let row: u32 = square[1..].parse().expect("a row");
        format!("{}{}", square[..1].to_uppercase(), 7 - row)
    };
    let (_, text) = parse(&site[&format!("games/{}.html", tournament.games[0].id.0)]);
    assert!(text.contains(&format!("{}{}", written(from), written(to))), "{text}");
}

#[test]
fn agent_pages_explain_faults() {
    let sample = Sample::new(&league("loa6"), &PLAIN, 20);
    let (site, tournament, store) = report(&sample);
    let delta = tournament.agents.iter().position(|agent| agent.name == "delta").expect("an agent");
    let (tags, text) = parse(&site[&format!("agents/{}-delta.html", delta + 1)]);
    let mut faults: BTreeMap<String, u32> = BTreeMap::new();
    for game in tournament.games.iter().filter(|game| game.agents.contains(&delta)) {
        let page = format!("../games/{}.html", game.id.0);
        let links = |to: &str| tags.iter().any(|tag| tag.attributes.get("href").is_some_and(|link| link == to));
        assert!(links(&page), "{page}");
        for fault in store.game(game.id).expect("a game").turns.into_iter().filter_map(|turn| turn.fault) {
            if game.agents[fault.side.index()] == delta {
                *faults.entry(fault.kind.to_string()).or_default() += 1;
                assert!(links(&format!("{page}#t{}", fault.turn)), "turn {} of {page}", fault.turn);
            }
        }
    }
    assert!(!faults.is_empty());
    for (kind, count) in faults {
        assert!(text.contains(&format!("{count} × {kind}")), "{count} × {kind}");
    }
    assert!(text.contains("After a fault the referee plays a random legal move"));
}

#[test]
fn the_site_shows_elimination_rounds() {
    let sample = Sample::new(&elimination("checkers"), &PLAIN, 6);
    let (site, tournament, _) = report(&sample);
    assert!(tournament.out.iter().any(Option::is_some), "nobody is out: {:?}", tournament.out);
    let (tags, text) = parse(&site["index.html"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Elimination rounds") && text.contains("out after round"), "{text}");
    assert!(text.contains("The side with less time left loses a drawn game"), "{text}");
    let name = |agent: &usize| tournament.agents[*agent].name.clone();
    let data: serde_json::Value = serde_json::from_str(&site["report.json"]).expect("JSON");
    let bracket = tournament.bracket.as_ref().expect("a bracket");
    let winners: Vec<String> = bracket.winners.iter().flatten().map(name).collect();
    assert_eq!(data["winners"], serde_json::json!(winners));
    let title = if winners.len() == 1 { "Winner" } else { "Winners" };
    // The parser adds a space after each closing tag.
    assert!(text.replace(" ,", ",").contains(&format!("{title} {}", winners.join(", "))), "{text}");
    assert_eq!(data["bracket"].as_array().map(Vec::len), Some(bracket.rounds.len()));
    for round in &bracket.rounds {
        let number = round.number;
        let (_, shown) = text.split_once(&format!("Round {number} Meetings of round {number} ")).expect("a round");
        for meeting in &round.meetings {
            let [first, second] = meeting.agents.map(|agent| name(&agent));
            let halves = |place: usize| meeting.half_points[place];
            let points =
                |place: usize| format!("{}{}", halves(place) / 2, if halves(place) % 2 == 1 { "½" } else { "" });
            let result = |place: usize| if meeting.out() == Some(meeting.agents[place]) { "out" } else { "stays in" };
            let rows = format!(
                "{first} {} {} against {second} {second} {} {} against {first}",
                points(0),
                result(0),
                points(1),
                result(1)
            );
            assert!(shown.contains(&rows), "{rows} is not in {shown}");
        }
        for agent in &round.resting {
            assert!(shown.contains(&format!("{} rests", name(agent))), "{shown}");
        }
        assert!(tags.iter().any(|tag| tag.attributes.get("id").is_some_and(|id| *id == format!("round{number}"))));
    }
    for (page, tags, _) in pages(&site) {
        let is_link = |tag: &Tag| tag.attributes.get("href").is_some_and(|link| link.ends_with("index.html#bracket"));
        assert!(tags.iter().any(is_link), "{page}");
    }
}

#[test]
fn an_elimination_that_has_not_ended_has_no_winner() {
    let (site, ..) = report(&Sample::without_games(&elimination("checkers"), &PLAIN));
    let (_, text) = parse(&site["index.html"]);
    assert!(!text.contains("Winner") && text.contains("The last round is not over"), "{text}");
    assert_eq!(text.matches("2 of 2 games still to be played").count(), 2, "{text}");
    let data: serde_json::Value = serde_json::from_str(&site["report.json"]).expect("JSON");
    assert!(data["winners"].is_null() && data["bracket"][0]["meetings"][1]["missing"] == 2, "{data}");
    let (site, ..) = report(&Sample::without_games(&league("checkers"), &PLAIN));
    assert!(!site["index.html"].contains("racket") && !site["index.html"].contains("Winner"));
}

#[test]
fn the_site_shows_the_ratings_of_each_round() {
    let first = Sample::new(&league("checkers"), &PLAIN, 12);
    let hashes = PLAIN.map(|(name, _)| Sample::hash(name));
    let changed = "c".repeat(64);
    let agents = [("beta", &*changed), ("alpha", &hashes[0]), ("gamma", &hashes[2]), ("epsilon", &changed)];
    let second = first.next_round(&agents);
    let [(before, ..), (site, tournament, _)] = [&first, &second].map(report);
    let [before, data] =
        [&before, &site].map(|site| serde_json::from_str::<serde_json::Value>(&site["report.json"]).expect("JSON"));
    let agent = |data: &serde_json::Value, name: &str| {
        data["agents"].as_array().expect("agents").iter().find(|agent| agent["name"] == name).expect("an agent").clone()
    };
    let shift = data["earlier"][0]["shift"].as_f64().expect("a number");
    assert_eq!((&data["earlier"][0]["name"], &data["earlier"][0]["unchanged"]), (&"week1".into(), &2.into()));
    let mut changes = BTreeMap::new();
    for name in ["alpha", "beta", "gamma"] {
        let (then, now) = (agent(&before, name), agent(&data, name));
        let shifted = now["earlier"][0]["elo"].as_f64().expect("a rating");
        let as_it_was = then["rating"]["elo"].as_f64().expect("a rating");
        assert!((shifted - shift - as_it_was).abs() < 0.01, "{name}: {shifted} {as_it_was}");
        assert_eq!(now["earlier"][0]["points"], then["points"]);
        let change = now["change"].as_f64().expect("a number");
        assert!((now["rating"]["elo"].as_f64().expect("a rating") - shifted - change).abs() < 1e-9);
        changes.insert(name, change);
    }
    assert!((changes["alpha"] + changes["gamma"]).abs() < 1e-6, "agents that are the same stay where they are");
    assert!(changes["beta"].abs() > 50.0 && shift.abs() > 10.0, "{changes:?} {shift}");
    let epsilon = agent(&data, "epsilon");
    assert!(epsilon["change"].is_null() && epsilon["earlier"] == serde_json::json!([]), "{epsilon}");

    let words = |page: &str| parse(&site[page]).1.split_whitespace().collect::<Vec<_>>().join(" ");
    let signed = |number: f64| format!("{}{:.0}", if number > 0.0 { '+' } else { '\u{2212}' }, number.abs());
    let index = words("index.html");
    let rating = |name: &str| agent(&data, name)["rating"]["elo"].as_f64().expect("a rating");
    for shown in [
        format!("same mean rating in both: week1 by {} (2 such agents)", signed(shift)),
        "Agent Files since week1 week1 store Change".to_owned(),
        format!(
            "beta changed {} {} {}",
            signed(rating("beta") - changes["beta"]),
            signed(rating("beta")),
            signed(changes["beta"])
        ),
        format!("epsilon new – {} –", signed(rating("epsilon"))),
        "Withdrawn since week1: delta".to_owned(),
        "Games taken over from earlier rounds 12".to_owned(),
    ] {
        assert!(index.contains(&shown), "{shown:?} is not in {index}");
    }
    let place = |name| tournament.agents.iter().position(|agent| agent.name == name).expect("an agent");
    let page = words(&format!("agents/{}-beta.html", place("beta") + 1));
    let line = format!("store changed {} ", agent(&data, "beta")["rank"]);
    assert!(page.contains("Results in each round") && page.contains(&line), "{page}");
    assert!(!words(&format!("agents/{}-epsilon.html", place("epsilon") + 1)).contains("Results in each round"));
    for (name, tags, _) in pages(&site) {
        let is_link = |tag: &Tag| tag.attributes.get("href").is_some_and(|link| link.ends_with("index.html#rounds"));
        assert!(tags.iter().any(is_link), "{name}");
    }

    let (site, ..) = report(&first.next_round(&[("alpha", &changed), ("beta", &changed)]));
    let (_, text) = parse(&site["index.html"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("No agent of week1 has the same files in the round after it") && !text.contains("Since week1")
    );
}

#[test]
fn a_tournament_without_games_has_a_site() {
    let (site, ..) = report(&Sample::without_games(&league("checkers"), &PLAIN));
    let (_, text) = parse(&site["index.html"]);
    assert!(text.contains("games still to be played"), "{text}");
    assert_eq!(pages(&site).count(), 5);
}

#[test]
fn equal_tournaments_give_byte_equal_sites() {
    for league in [league("loa"), elimination("checkers")] {
        let sites = [1, 2].map(|_| report(&Sample::new(&league, &PLAIN, 2)).0);
        assert!(sites[0] == sites[1]);
    }
}

#[test]
fn a_game_that_cannot_be_replayed_says_so_and_the_rest_is_shown() {
    let sample = Sample::new(&league("loa"), &PLAIN[..2], 2);
    let store = Store::open(&sample.store()).expect("a store");
    let tournament = Tournament::of(&store).expect("a tournament");
    let tampered = |id| {
        let mut record = store.game(id)?;
        record.turns[0].mv = Some("<i>".to_owned());
        Ok(record)
    };
    write(&sample.path("site"), &tournament, tampered, None).expect("a report");
    for (name, _, text) in pages(&read(&sample.path("site"))).filter(|(name, ..)| name.starts_with("games/")) {
        assert!(text.contains("The board cannot be shown: turn 3: found \"<i>\""), "{name}: {text}");
        assert!(text.contains("in turn") || text.contains("wins") || text.contains("drawn"), "{name}: {text}");
    }
}

#[test]
fn the_command_replaces_an_earlier_site() {
    let sample = Sample::new(&league("checkers"), &PLAIN[..3], 2);
    let dir = Dir::new();
    fs::copy(sample.store(), dir.path("spring.db")).expect("a copy");
    let ran = dir.run_with_input(Program::Master, &["report", "spring.db"], "");
    ran.exits_with(0);
    assert!(
        ran.stdout.contains("6 games of 3 agents, ") && ran.stdout.contains("see spring-report/index.html"),
        "{ran:?}"
    );
    let site = read(&dir.path("spring-report"));
    assert!(site["index.html"].contains("<title>spring</title>"));
    dir.write("spring-report/games/old.html", "old");
    let ran = dir.run_with_input(Program::Master, &["report", "--json", "--out", "spring-report", "spring.db"], "");
    let summary: serde_json::Value = serde_json::from_str(&ran.exits_with(0).stdout).expect("JSON");
    assert_eq!((&summary["games"], &summary["agents"], &summary["missing"]), (&6.into(), &3.into(), &0.into()));
    assert_eq!(summary["index"], "spring-report/index.html");
    assert_eq!(summary["files"], site.len());
    assert!(read(&dir.path("spring-report")) == site);
    dir.write("spring-report/mine.txt", "mine");
    dir.run_with_input(Program::Master, &["report", "spring.db"], "")
        .exits_with(1)
        .stderr_contains(&["spring-report: found a folder with \"mine.txt\""]);
    assert!(dir.path("spring-report/mine.txt").exists());
    dir.run_with_input(Program::Master, &["report", "none.db"], "").exits_with(2).stderr_contains(&["none.db"]);
    dir.write("text.db", "no store at all, but text");
    dir.run_with_input(Program::Master, &["report", "text.db"], "")
        .exits_with(2)
        .stderr_contains(&["text.db: found another kind of file, expected the store of a tournament"]);
    let names = dir.names();
    assert!(names.iter().all(|name| !name.contains("partial")), "{names:?}");
    let help = dir.run_with_input(Program::Master, &["report", "--help"], "");
    assert!(help.exits_with(0).stdout.contains("open its index.html"), "{help:?}");
}
