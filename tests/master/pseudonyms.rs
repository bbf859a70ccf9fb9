//! Pages that others may see: pseudonyms, no names and no seed.

use std::collections::BTreeMap;
use std::fs;

use crate::master::pages::page as parsed;
use crate::master::submissions::{As, class, grade, text};
use crate::support::command::Dir;
use crate::support::programs::Program;

const SEED: &str = "48611";

fn hand_in(class: &Dir, names: &[&str]) {
    names.iter().for_each(|name| As::Folder.write(class, name, &text("run.sh", "printf 'E c3 b4\\n' > output.txt\n")));
}

fn graded() -> Dir {
    let class = class(2);
    hand_in(&class, &["adalovelace", "cemyilmaz"]);
    As::Folder.write(&class, "dangerfield", &text("run.sh", "echo adalovelace >&2; exit 3\n"));
    class.write("class/evaperon.zip", "no archive");
    run(&class);
    class
}

fn run(class: &Dir) {
    grade(class, &["--seed", SEED, "--report", "reports", "--pseudonyms"]).exits_with(0);
}

/// Pseudonyms by name, as the staff's table has them.
fn table(class: &Dir) -> BTreeMap<String, String> {
    let text = class.read("reports/pseudonyms.csv").expect("a table");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("submission,pseudonym"));
    lines.filter_map(|line| line.split_once(',')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn a_public_page_has_pseudonyms_and_neither_names_nor_the_seed() {
    let class = graded();
    let names = table(&class);
    assert_eq!(names.keys().collect::<Vec<_>>(), ["adalovelace", "cemyilmaz", "dangerfield", "evaperon"]);
    let public: Vec<_> = fs::read_dir(class.path("reports/public")).expect("a folder").collect();
    assert_eq!(public.len(), 1, "the folder can be published as a whole");
    let page = class.read("reports/public/index.html").expect("a page");
    assert!(names.keys().all(|name| !page.contains(name.as_str())) && !page.contains(SEED), "{page}");
    let (words, _) = parsed(&class, "reports/public/index.html");
    assert!(words.contains("Leaderboard") && words.contains("1 cannot play, and have 0 points."), "{words}");
    for (name, pseudonym) in &names {
        let (first, second) = pseudonym.split_once('-').expect("two words");
        assert!(!first.is_empty() && !second.is_empty());
        // One that cannot play is only counted.
        assert_eq!(page.contains(pseudonym.as_str()), name != "evaperon", "{name}");
        let own = class.read(&format!("reports/pages/{name}.html")).expect("a student's page");
        assert_eq!(own.contains(pseudonym.as_str()), name != "evaperon", "{name}");
        assert!(names.iter().all(|(other, theirs)| other == name || !own.contains(theirs.as_str())), "{name}");
    }
    assert!(words.contains("move 2: 02 two jumps"), "{words}");
}

#[test]
fn pseudonyms_stay_and_no_other_class_has_the_same() {
    let class = graded();
    let before = table(&class);
    hand_in(&class, &["aaron"]);
    run(&class);
    let after = table(&class);
    assert!(after.contains_key("aaron") && before.iter().all(|(name, pseudonym)| after.get(name) == Some(pseudonym)));
    // One student alone has the same pseudonym; the page and the table are of the whole class.
    fs::remove_dir_all(class.path("reports")).expect("a folder to delete");
    grade(&class, &["--report", "reports", "--pseudonyms", "--only", "aaron"]).exits_with(0);
    let own = class.read("reports/pages/aaron.html").expect("a page");
    assert!(own.contains(after["aaron"].as_str()) && class.read("reports/pseudonyms.csv").is_none(), "{own}");
    // The seed alone does not determine them.
    assert_ne!(table(&graded()), before);
}

#[test]
fn pages_of_others_are_not_overwritten_and_a_single_submission_has_none() {
    let class = class(1);
    hand_in(&class, &["ada"]);
    grade(&class, &["--pseudonyms"]).exits_with(2).stderr_contains(&["--report"]);
    for (file, content) in [("reports/public/index.html", "mine"), ("reports/pseudonyms.csv", "mine")] {
        fs::create_dir_all(class.path("reports/public")).expect("a folder");
        class.write(file, content);
        let ran = grade(&class, &["--report", "reports", "--pseudonyms"]);
        ran.exits_with(2).stderr_contains(&["--pseudonyms: ", file]);
        assert_eq!(class.read(file).as_deref(), Some(content));
        class.delete(file);
    }
    let single = ["grade", "class/ada", "--course", "course.json", "--report", "ada.html", "--pseudonyms"];
    class.run_with_input(Program::Master, &single, "").exits_with(2).stderr_contains(&["--pseudonyms is for classes"]);
    class.write("class.grades.secret", "short");
    let ran = grade(&class, &["--report", "reports", "--pseudonyms"]);
    ran.exits_with(1).stderr_contains(&["class.grades.secret: found 5 bytes, expected the 32 bytes of a secret"]);
}
