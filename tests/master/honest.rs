//! Honest agents, in the languages and with the techniques that students use, play without a fault.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kingline_master::record::{EndReason, GameRecord};
use kingline_players::figures::{Figure, Topic};
use serde_json::{Value, json};

use crate::support::command::{Dir, Ran};
use crate::support::figures;
use crate::support::programs::{Program, root};
use crate::support::skipped::skipped;

/// An honest agent.
pub(super) struct Honest {
    pub(super) name: &'static str,
    /// Language, which is also the folder of its sources in tests/honest.
    language: &'static str,
    delivery: Delivery,
    /// The last line of its run.sh.
    script: &'static str,
    /// A command that succeeds if the agent can run here.
    needs: &'static str,
    /// Further files that are handed in: paths and contents.
    files: &'static [(&'static str, &'static str)],
}

/// Content of an agent's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delivery {
    /// Its sources, and the programs that build.sh built from them.
    Built,
    /// Its sources alone.
    AsSource,
}

pub(super) const fn honest(
    name: &'static str,
    language: &'static str,
    script: &'static str,
    needs: &'static str,
) -> Honest {
    Honest { name, language, delivery: Delivery::Built, script, needs, files: &[] }
}

/// An honest agent that is compiled in its working directory every turn.
pub(super) const fn as_source(
    name: &'static str,
    language: &'static str,
    script: &'static str,
    needs: &'static str,
) -> Honest {
    Honest { name, language, delivery: Delivery::AsSource, script, needs, files: &[] }
}

impl Honest {
    /// The same agent, handed in with these files as well.
    pub(super) const fn with(self, files: &'static [(&'static str, &'static str)]) -> Honest {
        Honest { files, ..self }
    }
}

const PYTHON: &str = "python3 -c 'import multiprocessing.shared_memory'";
const JAVA: &str = "java -version";
const JAVAC: &str = "javac -version";

pub(super) const AGENTS: &[Honest] = &[
    honest("c", "c", "exec ./plain", "true"),
    honest("c++ with threads", "c", "exec ./threads", "true"),
    honest("1.5 GB of memory", "c", "exec ./memory", "true"),
    honest("200 MB of output", "c", "exec ./loud", "true"),
    honest("slow start", "c", "exec ./slow", "true"),
    honest("temporary files of 20 MB", "c", "exec ./files", "true"),
    as_source("c compiled on the spot", "c", "cc -O1 -o engine plain.c && exec ./engine", "cc --version"),
    honest("rust", "rust", "exec ./plain", "true"),
    honest("shell", "shell", "awk -f moves.awk input.txt > output.txt", "awk 'BEGIN {}'"),
    honest("shell with background jobs", "shell", "sleep 0.1 & awk -f moves.awk input.txt > output.txt; wait", "true"),
    honest("python", "python", "exec python3 plain.py", PYTHON),
    honest("python numpy", "python", "exec python3 with_numpy.py", "python3 -c 'import numpy'"),
    honest("python threads", "python", "exec python3 with_threads.py", PYTHON),
    honest("python process", "python", "exec python3 with_process.py", PYTHON),
    honest("python pool", "python", "exec python3 with_pool.py", PYTHON),
    honest("python queue", "python", "exec python3 with_queue.py", PYTHON),
    honest("python executor", "python", "exec python3 with_executor.py", PYTHON),
    honest("python deep recursion", "python", "exec python3 with_recursion.py", PYTHON),
    honest("python tempfile", "python", "exec python3 with_tempfile.py", PYTHON),
    honest("java", "java", "exec java Homework", JAVA),
    honest("java with 200 threads", "java", "exec java Threads", JAVA),
    honest("java with a heap of 1.5 GB", "java", "exec java -Xmx2g Heap", JAVA),
    honest("java with garbage", "java", "exec java Garbage", JAVA),
    as_source("java compiled on the spot", "java", "javac -d . Moves.java Homework.java && exec java Homework", JAVAC),
    honest("node", "node", "exec node plain.js", "node --version"),
];

/// Seconds of CPU time for a turn of the most expensive agent: a Java compiler on a slow machine.
const TURN: u32 = 15;

/// Folders of the agents and of their compiled programs.
pub(super) struct Gallery {
    pub(super) dir: Dir,
    /// Languages whose build.sh failed.
    broken: BTreeSet<&'static str>,
}

impl Gallery {
    /// Builds what these agents need. Their games end after this number of turns.
    pub(super) fn new(agents: &[Honest], turns: u32) -> Gallery {
        let micros = u64::from(turns * TURN) * 1_000_000;
        let dir = Dir::new();
        let clock = json!({
            "counts": "cpu", "turn": null, "game": micros, "patience": 20_000_000, "resolution": 10_000,
        });
        dir.league(&json!({ "clock": clock, "longest": turns }));
        let mut gallery = Gallery { dir, broken: BTreeSet::new() };
        let languages: BTreeSet<&str> = agents.iter().map(|agent| agent.language).collect();
        languages.into_iter().for_each(|language| gallery.build(language));
        gallery
    }

    /// Copies a language's folder and runs its build.sh, if there is one.
    fn build(&mut self, language: &'static str) {
        let built = self.built(language);
        fs::create_dir(&built).expect("a folder");
        copy(&sources(language), &built);
        if built.join("build.sh").exists() {
            let mut command = Command::new("sh");
            let output = command.arg("build.sh").current_dir(&built).output().expect("a shell");
            if !output.status.success() {
                let why = String::from_utf8_lossy(&output.stderr).into_owned();
                skipped(&format!("master::honest, {language}"), &format!("build.sh: {why}"));
                self.broken.insert(language);
            }
        }
    }

    /// Folder of a language's compiled agents. No agent has this name.
    fn built(&self, language: &str) -> PathBuf {
        self.dir.path(&format!("built-{language}"))
    }

    /// Makes an agent's folder. If the agent cannot run on this machine, reports this and returns `None`.
    pub(super) fn agent(&self, agent: &Honest) -> Option<PathBuf> {
        let test = format!("master::honest, {}", agent.name);
        // Uses the agents' PATH.
        let needs = Command::new("sh")
            .args(["-c", agent.needs])
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .stdin(Stdio::null())
            .output();
        if !needs.is_ok_and(|output| output.status.success()) {
            skipped(&test, &format!("`{}` fails", agent.needs));
            return None;
        }
        if agent.delivery == Delivery::Built && self.broken.contains(agent.language) {
            return None;
        }
        let folder = self.dir.path(agent.name);
        fs::create_dir(&folder).expect("a new folder");
        match agent.delivery {
            Delivery::Built => copy(&self.built(agent.language), &folder),
            Delivery::AsSource => copy(&sources(agent.language), &folder),
        }
        for (file, content) in agent.files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, content).expect(file);
        }
        self.dir.script(agent.name, agent.script);
        Some(folder)
    }

    /// Plays games of an agent against itself.
    pub(super) fn play(&self, agent: &Honest, more: &[&str]) -> Ran {
        let mut command = Command::new(Program::Master.path());
        command.args(["play", agent.name, agent.name, "--league", "league.json", "--json"]).args(more);
        let output =
            command.current_dir(self.dir.path("")).stdin(Stdio::null()).output().expect("a program that starts");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr), answer: None }
    }
}

fn sources(language: &str) -> PathBuf {
    root().join("tests/honest").join(language)
}

pub(super) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, target).map(drop).expect("a copy") }
    }
}

/// Describes what is wrong with games of an honest agent against itself, if anything.
pub(super) fn wrong(ran: &Ran, games: usize) -> Option<String> {
    if ran.code != Some(0) {
        return Some(ran.stderr.clone());
    }
    let records: Vec<GameRecord> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert_eq!(records.len(), games);
    let bad = |record: &&GameRecord| {
        let is_over = !matches!(record.verdict.reason, EndReason::Fault(_) | EndReason::Failed(_));
        let notes = record.turns.iter().flat_map(|turn| &turn.notes).count();
        !is_over || record.faults().count() + notes > 0
    };
    let record = records.iter().find(bad)?;
    let notes: Vec<&String> = record.turns.iter().flat_map(|turn| &turn.notes).collect();
    Some(format!("{}; notes {notes:?}", record.verdict))
}

#[test]
fn honest_agents_play_without_a_fault() {
    let gallery = Gallery::new(AGENTS, 4);
    let mut faults = Vec::new();
    for agent in AGENTS {
        if gallery.agent(agent).is_some()
            && let Some(wrong) = wrong(&gallery.play(agent, &[]), 1)
        {
            faults.push(format!("{}: {wrong}", agent.name));
        }
    }
    assert!(faults.is_empty(), "{} of {} agents:\n{}", faults.len(), AGENTS.len(), faults.join("\n"));
}

/// Plays four games of every agent in every tier in which agents may start processes, and records the figure.
pub(super) fn four_games(agents: &[Honest], turns: u32, test: &str, figure: &str) {
    let gallery = Gallery::new(agents, turns);
    let mut faults = Vec::new();
    let mut played = 0;
    for agent in agents {
        if gallery.agent(agent).is_none() {
            continue;
        }
        for tier in ["cgroup-v2", "perf"] {
            let ran = gallery.play(agent, &["--tier", tier, "--games", "4"]);
            if ran.code == Some(1) && ran.stderr.contains("agents cannot be confined here") {
                skipped("master::honest, every tier", &format!("{tier}: {}", ran.stderr));
                continue;
            }
            played += 1;
            let wrong = wrong(&ran, 4);
            println!("{}, {tier}: {}", agent.name, wrong.as_deref().unwrap_or("4 games without a fault"));
            faults.extend(wrong.map(|wrong| format!("{}, {tier}: {wrong}", agent.name)));
        }
    }
    let command = format!("cargo test --release -p kingline-master -- --ignored {test} --nocapture");
    let measured = format!("{played} agents on tiers, {} of them at fault", faults.len());
    let figure = Figure::new(figure, measured);
    figures::record(Topic::Referee, &command, figure.against("no fault", faults.is_empty()));
    assert!(faults.is_empty(), "{} of {played}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
#[ignore = "takes an hour"]
fn four_games_of_every_honest_agent_on_every_tier() {
    four_games(AGENTS, 60, "four_games_of_every", "honest agents, 4 games each on every tier");
}

/// Names of the agents.
const RIGHT: [&str; 10] = [
    "c",
    "c++ with threads",
    "rust",
    "shell",
    "python",
    "python deep recursion",
    "python tempfile",
    "java",
    "java with garbage",
    "node",
];

/// Runs the master on an agent, however long it takes.
fn master(gallery: &Gallery, arguments: &[&str]) -> Output {
    let mut command = Command::new(Program::Master.path());
    command.args(arguments).current_dir(gallery.dir.path("")).stdin(Stdio::null());
    command.output().expect("a master")
}

/// Findings of `check` that are wrong.
fn wrong_steps(gallery: &Gallery, agent: &Honest) -> Vec<String> {
    let ran = master(gallery, &["check", agent.name]);
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut wrong: Vec<String> = text.lines().filter(|line| line.starts_with("WRONG")).map(str::to_owned).collect();
    if !ran.status.success() && wrong.is_empty() {
        wrong.push(String::from_utf8_lossy(&ran.stderr).into_owned());
    }
    wrong
}

/// Faults in the default exam, except that a budget was too short for the language.
fn faults(gallery: &Gallery, agent: &Honest) -> Vec<String> {
    let ran = master(gallery, &["grade", agent.name, "--json", "--any-tier"]);
    assert!(ran.status.success(), "{}: {ran:?}", agent.name);
    let grade: Value = serde_json::from_slice(&ran.stdout).expect("a grade");
    let marks = grade["marks"].as_array().expect("marks");
    assert_eq!(marks.len(), 19, "{grade}");
    let fault = |mark: &Value| Some(format!("{}: {}", mark["title"], mark["fault"].as_str()?));
    marks.iter().filter_map(fault).filter(|fault| !fault.contains("time")).collect()
}

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn ten_right_agents_are_never_wrong() {
    let agents: Vec<&Honest> = AGENTS.iter().filter(|agent| RIGHT.contains(&agent.name)).collect();
    assert_eq!(agents.len(), RIGHT.len());
    let gallery = Gallery::new(AGENTS, 4);
    let mut wrong = Vec::new();
    let mut asked = 0;
    for agent in agents {
        if gallery.agent(agent).is_none() {
            continue;
        }
        asked += 1;
        let found = [wrong_steps(&gallery, agent), faults(&gallery, agent)].concat();
        println!("{}: {found:?}", agent.name);
        wrong.extend(found);
    }
    let command = "cargo test --release -p kingline-master -- --ignored ten_right_agents --nocapture";
    let name = "right agents in seven languages, in `check` and in the default exam";
    let measured = format!("{asked} agents, {} steps wrong", wrong.len());
    figures::record(Topic::Referee, command, Figure::new(name, measured).against("none wrong", wrong.is_empty()));
    assert!(wrong.is_empty(), "{wrong:?}");
}
