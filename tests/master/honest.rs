//! Honest agents, in the languages and with the techniques that students use, play without a fault, and answer under the
//! referee as in a plain shell.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kingline::checkers::{Diagram, Move, Position};
use kingline::game::Game;
use kingline_players::protocol::turn_files::read_answer;

use crate::support::command::copy_folder;
use crate::support::referee::*;

/// An honest agent, as a row of tests/honest/agents.txt has it.
struct Honest {
    name: &'static str,
    /// Language, which is also the folder of its sources in tests/honest.
    language: &'static str,
    /// Handed in without the programs that build.sh builds.
    is_source: bool,
    /// A command that succeeds if the agent can run here.
    needs: &'static str,
    /// The last line of its run.sh.
    script: &'static str,
    /// Further files that are handed in: paths and contents.
    files: Vec<(&'static str, String)>,
}

/// Agents in languages and with techniques of students.
const STUDENT: &str = "student";
/// Agents that do what a shell would let them do.
const PLAIN_SHELL: &str = "plain shell";

/// Reads the agents under this heading.
fn agents(heading: &str) -> Vec<Honest> {
    let section = include_str!("../honest/agents.txt").split(&format!("\n[{heading}]\n")).nth(1).expect("a section");
    let mut agents: Vec<Honest> = Vec::new();
    for line in section.lines().take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty()) {
        if let Some((file, content)) = line.strip_prefix("    ").and_then(|file| file.split_once(" | ")) {
            let content = content.replace("\\n", "\n").replace("\\t", "\t");
            agents.last_mut().expect("an agent").files.push((file, content));
            continue;
        }
        let fields: Vec<&str> = line.splitn(4, " | ").collect();
        let &[name, language, needs, script] = &fields[..] else { panic!("{line}") };
        let (language, is_source) =
            language.strip_suffix(" as source").map_or((language, false), |language| (language, true));
        agents.push(Honest { name, language, is_source, needs, script, files: Vec::new() });
    }
    agents
}

/// Seconds of CPU time for a turn of the most expensive agent: a Java compiler on a slow machine.
const TURN: u32 = 15;

/// Folders of the agents and of their compiled programs.
struct Gallery {
    dir: Dir,
    /// Languages whose build.sh failed.
    broken: BTreeSet<&'static str>,
}

impl Gallery {
    /// Builds what these agents need. Their games end after this number of turns.
    fn new(agents: &[Honest], turns: u32) -> Gallery {
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
        copy_folder(&sources(language), &built);
        if built.join("build.sh").exists() {
            let output = Command::new("sh").arg("build.sh").current_dir(&built).output().expect("a shell");
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
    fn agent(&self, agent: &Honest) -> Option<PathBuf> {
        let mut needs = plain_shell(&["-c", agent.needs]);
        if !needs.output().is_ok_and(|output| output.status.success()) {
            skipped(&format!("master::honest, {}", agent.name), &format!("`{}` fails", agent.needs));
            return None;
        }
        if !agent.is_source && self.broken.contains(agent.language) {
            return None;
        }
        let folder = self.dir.path(agent.name);
        copy_folder(&if agent.is_source { sources(agent.language) } else { self.built(agent.language) }, &folder);
        for (file, content) in &agent.files {
            self.dir.write(&format!("{}/{file}", agent.name), content);
        }
        self.dir.script(agent.name, agent.script);
        Some(folder)
    }

    /// Plays games of an agent against itself.
    fn play(&self, agent: &Honest, more: &[&str]) -> Output {
        self.master(&[&["play", agent.name, agent.name, "--league", "league.json", "--json"], more].concat())
    }

    /// Runs the master, however long it takes.
    fn master(&self, words: &[&str]) -> Output {
        master(words).current_dir(self.dir.path("")).stdin(Stdio::null()).output().expect("a master")
    }
}

/// A shell with the agents' PATH.
fn plain_shell(words: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(words).env("PATH", "/usr/local/bin:/usr/bin:/bin").stdin(Stdio::null());
    command
}

fn sources(language: &str) -> PathBuf {
    root().join("tests/honest").join(language)
}

/// Records of games of an honest agent against itself, or what is wrong with them.
fn judged(ran: &Output, games: usize) -> Result<Vec<GameRecord>, String> {
    if !ran.status.success() {
        return Err(String::from_utf8_lossy(&ran.stderr).into_owned());
    }
    let lines = String::from_utf8_lossy(&ran.stdout);
    let records: Vec<GameRecord> = lines.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert_eq!(records.len(), games);
    for record in &records {
        let is_over = !matches!(record.verdict.reason, EndReason::Fault(_) | EndReason::Failed(_));
        let notes: Vec<&String> = record.turns.iter().flat_map(|turn| &turn.notes).collect();
        if !is_over || record.faults().count() + notes.len() > 0 {
            return Err(format!("{}; notes {notes:?}", record.verdict));
        }
    }
    Ok(records)
}

/// Asserts that nothing is wrong with any of the agents that can run here.
fn none_is_wrong(heading: &str, turns: u32, judge: impl Fn(&Gallery, &Honest, &Path) -> Result<(), String>) {
    let agents = agents(heading);
    let gallery = Gallery::new(&agents, turns);
    let mut wrong = Vec::new();
    for agent in &agents {
        let Some(folder) = gallery.agent(agent) else { continue };
        wrong.extend(judge(&gallery, agent, &folder).err().map(|why| format!("{}: {why}", agent.name)));
    }
    assert!(wrong.is_empty(), "{} of {} agents:\n{}", wrong.len(), agents.len(), wrong.join("\n"));
}

#[test]
fn honest_agents_play_without_a_fault() {
    none_is_wrong(STUDENT, 4, |gallery, agent, _| judged(&gallery.play(agent, &[]), 1).map(drop));
}

/// Turn that an agent chooses in a plain shell, in a copy of its folder.
fn in_a_shell(folder: &Path, position: &Position) -> Result<Move, String> {
    let place = tempfile::tempdir().expect("a folder");
    copy_folder(folder, place.path());
    let side = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
    let input = format!("GAME\n{side}\n60.000\n{}", Diagram(position));
    fs::write(place.path().join("input.txt"), input).expect("an input");
    // HOME is the folder of its own files, if it keeps any.
    let output =
        plain_shell(&["run.sh"]).current_dir(place.path()).env("HOME", place.path()).output().expect("a shell");
    let answer = fs::read_to_string(place.path().join("output.txt")).unwrap_or_default();
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{}: {errors}", output.status));
    }
    read_answer(&answer, position).map_err(|error| format!("{error}; stderr: {errors}"))
}

#[test]
#[ignore = "takes minutes"]
fn honest_agents_answer_as_in_a_plain_shell() {
    const TURNS: u32 = 4;
    none_is_wrong(PLAIN_SHELL, TURNS, |gallery, agent, folder| {
        let record = judged(&gallery.play(agent, &[]), 1)?.remove(0);
        let mut position = Position::start();
        for turn in &record.turns {
            let mv = turn.mv.as_ref().and_then(|mv| position.parse_move(mv).ok()).expect("a legal turn");
            let plain =
                in_a_shell(folder, &position).unwrap_or_else(|why| panic!("{} in a plain shell: {why}", agent.name));
            if mv != plain {
                let [mv, plain] = [mv, plain].map(|mv| position.notation(mv).to_string());
                return Err(format!("{mv} under the referee, {plain} in a plain shell"));
            }
            position = position.play(mv);
        }
        assert_eq!(record.turns.len(), TURNS as usize);
        Ok(())
    });
}

/// Plays four games of every agent in every tier in which agents may start processes, and records the figure.
fn four_games(heading: &str, turns: u32, test: &str, name: &str) {
    let agents = agents(heading);
    let gallery = Gallery::new(&agents, turns);
    let mut faults = Vec::new();
    let mut played = 0;
    for agent in agents.iter().filter(|agent| gallery.agent(agent).is_some()) {
        for tier in ["cgroup-v2", "perf"] {
            let ran = gallery.play(agent, &["--tier", tier, "--games", "4"]);
            let errors = String::from_utf8_lossy(&ran.stderr);
            if ran.status.code() == Some(1) && errors.contains("agents cannot be confined here") {
                skipped("master::honest, every tier", &format!("{tier}: {errors}"));
                continue;
            }
            played += 1;
            let wrong = judged(&ran, 4).err();
            println!("{}, {tier}: {}", agent.name, wrong.as_deref().unwrap_or("4 games without a fault"));
            faults.extend(wrong.map(|wrong| format!("{}, {tier}: {wrong}", agent.name)));
        }
    }
    let measured = format!("{played} agents on tiers, {} of them at fault", faults.len());
    figure(test, name, measured, "no fault", faults.is_empty());
    assert!(faults.is_empty(), "{} of {played}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
#[ignore = "takes an hour"]
fn four_games_of_every_honest_agent_on_every_tier() {
    four_games(STUDENT, 60, "four_games_of_every", "honest agents, 4 games each on every tier");
}

/// Records the figure.
#[test]
#[ignore = "takes half an hour"]
fn four_games_of_the_gallery_on_every_tier() {
    let name = "honest agents as in a plain shell, 4 games each on every tier";
    four_games(PLAIN_SHELL, 20, "four_games_of_the_gallery", name);
}

/// Names of the agents, with their languages.
const RIGHT: &str = "c, c++ with threads, rust, shell, python, python deep recursion, python tempfile, java, \
                     java with garbage, node";

/// Findings of `check` that are wrong.
fn wrong_steps(gallery: &Gallery, agent: &Honest) -> Vec<String> {
    let ran = gallery.master(&["check", agent.name]);
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut wrong: Vec<String> = text.lines().filter(|line| line.starts_with("WRONG")).map(str::to_owned).collect();
    if !ran.status.success() && wrong.is_empty() {
        wrong.push(String::from_utf8_lossy(&ran.stderr).into_owned());
    }
    wrong
}

/// Faults in the default exam, except that a budget was too short for the language.
fn faults(gallery: &Gallery, agent: &Honest) -> Vec<String> {
    let ran = gallery.master(&["grade", agent.name, "--json", "--any-tier"]);
    assert!(ran.status.success(), "{}: {ran:?}", agent.name);
    let grade: Value = serde_json::from_slice(&ran.stdout).expect("a grade");
    let marks = list(&grade["marks"]);
    assert_eq!(marks.len(), 19, "{grade}");
    let fault = |mark: &Value| Some(format!("{}: {}", mark["title"], mark["fault"].as_str()?));
    marks.iter().filter_map(fault).filter(|fault| !fault.contains("time")).collect()
}

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn ten_right_agents_are_never_wrong() {
    let mut agents = agents(STUDENT);
    agents.retain(|agent| RIGHT.split(", ").any(|name| name == agent.name));
    assert_eq!(agents.len(), 10);
    let gallery = Gallery::new(&agents, 4);
    let mut wrong = Vec::new();
    let mut asked = 0;
    for agent in agents.iter().filter(|agent| gallery.agent(agent).is_some()) {
        asked += 1;
        let found = [wrong_steps(&gallery, agent), faults(&gallery, agent)].concat();
        println!("{}: {found:?}", agent.name);
        wrong.extend(found);
    }
    let name = "right agents in seven languages, in `check` and in the default exam";
    let measured = format!("{asked} agents, {} steps wrong", wrong.len());
    figure("ten_right_agents", name, measured, "none wrong", wrong.is_empty());
    assert!(wrong.is_empty(), "{wrong:?}");
}
