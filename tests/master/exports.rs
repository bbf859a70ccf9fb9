//! Classes as course systems export them: flat, wrapped, or in one archive.

use crate::support::archives::zip;
use crate::support::referee::*;
use crate::support::submissions::*;

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

#[test]
fn a_flat_export_is_taken_apart_by_its_names() {
    if is_skipped("master::exports::a_flat_export", &["python3", "gcc"]) {
        return;
    }
    let class = Dir::class(1);
    canvas().iter().for_each(|(name, content)| class.write(&format!("class/{name}"), content));
    class.write("class/readme.txt", "from the course system");
    let words = |more: &str| format!("grade class --course course.json --any-tier --seed 3 {more}");
    let ran = class.master(&words("--csv book.csv --report reports"));
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
    let (book, rows) = (class.text("book.csv"), class.book());
    let points: Vec<&[String]> = rows.iter().map(|fields| &fields[..2]).collect();
    assert_eq!(points, [["adab_101", "1"], ["cem_102", "1"], ["cem_103", "1"], ["dan_104", "0"]], "{book}");
    let late: Vec<&str> = book.lines().filter(|line| line.contains(",late")).collect();
    assert!(late.len() == 2 && late[0].starts_with("submission,") && late[1].starts_with("cem_102,"), "{book}");
    let taken = "homework-1.py was taken for it";
    for (name, part) in [("adab_101", taken), ("cem_102", "handed in late"), ("dan_104", "no program")] {
        contains(&class.text(&format!("reports/pages/{name}.html")), &[part]);
    }
    // The answers are known by the students' names.
    for (layout, code, messages) in [
        ("{student}{late}_{id}_{number}_{file}", 0, ["3 of 3 moves", ""]),
        ("{student}", 0, ["7 students", "cannot play: class/readme.txt"]),
        ("{name}_{file}", 2, ["{name}_{file}", "expected a pattern"]),
    ] {
        class.master(&words(&format!("--layout {layout}"))).exits_with(code).stderr_contains(&messages);
    }
}

#[test]
fn a_class_may_be_wrapped_or_one_archive() {
    if is_skipped("master::exports::a_class_may_be_wrapped", &["python3", "gcc"]) {
        return;
    }
    let class = Dir::class(1);
    let (python, c) = (python(), c());
    let mut entries: Vec<(String, &[u8])> = Vec::new();
    for (student, files) in [("ada", &python), ("cem", &c)] {
        let path = |file: &str| format!("export/HW2/{student}/HW2-resubmit/submission_2/{file}");
        entries.extend(files.iter().map(|(file, content)| (path(file), &content[..])));
    }
    let borrowed: Vec<(&str, &[u8])> = entries.iter().map(|(path, content)| (&**path, *content)).collect();
    class.write("all.zip", zip(&borrowed));
    borrowed.iter().for_each(|(path, content)| class.write(&format!("class/{path}"), content));
    for submission in ["all.zip", "class"] {
        let ran = class.master(&format!("grade {submission} --course course.json --any-tier --seed 3"));
        let points: Vec<Vec<&str>> = ran.exits_with(0).stdout.lines().map(Words::words).collect();
        assert_eq!(points, [["ada", "1", "of", "1"], ["cem", "1", "of", "1"]], "{submission}: {ran:?}");
        assert!(class.path(&format!("{submission}.grades")).exists());
    }
    class.write("none.zip", zip(&[("notes.txt", b"no students")]));
    class.refuses("grade none.zip --class --course course.json", &["none.zip: found no submission that can play"]);
    class.grade("--seed 3").exits_with(0);
}
