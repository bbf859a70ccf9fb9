//! A student's page: one file with everything, small, and without the seed.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use crate::master::check_and_grade::agent;
use crate::master::submissions::{As, class, grade, text};
use crate::report::html::{ids, parse};
use crate::support::axe::violations;
use crate::support::command::Dir;
use crate::support::programs::Program;

const ANSWER: &str = "printf 'E c3 b4\\n' > output.txt\n";

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
    let page = class.read(path).unwrap_or_else(|| panic!("no {path}"));
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
    let class = class(3);
    As::Folder.write(&class, "ada", &text("run.sh", ANSWER));
    As::Folder.write(&class, "dan", &text("notes.txt", ""));
    // Legal in the first turn only.
    As::Folder.write(&class, "fay", &text("run.sh", "printf 'E f6 g5\\n' > output.txt\n"));
    let nasty = "printf '<b>\u{202e}\\n\\tat %s/Homework.x\\n' \"$PWD\" >&2; exit 3\n";
    As::Folder.write(&class, "eva", &text("run.sh", nasty));
    class.write(
        "course.json",
        r#"{"moves": {"count": 3, "seconds": 9}, "games": [{"seconds": 9, "side": "black"}], "points_a_game": 2}"#,
    );
    grade(&class, &["--report", "reports", "--seed", "48611"]).exits_with(0);
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
        let files = fs::read_dir(&folder).expect("reviews").map(|file| file.expect("a file"));
        let mut found: Vec<_> = files.map(|file| (file.path(), file.metadata().expect("about it").ino())).collect();
        found.sort();
        found
    };
    let kept = reviews();
    assert_eq!(kept.len(), 2, "those that lost without a move have the same game: {kept:?}");
    grade(&class, &["--report", "reports", "--seed", "48611"]).exits_with(0);
    assert!(reviews() == kept && page(&class, "reports/pages/fay.html").0 == fay, "{kept:?}");
    kept.iter().for_each(|(path, _)| fs::write(path, "{").expect("a damaged file"));
    grade(&class, &["--report", "reports", "--seed", "48611"]).exits_with(0);
    assert!(reviews() != kept && page(&class, "reports/pages/fay.html").0 == fay, "{kept:?}");
    grade(&class, &["--report", "reports", "--seed", "48611", "--review", "0"]).exits_with(0);
    assert!(!page(&class, "reports/pages/fay.html").0.contains("By the engine's review"));
    let wrong = grade(&class, &["--report", "reports", "--seed", "48611", "--review", "601"]);
    wrong.exits_with(2).stderr_contains(&["expected seconds, 0.001 to 600, or 0"]);
    assert!(eva.contains("exit code 3; stderr:\n<b>"), "{eva}");
}

#[test]
fn ten_games_fit_into_a_page_that_can_be_mailed() {
    let class = class(0);
    agent(&class, "class/ada", Program::Reference, "homework");
    let games = [r#"{"seconds": 1.5, "side": "black"}"#; 10].join(",");
    class.write("course.json", format!("{{\"moves\": {{\"count\": 0}}, \"games\": [{games}], \"points_a_game\": 2}}"));
    let arguments =
        ["grade", "class/ada", "--course", "course.json", "--any-tier", "--seed", "48611", "--report", "ada.html"];
    class.run_with_input(Program::Master, &arguments, "").exits_with(0);
    let (words, bytes) = page(&class, "ada.html");
    assert!(bytes <= 300_000, "{bytes} bytes");
    assert_eq!(words.matches("The end").count(), 10, "{words}");
    let lost = words.matches("lost in turn").count();
    assert_eq!(words.matches("By the engine's review").count(), lost, "{words}");
    // An earlier page is replaced, and nothing else.
    class.run_with_input(Program::Master, &arguments, "").exits_with(0);
    class.write("ada.html", "mine");
    class.run_with_input(Program::Master, &arguments, "").exits_with(2).stderr_contains(&["--report: ", "ada.html"]);
}

#[test]
fn a_page_is_accessible() {
    let test = "master::pages::a_page_is_accessible";
    let class = class(2);
    As::Folder.write(&class, "ada", &text("run.sh", ANSWER));
    agent(&class, "class/eva", Program::Reference, "homework");
    As::Folder.write(&class, "dan", &text("notes.txt", ""));
    class.write(
        "course.json",
        r#"{"moves": {"count": 2, "seconds": 9}, "games": [{"seconds": 1.5, "side": "black"}], "points_a_game": 2}"#,
    );
    grade(&class, &["--report", "reports", "--seed", "48611"]).exits_with(0);
    for name in ["ada", "dan", "eva"] {
        let page = class.read(&format!("reports/pages/{name}.html")).expect("a page");
        let Some(found) = violations(test, &page) else { return };
        assert_eq!(found, "", "{name}");
        let worse = violations(test, &page.replacen("</body>", "<img src=\"data:,\"></body>", 1));
        assert!(worse.expect("findings").contains("image-alt"), "an image without alternative text is reported");
    }
}
