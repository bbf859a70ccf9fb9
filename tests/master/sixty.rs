//! A class of sixty, in five languages and more, as course systems and students pack it: every submission runs, or is
//! refused with words that say what to do.

use std::fs;

use serde_json::Value;

use crate::master::formats::{SYSTEMS, formatted, points_in};
use crate::master::submissions::{As, Files, c, class, cpp, grade, honest, java, lacks, python, text, with};
use crate::support::archives::zip;
use crate::support::command::Dir;
use crate::support::referee::ANSWER;
use crate::support::skipped::skipped;

/// A submission.
pub(super) struct HandedIn {
    pub(super) name: &'static str,
    form: As,
    files: Files,
    /// Program without which it cannot run.
    pub(super) needs: &'static str,
    /// Part of its line in the table of grades.
    expected: &'static str,
}

/// Line of an agent whose only answer is right.
const RIGHT: &str = "1 of 1";
const WRONG: &str = "0 of 1";

fn handed_in(name: &'static str, form: As, files: Files, needs: &'static str, expected: &'static str) -> HandedIn {
    HandedIn { name, form, files, needs, expected }
}

/// The files under new names, in order.
fn renamed<const N: usize>(files: Files, names: [&'static str; N]) -> Files {
    assert_eq!(files.len(), N);
    names.into_iter().zip(files).map(|(name, (_, content))| (name, content)).collect()
}

/// A program in one file.
fn python_alone(name: &'static str) -> Files {
    vec![(name, [&honest("python/moves.py")[..], b"\n\nwrite(turn(*read()))\n"].concat())]
}

/// Layouts that course systems, archivers and students make.
fn layouts() -> Vec<HandedIn> {
    let resubmitted = |count: &'static str| {
        let mut files =
            renamed(python(), ["HW2-resubmit/submission_10/homework.py", "HW2-resubmit/submission_10/moves.py"]);
        files.push(("HW2-resubmit/submission_9/homework.py", count.as_bytes().to_vec()));
        files
    };
    let inner = zip(&[("homework.c", &honest("c/plain.c")), ("moves.h", &honest("c/moves.h"))]);
    vec![
        handed_in("py-folder", As::Folder, python(), "python3", RIGHT),
        handed_in("py-zip", As::Zip, python(), "python3", RIGHT),
        handed_in("py-zipped-folder", As::ZippedFolder("py"), python(), "python3", RIGHT),
        handed_in("py-tar-gz", As::TarGz, python(), "python3", RIGHT),
        handed_in("py-tar-xz", As::TarXz, python(), "python3", RIGHT),
        handed_in("c-tar-bz2", As::TarBz2, c(), "gcc", RIGHT),
        handed_in("cpp-zip-in-zip", As::ZippedTwice, cpp("homework.cpp"), "g++", RIGHT),
        handed_in("c-zip-in-folder", As::Folder, vec![("hw2 (1).zip", inner)], "gcc", RIGHT),
        handed_in("py-resubmitted", As::Folder, resubmitted("pass"), "python3", RIGHT),
        handed_in("py-resubmitted-zip", As::ZippedFolder("class"), resubmitted("pass"), "python3", RIGHT),
        handed_in(
            "java-wrapped",
            As::Folder,
            renamed(java(), ["HW2/mine/homework.java", "HW2/mine/Moves.java"]),
            "javac",
            RIGHT,
        ),
        handed_in("py-mac", As::Zip, with(python(), "__MACOSX/._homework.py", "x"), "python3", RIGHT),
        handed_in(
            "js-windows",
            As::Folder,
            with(vec![("homework.js", honest("node/plain.js"))], "Thumbs.db", "x"),
            "node",
            RIGHT,
        ),
        handed_in(
            "deep",
            As::Folder,
            with(renamed(python(), ["mine/homework.py", "mine/moves.py"]), "notes.txt", ""),
            "python3",
            RIGHT,
        ),
        handed_in("empty", As::Folder, Files::new(), "sh", "an empty folder"),
        handed_in("empty-zip", As::Zip, Files::new(), "sh", "empty"),
        handed_in(
            "not-a-zip",
            As::Folder,
            text("hw2.rar", "Rar!\u{1a}\u{7}"),
            "sh",
            "a RAR archive, expected a zip, tar, tar.gz, tar.bz2 or tar.xz; help: pack the folder again as a zip",
        ),
        handed_in("text", As::Zip, text("report.txt", "my agent"), "sh", "no program, expected homework or run.sh"),
    ]
}

/// Names that are nearly right.
fn names() -> Vec<HandedIn> {
    vec![
        handed_in("py-copy", As::Folder, renamed(python(), ["homework (1).py", "moves.py"]), "python3", RIGHT),
        handed_in("py-txt", As::Folder, python_alone("homework.py.txt"), "python3", RIGHT),
        handed_in("py-prefix", As::Zip, python_alone("hw2_Checkers.py"), "python3", RIGHT),
        handed_in("py-alone", As::TarGz, python_alone("homework.py"), "python3", RIGHT),
        handed_in("py-checkers", As::Zip, python_alone("checkers.py"), "python3", RIGHT),
        handed_in("py-capital", As::Folder, renamed(python(), ["Homework.py", "moves.py"]), "python3", RIGHT),
        handed_in("py3", As::Folder, renamed(python(), ["homework3.py", "moves.py"]), "python3", RIGHT),
        handed_in("cpp11", As::TarGz, cpp("homework11.cpp"), "g++", RIGHT),
        handed_in("cpp-cc", As::Folder, cpp("homework.cc"), "g++", RIGHT),
        handed_in("c-misnamed", As::Folder, renamed(c(), ["Homework (1).c.txt", "moves.h"]), "gcc", RIGHT),
        handed_in("java-capital", As::Zip, renamed(java(), ["Homework.java", "Moves.java"]), "javac", RIGHT),
        handed_in(
            "py-unclear",
            As::Folder,
            with(text("agent.py", ""), "board.py", ""),
            "sh",
            "expected homework.py; found agent.py, board.py",
        ),
        handed_in(
            "two",
            As::Zip,
            with(text("homework.py", ""), "homework.java", ""),
            "sh",
            "homework.py, homework.java are all programs",
        ),
    ]
}

/// Binaries, scripts and folders beside the source.
fn companions() -> Vec<HandedIn> {
    vec![
        handed_in("py-folder-beside", As::Folder, with(python(), "homework/data.txt", "1"), "python3", RIGHT),
        handed_in(
            "cpp-stale-binary",
            As::Folder,
            with(cpp("homework.cpp"), "homework", "\u{7f}ELF stale"),
            "g++",
            RIGHT,
        ),
        handed_in("c-foreign-binary", As::Zip, with(c(), "homework", "MZ for another system"), "gcc", RIGHT),
        handed_in("c-exe", As::Zip, with(c(), "homework.exe", "MZ"), "gcc", RIGHT),
        handed_in("c-make", As::Folder, with(c(), "Makefile", MAKE), "make", RIGHT),
        handed_in("c-build-sh", As::TarXz, with(c(), "build.sh", "gcc -o homework homework.c -lm\n"), "gcc", RIGHT),
        handed_in("shell", As::Folder, text("run.sh", ANSWER), "sh", " of 1"),
        handed_in(
            "shell-crlf",
            As::Folder,
            text("run.sh", "#!/bin/sh\r\nexit 0\r\n"),
            "sh",
            "run.sh has CRLF line endings, expected LF; help: ",
        ),
        handed_in("py-venv", As::Zip, with(python(), "venv/bin/python3", "x"), "python3", RIGHT),
        handed_in("py-old-output", As::Folder, with(python(), "output.txt", "E a1 a1\n"), "python3", RIGHT),
        handed_in("py-playdata", As::Folder, with(python(), "playdata.txt", "my notes"), "python3", RIGHT),
        handed_in(
            "calibrated",
            As::Folder,
            with(python(), "calibrate.py", "open('calibration.txt', 'w').write('1')\n"),
            "python3",
            RIGHT,
        ),
        handed_in("calibrate-fails", As::Zip, with(python(), "calibrate.py", "1 / 0\n"), "python3", RIGHT),
    ]
}

const MAKE: &str = "homework: homework.c\n\tgcc -o homework homework.c -lm\n";

/// Mistakes in the programs themselves.
fn mistakes() -> Vec<HandedIn> {
    let public = String::from_utf8(honest("java/Homework.java")).expect("text");
    let public = public.replace("class Homework", "public class Homework");
    let packaged = format!("package a.b;\n{}", public.replace("Moves.answer();", "System.out.println(1);"));
    let java_public = with(vec![("Moves.java", honest("java/Moves.java"))], "homework.java", &public);
    vec![
        handed_in("py2", As::Folder, text("homework2.py", "print 1\n"), "python2", WRONG),
        handed_in("py-silent", As::Zip, text("homework.py", "pass\n"), "python3", WRONG),
        handed_in("py-traceback", As::Zip, text("homework.py", "import no_such_module\n"), "python3", WRONG),
        handed_in("py-capital-output", As::Zip, text("homework.py", "open('Output.txt', 'w')\n"), "python3", WRONG),
        handed_in(
            "py-tabs",
            As::Folder,
            text("homework.py", "if 1:\n\tx = 1\n        y = 2\n"),
            "python3",
            "line 3: TabError",
        ),
        handed_in("java-public", As::Zip, java_public, "javac", RIGHT),
        handed_in("java-folder", As::TarBz2, java(), "javac", RIGHT),
        handed_in("java-package", As::Folder, text("homework.java", &packaged), "javac", WRONG),
        handed_in(
            "java-no-main",
            As::Zip,
            text("homework.java", "class A {}\n"),
            "javac",
            "no class with the method `main`",
        ),
        handed_in(
            "java-wrong",
            As::Folder,
            text("homework.java", "class A { public static void main(String[] a) { int } }"),
            "javac",
            "cannot be built",
        ),
        handed_in("c-make-nothing", As::Folder, text("Makefile", "all:\n\ttrue\n"), "make", "`make` built no program"),
        handed_in("c-make-wrong", As::Zip, with(c(), "Makefile", "homework:\n\tfalse\n"), "make", "cannot be built"),
        handed_in(
            "cpp-wrong",
            As::Zip,
            text("homework.cpp", "int main() { return nothing; }\n"),
            "g++",
            "homework.cpp:1:",
        ),
        handed_in("c-no-header", As::Zip, text("homework.c", "#include \"board.h\"\n"), "gcc", "board.h"),
        handed_in("js-folder", As::Folder, vec![("homework.js", honest("node/plain.js"))], "node", RIGHT),
        handed_in("js-throws", As::Zip, text("homework.js", "throw new Error('no');\n"), "node", WRONG),
    ]
}

pub(super) fn sixty() -> Vec<HandedIn> {
    let all: Vec<HandedIn> = [layouts(), names(), companions(), mistakes()].into_iter().flatten().collect();
    assert_eq!(all.len(), 60);
    all
}

/// Writes the submissions into the class folder.
pub(super) fn write(class: &Dir, all: &[HandedIn]) {
    all.iter().for_each(|one| one.form.write(class, one.name, &one.files));
}

#[test]
fn sixty_submissions_run_or_are_refused_with_advice() {
    let class = class(1);
    let all = sixty();
    write(&class, &all);
    let seeded = ["--seed", "3", "--csv", "book.csv"];
    let ran = grade(&class, &[&seeded[..], &["--report", "reports"]].concat());
    for one in &all {
        let is_line = |line: &&str| line.split_whitespace().next() == Some(one.name);
        let line = ran.stdout.lines().find(is_line).unwrap_or_else(|| panic!("no line of {}: {ran:?}", one.name));
        if lacks(one.needs) {
            skipped(&format!("master::sixty, {}", one.name), &format!("there is no {}", one.needs));
            assert!(
                line.contains(&format!("needs {}", one.needs)) || line.contains("which this machine lacks"),
                "{line}"
            );
        } else {
            assert!(line.contains(one.expected), "{}: expected {:?}: {line}\n{}", one.name, one.expected, ran.stderr);
        }
        assert!(!line.contains("/tmp/"), "{line}");
        println!("{line}");
    }
    ran.exits_with(i32::from(all.iter().any(|one| lacks(one.needs))));
    let book = class.text("book.csv");
    assert_eq!(book.lines().count(), 61);
    let summary = class.text("reports/grade.md");
    assert!(summary.starts_with("# short: 60 submissions, out of 1 points\n"), "{summary}");
    assert_eq!(fs::read_dir(class.path("reports/pages")).expect("pages").count(), 60);
    // The same answers in the formats of other systems.
    for system in SYSTEMS {
        let run = formatted(&class, system, &seeded);
        assert_eq!(run.code, ran.code, "{run:?}");
        for line in class.text("book.csv").lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let result: Value = crate::master::formats::json(&class, &format!("{system}/{}.json", fields[0]));
            let points: f64 = fields[1].parse().unwrap_or(0.0);
            assert!((points_in(system, &result, 1) - points).abs() < 1e-9, "{line}: {result}");
        }
    }
}
