//! Classes as course systems export them: flat, wrapped, or in one archive.

use std::fs;

use crate::master::submissions::{c, class, grade, honest, lacks, python};
use crate::support::archives::zip;
use crate::support::command::Dir;
use crate::support::skipped::skipped;

/// Files of a flat export from Canvas.
fn canvas() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("adab_101_9001_homework-1.py", honest("python/plain.py")),
        ("adab_101_9002_moves.py", honest("python/moves.py")),
        ("cem_LATE_102_9003_homework.c", honest("c/plain.c")),
        ("cem_LATE_102_9004_moves.h", honest("c/moves.h")),
        ("cem_103_9005_homework.zip", zip(&[("homework.c", &honest("c/plain.c")), ("moves.h", &honest("c/moves.h"))])),
        ("dan_104_9006_notes.txt", b"I shall hand it in tomorrow".to_vec()),
    ]
}

fn write(class: &Dir, files: &[(&str, Vec<u8>)]) {
    files.iter().for_each(|(name, content)| class.write(&format!("class/{name}"), content));
}

fn is_skipped(test: &str) -> bool {
    let is_skipped = lacks("python3") || lacks("gcc");
    if is_skipped {
        skipped(&format!("master::exports::{test}"), "there is no python3 or no gcc");
    }
    is_skipped
}

#[test]
fn a_flat_export_is_taken_apart_by_its_names() {
    if is_skipped("a_flat_export") {
        return;
    }
    let class = class(1);
    write(&class, &canvas());
    class.write("class/readme.txt", "from the course system");
    let run = |more: &[&str]| {
        let arguments = [&["grade", "class", "--course", "course.json", "--any-tier", "--seed", "3"], more].concat();
        class.master(&arguments)
    };
    let ran = run(&["--csv", "book.csv", "--report", "reports"]);
    ran.exits_with(0).stderr_contains(&[
        "class: 4 students by the names of their files, {student}{late}_{id}_{number}_{file}\n",
        "  adab_101: homework-1.py, moves.py\n",
        "  cem_102: homework.c, moves.h (late)\n",
        "  cem_103: homework.zip\n",
        "ignored: class/readme.txt",
    ]);
    // Before anything is built.
    let (shown, built) = (ran.stderr.find("cem_103:"), ran.stderr.find("4 submissions"));
    assert!(shown.is_some() && shown < built, "{}", ran.stderr);
    let book = class.text("book.csv");
    let points: Vec<Vec<&str>> = book.lines().skip(1).map(|line| line.split(',').take(2).collect()).collect();
    assert_eq!(points, [["adab_101", "1"], ["cem_102", "1"], ["cem_103", "1"], ["dan_104", "0"]], "{book}");
    let late: Vec<&str> = book.lines().filter(|line| line.contains(",late")).collect();
    assert!(late.len() == 2 && late[0].starts_with("submission,") && late[1].starts_with("cem_102,"), "{book}");
    let page = |name: &str| class.text(&format!("reports/pages/{name}.html"));
    assert!(page("adab_101").contains("homework-1.py was taken for it"), "{}", page("adab_101"));
    assert!(page("cem_102").contains("handed in late"), "{}", page("cem_102"));
    assert!(page("dan_104").contains("no program"), "{}", page("dan_104"));
    // The answers are known by the students' names.
    run(&["--layout", "{student}{late}_{id}_{number}_{file}"]).exits_with(0).stderr_contains(&["3 of 3 moves"]);
    run(&["--layout", "{student}"]).exits_with(0).stderr_contains(&["7 students", "cannot play: class/readme.txt"]);
    run(&["--layout", "{name}_{file}"]).exits_with(2).stderr_contains(&["{name}_{file}", "expected a pattern"]);
}

#[test]
fn a_class_may_be_wrapped_or_one_archive() {
    if is_skipped("a_class_may_be_wrapped") {
        return;
    }
    let class = class(1);
    let (python, c) = (python(), c());
    let mut entries: Vec<(String, &[u8])> = Vec::new();
    for (student, files) in [("ada", &python), ("cem", &c)] {
        let path = |file: &str| format!("export/HW2/{student}/HW2-resubmit/submission_2/{file}");
        entries.extend(files.iter().map(|(file, content)| (path(file), &content[..])));
    }
    let borrowed: Vec<(&str, &[u8])> = entries.iter().map(|(path, content)| (&**path, *content)).collect();
    class.write("all.zip", zip(&borrowed));
    for (path, content) in &borrowed {
        let path = class.path(&format!("class/{path}"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    for submission in ["all.zip", "class"] {
        let arguments = ["grade", submission, "--course", "course.json", "--any-tier", "--seed", "3"];
        let ran = class.master(&arguments);
        let points: Vec<Vec<&str>> =
            ran.exits_with(0).stdout.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(points, [["ada", "1", "of", "1"], ["cem", "1", "of", "1"]], "{submission}: {ran:?}");
        assert!(class.path(&format!("{submission}.grades")).exists());
    }
    class.write("none.zip", zip(&[("notes.txt", b"no students")]));
    let ran = class.master(&["grade", "none.zip", "--class", "--course", "course.json"]);
    ran.exits_with(2).stderr_contains(&["none.zip: found no submission that can play"]);
    grade(&class, &["--seed", "3"]).exits_with(0);
}
