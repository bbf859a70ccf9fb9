//! Student submissions: recognized, built and graded as a class, or refused with a helpful reason.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::archives::{tar_gz, zip};
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

fn java() -> Files {
    vec![("homework.java", honest("java/Homework.java")), ("Moves.java", honest("java/Moves.java"))]
}

pub(super) fn c() -> Files {
    vec![("homework.c", honest("c/plain.c")), ("moves.h", honest("c/moves.h"))]
}

fn cpp(name: &'static str) -> Files {
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
fn thirty_submissions_are_recognized_built_or_refused() {
    let class = class(1);
    let public = String::from_utf8(honest("java/Homework.java"))
        .expect("text")
        .replace("class Homework", "public class Homework");
    let packaged = format!("package a.b;\n{}", public.replace("Moves.answer();", "System.out.println(1);"));
    let java_public = with(vec![("Moves.java", honest("java/Moves.java"))], "homework.java", &public);
    let make = "homework: homework.c\n\tgcc -o homework homework.c -lm\n";
    let broken_cpp = "int main() { return nothing; }\n";
    let right = "1 of 1";
    // Name, form, files, required program, and expected result.
    let all: Vec<(&str, As, Files, &str, &str)> = vec![
        ("py-folder", As::Folder, python(), "python3", right),
        ("py-zip", As::Zip, python(), "python3", right),
        ("py-zipped-folder", As::ZippedFolder("py"), python(), "python3", right),
        ("py-tar", As::TarGz, python(), "python3", right),
        (
            "py3",
            As::Folder,
            vec![("homework3.py", honest("python/plain.py")), ("moves.py", honest("python/moves.py"))],
            "python3",
            right,
        ),
        ("py-mac", As::Zip, with(python(), "__MACOSX/._homework.py", "x"), "python3", right),
        ("py2", As::Folder, text("homework2.py", "print 1\n"), "python2", "0 of 1"),
        ("py-silent", As::Zip, text("homework.py", "pass\n"), "python3", "0 of 1"),
        ("java-folder", As::Folder, java(), "javac", right),
        ("java-tar", As::TarGz, java(), "javac", right),
        ("java-public", As::Zip, java_public, "javac", right),
        ("java-package", As::Folder, text("homework.java", &packaged), "javac", "0 of 1"),
        ("java-no-main", As::Zip, text("homework.java", "class A {}\n"), "javac", "no class with the method `main`"),
        (
            "java-wrong",
            As::Folder,
            text("homework.java", "class A { public static void main(String[] a) { int } }"),
            "javac",
            "cannot be built",
        ),
        ("c-zip", As::Zip, c(), "gcc", right),
        ("c-make", As::Folder, with(c(), "Makefile", make), "make", right),
        ("c-make-nothing", As::Folder, text("Makefile", "all:\n\ttrue\n"), "make", "`make` built no program"),
        ("c-make-wrong", As::Zip, with(c(), "Makefile", "homework:\n\tfalse\n"), "make", "cannot be built"),
        ("cpp-folder", As::Folder, cpp("homework.cpp"), "g++", right),
        ("cpp11-tar", As::TarGz, cpp("homework11.cpp"), "g++", right),
        ("cpp-wrong", As::Zip, text("homework.cpp", broken_cpp), "g++", "homework.cpp:1:"),
        ("js-folder", As::Folder, vec![("homework.js", honest("node/plain.js"))], "node", right),
        ("shell", As::Folder, text("run.sh", "printf 'E c3 b4\\n' > output.txt\n"), "sh", " of 1"),
        (
            "two",
            As::Zip,
            with(text("homework.py", ""), "homework.java", ""),
            "sh",
            "homework.py, homework.java are all programs",
        ),
        (
            "deep",
            As::Folder,
            with(text("notes.txt", ""), "mine/homework.py", ""),
            "sh",
            "mine/homework.py, one folder too deep",
        ),
        (
            "wrapped",
            As::ZippedFolder("a"),
            vec![
                ("HW2/submission_9/homework.py", b"pass".to_vec()),
                ("HW2/submission_10/homework.py", honest("python/plain.py")),
                ("HW2/submission_10/moves.py", honest("python/moves.py")),
            ],
            "python3",
            right,
        ),
        ("empty", As::Folder, Files::new(), "sh", "an empty folder"),
        ("empty-zip", As::Zip, Files::new(), "sh", "empty"),
        (
            "misnamed",
            As::Folder,
            vec![("Homework (1).c.txt", honest("c/plain.c")), ("moves.h", honest("c/moves.h"))],
            "gcc",
            right,
        ),
        ("text", As::Zip, text("report.txt", "my agent"), "sh", "no program, expected homework or run.sh"),
    ];
    assert_eq!(all.len(), 30);
    for (name, comes, files, _, _) in &all {
        comes.write(&class, name, files);
    }
    let ran = grade(&class, &["--csv", "book.csv", "--report", "reports", "--seed", "3"]);
    let is_missing = |program: &str| lacks(program);
    for (name, _, _, program, expected) in &all {
        let line = ran.stdout.lines().find(|line| line.split_whitespace().next().is_some_and(|first| first == *name));
        let line = line.unwrap_or_else(|| panic!("no line of {name}: {ran:?}"));
        if is_missing(program) {
            skipped(&format!("master::submissions, {name}"), &format!("there is no {program}"));
            assert!(line.contains(&format!("needs {program}")) || line.contains("which this machine lacks"), "{line}");
        } else {
            assert!(line.contains(expected), "{name}: expected {expected:?}: {line}\n{}", ran.stderr);
        }
    }
    let missing = all.iter().any(|(_, _, _, program, _)| is_missing(program));
    ran.exits_with(i32::from(missing));
    assert_eq!(class.read("book.csv").expect("a gradebook").lines().count(), 31);
    let summary = class.read("reports/grade.md").expect("a summary");
    assert!(summary.starts_with("# short: 30 submissions, out of 1 points\n"), "{summary}");
    assert_eq!(fs::read_dir(class.path("reports/pages")).expect("pages").count(), 30);
}

/// The gradebook's columns that depend neither on a clock nor on the machine: name, points and state.
fn points(class: &Dir) -> Vec<String> {
    let book = class.read("book.csv").expect("a gradebook");
    let kept = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        format!("{:?} {:?} {:?}", &fields[..5], fields[6], &fields[8..])
    };
    book.lines().map(kept).collect()
}

fn kill_in_the_middle(class: &Dir, arguments: &[&str], answers: usize) {
    let mut command = Command::new(Program::Master.path());
    command.args(["grade", "class", "--class", "--any-tier"]).args(arguments).current_dir(class.path(""));
    let mut child = class.spawn(&mut command);
    let start = Instant::now();
    let kept =
        || class.read("class.grades").unwrap_or_default().lines().filter(|line| line.contains("\"answer\"")).count();
    while kept() < answers {
        assert!(start.elapsed() < Duration::from_secs(300), "no answers are kept");
        assert!(child.try_wait().expect("a child").is_none(), "the program has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("a child to kill");
    child.wait().expect("a child");
}

/// Adds `count` submissions of four kinds to a class.
fn mixed(class: &Dir, count: usize) {
    for number in 0..count {
        let files = match number % 4 {
            0 => text("homework.py", "open('output.txt', 'w').write('E c3 b4\\n')\n"),
            1 => text("run.sh", "printf 'E c3 b4\\n' > output.txt\n"),
            // This agent uses no time that counts, so that no drawn game is decided by chance.
            2 => c(),
            _ => text("homework.cpp", "int main() {}\n"),
        };
        As::Zip.write(class, &format!("student-{number:02}"), &files);
    }
}

#[test]
fn a_killed_class_continues_to_the_same_gradebook() {
    if ["python3", "gcc", "g++"].into_iter().any(lacks) {
        return skipped("master::submissions::a_killed_class", "there is no python3, no gcc or no g++");
    }
    let arguments = ["--csv", "book.csv", "--seed", "5", "--store", "class.grades"];
    let [whole, killed] = [(); 2].map(|()| {
        let class = class(6);
        mixed(&class, 6);
        class
    });
    grade(&whole, &arguments).exits_with(0);
    kill_in_the_middle(&killed, &[&["--course", "course.json"], &arguments[..]].concat(), 9);
    let ran = grade(&killed, &arguments);
    ran.exits_with(0);
    let going_on =
        ran.stderr.lines().find(|line| line.contains("moves and games are done")).expect("how many are done");
    let known: usize = going_on.split(' ').nth(2).and_then(|known| known.parse().ok()).expect("a number");
    assert!((9..36).contains(&known), "{going_on}");
    assert_eq!(points(&killed), points(&whole));
    // A second run has nothing left to do; other terms make another exam.
    assert!(grade(&killed, &arguments).exits_with(0).stderr.contains("36 of 36"));
    killed.write("course.json", "{\"moves\": {\"count\": 2}, \"games\": []}");
    grade(&killed, &arguments).exits_with(2).stderr_contains(&["class.grades", "an exam on other terms"]);
}

#[test]
#[ignore = "takes minutes"]
fn a_killed_class_of_twenty_has_the_same_gradebook() {
    let quick = root().join("samples/courses/quick.json");
    let quick = quick.to_str().expect("a path");
    let arguments = ["--course", quick, "--csv", "book.csv", "--seed", "5", "--store", "class.grades"];
    let [whole, killed] = [(); 2].map(|()| {
        let class = class(1);
        mixed(&class, 20);
        class
    });
    let run = |class: &Dir| {
        let mut command = Command::new(Program::Master.path());
        command.args(["grade", "class", "--class", "--any-tier"]).args(arguments).current_dir(class.path(""));
        let status = command.status().expect("master");
        assert_eq!(status.code(), Some(0));
    };
    run(&whole);
    kill_in_the_middle(&killed, &arguments, 140);
    run(&killed);
    assert_eq!(points(&killed), points(&whole));
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
    let ran = class.run_with_input(Program::Master, &["grade", "class", "--course", "course.json"], "");
    ran.exits_with(2).stderr_contains(&["one/run.sh, one folder too deep"]);
    grade(&class, &[]).exits_with(0);
    As::Folder.write(&class, "other", &text("run.sh", "exit 0\n"));
    let ran = class.run_with_input(Program::Master, &["grade", "class", "--course", "course.json", "--any-tier"], "");
    assert!(ran.exits_with(0).stdout.contains("other"));
    class.write("book.csv", "mine");
    grade(&class, &["--csv", "book.csv"]).exits_with(2).stderr_contains(&["book.csv"]);
    class.write("course.json", "{\"games\": [{\"seconds\": 1}]}");
    grade(&class, &[]).exits_with(2).stderr_contains(&["course.json", "missing field `side`"]);
}
