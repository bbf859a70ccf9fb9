//! Student submissions: recognized, built and graded as a class, or refused with a helpful reason.

use std::fs;

use crate::support::archives::zip;
use crate::support::command::copy_folder;
use crate::support::referee::*;
use crate::support::submissions::*;

#[test]
fn a_hundred_kinds_of_broken_submissions_do_not_end_a_class() {
    let class = Dir::class(1);
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
    let entries = class.names_in("class").len();
    assert!(entries >= 100, "{entries}");
    let ran = class.grade("--json --jobs 2");
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
    let all: Value = ran.json();
    let (graded, refused) = (list(&all["grades"]), list(&all["not_graded"]));
    assert_eq!(graded.len() + refused.len(), entries);
    assert!(graded.iter().all(|grade| grade["points"] == 0 && grade["failed"].is_null()), "{}", ran.stderr);
    assert!(refused.iter().all(|refused| refused["why"].as_str().is_some_and(|why| why.len() > 9)));
    assert!(!ran.stderr.contains(['\u{202e}', '\u{1b}']), "{}", ran.stderr);
}

#[test]
fn tournaments_and_games_take_submissions() {
    if is_skipped("master::submissions::tournaments_and_games", &["python3", "gcc"]) {
        return;
    }
    let class = Dir::class(1);
    As::Zip.write(&class, "python", &python());
    As::Folder.write(&class, "in-c", &c());
    let tournament = "tournament class --time 20 --any-tier";
    class.master(tournament).exits_with(0).stdout_contains(&["in-c"]);
    class.write("class/wrong/homework.c", "int main( {}\n");
    class.refuses(tournament, &["cannot be built", "--skip-broken"]);
    class.master("play class/python.zip class/in-c --time 9").exits_with(0);
}

#[test]
fn correct_agents_as_source_pass_every_step() {
    for (name, program, files) in [("python", "python3", python()), ("java", "javac", java())] {
        if !is_skipped("master::submissions::correct_agents_as_source", &[program]) {
            let class = Dir::class(1);
            As::Zip.write(&class, name, &files);
            class.master(&format!("check class/{name}.zip")).exits_with(0);
        }
    }
}

#[test]
fn an_ambiguous_folder_needs_class() {
    let class = Dir::class(1);
    class.write("class/one/run.sh", "exit 0\n");
    class.write("class/notes.txt", "");
    let folder = "grade class --course course.json --any-tier";
    // One submission, with notes beside the folder of its program.
    let ran = class.master(folder);
    assert!(!class.path("class.grades").exists(), "{:?}", ran.exits_with(0));
    class.grade("").exits_with(0);
    class.write("class/other/run.sh", "exit 0\n");
    class.master(folder).exits_with(0).stdout_contains(&["other"]);
    class.write("book.csv", "mine");
    class.refuses(&grade("--csv book.csv"), &["book.csv"]);
    class.write("course.json", "{\"games\": [{\"seconds\": 1}]}");
    class.refuses(&grade(""), &["course.json", "missing field `side`"]);
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
        (
            "linked",
            "g++",
            with(text("homework.cpp", "int go();\nint main() { return go(); }\n"), "b.cpp", "int go() { return 0; }\n"),
            "undefined reference to `go()'; not compiled: b.cpp; help: hand in a Makefile",
        ),
        ("js", "node", text("homework.js", "let a = 1;\nlet = ;\n"), "homework.js, line 2: SyntaxError: "),
    ] {
        if is_skipped("master::submissions::syntax_errors", &[program]) {
            continue;
        }
        let class = Dir::class(1);
        class.write("class/a/run.sh", "exit 0");
        class.write("class/b/run.sh", "exit 1");
        As::Folder.write(&class, name, &files);
        let script = class.path(&format!("class/{name}/homework"));
        if script.exists() {
            fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
        }
        let told = format!("{name}: it cannot be built: {error}");
        let tournament = "tournament class --time 2 --any-tier";
        class.refuses(tournament, &[&told, "help: leave them out with --skip-broken"]);
        let ran = class.master(&format!("{tournament} --skip-broken"));
        ran.exits_with(0).stderr_contains(&["left out: ", &told, "2 agents, "]);
        assert!(!ran.stdout.contains(name), "{ran:?}");
        class.refuses(&format!("play class/a class/{name} --time 2"), &[error]);
    }
}

/// Makes a jar with the class `ucb.util.Greeting`; false if this machine cannot.
fn make_jar(class: &Dir) -> bool {
    if is_skipped("master::submissions, jars", &["javac", "jar"]) {
        return false;
    }
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
    let class = Dir::class(1);
    if !make_jar(&class) {
        return;
    }
    copy_folder(&root().join("tests/data/java-package"), &class.path("class/ada"));
    class.copy(Program::Loa.path(), "class/ada/proj3/engine");
    class.write("class/ben/run.sh", "exit 3\n");
    let play = |league: &str| format!("play class/ada class/ben --opening 0 --json --league {league}");
    let missing = "imported, but not found: ucb.util (loa/Main.java:3); help: --class-path FILE.jar";
    let ran = class.refuses(&play("loa"), &[missing]);
    assert!(ran.stderr.lines().count() == 1, "{}", ran.stderr);
    for (jar, error) in
        [("no.jar", "cannot read "), ("ucb", "ucb is a folder"), ("course.json", "course.json is no jar")]
    {
        class.refuses(&play(&format!("loa --class-path {jar}")), &["--class-path: ", error]);
    }
    let mut league = serde_json::to_value(kingline_master::league::League::named("loa")).expect("a league");
    for (file, jar) in [("league", "../ucb.jar"), ("no-jar", "ucb.jar")] {
        league["class_path"] = json!([jar]);
        class.write(&format!("terms/{file}.json"), league.to_string());
    }
    class.refuses(&play("terms/no-jar.json"), &["class_path: cannot read ", "terms/ucb.jar"]);
    for league in ["loa --class-path ucb.jar:ucb.jar", "terms/league.json"] {
        let record: GameRecord = class.master(&play(league)).exits_with(0).json();
        assert_eq!(record.names[0], "ada");
        // It has moved; then its opponent ended.
        assert!(record.verdict.to_string().contains("White in turn 2: crashed"), "{}", record.verdict);
    }
}

#[test]
fn a_course_has_jars_for_its_submissions() {
    let class = Dir::class(1);
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
    class.grade("--seed 3").exits_with(0).stdout_contains(&["cannot be built"]);
    let jar = "--seed 3 --store with.grades --class-path ucb.jar";
    class.grade(jar).exits_with(0).stdout_contains(&["1 of 1"]);
    class.course(&json!({ "class_path": ["ucb.jar"] }));
    class.grade("--seed 3 --store again.grades").exits_with(0).stdout_contains(&["1 of 1"]);
}
