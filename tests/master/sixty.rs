//! A class of sixty, in five languages and more, as course systems and students pack it: every submission runs, or is
//! refused with words that say what to do.

use super::formats::{SYSTEMS, formatted, same_totals};
use crate::support::archives::zip;
use crate::support::referee::*;
use crate::support::submissions::As::{Folder, TarBz2, TarGz, TarXz, Zip, ZippedFolder, ZippedTwice};
use crate::support::submissions::*;

/// A submission: its name, form and files, a program without which it cannot run, and a part of its line in the table of
/// grades.
type HandedIn = (&'static str, As, Files, &'static str, &'static str);

/// Line of an agent whose only answer is right.
const RIGHT: &str = "1 of 1";
const WRONG: &str = "0 of 1";
const MAKE: &str = "homework: homework.c\n\tgcc -o homework homework.c -lm\n";

/// The files under new names, in order.
fn renamed<const N: usize>(files: Files, names: [&'static str; N]) -> Files {
    assert_eq!(files.len(), N);
    names.into_iter().zip(files).map(|(name, (_, content))| (name, content)).collect()
}

/// A program in one file.
fn alone(name: &'static str) -> Files {
    vec![(name, [&honest("python/moves.py")[..], b"\n\nwrite(turn(*read()))\n"].concat())]
}

fn cpp(name: &'static str) -> Files {
    vec![(name, honest("c/threads.cpp")), ("moves.h", honest("c/moves.h"))]
}

fn node() -> Files {
    vec![("homework.js", honest("node/plain.js"))]
}

/// Layouts that course systems, archivers and students make.
fn layouts() -> Vec<HandedIn> {
    let resubmitted = || {
        let names = ["HW2-resubmit/submission_10/homework.py", "HW2-resubmit/submission_10/moves.py"];
        with(renamed(python(), names), "HW2-resubmit/submission_9/homework.py", "pass")
    };
    let inner = vec![("hw2 (1).zip", zip(&[("homework.c", &honest("c/plain.c")), ("moves.h", &honest("c/moves.h"))]))];
    let wrapped = renamed(java(), ["HW2/mine/homework.java", "HW2/mine/Moves.java"]);
    let deep = with(renamed(python(), ["mine/homework.py", "mine/moves.py"]), "notes.txt", "");
    let rar = "a RAR archive, expected a zip, tar, tar.gz, tar.bz2 or tar.xz; help: pack the folder again as a zip";
    vec![
        ("py-folder", Folder, python(), "python3", RIGHT),
        ("py-zip", Zip, python(), "python3", RIGHT),
        ("py-zipped-folder", ZippedFolder("py"), python(), "python3", RIGHT),
        ("py-tar-gz", TarGz, python(), "python3", RIGHT),
        ("py-tar-xz", TarXz, python(), "python3", RIGHT),
        ("c-tar-bz2", TarBz2, c(), "gcc", RIGHT),
        ("cpp-zip-in-zip", ZippedTwice, cpp("homework.cpp"), "g++", RIGHT),
        ("c-zip-in-folder", Folder, inner, "gcc", RIGHT),
        ("py-resubmitted", Folder, resubmitted(), "python3", RIGHT),
        ("py-resubmitted-zip", ZippedFolder("class"), resubmitted(), "python3", RIGHT),
        ("java-wrapped", Folder, wrapped, "javac", RIGHT),
        ("py-mac", Zip, with(python(), "__MACOSX/._homework.py", "x"), "python3", RIGHT),
        ("js-windows", Folder, with(node(), "Thumbs.db", "x"), "node", RIGHT),
        ("deep", Folder, deep, "python3", RIGHT),
        ("empty", Folder, Files::new(), "sh", "an empty folder"),
        ("empty-zip", Zip, Files::new(), "sh", "empty"),
        ("not-a-zip", Folder, text("hw2.rar", "Rar!\u{1a}\u{7}"), "sh", rar),
        ("text", Zip, text("report.txt", "my agent"), "sh", "no program, expected homework or run.sh"),
    ]
}

/// Names that are nearly right.
fn names() -> Vec<HandedIn> {
    let unclear = with(text("agent.py", ""), "board.py", "");
    let two = with(text("homework.py", ""), "homework.java", "");
    vec![
        ("py-copy", Folder, renamed(python(), ["homework (1).py", "moves.py"]), "python3", RIGHT),
        ("py-txt", Folder, alone("homework.py.txt"), "python3", RIGHT),
        ("py-prefix", Zip, alone("hw2_Checkers.py"), "python3", RIGHT),
        ("py-alone", TarGz, alone("homework.py"), "python3", RIGHT),
        ("py-checkers", Zip, alone("checkers.py"), "python3", RIGHT),
        ("py-capital", Folder, renamed(python(), ["Homework.py", "moves.py"]), "python3", RIGHT),
        ("py3", Folder, renamed(python(), ["homework3.py", "moves.py"]), "python3", RIGHT),
        ("cpp11", TarGz, cpp("homework11.cpp"), "g++", RIGHT),
        ("cpp-cc", Folder, cpp("homework.cc"), "g++", RIGHT),
        ("c-misnamed", Folder, renamed(c(), ["Homework (1).c.txt", "moves.h"]), "gcc", RIGHT),
        ("java-capital", Zip, renamed(java(), ["Homework.java", "Moves.java"]), "javac", RIGHT),
        ("py-unclear", Folder, unclear, "sh", "expected homework.py; found agent.py, board.py"),
        ("two", Zip, two, "sh", "homework.py, homework.java are all programs"),
    ]
}

/// Binaries, scripts and folders beside the source.
fn companions() -> Vec<HandedIn> {
    let crlf = text("run.sh", "#!/bin/sh\r\nexit 0\r\n");
    let calibrated = with(python(), "calibrate.py", "open('calibration.txt', 'w').write('1')\n");
    vec![
        ("py-folder-beside", Folder, with(python(), "homework/data.txt", "1"), "python3", RIGHT),
        ("cpp-stale-binary", Folder, with(cpp("homework.cpp"), "homework", "\u{7f}ELF stale"), "g++", RIGHT),
        ("c-foreign-binary", Zip, with(c(), "homework", "MZ for another system"), "gcc", RIGHT),
        ("c-exe", Zip, with(c(), "homework.exe", "MZ"), "gcc", RIGHT),
        ("c-make", Folder, with(c(), "Makefile", MAKE), "make", RIGHT),
        ("c-build-sh", TarXz, with(c(), "build.sh", "gcc -o homework homework.c -lm\n"), "gcc", RIGHT),
        ("shell", Folder, text("run.sh", ANSWER), "sh", " of 1"),
        ("shell-crlf", Folder, crlf, "sh", "run.sh has CRLF line endings, expected LF; help: "),
        ("py-venv", Zip, with(python(), "venv/bin/python3", "x"), "python3", RIGHT),
        ("py-old-output", Folder, with(python(), "output.txt", "E a1 a1\n"), "python3", RIGHT),
        ("py-playdata", Folder, with(python(), "playdata.txt", "my notes"), "python3", RIGHT),
        ("calibrated", Folder, calibrated, "python3", RIGHT),
        ("calibrate-fails", Zip, with(python(), "calibrate.py", "1 / 0\n"), "python3", RIGHT),
    ]
}

/// Mistakes in the programs themselves.
fn mistakes() -> Vec<HandedIn> {
    let public = String::from_utf8(honest("java/Homework.java")).expect("text");
    let public = public.replace("class Homework", "public class Homework");
    let packaged = format!("package a.b;\n{}", public.replace("Moves.answer();", "System.out.println(1);"));
    let java_public = with(vec![("Moves.java", honest("java/Moves.java"))], "homework.java", &public);
    let java_wrong = "class A { public static void main(String[] a) { int } }";
    let cpp_wrong = "int main() { return nothing; }\n";
    let py = |line: &str| text("homework.py", line);
    vec![
        ("py2", Folder, text("homework2.py", "print 1\n"), "python2", WRONG),
        ("py-silent", Zip, py("pass\n"), "python3", WRONG),
        ("py-traceback", Zip, py("import no_such_module\n"), "python3", WRONG),
        ("py-capital-output", Zip, py("open('Output.txt', 'w')\n"), "python3", WRONG),
        ("py-tabs", Folder, py("if 1:\n\tx = 1\n        y = 2\n"), "python3", "line 3: TabError"),
        ("java-public", Zip, java_public, "javac", RIGHT),
        ("java-folder", TarBz2, java(), "javac", RIGHT),
        ("java-package", Folder, text("homework.java", &packaged), "javac", WRONG),
        ("java-no-main", Zip, text("homework.java", "class A {}\n"), "javac", "no class with the method `main`"),
        ("java-wrong", Folder, text("homework.java", java_wrong), "javac", "cannot be built"),
        ("c-make-nothing", Folder, text("Makefile", "all:\n\ttrue\n"), "make", "`make` built no program"),
        ("c-make-wrong", Zip, with(c(), "Makefile", "homework:\n\tfalse\n"), "make", "cannot be built"),
        ("cpp-wrong", Zip, text("homework.cpp", cpp_wrong), "g++", "homework.cpp:1:"),
        ("c-no-header", Zip, text("homework.c", "#include \"board.h\"\n"), "gcc", "board.h"),
        ("js-folder", Folder, node(), "node", RIGHT),
        ("js-throws", Zip, text("homework.js", "throw new Error('no');\n"), "node", WRONG),
    ]
}

/// Writes the sixty submissions into the class folder.
pub(super) fn write(class: &Dir) -> Vec<HandedIn> {
    let all: Vec<HandedIn> = [layouts(), names(), companions(), mistakes()].into_iter().flatten().collect();
    assert_eq!(all.len(), 60);
    all.iter().for_each(|(name, form, files, ..)| form.write(class, name, files));
    all
}

#[test]
fn sixty_submissions_run_or_are_refused_with_advice() {
    let class = Dir::class(1);
    let all = write(&class);
    let seeded = "--seed 3 --csv book.csv";
    let ran = class.grade(&format!("{seeded} --report reports"));
    for (name, _, _, needs, expected) in &all {
        let is_line = |line: &&str| line.split_whitespace().next() == Some(name);
        let line = ran.stdout.lines().find(is_line).unwrap_or_else(|| panic!("no line of {name}: {ran:?}"));
        if is_skipped(&format!("master::sixty, {name}"), &[needs]) {
            let is_told = line.contains(&format!("needs {needs}")) || line.contains("which this machine lacks");
            assert!(is_told, "{line}");
        } else {
            assert!(line.contains(expected), "{name}: expected {expected:?}: {line}\n{}", ran.stderr);
        }
        assert!(!line.contains("/tmp/"), "{line}");
        println!("{line}");
    }
    ran.exits_with(i32::from(all.iter().any(|(.., needs, _)| lacks(needs))));
    assert_eq!(class.book().len(), 60);
    let summary = class.text("reports/grade.md");
    assert!(summary.starts_with("# short: 60 submissions, out of 1 points\n"), "{summary}");
    assert_eq!(class.names_in("reports/pages").len(), 60);
    // The same answers in the formats of other systems.
    for system in SYSTEMS {
        let run = formatted(&class, system, seeded);
        assert_eq!(run.code, ran.code, "{run:?}");
        same_totals(&class, system, 1);
    }
}
