//! A class that is graded again: changed terms, and students who withdraw, change or come later.

use std::fs;

use crate::support::archives::zip;
use crate::support::referee::*;

/// Names in the gradebook.
fn names(class: &Dir) -> Vec<String> {
    class.book().into_iter().map(|mut fields| fields.remove(0)).collect()
}

#[test]
fn a_store_is_never_lost_to_other_terms() {
    let class = Dir::class(2);
    class.hand_in(&["ada", "cem"]);
    class.grade("--seed 5").exits_with(0);
    let store = class.text("class.grades");
    // Without a seed, that of the store.
    class.grade("").exits_with(0).stderr_contains(&["4 of 4 moves and games are done, seed 5"]);
    class.refuses(&grade("--seed 6"), &[
        "class.grades belongs to another grading: seed: 5, now 6; help: --store FILE keeps the new exam in another file; \
         --regrade without --only sets this one aside",
    ]);
    class.course(&json!({ "moves": { "count": 1, "seconds": 8 } }));
    class.refuses(&grade(""), &["course.moves.count: 2, now 1; course.moves.seconds: 9.0, now 8.0; help"]);
    assert_eq!(class.read("class.grades").as_deref(), Some(&*store));
    class.grade("--regrade --seed 6").exits_with(0).stderr_contains(&[
        "earlier answers are kept in",
        "class.grades.1\n",
        "0 of 2 moves and games are done, seed 6",
    ]);
    class.grade("--regrade").exits_with(0).stderr_contains(&["class.grades.2\n"]);
    assert_eq!(class.read("class.grades.1").as_deref(), Some(&*store));
    let alone = class.master("grade class/ada --regrade --course course.json");
    alone.exits_with(2).stderr_contains(&["--regrade is for classes only"]);
}

#[test]
fn only_what_changed_is_graded_again() {
    let class = Dir::class(2);
    class.hand_in(&["ada", "cem", "dan"]);
    class.write("class/eva.zip", "no archive");
    let run = || class.grade("--seed 5 --csv book.csv --report reports");
    run().exits_with(0).stderr_contains(&[
        "class.grades.files\ngradebook: book.csv\nsummary: reports/grade.md\na page for each student: reports/pages\n",
    ]);
    assert_eq!(names(&class), ["ada", "cem", "dan", "eva"]);
    class.delete_dir("class/cem");
    fs::remove_file(class.path("class/eva.zip")).expect("a file to delete");
    class.write("class/dan/run.sh", format!("{ANSWER}# changed\n"));
    class.hand_in(&["fay"]);
    run().exits_with(0).stderr_contains(&[
        "3 submissions, 2 of 6 moves and games are done",
        "withdrawn since an earlier run: cem\nwithdrawn since an earlier run: eva\n",
    ]);
    assert_eq!(names(&class), ["ada", "dan", "fay"]);
    let pages =
        ["ada", "cem", "dan", "eva", "fay"].map(|name| class.read(&format!("reports/pages/{name}.html")).is_some());
    assert_eq!(pages, [true, false, true, false, true]);
    contains(&class.text("reports/grade.md"), &["## Withdrawn since an earlier run\n\n- cem\n- eva\n"]);
    // One student alone: nobody else's files change, and nobody is taken for withdrawn.
    class.write("class/dan/run.sh", format!("{ANSWER}# changed again\n"));
    let before = [class.read("book.csv"), class.read("reports/grade.md")];
    class
        .grade("--seed 5 --report reports --only dan")
        .exits_with(0)
        .stderr_contains(&["1 submissions, 0 of 2 moves"])
        .stderr_lacks(&["withdrawn"]);
    assert_eq!([class.read("book.csv"), class.read("reports/grade.md")], before);
    class.refuses(&grade("--only nobody"), &["--only: the class has no submission called nobody"]);
    // One who comes back is graded already.
    class.hand_in(&["cem"]);
    run().exits_with(0).stderr_contains(&["8 of 8 moves and games are done"]).stderr_contains(&["earlier run: eva"]);
    assert_eq!(names(&class), ["ada", "cem", "dan", "fay"]);
}

#[test]
fn two_submissions_of_one_name_are_refused_before_anything_runs() {
    let class = Dir::class(1);
    class.hand_in(&["ada"]);
    class.write("class/ada.zip", zip(&[("run.sh", ANSWER.as_bytes())]));
    let refused = |paths: &str| {
        let found = format!("master: {paths}: two submissions of one name, ignoring letter case; help: rename one");
        class.refuses(&grade("--report reports"), &[&found]);
        assert!(!class.path("class.grades").exists() && !class.path("reports").exists(), "{:?}", class.names());
    };
    refused("class/ada and class/ada.zip");
    // One that cannot play would have the same page.
    class.write("class/ada.zip", "no archive");
    refused("class/ada and class/ada.zip");
    class.delete("class/ada.zip");
    class.hand_in(&["Ada"]);
    refused("class/Ada and class/ada");
    class.delete_dir("class/Ada");
    class.write("class/ben.zip", "no archive");
    class.write("class/Ben.tar", "no archive");
    refused("class/Ben.tar and class/ben.zip");
    class.delete("class/ben.zip");
    class.grade("").exits_with(0);
}

#[test]
fn only_what_is_named_is_set_aside_and_nothing_by_mistake() {
    let class = Dir::class(2);
    class.hand_in(&["ada", "ben"]);
    class.grade("--seed 5").exits_with(0);
    let store = class.read("class.grades");
    let command = grade("--regrade --only ben --seed 5");
    let ben = |more: &[&'static str]| [&command.words()[..], more].concat();
    class.refuses(&ben(&["--question", "move 7"]), &["--question: found \"move 7\", expected a question"]);
    assert!(class.read("class.grades") == store && !class.path("class.grades.1").exists(), "{:?}", class.names());
    for (question, asked) in [(&[][..], "0 of 2"), (&["--question", "move 2"], "0 of 1")] {
        class.master(&ben(question)).exits_with(0).stderr_contains(&[
            "earlier answers are kept in",
            asked,
            "as well\n",
        ]);
        class.grade("").exits_with(0).stderr_contains(&["4 of 4 moves and games are done"]);
    }
    assert_eq!(class.read("class.grades.1"), store);
    assert!(class.path("class.grades.2").exists());
}
