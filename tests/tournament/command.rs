//! `master tournament` with real agents: output, refusals, continued runs and shards.

use kingline_master::tournament::store::Store;

use super::CASES;
use crate::support::referee::*;

/// Agent program that plays `turns` legal turns from the start, if its opponent does the same, and then gives up. The
/// agent with more turns wins; with equal numbers White wins.
fn program(turns: usize) -> String {
    include_str!("agent.sh").replace("TURNS", &turns.to_string())
}

/// Makes a class in agents/ from names and numbers of turns.
pub(crate) fn class(agents: &[(&str, usize)]) -> Dir {
    let dir = Dir::new();
    dir.make_dir("agents");
    agents.iter().for_each(|&(name, turns)| write(&dir, name, turns));
    dir
}

pub(crate) fn write(dir: &Dir, name: &str, turns: usize) {
    dir.write_program(&format!("agents/{name}/homework"), &program(turns));
}

/// Reads name, points and games of each agent from the standings in JSON, printed by a command that ended well.
#[track_caller]
pub(crate) fn lines(ran: &Ran) -> Vec<(String, f64, u64)> {
    let table: Value = ran.exits_with(0).json();
    let line = |row: &Value| {
        let (agent, points, games) = (row["agent"].as_str(), row["points"].as_f64(), row["games"].as_u64());
        (agent.expect("a name").to_owned(), points.expect("points"), games.expect("games"))
    };
    list(&table["rows"]).iter().map(line).collect()
}

fn line(name: &str, points: f64, games: u64) -> (String, f64, u64) {
    (name.to_owned(), points, games)
}

const THREE: [(&str, usize); 3] = [("weak", 0), ("good", 2), ("fair", 1)];

#[test]
fn every_pair_meets_and_the_best_agent_ranks_first() {
    let dir = class(&THREE);
    let ran = dir.master("tournament agents --opening 0");
    let table: Vec<Vec<&str>> = ran.stdout.lines().map(Words::words).collect();
    assert_eq!(table[0], ["rank", "agent", "points", "games", "won", "drawn", "lost", "faults"]);
    assert_eq!(table[1], ["1", "good", "4", "4", "4", "0", "0"]);
    assert_eq!(table[3], ["3", "weak", "0", "4", "0", "0", "4", "4"]);
    ran.exits_with(0).stderr_contains(&[
        "3 agents, store",
        "agents.db",
        "CPU time is measured by",
        "6 of 6 games",
        "per hour",
    ]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "colors without a terminal");
    assert_eq!(dir.names(), ["agents", "agents.db"]);

    let again = dir.master("tournament agents --json");
    assert_eq!(lines(&again), [line("good", 4.0, 4), line("fair", 2.0, 4), line("weak", 0.0, 4)]);
    let table: Value = again.stderr_lacks(&["games in"]).json();
    assert!(table["bracket"].is_null() && table["winners"].is_null(), "a round robin has neither: {table}");

    write(&dir, "weak", 3);
    write(&dir, "new", 0);
    let ran = dir.master("tournament agents --json");
    ran.exits_with(0).stderr_contains(&["new: new", "weak: changed since", "10 of 10 games"]);
    let expected = [line("weak", 6.0, 6), line("good", 4.0, 6), line("fair", 2.0, 6), line("new", 0.0, 6)];
    assert_eq!(lines(&ran), expected);
    let table = dir.master("tournament table agents.db --json");
    assert_eq!(table.exits_with(0).stdout, ran.stdout);
}

fn names(array: &Value) -> Vec<&str> {
    list(array).iter().map(|name| name.as_str().expect("a name")).collect()
}

#[test]
fn elimination_rounds_end_with_a_bracket_and_winners() {
    // d and e win as White against each other.
    let dir = class(&[("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 3)]);
    dir.master("tournament plan agents --opening 0 --pairing elimination").exits_with(0);
    let begun = dir.master("tournament table agents.db");
    assert_eq!(begun.exits_with(0).stdout.matches("0 - 0").count(), 2, "{begun:#?}");
    assert_eq!(begun.stdout.matches("2 of 2 games still to be played").count(), 2, "{begun:#?}");
    assert!(begun.stdout.contains("rests") && !begun.stdout.contains("winner"), "{begun:#?}");
    let begun: Value = dir.master("tournament table agents.db --json").json();
    assert_eq!((&begun["winners"], list(&begun["bracket"]).len()), (&Value::Null, 1));

    let table: Value = dir.master("tournament agents --json").exits_with(0).json();
    assert_eq!(names(&table["winners"]), ["d", "e"]);
    let shown = dir.master("tournament table agents.db").stdout;
    let shown: Vec<String> = shown.lines().map(|line| line.words().join(" ")).collect();
    assert_eq!(shown.last().map(String::as_str), Some("2 winners: d, e"));
    let rule = "An agent that loses more than half of a meeting's games is out; otherwise both agents stay in, whatever \
                their points. The side with less time left loses a drawn game; neither does if both have the same time.";
    assert_eq!(shown[shown.len() - 2], rule);
    let mut out = Vec::new();
    for (number, round) in (1..).zip(list(&table["bracket"])) {
        assert_eq!(round["round"], number);
        for agent in names(&round["resting"]) {
            assert!(shown.contains(&format!("{number} {agent} rests")), "{shown:#?}");
        }
        for meeting in list(&round["meetings"]) {
            let [first, second] = names(&meeting["agents"])[..] else { panic!("{meeting}") };
            let (points, result) = match meeting["out"].as_str() {
                Some(agent) => {
                    out.push((agent.to_owned(), number));
                    // The lower name has fewer turns.
                    assert_eq!(agent, first);
                    ("0 - 2", format!("{agent} is out"))
                }
                None => ("1 - 1", "both stay in".to_owned()),
            };
            assert!(shown.contains(&format!("{number} {first} {points} {second} {result}")), "{meeting} {shown:#?}");
        }
    }
    let is_out = |row: &Value| Some((row["agent"].as_str()?.to_owned(), row["out"].as_u64()?));
    let mut expected: Vec<(String, u64)> = list(&table["rows"]).iter().filter_map(is_out).collect();
    expected.sort();
    out.sort();
    assert_eq!((out.len(), out), (3, expected));
}

#[test]
fn broken_agents_are_reported_before_any_game() {
    let dir = class(&THREE);
    dir.make_dir("agents/empty");
    dir.write("agents/plain/homework", "#!/bin/sh\n");
    dir.write_program("agents/Good/homework", "#!/bin/sh\n");
    dir.write("agents/notes.txt", "");
    dir.run_rows(Program::Master, CASES, "broken agents");
    assert_eq!(dir.names(), ["agents"]);
    let ran = dir.master("tournament agents --opening 0 --skip-broken --json");
    ran.exits_with(0).stderr_contains(&["notes.txt: neither a folder nor an archive", "left out: ", "2 agents"]);
    assert_eq!(lines(&ran), [line("fair", 2.0, 2), line("weak", 0.0, 2)]);
    dir.master("tournament nowhere").exits_with(1).stderr_contains(&["nowhere"]);
    dir.make_dir("none");
    dir.refuses("tournament none", &["found 0 agents that can play, expected 2 or more"]);
}

#[test]
fn a_store_of_another_tournament_is_refused_and_kept() {
    let dir = class(&THREE);
    dir.write("agents.db", "something else that somebody wants to keep");
    dir.refuses("tournament agents --opening 0", &["agents.db", "found another kind of file"]);
    assert_eq!(dir.read("agents.db").as_deref(), Some("something else that somebody wants to keep"));
    dir.delete("agents.db");
    dir.master("tournament agents --opening 0").exits_with(0);
    let before = dir.bytes("agents.db");
    dir.run_rows(Program::Master, CASES, "other terms");
    assert_eq!(dir.bytes("agents.db"), before);
    dir.master("tournament agents --time 300 --games 2 --seed 1").exits_with(0).stderr_lacks(&["games in"]);
    let ran = dir.master("tournament agents --games 4 --json");
    ran.exits_with(0).stderr_contains(&["4 games per pair of agents, previously 2", "6 of 6 games"]);
    assert!(lines(&ran).iter().all(|(_, _, games)| *games == 8), "{ran:#?}");
    dir.refuses("tournament agents --games 2", &["is 4, not 2 as requested, and can only grow"]);
    dir.master("tournament table nothing.db").exits_with(1).stderr_contains(&["nothing.db"]);
}

#[test]
fn a_second_master_is_refused_and_a_stopped_one_continues() {
    let dir = class(&[("a", 3), ("b", 3), ("c", 3), ("d", 3), ("e", 2), ("f", 2), ("g", 1)]);
    let store = dir.path("agents.db");
    let is_begun = || Store::open(&store).is_ok_and(|store| store.summaries().is_ok_and(|games| !games.is_empty()));
    let first = dir.start_until(&mut master("tournament agents --opening 0 --jobs 1 --games 8"), is_begun);
    dir.master("tournament agents").exits_with(1).stderr_contains(&["another master is writing to it"]);
    dir.master("tournament table agents.db").exits_with(0);
    send(Signal::SIGTERM, &first);
    dir.wait_for(first).exits_with(1).stderr_contains(&["stopped; run the same command again to continue"]);
    assert_eq!(dir.names(), ["agents", "agents.db"]);
    let ran = dir.master("tournament agents --json");
    assert!(lines(&ran).iter().all(|(_, _, games)| *games == 48), "{ran:#?}");
}

#[test]
fn shards_are_planned_played_and_merged() {
    let dir = class(&[("a", 0), ("b", 1), ("c", 2), ("d", 3)]);
    let planned = dir.master("tournament plan agents --opening 0 --games 4");
    assert!(planned.exits_with(0).stdout.starts_with("24 games to play: "), "{planned:#?}");
    assert!(planned.stdout.ends_with("agents.plan\n"), "{planned:#?}");
    for shard in ["1/3", "3/3"] {
        dir.master(&format!("tournament play agents.plan agents --shard {shard}")).exits_with(0);
    }
    // The task's number in a job array selects the shard.
    let mut task = master("tournament play agents.plan agents --json");
    task.envs([("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_MIN", "1")]);
    task.envs([("SLURM_ARRAY_TASK_MAX", "3"), ("SLURM_ARRAY_TASK_COUNT", "3")]);
    let ran = dir.run_command(&mut task);
    assert_eq!(ran.exits_with(0).stdout, "{\"games\":8,\"results\":\"agents.plan.2-of-3\",\"shard\":\"2/3\"}\n");
    dir.refuses("tournament play agents.plan agents", &["no shard number"]);
    dir.refuses("tournament play agents.plan agents --shard 4/3", &["1/N to N/N"]);

    let whole = dir.bytes("agents.plan.2-of-3");
    dir.write("agents.plan.2-of-3", &whole[..whole.len() / 2]);
    let files = "agents.plan.1-of-3 agents.plan.2-of-3 agents.plan.3-of-3";
    let merged = dir.master(&format!("tournament merge agents.db {files}"));
    merged.exits_with(2).stderr_contains(&["refused: ", "agents.plan.2-of-3", "1 of 3 files were refused"]);
    let messages = ["16 games added, 0 already known, 8 missing", "no results from shard 2/3", "round 1 opening"];
    merged.stdout_contains(&messages);
    dir.write("agents.plan.2-of-3", whole);
    let merged = dir.master(&format!("tournament merge agents.db {files} --json"));
    let report: Value = merged.exits_with(0).json();
    assert_eq!((report["added"].as_u64(), report["known"].as_u64()), (Some(8), Some(16)));
    let table = dir.master("tournament agents --json");
    let expected = [line("d", 12.0, 12), line("c", 8.0, 12), line("b", 4.0, 12), line("a", 0.0, 12)];
    assert_eq!(lines(&table), expected);
    let planned = dir.master("tournament plan agents");
    assert_eq!(planned.exits_with(0).stdout, "nothing is left to play\n");
    write(&dir, "a", 3);
    dir.refuses("tournament play agents.plan agents --shard 1/3", &["a: its files have changed"]);
}

#[test]
fn a_plan_is_never_written_over_the_store() {
    let dir = class(&[("a", 0), ("b", 1)]);
    for words in
        ["tournament plan agents --store spring.plan", "tournament plan agents --store spring.db --out spring.db"]
    {
        dir.refuses(words, &["spring.", "expected a plan"]);
    }
    for store in ["spring.plan", "spring.db"] {
        dir.master(&format!("tournament table {store}")).exits_with(0);
    }
}

/// Starts and kills a tournament repeatedly, checks after each time that no game is lost, and then lets it end.
fn kill_and_kill(dir: &Dir, words: &str, store: &str) -> Ran {
    const KILLS: usize = 20;
    // There may be no store yet.
    let count = || Store::open(&dir.path(store)).map_or(0, |store| store.summaries().expect("games").len());
    let mut before = 0;
    for number in 0..KILLS {
        // Some runs are killed at once or while they start, most while they play.
        let wanted = before + [0, 1, 3, 6][number % 4];
        dir.kill_when(&mut master(words), || count() >= wanted);
        let now = count();
        assert!(now >= before, "{} of {before} games are lost", before - now);
        before = now;
    }
    let ran = dir.master(words);
    assert!(before > 0 && count() > before, "killed at {before} of {} games: this tests nothing", count());
    ran
}

/// A class with these numbers of agents, and the number of turns that each of them plays.
fn class_of(strengths: &[(usize, usize)]) -> Dir {
    let turns = strengths.iter().flat_map(|&(count, turns)| (0..count).map(move |_| turns));
    let names: Vec<String> = (0..turns.clone().count()).map(|number| format!("agent{number:02}")).collect();
    class(&names.iter().map(String::as_str).zip(turns).collect::<Vec<_>>())
}

#[test]
fn a_killed_tournament_of_a_hundred_agents_ends_with_the_same_table() {
    // Few agents are good, so that rounds end soon.
    let [killed, alone] = [(); 2].map(|()| class_of(&[(60, 0), (30, 1), (8, 2), (2, 3)]));
    let words = "tournament agents --opening 0 --pairing elimination --jobs 2 --json";
    let after_all = kill_and_kill(&killed, words, "agents.db");
    assert_eq!(after_all.exits_with(0).stdout, alone.master(words).exits_with(0).stdout);
    assert_eq!(killed.names(), ["agents", "agents.db"]);
}

#[test]
fn a_killed_shard_gives_the_same_results() {
    let play = "tournament play agents.plan agents --shard 1/1 --jobs 2";
    let undisturbed = |dir: &Dir, words: &str, _: &str| dir.master(words);
    let [killed, alone] = [kill_and_kill, undisturbed].map(|run| {
        let dir = class_of(&[(6, 0), (3, 1), (2, 2), (2, 3)]);
        dir.master("tournament plan agents --opening 0").exits_with(0);
        run(&dir, play, "agents.plan.1-of-1").exits_with(0);
        let merged = dir.master("tournament merge agents.db agents.plan.1-of-1");
        assert_eq!(merged.exits_with(0).stdout, "156 games added, 0 already known, 0 missing\n");
        dir.master("tournament table agents.db --json").exits_with(0).stdout.clone()
    });
    assert_eq!(killed, alone);
}
