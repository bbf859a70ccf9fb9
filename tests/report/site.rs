//! The site of a tournament: its content, and agents' text that tries to be markup.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::read::MultiGzDecoder;
use kingline_master::league::{League, Pairing};
use kingline_master::report::{self, Tournament};
use kingline_master::tournament::standings::standings;
use kingline_master::tournament::store::Store;

use super::html::{Tag, parse, words};
use super::synthetic::{NASTY, PLAIN, Sample, league};
use crate::support::referee::*;

/// Files of a site, by their paths in its folder. Packed data is unpacked.
pub(crate) type Site = BTreeMap<String, String>;

pub(crate) fn read(folder: &Path) -> Site {
    let mut site = Site::new();
    for sub in ["", "agents", "data"] {
        for path in paths_in(folder.join(sub), "") {
            if path.is_file() {
                let name = path.strip_prefix(folder).expect("within").to_string_lossy().into_owned();
                let mut text = String::new();
                let mut file = File::open(&path).expect("a file");
                match path.extension().is_some_and(|extension| extension == "gz") {
                    true => MultiGzDecoder::new(file).read_to_string(&mut text),
                    false => file.read_to_string(&mut text),
                }
                .expect("text");
                let text = unpacked(&text).unwrap_or(text);
                site.insert(name, text);
            }
        }
    }
    site
}

/// The data of a script, if they are packed.
fn unpacked(script: &str) -> Option<String> {
    let packed = script.strip_prefix("kingline.put(\"")?.split_once("\", \"")?.1.strip_suffix("\");\n")?;
    let bytes = BASE64_STANDARD.decode(packed).ok()?;
    let mut text = String::new();
    MultiGzDecoder::new(&*bytes).read_to_string(&mut text).ok()?;
    Some(text)
}

/// A file of a site, as JSON.
fn json_of(site: &Site, name: &str) -> Value {
    serde_json::from_str(&site[name]).expect("JSON")
}

/// The words of a page.
fn text_of(site: &Site, name: &str) -> String {
    words(&parse(&site[name]).1)
}

pub(super) fn pages(site: &Site) -> impl Iterator<Item = (&str, Vec<Tag>, String)> {
    site.iter().filter(|(name, _)| name.ends_with(".html")).map(|(name, page)| {
        let (tags, text) = parse(page);
        (name.as_str(), tags, text)
    })
}

/// Writes the report on a sample; returns it with the tournament and its store.
pub(super) fn report(sample: &Sample) -> (Site, Tournament, Store) {
    let store = Store::open(&sample.store()).expect("a store");
    let tournament = Tournament::of(&store).expect("a tournament");
    let folder = sample.path("site");
    let written =
        report::Site::write(&folder, &tournament, |id| Ok(store.game(id)?), None, None).expect("a report").size();
    let site = read(&folder);
    assert_eq!(written.files, site.len() as u64);
    let length = |name: &String| fs::metadata(folder.join(name)).expect("a file").len();
    assert_eq!(written.bytes, site.keys().map(length).sum::<u64>());
    (site, tournament, store)
}

/// Returns [`league`] with elimination rounds.
pub(super) fn elimination(name: &str) -> League {
    League { pairing: Pairing::Elimination, ..league(name) }
}

#[test]
fn names_of_agents_are_escaped() {
    const TAGS: &str = "a b body button caption circle code dd defs div dl dt figcaption figure footer form g h1 h2 h3 \
        head header html input kbd label li link main meta nav noscript ol option output p path polyline q rect script section \
        select span strong svg table tbody td text th thead title tr ul use";
    let known: BTreeSet<&str> = TAGS.split(' ').collect();
    let sample = Sample::new(&elimination("loa6"), &NASTY, 20);
    let (site, tournament, _) = report(&sample);
    let mut texts = String::new();
    for (name, tags, text) in pages(&site) {
        for tag in &tags {
            assert!(known.contains(tag.name.as_str()), "{tag:?} on {name}");
            let is_refused = |key: &String| key.starts_with("on") || key == "style";
            assert!(!tag.attributes.keys().any(is_refused), "{tag:?} on {name}");
        }
        let policy = tags.iter().find(|tag| tag.attributes.contains_key("http-equiv")).expect("a policy");
        assert!(policy.attributes["content"].contains("script-src 'self'; style-src 'self';"), "{policy:?}");
        let scripts: Vec<&Tag> = tags.iter().filter(|tag| tag.name == "script").collect();
        let src = |script: &Tag| script.attributes["src"].trim_start_matches("../").to_owned();
        assert!(!scripts.is_empty() && scripts.iter().all(|script| site.contains_key(&src(script))), "{scripts:?}");
        assert!(!text.contains(['\u{202e}', '\u{0}']), "{name}");
        texts += &text;
    }
    for (name, text) in site.iter().filter(|(name, _)| name.starts_with("data/")) {
        assert!(!text.contains(['\u{202e}', '\u{0}', '\u{2028}']), "{name}");
        assert!(name != "data/tournament.js" || text.starts_with("kingline.put(\"") && !text.contains('<'), "{name}");
    }
    for line in site["standings.csv"].lines().chain(site["games.csv"].lines()) {
        assert!(line.split(',').all(|field| !field.starts_with(['=', '+', '@'])), "{line}");
    }
    contains(
        &texts,
        &["\"><img src=x onerror=alert(1)>", "</title", "\\u{202e}drawkcab\\u{0}&lt;b&gt;", "\"<b>e4</b>\""],
    );
    assert_eq!(site.keys().filter(|name| name.starts_with("agents/")).count(), tournament.agents.len());
    assert!(site.keys().all(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-./".contains(&byte))));
    assert!(!sample.path("site/agents/../../../etc").exists());
}

#[test]
fn the_index_shows_standings_and_endings() {
    let sample = Sample::new(&league("checkers"), &PLAIN, 12);
    let (site, tournament, _) = report(&sample);
    let text = text_of(&site, "index.html");
    for row in standings(&tournament.games, &tournament.out) {
        let name = &tournament.agents[row.agent].name;
        let points = format!("{}{}", row.half_points / 2, if row.half_points % 2 == 1 { "½" } else { "" });
        let line = format!("{} {name} {points} {} {} {} {} ", row.rank, row.played, row.wins, row.draws, row.losses);
        assert!(text.contains(&line), "{line:?} is not in {text}");
    }
    let faults: u32 = tournament.games.iter().flat_map(|game| game.faults).sum();
    assert!(faults > 0 && text.contains(&format!("{faults} faults")), "{text}");
    contains(
        &text,
        &[
            "72 games",
            "72 games measured by cgroup v2",
            "Tournament seed 7",
            "after 2 random turns",
            "Clock: CPU time in steps of 0.01 s",
            "no legal move left",
            "all pieces captured",
        ],
    );
    let data = json_of(&site, "standings.json");
    assert_eq!(data["games"], 72);
    let elo = |place: usize| data["agents"][place]["rating"]["elo"].as_f64().expect("a rating");
    let points = |place: usize| data["agents"][place]["points"].as_f64().expect("points");
    for place in 1..4 {
        // All pairs have met equally often, so ratings and points give the same order.
        assert!(points(place - 1) >= points(place) && elo(place - 1) > elo(place) - 1.0, "{data}");
    }
}

#[test]
fn agent_pages_explain_faults() {
    let sample = Sample::new(&league("loa6"), &PLAIN, 20);
    let (site, tournament, store) = report(&sample);
    let delta = tournament.agents.iter().position(|agent| agent.name == "delta").expect("an agent");
    let (tags, text) = parse(&site[&format!("agents/{}-delta.html", delta + 1)]);
    let mut faults: BTreeMap<String, u32> = BTreeMap::new();
    for game in tournament.games.iter().filter(|game| game.agents.contains(&delta)) {
        let page = format!("../game.html#{}", game.id.0);
        let links = |to: &str| tags.iter().any(|tag| tag.attributes.get("href").is_some_and(|link| link == to));
        for fault in store.game(game.id).expect("a game").turns.into_iter().filter_map(|turn| turn.fault) {
            if game.agents[fault.side.index()] == delta {
                *faults.entry(fault.kind.to_string()).or_default() += 1;
                assert!(links(&format!("{page}.{}", fault.turn)), "turn {} of {page}", fault.turn);
            }
        }
    }
    assert!(!faults.is_empty());
    for (kind, count) in faults {
        assert!(text.contains(&format!("{count} × {kind}")), "{count} × {kind}");
    }
    assert!(text.contains("After a fault the referee plays a random legal move"));
    let boards = tags.iter().filter(|tag| tag.attributes.get("class").is_some_and(|class| class == "board")).count();
    assert!(boards > 0, "the first faults have boards");
    let text = words(&text);
    contains(&text, &["Results by color", "Results by ending", "Results by opponent", "Longest turn"]);
}

#[test]
fn the_site_shows_elimination_rounds() {
    let sample = Sample::new(&elimination("checkers"), &PLAIN, 6);
    let (site, tournament, _) = report(&sample);
    assert!(tournament.out.iter().any(Option::is_some), "nobody is out: {:?}", tournament.out);
    let (tags, text) = parse(&site["bracket.html"]);
    let text = words(&text);
    let (_, index) = parse(&site["index.html"]);
    assert!(index.contains("Elimination rounds") && index.contains("out after round"), "{index}");
    assert!(text.contains("The side with less time left loses a drawn game"), "{text}");
    let name = |agent: &usize| tournament.agents[*agent].name.clone();
    let data = json_of(&site, "standings.json");
    let bracket = tournament.bracket.as_ref().expect("a bracket");
    let winners: Vec<String> = bracket.winners.iter().flatten().map(name).collect();
    assert_eq!(data["winners"], json!(winners));
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
        let is_link = |tag: &Tag| tag.attributes.get("href").is_some_and(|link| link.ends_with("bracket.html"));
        assert!(tags.iter().any(is_link), "{page}");
    }
}

#[test]
fn an_elimination_that_has_not_ended_has_no_winner() {
    let (site, ..) = report(&Sample::begin(&elimination("checkers"), &PLAIN, 2).0);
    let (_, text) = parse(&site["bracket.html"]);
    assert!(!text.contains("Winner") && text.contains("The last round is not over"), "{text}");
    assert_eq!(text.matches("2 of 2 games still to be played").count(), 2, "{text}");
    let data = json_of(&site, "standings.json");
    assert!(data["winners"].is_null() && data["bracket"][0]["meetings"][1]["missing"] == 2, "{data}");
    let (site, ..) = report(&Sample::begin(&league("checkers"), &PLAIN, 2).0);
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
    let [before, data] = [&before, &site].map(|site| json_of(site, "standings.json"));
    let agent = |data: &Value, name: &str| {
        list(&data["agents"]).iter().find(|agent| agent["name"] == name).expect("an agent").clone()
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
    assert!(epsilon["change"].is_null() && epsilon["earlier"] == json!([]), "{epsilon}");

    let shown_on = |page: &str| text_of(&site, page);
    let signed = |number: f64| format!("{}{:.0}", if number > 0.0 { '+' } else { '\u{2212}' }, number.abs());
    let index = shown_on("index.html") + &shown_on("ratings.html");
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
    let page = shown_on(&format!("agents/{}-beta.html", place("beta") + 1));
    let line = format!("store changed {} ", agent(&data, "beta")["rank"]);
    assert!(page.contains("Results in each round") && page.contains(&line), "{page}");
    assert!(!shown_on(&format!("agents/{}-epsilon.html", place("epsilon") + 1)).contains("Results in each round"));
    for (name, tags, _) in pages(&site) {
        let is_link = |tag: &Tag| tag.attributes.get("href").is_some_and(|link| link.ends_with("ratings.html#rounds"));
        assert!(tags.iter().any(is_link), "{name}");
    }

    let (site, ..) = report(&first.next_round(&[("alpha", &changed), ("beta", &changed)]));
    let text = text_of(&site, "ratings.html");
    assert!(
        text.contains("No agent of week1 has the same files in the round after it") && !text.contains("Since week1")
    );
}

#[test]
fn a_tournament_without_games_has_a_site() {
    let (site, ..) = report(&Sample::begin(&league("checkers"), &PLAIN, 2).0);
    let (_, text) = parse(&site["index.html"]);
    assert!(text.contains("games still to be played"), "{text}");
    assert!(text.contains("no games, no rating"), "{text}");
    assert_eq!(pages(&site).filter(|(name, ..)| name.starts_with("agents/")).count(), 4);
}

#[test]
fn equal_tournaments_give_byte_equal_sites() {
    for league in [league("loa"), elimination("checkers")] {
        let sites = [1, 2].map(|_| report(&Sample::new(&league, &PLAIN, 2)).0);
        assert!(sites[0] == sites[1]);
    }
}

#[test]
fn a_site_may_have_the_store_itself() {
    let dir = Sample::new(&league("checkers"), &PLAIN[..3], 2).dir();
    dir.master("report spring.db --with-store").exits_with(0);
    assert!(dir.text("spring-report/index.html").contains("href=\"store.db\""));
    let [own, copied] = ["spring.db", "spring-report/store.db"].map(|store| dir.master(&["verify", store]).stdout);
    assert!(own == copied && own.contains("6 games were replayed"), "{own}\n{copied}");
    dir.master("report spring.db").exits_with(0);
    assert!(!dir.path("spring-report/store.db").exists());
    assert!(!dir.text("spring-report/index.html").contains("store.db\""));
}

#[test]
fn the_command_replaces_an_earlier_site() {
    let dir = Sample::new(&league("checkers"), &PLAIN[..3], 2).dir();
    let ran = dir.master("report spring.db");
    ran.exits_with(0);
    ran.stdout_contains(&["6 games of 3 agents, ", "see spring-report/index.html"]);
    let site = read(&dir.path("spring-report"));
    assert!(site["index.html"].contains("<title>spring</title>"));
    let summary: Value = dir.master("report --json --out spring-report spring.db").exits_with(0).json();
    assert_eq!((&summary["games"], &summary["agents"], &summary["missing"]), (&6.into(), &3.into(), &0.into()));
    assert_eq!(summary["index"], "spring-report/index.html");
    assert_eq!(summary["files"], site.len());
    assert!(read(&dir.path("spring-report")) == site);
    dir.write("spring-report/mine.txt", "mine");
    dir.master("report spring.db").exits_with(1).stderr_contains(&["spring-report: found a folder with \"mine.txt\""]);
    assert!(dir.path("spring-report/mine.txt").exists());
    dir.refuses("report none.db", &["none.db"]);
    dir.write("text.db", "no store at all, but text");
    dir.refuses("report text.db", &["text.db: found another kind of file, expected the store of a tournament"]);
    let names = dir.names();
    assert!(names.iter().all(|name| !name.contains("partial")), "{names:?}");
    dir.master("report --help").exits_with(0).stdout_contains(&["open its index.html"]);
}

#[test]
fn review_reads_the_games_of_a_site() {
    for (game, name) in [("checkers", "games.pdn.gz"), ("loa6", "games.sgf.gz")] {
        let dir = Sample::new(&league(game), &PLAIN[..2], 2).dir();
        dir.master("report spring.db").exits_with(0);
        let path = format!("spring-report/{name}");
        let words = [&path, "--seconds", "0.001", "--format", "json"];
        let reviews: Value = dir.run_with_args(Program::Review, &words).exits_with(0).json();
        assert_eq!(reviews["games"].as_array().map(Vec::len), Some(2), "{name}");
        assert_eq!(reviews["refused"], Value::Array(Vec::new()));
    }
}
