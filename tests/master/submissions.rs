//! Student submissions: recognized, built and graded as a class, or refused with a helpful reason.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::archives::{tar_bz2, tar_gz, tar_xz, zip};
use crate::support::command::{Dir, Ran};
use crate::support::programs::{Program, root};
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
    class.run_with_input(Program::Master, &arguments, "")
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
    let all: Value = serde_json::from_str(&ran.stdout).expect("grades");
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
    let ran = class.run_with_input(Program::Master, &arguments, "");
    assert!(ran.exits_with(0).stdout.contains("in-c"), "{ran:?}");
    As::Folder.write(&class, "wrong", &text("homework.c", "int main( {}\n"));
    class
        .run_with_input(Program::Master, &arguments, "")
        .exits_with(2)
        .stderr_contains(&["cannot be built", "--skip-broken"]);
    let ran = class.run_with_input(Program::Master, &["play", "class/python.zip", "class/in-c", "--time", "9"], "");
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
        class.run_with_input(Program::Master, &["check", &format!("class/{name}.zip")], "").exits_with(0);
    }
}

#[test]
fn an_ambiguous_folder_needs_class() {
    let class = class(1);
    As::Folder.write(&class, "one", &text("run.sh", "exit 0\n"));
    class.write("class/notes.txt", "");
    let arguments = ["grade", "class", "--course", "course.json", "--any-tier"];
    // One submission, with notes beside the folder of its program.
    let ran = class.run_with_input(Program::Master, &arguments, "");
    assert!(!class.path("class.grades").exists(), "{:?}", ran.exits_with(0));
    grade(&class, &[]).exits_with(0);
    As::Folder.write(&class, "other", &text("run.sh", "exit 0\n"));
    let ran = class.run_with_input(Program::Master, &arguments, "");
    assert!(ran.exits_with(0).stdout.contains("other"));
    class.write("book.csv", "mine");
    grade(&class, &["--csv", "book.csv"]).exits_with(2).stderr_contains(&["book.csv"]);
    class.write("course.json", "{\"games\": [{\"seconds\": 1}]}");
    grade(&class, &[]).exits_with(2).stderr_contains(&["course.json", "missing field `side`"]);
}
