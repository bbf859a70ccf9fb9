//! Student submissions: recognized, built and graded as a class, or refused with a helpful reason.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::archives::{tar_bz2, tar_gz, tar_xz, zip};
use crate::support::command::{Dir, Ran};
use crate::support::programs::{Program, root};
use crate::support::referee::ANSWER;
use crate::support::skipped::skipped;

/// Content of a file in tests/honest.
pub(super) fn honest(path: &str) -> Vec<u8> {
    let path = root().join("tests/honest").join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files of a submission: names and contents.
pub(super) type Files = Vec<(&'static str, Vec<u8>)>;

pub(super) fn python() -> Files {
    vec![("homework.py", honest("python/plain.py")), ("moves.py", honest("python/moves.py"))]
}

pub(super) fn java() -> Files {
    vec![("homework.java", honest("java/Homework.java")), ("Moves.java", honest("java/Moves.java"))]
}

pub(super) fn c() -> Files {
    vec![("homework.c", honest("c/plain.c")), ("moves.h", honest("c/moves.h"))]
}

pub(super) fn cpp(name: &'static str) -> Files {
    vec![(name, honest("c/threads.cpp")), ("moves.h", honest("c/moves.h"))]
}

pub(super) fn text(name: &'static str, content: &str) -> Files {
    vec![(name, content.as_bytes().to_vec())]
}

pub(super) fn with(mut files: Files, name: &'static str, content: &str) -> Files {
    files.push((name, content.as_bytes().to_vec()));
    files
}

/// Form of a submission.
#[derive(Clone, Copy)]
pub(super) enum As {
    Folder,
    Zip,
    /// All files in a folder of this name.
    ZippedFolder(&'static str),
    TarGz,
    TarXz,
    TarBz2,
    /// A zip that contains only a zip of them.
    ZippedTwice,
}

impl As {
    pub(super) fn write(self, class: &Dir, name: &str, files: &Files) {
        let borrowed: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (*name, &content[..])).collect();
        match self {
            As::Folder => {
                class.make_dir(&format!("class/{name}"));
                for (file, content) in borrowed {
                    if let Some((folder, _)) = file.rsplit_once('/') {
                        fs::create_dir_all(class.path(&format!("class/{name}/{folder}"))).expect("a folder");
                    }
                    class.write(&format!("class/{name}/{file}"), content);
                }
            }
            As::Zip => class.write(&format!("class/{name}.zip"), zip(&borrowed)),
            As::TarGz => class.write(&format!("class/{name}.tar.gz"), tar_gz(&borrowed)),
            As::TarXz => class.write(&format!("class/{name}.tar.xz"), tar_xz(&borrowed)),
            As::TarBz2 => class.write(&format!("class/{name}.tar.bz2"), tar_bz2(&borrowed)),
            As::ZippedTwice => class.write(&format!("class/{name}.zip"), zip(&[("hw2.zip", &zip(&borrowed))])),
            As::ZippedFolder(folder) => {
                let names: Vec<String> = borrowed.iter().map(|(file, _)| format!("{folder}/{file}")).collect();
                let inside: Vec<(&str, &[u8])> =
                    names.iter().zip(&borrowed).map(|(name, (_, content))| (&**name, *content)).collect();
                class.write(&format!("class/{name}.zip"), zip(&inside));
            }
        }
    }
}

/// A class folder, and a course with `moves` moves and no games.
pub(super) fn class(moves: usize) -> Dir {
    // Builds the opponent, if necessary, before anything is timed.
    Program::Reference.path();
    let class = Dir::new();
    class.make_dir("class");
    class.write(
        "course.json",
        format!("{{\"name\": \"short\", \"moves\": {{\"count\": {moves}, \"seconds\": 9}}, \"games\": []}}"),
    );
    class
}

pub(super) fn grade(class: &Dir, more: &[&str]) -> Ran {
    let arguments = [&["grade", "class", "--class", "--course", "course.json", "--any-tier"], more].concat();
    class.master(&arguments)
}

/// Hands in agents that always answer the same.
pub(super) fn hand_in(class: &Dir, names: &[&str]) {
    names.iter().for_each(|name| As::Folder.write(class, name, &text("run.sh", ANSWER)));
}

/// True if this machine lacks a program that only some languages need.
pub(super) fn lacks(program: &str) -> bool {
    !["/usr/local/bin", "/usr/bin", "/bin"].iter().any(|folder| Path::new(folder).join(program).exists())
}

#[test]
fn a_hundred_kinds_of_broken_submissions_do_not_end_a_class() {
    let class = class(1);
    let mut names = 0;
    let mut hand_in = |comes: As, files: &Files| {
        names += 1;
        comes.write(&class, &format!("broken-{names:03}"), files);
    };
    let contents: [&str; 10] = [
        "",
        "\0\0\0\0",
        "\u{feff}",
        "#!/no/such/interpreter\n",
        "#!/bin/sh\r\nexit 0\r\n",
        "syntax error ((((\n",
        "import sys; sys.exit(3)\n",
        "while True: pass\n",
        "\u{202e}x\n",
        "class {",
    ];
    let files =
        ["homework.cpp", "homework.java", "homework.c", "Makefile", "homework.rs", "homework", "run.sh", "Cargo.toml"];
    for file in files {
        for content in contents {
            hand_in(As::Zip, &text(file, content));
        }
    }
    for (number, content) in contents.into_iter().enumerate() {
        let file = ["homework.py", "homework.js"][number % 2];
        if content != contents[7] {
            hand_in(As::TarGz, &text(file, content));
        }
        // Truncated archives.
        let whole = zip(&[("homework.py", content.as_bytes())]);
        class.write(&format!("class/cut-{number}.zip"), &whole[..whole.len() * number / 10]);
    }
    class.write("class/noise.tar.gz", (0..4096u32).map(|byte| ((byte * 7919) >> 3) as u8).collect::<Vec<_>>());
    let entries = fs::read_dir(class.path("class")).expect("a class").count();
    assert!(entries >= 100, "{entries}");
    let ran = grade(&class, &["--json", "--jobs", "2"]);
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
    let all: Value = ran.json();
    let listed = |name: &str| all[name].as_array().expect("a list").clone();
    assert_eq!(listed("grades").len() + listed("not_graded").len(), entries);
    assert!(listed("grades").iter().all(|grade| grade["points"] == 0 && grade["failed"].is_null()), "{}", ran.stderr);
    assert!(listed("not_graded").iter().all(|refused| refused["why"].as_str().is_some_and(|why| why.len() > 9)));
    assert!(!ran.stderr.contains(['\u{202e}', '\u{1b}']), "{}", ran.stderr);
}

#[test]
fn tournaments_and_games_take_submissions() {
    if lacks("python3") || lacks("gcc") {
        return skipped("master::submissions::tournaments_and_games", "there is no python3 or no gcc");
    }
    let class = class(1);
    As::Zip.write(&class, "python", &python());
    As::Folder.write(&class, "in-c", &c());
    let arguments = ["tournament", "class", "--time", "20", "--any-tier"];
    let ran = class.master(&arguments);
    assert!(ran.exits_with(0).stdout.contains("in-c"), "{ran:?}");
    As::Folder.write(&class, "wrong", &text("homework.c", "int main( {}\n"));
    class.master(&arguments).exits_with(2).stderr_contains(&["cannot be built", "--skip-broken"]);
    let ran = class.master(&["play", "class/python.zip", "class/in-c", "--time", "9"]);
    ran.exits_with(0);
}

#[test]
fn correct_agents_as_source_pass_every_step() {
    for (name, program, files) in [("python", "python3", python()), ("java", "javac", java())] {
        if lacks(program) {
            skipped("master::submissions::correct_agents_as_source", &format!("there is no {program}"));
            continue;
        }
        let class = class(1);
        As::Zip.write(&class, name, &files);
        class.master(&["check", &format!("class/{name}.zip")]).exits_with(0);
    }
}

#[test]
fn an_ambiguous_folder_needs_class() {
    let class = class(1);
    As::Folder.write(&class, "one", &text("run.sh", "exit 0\n"));
    class.write("class/notes.txt", "");
    let arguments = ["grade", "class", "--course", "course.json", "--any-tier"];
    // One submission, with notes beside the folder of its program.
    let ran = class.master(&arguments);
    assert!(!class.path("class.grades").exists(), "{:?}", ran.exits_with(0));
    grade(&class, &[]).exits_with(0);
    As::Folder.write(&class, "other", &text("run.sh", "exit 0\n"));
    let ran = class.master(&arguments);
    assert!(ran.exits_with(0).stdout.contains("other"));
    class.write("book.csv", "mine");
    grade(&class, &["--csv", "book.csv"]).exits_with(2).stderr_contains(&["book.csv"]);
    class.write("course.json", "{\"games\": [{\"seconds\": 1}]}");
    grade(&class, &[]).exits_with(2).stderr_contains(&["course.json", "missing field `side`"]);
}

#[test]
fn syntax_errors_are_told_before_the_first_game() {
    for (name, program, files, error) in [
        ("py-main", "python3", text("homework.py", "x = 1\ndef f(:\n"), "homework.py, line 2: SyntaxError: "),
        (
            "py-module",
            "python3",
            with(text("homework.py", "import board\n"), "board.py", "if 1:\nx\n"),
            "board.py, line 2: IndentationError: expected an indented block",
        ),
        ("py-script", "python3", text("homework", "#!/usr/bin/env python3\n'"), "homework, line 2: SyntaxError: "),
        ("js", "node", text("homework.js", "let a = 1;\nlet = ;\n"), "homework.js, line 2: SyntaxError: "),
    ] {
        if lacks(program) {
            skipped("master::submissions::syntax_errors", &format!("there is no {program}"));
            continue;
        }
        let class = class(1);
        for (name, answer) in [("a", "exit 0"), ("b", "exit 1")] {
            As::Folder.write(&class, name, &text("run.sh", answer));
        }
        As::Folder.write(&class, name, &files);
        let script = class.path(&format!("class/{name}/homework"));
        if script.exists() {
            fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
        }
        let arguments = ["tournament", "class", "--time", "2", "--any-tier"];
        let ran = class.master(&arguments);
        let told = format!("{name}: it cannot be built: {error}");
        ran.exits_with(2).stderr_contains(&[&told, "help: leave them out with --skip-broken"]);
        let ran = class.master(&[&arguments[..], &["--skip-broken"]].concat());
        ran.exits_with(0).stderr_contains(&["left out: ", &told, "2 agents, "]);
        assert!(!ran.stdout.contains(name), "{ran:?}");
        let agents = ["play", "class/a", &format!("class/{name}"), "--time", "2"];
        class.master(&agents).exits_with(2).stderr_contains(&[error]);
    }
}

/// Makes a jar with the class `ucb.util.Greeting`; false if this machine cannot.
fn make_jar(class: &Dir) -> bool {
    if lacks("javac") || lacks("jar") {
        skipped("master::submissions, jars", "there is no javac or no jar");
        return false;
    }
    fs::create_dir_all(class.path("ucb/util")).expect("folders");
    class.write(
        "ucb/util/Greeting.java",
        "package ucb.util; public class Greeting { public static String of(String name) { return name + \"!\"; } }",
    );
    let run = |command: &[&str]| {
        let done = std::process::Command::new(command[0]).args(&command[1..]).current_dir(class.path("")).status();
        assert!(done.expect(command[0]).success(), "{command:?}");
    };
    run(&["javac", "-d", "classes", "ucb/util/Greeting.java"]);
    run(&["jar", "--create", "--file", "ucb.jar", "-C", "classes", "."]);
    true
}

/// The whole project of a course with a package, its tests, scripts and a Makefile that compiles classes.
#[test]
fn a_java_package_plays_with_the_jars_of_its_course() {
    let class = class(1);
    if !make_jar(&class) {
        return;
    }
    let files = [
        ("ReadMe", ""),
        ("proj3/Makefile", "default:\n\t$(MAKE) -C loa\n"),
        ("proj3/testing/moves.in", "new\n"),
        (
            "proj3/loa/Main.java",
            "package loa;\n\nimport ucb.util.Greeting;\n\n/** Starts the game. */\npublic class Main {\n    public static void \
             main(String... args) throws Exception {\n        System.err.println(Greeting.of(\"hello\"));\n        \
             Board.play();\n    }\n}\n",
        ),
        (
            "proj3/loa/Board.java",
            "package loa;\n\nclass Board {\n    static void play() throws Exception {\n        new \
             ProcessBuilder(\"./engine\").inheritIO().start().waitFor();\n    }\n}\n",
        ),
        ("proj3/loa/BoardTest.java", "package loa;\n\nimport org.junit.Test;\n\npublic class BoardTest { Board b; }\n"),
        (
            "proj3/loa/UnitTest.java",
            "package loa;\n\nimport ucb.junit.textui;\n\npublic class UnitTest {\n    public static void main(String[] \
             ignored) {\n        textui.runClasses(BoardTest.class);\n    }\n}\n",
        ),
    ];
    As::Folder.write(&class, "ada", &files.map(|(name, text)| (name, text.as_bytes().to_vec())).to_vec());
    fs::copy(Program::Loa.path(), class.path("class/ada/proj3/engine")).expect("a copy");
    As::Folder.write(&class, "ben", &text("run.sh", "exit 3\n"));
    let play = |more: &[&str]| {
        let arguments = [&["play", "class/ada", "class/ben", "--opening", "0", "--json"], more].concat();
        class.master(&arguments)
    };
    let ran = play(&["--league", "loa"]);
    ran.exits_with(2)
        .stderr_contains(&["imported, but not found: ucb.util (loa/Main.java:3); help: --class-path FILE.jar"]);
    assert!(ran.stderr.lines().count() == 1, "{}", ran.stderr);
    for (jar, error) in
        [("no.jar", "cannot read "), ("ucb", "ucb is a folder"), ("course.json", "course.json is no jar")]
    {
        play(&["--league", "loa", "--class-path", jar]).exits_with(2).stderr_contains(&["--class-path: ", error]);
    }
    let mut league = serde_json::to_value(kingline_master::league::League::named("loa")).expect("a league");
    fs::create_dir(class.path("terms")).expect("a folder");
    league["class_path"] = serde_json::json!(["../ucb.jar"]);
    class.write("terms/league.json", league.to_string());
    league["class_path"] = serde_json::json!(["ucb.jar"]);
    class.write("terms/no-jar.json", league.to_string());
    play(&["--league", "terms/no-jar.json"])
        .exits_with(2)
        .stderr_contains(&["class_path: cannot read ", "terms/ucb.jar"]);
    for options in [&["--league", "loa", "--class-path", "ucb.jar:ucb.jar"][..], &["--league", "terms/league.json"]] {
        let ran = play(options);
        let record: kingline_master::record::GameRecord = ran.exits_with(0).json();
        assert_eq!(record.names[0], "ada");
        // It has moved; then its opponent ended.
        assert!(record.verdict.to_string().contains("White in turn 2: crashed"), "{}", record.verdict);
    }
}

#[test]
fn a_course_has_jars_for_its_submissions() {
    let class = class(1);
    if !make_jar(&class) {
        return;
    }
    let of_package = |path: &str| {
        let source = String::from_utf8(honest(path)).expect("text");
        format!("package com.usc.ai;\n{source}").replace("answer()", "answer(ucb.util.Greeting.of(\"x\"))")
    };
    let moves = of_package("java/Moves.java").replace("answer(ucb.util.Greeting.of(\"x\"))", "answer(String greeting)");
    let files = [
        ("README.md", String::new()),
        ("src/com/usc/ai/homework.java", of_package("java/Homework.java")),
        ("src/com/usc/ai/Moves.java", moves),
    ];
    As::ZippedFolder("repository-main").write(
        &class,
        "ada",
        &files.map(|(name, text)| (name, text.into_bytes())).to_vec(),
    );
    let ran = grade(&class, &["--seed", "3"]);
    assert!(ran.exits_with(0).stdout.contains("cannot be built"), "{ran:?}");
    let ran = grade(&class, &["--seed", "3", "--store", "with.grades", "--class-path", "ucb.jar"]);
    assert!(ran.exits_with(0).stdout.contains("1 of 1"), "{ran:?}");
    let course = r#"{"name": "short", "moves": {"count": 1, "seconds": 9}, "games": [], "class_path": ["ucb.jar"]}"#;
    class.write("course.json", course);
    let ran = grade(&class, &["--seed", "3", "--store", "again.grades"]);
    assert!(ran.exits_with(0).stdout.contains("1 of 1"), "{ran:?}");
}
