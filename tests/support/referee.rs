//! Fixtures for tests of the referee: agents' folders, leagues, classes, and runs of `master`.

use std::process::{Child, Command};

use kingline_master::league::League;
use kingline_master::record::Fault;
use kingline_players::figures::{Figure, Topic};
use nix::sys::signal::kill;

pub(crate) use kingline::game::Color;
pub(crate) use kingline_master::record::{EndReason, FaultKind, GameRecord};
pub(crate) use nix::sys::signal::Signal;
pub(crate) use nix::unistd::Pid;
pub(crate) use serde_json::{Value, json};

pub(crate) use super::command::{Dir, Ran, Words};
pub(crate) use super::json::list;
pub(crate) use super::programs::{Program, example, paths_in, root};
pub(crate) use super::skipped::skipped;

/// Commands of an agent that always answers the same, which is right in the first position.
pub(crate) const ANSWER: &str = "printf 'E c3 b4\\n' > output.txt\n";

/// Returns a command that runs `master` with these words.
pub(crate) fn master(words: &(impl Words + ?Sized)) -> Command {
    let mut command = Command::new(Program::Master.path());
    command.args(words.words());
    command
}

impl Dir {
    /// Runs `master` here, without input.
    pub(crate) fn master(&self, words: &(impl Words + ?Sized)) -> Ran {
        self.run_command(&mut master(words))
    }

    /// Asserts that `master` refuses these words as bad input, with these messages.
    #[track_caller]
    pub(crate) fn refuses(&self, words: &(impl Words + ?Sized), messages: &[&str]) -> Ran {
        let ran = self.master(words);
        ran.exits_with(2).stderr_contains(messages);
        ran
    }

    #[track_caller]
    pub(crate) fn play(&self, words: &(impl Words + ?Sized)) -> Vec<GameRecord> {
        self.master(&[&["play"], &words.words()[..], &["--json"]].concat()).exits_with(0).records()
    }

    /// Makes an agent's folder with one of our programs, as this file.
    pub(crate) fn agent(&self, name: &str, program: Program, file: &str) {
        self.copy(program.path(), &format!("{name}/{file}"));
    }

    /// Makes an agent that is a script, with one of our programs beside it as `engine`.
    pub(crate) fn scripted(&self, name: &str, program: Program, script: &str) {
        self.agent(name, program, "engine");
        self.script(name, script);
    }

    pub(crate) fn script(&self, name: &str, script: &str) {
        self.write_program(&format!("{name}/run.sh"), &format!("#!/bin/sh\n{script}\n"));
    }

    /// Writes league.json: a league like checkers, with these fields instead of its own.
    pub(crate) fn league(&self, fields: &Value) {
        let mut league = serde_json::to_value(League::named("checkers")).expect("a league");
        let fields = fields.as_object().expect("fields").clone();
        league.as_object_mut().expect("a league").extend(fields);
        self.write("league.json", league.to_string());
    }

    /// Makes a class folder, and a course with `moves` moves and no games.
    pub(crate) fn class(moves: usize) -> Dir {
        // Builds the opponent, if necessary, before anything is timed.
        Program::Reference.path();
        let dir = Dir::new();
        dir.make_dir("class");
        dir.course(&json!({ "moves": { "count": moves, "seconds": 9 } }));
        dir
    }

    /// Writes course.json: a course of one move, with these fields instead of its own.
    pub(crate) fn course(&self, fields: &Value) {
        let mut course = json!({ "name": "short", "moves": { "count": 1, "seconds": 9 }, "games": [] });
        course.as_object_mut().expect("a course").extend(fields.as_object().expect("fields").clone());
        self.write("course.json", course.to_string());
    }

    /// Grades the class in the folder `class` by course.json.
    pub(crate) fn grade(&self, words: &str) -> Ran {
        self.master(&grade(words))
    }

    /// Hands in agents that always answer the same.
    pub(crate) fn hand_in(&self, names: &[&str]) {
        names.iter().for_each(|name| self.write(&format!("class/{name}/run.sh"), ANSWER));
    }

    /// Rows of book.csv below its header.
    pub(crate) fn book(&self) -> Vec<Vec<String>> {
        let book = self.text("book.csv");
        book.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }
}

/// Words that grade the class in the folder `class` by course.json.
pub(crate) fn grade(words: &str) -> String {
    format!("grade class --class --course course.json --any-tier {words}")
}

pub(crate) fn send(signal: Signal, child: &Child) {
    kill(Pid::from_raw(child.id().cast_signed()), signal).expect("a running program");
}

impl Ran {
    /// Records of games, one a line of standard output.
    #[track_caller]
    pub(crate) fn records(&self) -> Vec<GameRecord> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
    }
}

/// The fault that ended a game.
#[track_caller]
pub(crate) fn fault(record: &GameRecord) -> &Fault {
    let EndReason::Fault(fault) = &record.verdict.reason else { panic!("{}: {record:#?}", record.verdict) };
    fault
}

/// Output of a command line on a terminal; `None` if there is no pseudo-terminal here.
pub(crate) fn on_a_terminal(dir: &Dir, line: &str, environment: &[(&str, &str)]) -> Option<String> {
    let script = |line: &str| {
        let mut command = Command::new("script");
        command.args(["--quiet", "--return", "--command", line, "/dev/null"]);
        command
    };
    if !script("test -t 1").output().is_ok_and(|output| output.status.success()) {
        skipped(line, "`script` makes no pseudo-terminal here");
        return None;
    }
    let environment = environment.iter().copied();
    let ran = dir.run_command(script(line).env("MASTER", Program::Master.path()).envs(environment));
    Some(ran.exits_with(0).stdout.clone())
}

/// Asserts that a text contains each of these parts.
#[track_caller]
pub(crate) fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

/// Records a figure of the referee, which the test with this name measures.
pub(crate) fn figure(test: &str, name: impl Into<String>, measured: impl Into<String>, target: &str, is_met: bool) {
    let command = format!("cargo test --release -p kingline-master --all-features -- --ignored {test} --nocapture");
    let figure = Figure::new(name, measured).against(target, is_met);
    super::figures::record(Topic::Referee, &command, figure);
}
