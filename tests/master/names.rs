//! Names of submissions that control a terminal, hide themselves, break lines or are formulas in a spreadsheet.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use kingline_players::terminal::is_deceptive;
use rusqlite::Connection;

use crate::report::site::read;
use crate::support::referee::*;
use crate::support::submissions::honest;

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
    let dir = Dir::class(1);
    let write = |path: &[u8], text: &str, mode: u32| {
        let path = dir.path("class").join(OsStr::from_bytes(path));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("modes");
    };
    let moves = String::from_utf8(honest("shell/moves.awk")).expect("text");
    for name in PRINTABLE.iter().map(|name| name.as_bytes()).chain(REFUSED.iter().map(|(name, _)| *name)) {
        write(&[name, b"/moves.awk"].concat(), &moves, 0o644);
        write(&[name, b"/homework"].concat(), "#!/bin/sh\nexec awk -f moves.awk input.txt > output.txt\n", 0o755);
    }
    for file in ["deep/x\u{1b}[2J\n\u{202e}/homework", "source/homework.c"] {
        write(file.as_bytes(), "#error \u{1b}[2J \u{202e}\n", 0o644);
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

/// Runs `master`, whose output must be safe.
#[track_caller]
fn run(dir: &Dir, words: &str) -> Ran {
    let ran = dir.master(words);
    is_safe(&format!("stdout of {words}"), &ran.stdout);
    is_safe(&format!("stderr of {words}"), &ran.stderr);
    ran
}

#[test]
fn no_output_of_a_grading_contains_a_deceptive_name() {
    let dir = class();
    let ran = run(&dir, &grade("--csv book.csv --report report --save games"));
    ran.exits_with(0);
    let (book, summary) = (dir.text("book.csv"), dir.text("report/grade.md"));
    is_safe("the gradebook", &book);
    is_safe("the summary", &summary);
    for (_, escaped) in REFUSED {
        ran.stdout_contains(&[escaped]).stderr_contains(&[escaped]);
        contains(&book, &[&format!("\r\n{escaped},0,0,0,")]);
        contains(&summary, &[&escaped.replace('\\', "\\\\").replace('[', "\\[")]);
    }
    contains(&book, &["\r\n'-1+1,", "\r\n'=cmd(),", "\r\n\"a,\"\"b\",", "\r\n\"a;=cmd\","]);
    assert_eq!(book.lines().count(), 1 + PRINTABLE.len() + REFUSED.len() + 2, "{book}");
    let pages = dir.names_in("report/pages");
    assert_eq!(pages.len(), PRINTABLE.len() + REFUSED.len() + 2);
    for page in pages {
        is_safe("a file name", &page.replace('\n', "\r"));
        is_safe(&page, &dir.text(&format!("report/pages/{page}")));
    }
    // JSON has escapes of its own, and the same content.
    let grades: Value = run(&dir, &grade("--json --store other.grades")).exits_with(0).json();
    assert_eq!(list(&grades["not_graded"]).len(), REFUSED.len() + 2);
}

#[test]
fn no_output_of_a_tournament_contains_a_deceptive_name() {
    let dir = class();
    let play = "tournament class --time 9 --games 2 --any-tier --store store.db";
    run(&dir, play).exits_with(2).stderr_contains(&REFUSED.map(|(_, escaped)| escaped));
    run(&dir, &format!("{play} --skip-broken")).exits_with(0);
    run(&dir, "tournament table store.db").exits_with(0);
    // An old store may have other names.
    let store = Connection::open(dir.path("store.db")).expect("a store");
    for (number, name) in ["a\u{1b}[2J", "b\u{202e}c", "c\nmaster: fine", "d\u{9b}2J"].into_iter().enumerate() {
        let changed = store.execute("UPDATE agent SET name = ?1, title = ?1 WHERE id = ?2", (name, number as i64 + 1));
        assert_eq!(changed, Ok(1), "{name:?}");
    }
    drop(store);
    for words in ["tournament table store.db", "verify store.db", "report store.db --out site"] {
        for ran in [run(&dir, words), run(&dir, &format!("{words} --json"))] {
            assert!(ran.code == Some(0) || words.starts_with("verify"), "{ran:#?}");
        }
    }
    contains(&dir.text("site/index.html"), &["a\\u{1b}[2J", "b\\u{202e}c"]);
    for (name, text) in read(&dir.path("site")) {
        is_safe("a file name", &name.replace('\n', "\r"));
        is_safe(&name, &text);
    }
}
