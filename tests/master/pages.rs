//! Pages of students: one file with everything, small, and without the seed; and pages that others may see.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use crate::report::html::{ids, parse};
use crate::support::referee::*;

/// The page without its style and its script, which are no markup.
fn markup(page: &str) -> String {
    let mut rest = page.to_owned();
    for (begin, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (from, to) = (rest.find(begin).expect(begin) + begin.len(), rest.find(end).expect(end));
        rest.replace_range(from..to, "");
    }
    rest
}

/// Reads a page, and checks that it needs nothing else.
pub(super) fn page(class: &Dir, path: &str) -> (String, usize) {
    let page = class.text(path);
    let (tags, words) = parse(&markup(&page));
    for tag in &tags {
        let outside = ["src", "href"].iter().filter_map(|name| tag.attributes.get(*name));
        assert!(outside.into_iter().all(|target| target.starts_with('#') || target.starts_with("data:")), "{tag:?}");
    }
    let all = tags.iter().filter(|tag| tag.attributes.contains_key("id")).count();
    assert_eq!(ids(&tags).len(), all, "identifiers are unique");
    assert!(!words.contains("48611") && !page.contains("48611"), "the seed is secret");
    (words, page.len())
}

#[test]
fn a_page_has_every_lost_point_and_no_seed() {
    let class = Dir::class(3);
    class.write("class/ada/run.sh", ANSWER);
    class.write("class/dan/notes.txt", "");
    // Legal in the first turn only.
    class.write("class/fay/run.sh", "printf 'E f6 g5\\n' > output.txt\n");
    let nasty = "printf '<b>\u{202e}\\n\\tat %s/Homework.x\\n' \"$PWD\" >&2; exit 3\n";
    class.write("class/eva/run.sh", nasty);
    let games = json!([{ "seconds": 9, "side": "black" }]);
    class.course(&json!({ "moves": { "count": 3, "seconds": 9 }, "games": games, "points_a_game": 2 }));
    class.grade("--report reports --seed 48611").exits_with(0);
    let (ada, _) = page(&class, "reports/pages/ada.html");
    assert!(ada.contains("ada: ") && ada.contains("legal: ") && ada.contains("Games: 0 of 2 points"), "{ada}");
    let (dan, _) = page(&class, "reports/pages/dan.html");
    assert!(dan.contains("dan: 0 of 5 points") && dan.contains("no program"), "{dan}");
    let (eva, _) = page(&class, "reports/pages/eva.html");
    // The same place three times, with a path as the student knows it.
    assert!(eva.contains("stderr:\n<b>\n    at Homework.x") && eva.contains("The same in moves 2 and 3."), "{eva}");
    assert!(!eva.contains("Move 2: ") && eva.contains("Game 1: "), "{eva}");
    let (fay, _) = page(&class, "reports/pages/fay.html");
    assert!(fay.contains("lost in turn 3") && fay.contains("By the engine's review, the accuracy is "), "{fay}");
    assert!(!fay.contains("decided the game"), "the fault did: {fay}");
    assert!(!ada.contains("By the engine's review"), "no move was made: {ada}");
    // Reviews are kept, and made again only if they are damaged.
    let folder = class.path("class.grades.files/reviews");
    let reviews = || -> Vec<(PathBuf, u64)> {
        let paths = class.names_in("class.grades.files/reviews").into_iter().map(|name| folder.join(name));
        paths.map(|path| (path.clone(), path.metadata().expect("about it").ino())).collect()
    };
    let kept = reviews();
    assert_eq!(kept.len(), 2, "those that lost without a move have the same game: {kept:?}");
    class.grade("--report reports --seed 48611").exits_with(0);
    assert!(reviews() == kept && page(&class, "reports/pages/fay.html").0 == fay, "{kept:?}");
    kept.iter().for_each(|(path, _)| fs::write(path, "{").expect("a damaged file"));
    class.grade("--report reports --seed 48611").exits_with(0);
    assert!(reviews() != kept && page(&class, "reports/pages/fay.html").0 == fay, "{kept:?}");
    class.grade("--report reports --seed 48611 --review 0").exits_with(0);
    assert!(!page(&class, "reports/pages/fay.html").0.contains("By the engine's review"));
    let wrong = class.grade("--report reports --seed 48611 --review 601");
    wrong.exits_with(2).stderr_contains(&["expected seconds, 0.001 to 600, or 0"]);
    assert!(eva.contains("exit code 3; stderr:\n<b>"), "{eva}");
}

#[test]
fn ten_games_fit_into_a_page_that_can_be_mailed() {
    let class = Dir::class(0);
    class.agent("class/ada", Program::Reference, "homework");
    let games = vec![json!({ "seconds": 0.5, "side": "black" }); 10];
    class.course(&json!({ "moves": { "count": 0 }, "games": games, "points_a_game": 2 }));
    let command = "grade class/ada --course course.json --any-tier --seed 48611 --report ada.html --review";
    class.master(&format!("{command} 0.005")).exits_with(0);
    let (words, bytes) = page(&class, "ada.html");
    assert!(bytes <= 300_000, "{bytes} bytes");
    assert_eq!(words.matches("The end").count(), 10, "{words}");
    let lost = words.matches("lost in turn").count();
    assert_eq!(words.matches("By the engine's review").count(), lost, "{words}");
    // An earlier page is replaced, and nothing else.
    class.master(&format!("{command} 0")).exits_with(0);
    class.write("ada.html", "mine");
    class.refuses(&format!("{command} 0"), &["--report: ", "ada.html"]);
}

const SEED: &str = "48611";

fn graded() -> Dir {
    let class = Dir::class(2);
    class.hand_in(&["adalovelace", "cemyilmaz"]);
    class.write("class/dangerfield/run.sh", "echo adalovelace >&2; exit 3\n");
    class.write("class/evaperon.zip", "no archive");
    grade_in_public(&class);
    class
}

fn grade_in_public(class: &Dir) {
    class.grade(&format!("--seed {SEED} --report reports --pseudonyms")).exits_with(0);
}

/// Pseudonyms by name, as the staff's table has them.
fn table(class: &Dir) -> BTreeMap<String, String> {
    let text = class.text("reports/pseudonyms.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("submission,pseudonym"));
    lines.filter_map(|line| line.split_once(',')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn a_public_page_has_pseudonyms_and_neither_names_nor_the_seed() {
    let class = graded();
    let names = table(&class);
    assert_eq!(names.keys().collect::<Vec<_>>(), ["adalovelace", "cemyilmaz", "dangerfield", "evaperon"]);
    assert_eq!(class.names_in("reports/public").len(), 1, "the folder can be published as a whole");
    let html = class.text("reports/public/index.html");
    assert!(names.keys().all(|name| !html.contains(name.as_str())) && !html.contains(SEED), "{html}");
    let (words, _) = page(&class, "reports/public/index.html");
    assert!(words.contains("Leaderboard") && words.contains("1 cannot play, and have 0 points."), "{words}");
    for (name, pseudonym) in &names {
        let (first, second) = pseudonym.split_once('-').expect("two words");
        assert!(!first.is_empty() && !second.is_empty());
        // One that cannot play is only counted.
        assert_eq!(html.contains(pseudonym.as_str()), name != "evaperon", "{name}");
        let own = class.text(&format!("reports/pages/{name}.html"));
        assert_eq!(own.contains(pseudonym.as_str()), name != "evaperon", "{name}");
        assert!(names.iter().all(|(other, theirs)| other == name || !own.contains(theirs.as_str())), "{name}");
    }
    assert!(words.contains("move 2: 02 two jumps"), "{words}");
}

#[test]
fn pseudonyms_stay_and_no_other_class_has_the_same() {
    let class = graded();
    let before = table(&class);
    class.hand_in(&["aaron"]);
    grade_in_public(&class);
    let after = table(&class);
    assert!(after.contains_key("aaron") && before.iter().all(|(name, pseudonym)| after.get(name) == Some(pseudonym)));
    // One student alone has the same pseudonym; the page and the table are of the whole class.
    class.delete_dir("reports");
    class.grade("--report reports --pseudonyms --only aaron").exits_with(0);
    let own = class.text("reports/pages/aaron.html");
    assert!(own.contains(after["aaron"].as_str()) && class.read("reports/pseudonyms.csv").is_none(), "{own}");
    // The seed alone does not determine them.
    assert_ne!(table(&graded()), before);
}

#[test]
fn pages_of_others_are_not_overwritten_and_a_single_submission_has_none() {
    let class = Dir::class(1);
    class.hand_in(&["ada"]);
    class.refuses(&grade("--pseudonyms"), &["--report"]);
    for (file, content) in [("reports/public/index.html", "mine"), ("reports/pseudonyms.csv", "mine")] {
        class.write(file, content);
        class.refuses(&grade("--report reports --pseudonyms"), &["--pseudonyms: ", file]);
        assert_eq!(class.read(file).as_deref(), Some(content));
        class.delete(file);
    }
    let single = ["grade", "class/ada", "--course", "course.json", "--report", "ada.html", "--pseudonyms"];
    class.refuses(&single, &["--pseudonyms is for classes"]);
    class.write("class.grades.secret", "short");
    class
        .grade("--report reports --pseudonyms")
        .exits_with(1)
        .stderr_contains(&["class.grades.secret: found 5 bytes, expected the 32 bytes of a secret"]);
}
