//! What this machine lacks is told once at the top and at each student, and costs nobody a point.

use crate::master::submissions::{As, class, grade, lacks, text, with};
use crate::support::skipped::skipped;

/// Lines of an agent that always answers the same.
const AGENT: &str = "open('output.txt', 'w').write('E c3 b4\\n')\n";

#[test]
fn a_promised_module_that_is_missing_is_not_the_students_fault() {
    if lacks("python3") {
        return skipped("master::machines", "there is no python3");
    }
    let class = class(1);
    let importing = |module: &str| text("homework.py", &format!("import {module}\n{AGENT}"));
    As::Folder.write(&class, "ada", &importing("nosuchmodule"));
    As::Folder.write(&class, "cem", &importing("nosuchmodule_of_mine"));
    let guarded = format!("try:\n  import nosuchmodule\nexcept ImportError:\n  pass\n{AGENT}");
    As::Folder.write(&class, "dan", &text("homework.py", &guarded));
    As::Folder.write(&class, "eva", &with(importing("nosuchmodule"), "nosuchmodule.py", ""));
    class.write(
        "course.json",
        "{\"moves\": {\"count\": 1, \"seconds\": 9}, \"games\": [], \"modules\": [\"nosuchmodule\"]}",
    );
    let ran = grade(&class, &["--csv", "book.csv", "--report", "reports", "--seed", "3"]);
    ran.exits_with(1).stderr_contains(&[
        "master: this machine lacks nosuchmodule for python3, which 3 of these need: ada, dan, eva\n",
        "master: 1 of 4 submissions could not be graded completely",
    ]);
    let book = class.read("book.csv").expect("a gradebook");
    let states: Vec<(&str, bool)> = book
        .lines()
        .skip(1)
        .map(|line| (line.split(',').next().unwrap_or_default(), line.contains("not graded")))
        .collect();
    assert_eq!(states, [("ada", true), ("cem", false), ("dan", false), ("eva", false)], "{book}");
    let page = class.read("reports/pages/ada.html").expect("a page");
    assert!(page.contains("not graded: this machine has no nosuchmodule for python3"), "{page}");
    class.write("course.json", "{\"moves\": {\"count\": 1, \"seconds\": 9}, \"games\": [], \"modules\": [3]}");
    grade(&class, &[]).exits_with(2).stderr_contains(&["course.json", "expected a string"]);
}
