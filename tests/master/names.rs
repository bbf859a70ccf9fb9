//! Names of submissions that control a terminal, hide themselves, break lines or are formulas in a spreadsheet.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use kingline_players::terminal::is_deceptive;
use rusqlite::Connection;

use crate::report::site::read;
use crate::support::command::{Dir, Ran};
use crate::support::programs::{Program, root};

/// Names of folders with a working agent, in order.
const PRINTABLE: [&str; 4] = ["-1+1", "=cmd()", "a,\"b", "a;=cmd"];
/// Names that are refused, and their escaped forms.
const REFUSED: [(&[u8], &str); 5] = [
    (b"esc\x1b[2Jc", "esc\\u{1b}[2Jc"),
    (b"line\nmaster: fine", "line\\nmaster: fine"),
    (b"not-\xff-text", "not-\\xff-text"),
    (b"not-\xfe-text", "not-\\xfe-text"),
    ("rlo\u{202e}vsc".as_bytes(), "rlo\\u{202e}vsc"),
];

/// Makes a class with all names, in which another submission has such names in its folder.
fn class() -> Dir {
    let dir = Dir::new();
    dir.write("course.json", r#"{"name": "short", "moves": {"count": 1, "seconds": 9}, "games": []}"#);
    let agent = |name: &[u8]| {
        let folder = dir.path("class").join(OsStr::from_bytes(name));
        fs::create_dir_all(&folder).expect("a folder");
        fs::copy(root().join("tests/honest/shell/moves.awk"), folder.join("moves.awk")).expect("a copy");
        fs::write(folder.join("homework"), "#!/bin/sh\nexec awk -f moves.awk input.txt > output.txt\n")
            .expect("a script");
        fs::set_permissions(folder.join("homework"), PermissionsExt::from_mode(0o755)).expect("modes");
    };
    PRINTABLE.iter().for_each(|name| agent(name.as_bytes()));
    REFUSED.iter().for_each(|(name, _)| agent(name));
    for file in ["deep/x\u{1b}[2J\n\u{202e}/homework", "source/homework.c"] {
        let path = dir.path("class").join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "#error \u{1b}[2J \u{202e}\n").expect("a file");
    }
    dir
}

/// Asserts that the output of a command or the content of a file is safe: it breaks lines only where it means to.
#[track_caller]
fn is_safe(what: &str, text: &str) {
    let found = text.replace("\r\n", "\n").chars().find(|&letter| !"\n\t".contains(letter) && is_deceptive(letter));
    assert_eq!(found, None, "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("master: fine")), "{what}: {text}");
}

#[track_caller]
fn run(dir: &Dir, arguments: &[&str], code: i32) -> Ran {
    let ran = dir.master(arguments);
    is_safe(&format!("stdout of {arguments:?}"), &ran.exits_with(code).stdout);
    is_safe(&format!("stderr of {arguments:?}"), &ran.stderr);
    ran
}

#[test]
fn no_output_of_a_grading_contains_a_deceptive_name() {
    // The opponent, beside the master.
    assert!(Program::Reference.path().exists());
    let dir = class();
    let grade = ["grade", "class", "--class", "--course", "course.json", "--any-tier"];
    let ran = run(&dir, &[&grade[..], &["--csv", "book.csv", "--report", "report", "--save", "games"]].concat(), 0);
    let (book, summary) = (dir.text("book.csv"), dir.text("report/grade.md"));
    is_safe("the gradebook", &book);
    is_safe("the summary", &summary);
    for (_, escaped) in REFUSED {
        assert!(ran.stdout.contains(escaped) && ran.stderr.contains(escaped), "{escaped}: {ran:#?}");
        assert!(book.contains(&format!("\r\n{escaped},0,0,0,")), "{escaped}: {book}");
        assert!(summary.contains(&escaped.replace('\\', "\\\\").replace('[', "\\[")), "{escaped}: {summary}");
    }
    for start in ["'-1+1,", "'=cmd(),", "\"a,\"\"b\",", "\"a;=cmd\","] {
        assert!(book.contains(&format!("\r\n{start}")), "{start}: {book}");
    }
    assert_eq!(book.lines().count(), 1 + PRINTABLE.len() + REFUSED.len() + 2, "{book}");
    let pages = fs::read_dir(dir.path("report/pages")).expect("pages").map(|entry| entry.expect("an entry").path());
    let pages: Vec<_> = pages.collect();
    assert_eq!(pages.len(), PRINTABLE.len() + REFUSED.len() + 2);
    for page in pages {
        is_safe("a file name", &page.display().to_string().replace('\n', "\r"));
        is_safe(&page.display().to_string(), &fs::read_to_string(&page).expect("a page in UTF-8"));
    }
    // JSON has escapes of its own, and the same content.
    let ran = run(&dir, &[&grade[..], &["--json", "--store", "other.grades"]].concat(), 0);
    let grades: serde_json::Value = ran.json();
    assert_eq!(grades["not_graded"].as_array().map(Vec::len), Some(REFUSED.len() + 2));
}

#[test]
fn no_output_of_a_tournament_contains_a_deceptive_name() {
    let dir = class();
    let play = ["tournament", "class", "--time", "9", "--games", "2", "--any-tier", "--store", "store.db"];
    run(&dir, &play, 2).stderr_contains(&REFUSED.map(|(_, escaped)| escaped));
    run(&dir, &[&play[..], &["--skip-broken"]].concat(), 0);
    run(&dir, &["tournament", "table", "store.db"], 0);
}

#[test]
fn names_in_an_old_store_are_escaped() {
    let dir = class();
    let play = ["tournament", "class", "--time", "9", "--games", "2", "--any-tier", "--store", "store.db"];
    run(&dir, &[&play[..], &["--skip-broken"]].concat(), 0);
    let store = Connection::open(dir.path("store.db")).expect("a store");
    for (number, name) in ["a\u{1b}[2J", "b\u{202e}c", "c\nmaster: fine", "d\u{9b}2J"].into_iter().enumerate() {
        let changed = store.execute("UPDATE agent SET name = ?1, title = ?1 WHERE id = ?2", (name, number as i64 + 1));
        assert_eq!(changed, Ok(1), "{name:?}");
    }
    drop(store);
    for arguments in ["tournament table store.db", "verify store.db", "report store.db --out site"] {
        let words: Vec<&str> = arguments.split(' ').collect();
        for words in [words.clone(), [&words[..], &["--json"]].concat()] {
            let ran = dir.master(&words);
            is_safe(&words.join(" "), &ran.stdout);
            is_safe(&words.join(" "), &ran.stderr);
            assert!(ran.code == Some(0) || words[0] == "verify", "{ran:#?}");
        }
    }
    let index = dir.text("site/index.html");
    assert!(index.contains("a\\u{1b}[2J") && index.contains("b\\u{202e}c"), "{index}");
    for (name, text) in read(&dir.path("site")) {
        is_safe("a file name", &name.replace('\n', "\r"));
        is_safe(&name, &text);
    }
}
