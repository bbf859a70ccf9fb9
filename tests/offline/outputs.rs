//! Files that `calibrate` writes: they replace no input and no file of another kind, and are never left incomplete.

use std::fs;

use crate::support::command::*;

const GAMES: &str = "g/checkers-1-of-1.games";

fn with_games() -> Dir {
    let dir = Dir::new();
    dir.calibrate("selfplay checkers --folder g --games 20 --nodes 50").exits_with(0);
    dir
}

/// Asserts that nothing is learned or written.
#[track_caller]
fn refused(dir: &Dir, words: &str, parts: &[&str]) {
    let names = dir.names();
    let ran = dir.calibrate(words);
    ran.exits_with(1).stderr_contains(parts);
    assert!(!ran.stdout.contains("pass"), "refused too late: {ran:#?}");
    assert_eq!(dir.names(), names, "{words}");
}

#[test]
fn weights_replace_only_weights() {
    let dir = with_games();
    let games = dir.bytes(GAMES);
    dir.link(GAMES, "link");
    fs::hard_link(dir.path(GAMES), dir.path("same")).expect("a link");
    dir.copy(dir.path(GAMES), "w.svg");
    dir.write("notes.txt", "mine");
    for output in [GAMES, "link", "same", "w", "notes.txt"] {
        let words = format!("fit checkers {GAMES} --passes 1 --output {output}");
        refused(&dir, &words, &["found something else, expected"]);
    }
    // The curve would have the same name as the weights.
    let words = format!("fit checkers {GAMES} --passes 1 --output new.svg");
    refused(&dir, &words, &["new.svg", "expected an extension other than .svg"]);
    assert!(dir.bytes(GAMES) == games && dir.bytes("w.svg") == games && dir.bytes("same") == games);
    assert_eq!(dir.read("notes.txt").as_deref(), Some("mine"));
    // An empty file may be overwritten, and so may weights.
    dir.write("empty", "");
    for _ in 0..2 {
        dir.calibrate(&format!("fit checkers {GAMES} --passes 1 --output empty")).exits_with(0);
    }
    assert!(dir.bytes("empty").starts_with(b"kingline weights"));
}

#[test]
fn weights_that_cannot_be_written_are_refused_before_they_are_learned() {
    let dir = with_games();
    dir.make_dir("folder");
    dir.make_pipe("pipe");
    for (output, message) in [
        ("none/w", "cannot write none/w: "),
        ("folder", "cannot write folder: "),
        ("pipe", "cannot write pipe: not a regular file"),
        ("/dev/null", "cannot write /dev/null: not a regular file"),
    ] {
        refused(&dir, &format!("fit checkers {GAMES} --passes 1 --output {output}"), &[message]);
    }
    let line = format!("exec \"$0\" fit checkers {GAMES} --passes 1 --output out > out");
    dir.run_in_shell(&line, Program::Calibrate).exits_with(1).stderr_contains(&["out is standard output"]);
}

#[test]
fn a_round_does_not_overwrite_what_it_begins_with() {
    let dir = with_games();
    dir.make_dir("r");
    dir.calibrate(&format!("fit checkers {GAMES} --passes 1 --output r/learned.weights")).exits_with(0);
    let weights = dir.bytes("r/learned.weights");
    dir.link("r", "link");
    for begin in ["r/learned.weights", "link/learned.weights"] {
        let words = format!("round --folder r --games 2 --nodes 50 --passes 1 --openings 1 --begin {begin}");
        refused(&dir, &words, &["learned.weights", "are the same file"]);
    }
    assert!(dir.bytes("r/learned.weights") == weights && !dir.path("r/history.json").exists());
    // The games of the round must not be learned from twice.
    let words = format!("round --folder g --games 20 --nodes 50 --passes 1 --openings 1 --also {GAMES}");
    refused(&dir, &words, &["checkers-1-of-1.games", "are the same file"]);
    // Unrelated files are kept.
    for name in ["zero.weights", "learned.weights", "learned.svg", "history.json"] {
        let dir = Dir::new();
        dir.make_dir("r");
        dir.write(&format!("r/{name}"), "mine");
        let ran = dir.calibrate("round --folder r --games 2 --nodes 50 --passes 1 --openings 1");
        ran.exits_with(1).stderr_contains(&[name, "found something else, expected"]);
        assert_eq!(dir.read(&format!("r/{name}")).as_deref(), Some("mine"));
        assert!(!dir.path("r").join("checkers-1-of-1.games").exists(), "refused too late: {ran:#?}");
    }
}

#[test]
fn merged_and_held_out_games_are_both_written_or_neither() {
    let dir = with_games();
    dir.make_dir("folder");
    let names = dir.names();
    let positions = format!("positions checkers {GAMES}");
    let outputs = "--percent 99 --out few.games --held-out many.games";
    let line = format!("trap '' XFSZ; ulimit -f 16; exec \"$0\" {positions} {outputs}");
    dir.run_in_shell(&line, Program::Calibrate)
        .exits_with(1)
        .stderr_contains(&["cannot write many.games", "too large"]);
    assert_eq!(dir.names(), names);
    let words = format!("{positions} --out new.games --held-out folder --force");
    refused(&dir, &words, &["cannot write folder"]);
    // A hard link is the same file.
    fs::hard_link(dir.path(GAMES), dir.path("same")).expect("a link");
    refused(&dir, &format!("{positions} --out same --force"), &["same is read or written already"]);
    refused(&dir, &format!("positions checkers {GAMES} same"), &["same is named twice"]);
}

#[test]
fn folders_of_somebody_else_are_not_used_as_temporary_ones() {
    let dir = Dir::new();
    dir.make_dir("tmp");
    let line = "for part in budget memory black white tables startup; do \
                    for folder in tmp/kingline-$part-$$ tmp/kingline-$part-$$-0; do \
                        mkdir $folder && echo mine > $folder/notes; \
                    done; \
                done; TMPDIR=tmp exec \"$0\" bench startup";
    dir.run_in_shell(line, Program::Calibrate);
    let notes = fs::read_dir(dir.path("tmp")).expect("a folder").flatten();
    let kept = notes.filter(|entry| entry.path().join("notes").is_file()).count();
    assert_eq!(kept, 12, "somebody else's folder was deleted");
}
