//! The site of a tournament with reviews, and the file that keeps them.

use kingline_master::league::{League, Pairing};
use kingline_master::tournament::store::StoreWriter;
use rusqlite::Connection;

use super::html::{ids, parse, words};
use super::site::{Site, pages, read};
use super::synthetic::{NASTY, PLAIN, Sample, league, play_all};
use crate::support::referee::*;

const FILE: &str = "spring.review-0.001.jsonl";

/// A directory with the store of a sample tournament.
fn dir(league: &League, agents: &[(&str, Option<&str>)], games: u32) -> Dir {
    Sample::new(league, agents, games).dir()
}

/// Words that report with reviews.
const REVIEW: &str = "report spring.db --review 0.001";

fn reviewed(dir: &Dir) -> Site {
    dir.master(REVIEW).exits_with(0);
    read(&dir.path("spring-report"))
}

#[test]
fn pages_and_data_have_the_reviews() {
    for name in ["checkers", "loa6", "loa"] {
        let dir = dir(&league(name), &PLAIN[..3], 2);
        let site = reviewed(&dir);
        let data: Value = serde_json::from_str(&site["standings.json"]).expect("JSON");
        let lines = dir.text(FILE);
        let (mut faults, mut turning_points) = (0, 0);
        for (line, game) in lines.lines().skip(1).zip(list(&data["review"]["games"])) {
            let line: Value = serde_json::from_str(line).expect("a line");
            assert_eq!((&line["game"], &game["page"]), (&game["game"], &format!("game.html#{}", line["game"]).into()));
            let shown = &game_of(&site, &line["game"])["review"];
            let moves = list(&line["review"]["moves"]);
            assert_eq!(list(&shown["chances"]).len(), moves.len() + 1, "a graph");
            let is_fault =
                |mark: &Value| mark.as_str().is_some_and(|mark| ["inaccuracy", "mistake", "blunder"].contains(&mark));
            let bad: Vec<(usize, &Value)> = moves.iter().enumerate().filter(|(_, mv)| is_fault(&mv["mark"])).collect();
            let marks: Vec<&Value> = list(&shown["marks"]).iter().filter(|mark| is_fault(&mark[1])).collect();
            assert_eq!(marks.len(), bad.len());
            for ((index, mv), mark) in bad.into_iter().zip(marks) {
                let better = mv["best"][0].as_str().expect("a move");
                assert_eq!((&mark[0], &mark[1]), (&index.into(), &mv["mark"]));
                assert!(mark[5][0].to_string().starts_with(&format!("\"Better: {better}")), "{mark}");
                let letters = better.bytes().map(|byte| byte.is_ascii_uppercase()).collect::<Vec<bool>>();
                assert_eq!(letters == [true, false, true, false], name == "loa6", "{better}: as agents write");
                assert!(index >= 2, "random turns have no marks");
                faults += 1;
            }
            turning_points += shown["turning"].to_string().matches("decided the game").count();
            for (place, side) in ["black", "white"].into_iter().enumerate() {
                let accuracy = game[side]["accuracy"].as_f64().expect("an accuracy");
                assert_eq!(shown["sides"][place][0], format!("{accuracy:.1} %"));
            }
        }
        assert!(
            faults > 0 && turning_points > 0,
            "{faults} faults, {turning_points} turning points: this tests nothing"
        );
        for agent in list(&data["agents"]) {
            assert_eq!(agent["review"]["games"], 4);
            let (tags, text) = parse(&site[agent["page"].as_str().expect("a page")]);
            let played = format!("{} played 4 games of ", agent["name"].as_str().expect("a name"));
            contains(&words(&text), &[&played, "Chances lost Of all lost Of the moves A move, points "]);
            let links = tags.iter().filter_map(|tag| tag.attributes.get("href"));
            let mistakes: Vec<&String> = links.filter(|link| link.contains("game.html#")).collect();
            assert!(mistakes.len() >= 3, "{mistakes:?}");
        }
    }
}

#[test]
fn links_and_names_are_safe() {
    let league = League { pairing: Pairing::Elimination, ..league("loa6") };
    let site = reviewed(&dir(&league, &NASTY, 6));
    for (name, tags, text) in pages(&site) {
        assert!(tags.iter().all(|tag| !["img", "i", "iframe"].contains(&tag.name.as_str())), "{name}");
        assert!(!tags.iter().any(|tag| tag.attributes.keys().any(|key| key.starts_with("on"))), "{name}");
        assert!(!text.contains(['\u{202e}', '\u{0}']), "{name}");
        let (known, shapes) =
            (ids(&tags), tags.iter().filter(|tag| tag.name == "use").map(|tag| &tag.attributes["href"]));
        for shape in shapes {
            assert!(known.contains(&shape[1..]), "{shape} on {name}");
        }
    }
}

/// A game in its file.
fn game_of(site: &Site, id: &Value) -> Value {
    let games: Value = serde_json::from_str(&site["data/games-0.js"]).expect("JSON");
    list(&games).iter().find(|game| game["id"] == *id).expect("the game").clone()
}

#[test]
fn a_site_without_reviews_is_as_before() {
    let dir = dir(&league("checkers"), &PLAIN[..3], 2);
    dir.master("report spring.db").exits_with(0);
    let before = read(&dir.path("spring-report"));
    assert_eq!(dir.names(), ["spring-report", "spring.db"]);
    let with = reviewed(&dir);
    let changed = |name: &str| with[name] != before[name];
    assert!(before.keys().eq(with.keys()));
    for name in ["index.html", "game.html", "agents/1-alpha.html", "data/games-0.js", "games.csv", "standings.json"] {
        assert!(changed(name), "{name}");
    }
    assert!(!changed("site.css") && !changed("games.pdn.gz"));
    dir.master("report spring.db").exits_with(0);
    assert!(read(&dir.path("spring-report")) == before);
    for (name, text) in
        before.iter().filter(|(name, _)| !name.ends_with(".css") && (!name.ends_with(".js") || name.contains('/')))
    {
        for word in ["Review", "review", "Accuracy", "Mark<", "chances"] {
            assert!(!text.contains(word), "{word} on {name}");
        }
    }
}

#[test]
fn a_killed_run_continues_with_the_same_bytes() {
    let dir = dir(&league("checkers"), &PLAIN, 2);
    let site = reviewed(&dir);
    let whole = dir.bytes(FILE);
    let kill_at = |units| dir.kill_at(Program::Master, REVIEW, units);
    dir.delete(FILE);
    for units in [1, whole.len() / 2048, whole.len() / 1024] {
        kill_at(units);
        assert!(dir.bytes(FILE) == whole[..512 * units], "killed after {units} of {} bytes", whole.len());
    }
    assert!(reviewed(&dir) == site && dir.bytes(FILE) == whole);
    // A kill may leave any number of bytes.
    let header = whole.iter().position(|&byte| byte == b'\n').expect("a header");
    let last = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').expect("two lines");
    for length in [0, 1, header, header + 1, header + 2, last - 1, last, last + 1, last + 2, whole.len() - 1] {
        dir.write(FILE, &whole[..length]);
        if length > last {
            dir.master(REVIEW).exits_with(0);
        } else {
            // Long: only whether the start is accepted and goes on.
            kill_at(length.max(header) / 512 + 1);
        }
        let kept = dir.bytes(FILE);
        assert!(whole.starts_with(&kept) && kept.len() > length.max(header), "{length} bytes");
    }
}

#[test]
fn an_interrupted_run_keeps_what_is_done() {
    let dir = dir(&league("checkers"), &PLAIN, 2);
    let site = reviewed(&dir);
    let whole = dir.bytes(FILE);
    // On a busy machine, the signal may come after the last review; then the report starts again.
    let mut interrupted = (0..20).map(|_| {
        dir.delete(FILE);
        let child = dir.start_until(&mut master(REVIEW), || dir.path(FILE).exists());
        send(Signal::SIGINT, &child);
        dir.wait_for(child)
    });
    let ran = interrupted.find(|ran| ran.code != Some(0)).expect("a report that is interrupted");
    ran.exits_with(1).stderr_contains(&["stopped: ", " of 12 games are reviewed, and kept in "]);
    assert!(dir.names().iter().all(|name| !name.contains("partial")), "{:?}", dir.names());
    assert!(whole.starts_with(&dir.bytes(FILE)));
    assert!(reviewed(&dir) == site && dir.bytes(FILE) == whole);
}

#[test]
fn later_games_are_appended() {
    let dir = dir(&league("loa6"), &PLAIN[..2], 2);
    reviewed(&dir);
    let before = dir.text(FILE);
    let mut writer = StoreWriter::resume(&dir.path("spring.db")).expect("a store");
    writer.set_games(4).expect("more games");
    play_all(&mut writer, &["alpha", "beta"]);
    drop(writer);
    reviewed(&dir);
    let after = dir.text(FILE);
    assert!(after.starts_with(&before));
    assert_eq!([&before, &after].map(|text| text.lines().count()), [3, 5]);
}

#[test]
fn files_that_are_not_reviews_of_the_store_are_refused() {
    let dir = dir(&league("loa6"), &PLAIN[..2], 2);
    reviewed(&dir);
    let whole = dir.text(FILE);
    let lines: Vec<&str> = whole.lines().collect();
    let refused = |text: &str, words: &[&str]| {
        dir.write(FILE, text);
        let help = "help: delete it or move it away, and all games are reviewed anew";
        dir.refuses(REVIEW, &[&[FILE, help], words].concat());
        assert_eq!(dir.read(FILE).as_deref(), Some(text), "it stays as it is");
    };
    let version = concat!("\"engine\":\"", env!("CARGO_PKG_VERSION"), " (");
    refused(&whole.replacen(version, "\"engine\":\"0.0.9 (", 1), &["its engine is \"0.0.9 (", ", expected "]);
    refused(&whole.replacen(" nodes, ", " nodes, 1", 1), &["its engine is ", " nodes, 1", ", expected "]);
    refused(&whole.replacen("\"seconds\":0.001", "\"seconds\":0.5", 1), &["its seconds is 0.5, expected 0.001"]);
    refused(&whole.replacen("\"seed\":7", "\"seed\":8", 1), &["its seed is 8, expected 7"]);
    refused("mine\n", &["expected the journal of a review, found something else"]);
    refused("mine", &["expected the journal of a review, found something else"]);
    refused(&whole.replacen("\"game\":1", "\"game\":x", 1), &["line 2: it is damaged: "]);
    refused(&format!("{whole}{}\n", lines[1]), &["line 4: it is damaged: game 1 is there twice"]);
    // Reviews of other games under the same numbers.
    let swapped = [
        lines[0],
        &lines[2].replacen("\"game\":2", "\"game\":1", 1),
        &lines[1].replacen("\"game\":1", "\"game\":2", 1),
    ];
    refused(&(swapped.join("\n") + "\n"), &["the moves of game ", " differ from the store's"]);
    dir.delete(FILE);
    dir.make_dir(FILE);
    dir.master(REVIEW).exits_with(1).stderr_contains(&["cannot write ", FILE]);
}

#[test]
fn a_game_that_cannot_be_replayed_is_skipped() {
    let dir = dir(&league("checkers"), &PLAIN[..2], 2);
    let connection = Connection::open(dir.path("spring.db")).expect("a store");
    let changed = connection.execute("UPDATE move SET move = '1-32' WHERE game = 1 AND turn = 3", ()).expect("a row");
    assert_eq!(changed, 1);
    drop(connection);
    for _ in 0..2 {
        let ran = dir.master(&format!("{REVIEW} --json"));
        ran.exits_with(0)
            .stderr_contains(&["master: game 1 is not reviewed: turn ", ": found \"1-32\", expected a legal move: "]);
        let summary: Value = ran.json();
        assert_eq!(summary["skipped"], 1);
        assert!(summary["reviews"].as_str().is_some_and(|path| path.ends_with(FILE)), "{summary}");
    }
    let site = read(&dir.path("spring-report"));
    let [broken, whole] = [1, 2].map(|id| game_of(&site, &id.into()));
    assert!(broken["error"].as_str().is_some_and(|error| error.starts_with("turn ")) && broken["review"].is_null());
    // The first turn of an agent follows two random turns.
    assert_eq!(broken["turns"][2 + 3]["move"], "1-32");
    assert!(whole["error"].is_null() && !whole["review"].is_null());
}

#[test]
fn bad_effort_is_bad_usage() {
    let dir = dir(&league("loa6"), &PLAIN[..2], 2);
    for seconds in ["0", "-1", "601", "nan", "x"] {
        dir.refuses(&format!("report spring.db --review={seconds}"), &["expected seconds, 0.001 to 600"]);
    }
    assert_eq!(dir.names(), ["spring.db"]);
}
