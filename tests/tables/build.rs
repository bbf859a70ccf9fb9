//! Building tables: every way of building makes the same file, failures are handled, and verification finds what is wrong.

use std::fs;
use std::time::{Duration, Instant};

use super::{built, built_four, bytes, command, run};
use crate::support::command::Dir;
use crate::support::programs::Program;

/// Start of a shell line that makes writes past a file size (in units of 512 bytes) fail as on a full disk. It ignores
/// the signal that they would raise.
const FULL_AFTER: &str = "trap '' XFSZ; ulimit -f";

/// A function that damages the bytes of a file.
type Damage = fn(Vec<u8>) -> Vec<u8>;

/// Starts a build and kills it as soon as this many parts exist. Returns the names of the files that remain.
fn interrupted(dir: &Dir, arguments: &[&str], parts: usize) -> Vec<String> {
    let mut child = dir.spawn(&mut command(arguments));
    let whole = |name: &String| name.ends_with(".values") || name.ends_with(".section");
    let start = Instant::now();
    while names(dir).iter().filter(|name| whole(name)).count() < parts {
        assert!(start.elapsed() < Duration::from_secs(60), "only {:?} after a minute", names(dir));
        assert!(child.try_wait().expect("a child").is_none(), "it ended first: {:?}", child.wait_with_output());
    }
    child.kill().expect("a child to kill");
    child.wait().expect("a child");
    names(dir)
}

/// Names of the files in the part folder.
fn names(dir: &Dir) -> Vec<String> {
    let entries = fs::read_dir(dir.path("t.parts")).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Compares with the counts of an independent program.
#[test]
fn counts_of_positions_are_right() {
    let (file, report) = built_four();
    let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
    let expected: [(&str, u64, u64, u64, u64); 3] =
        [("2", 716, 2_370, 402, 12), ("3", 100_250, 8_477, 87_305, 34), ("4", 2_562_431, 1_738_823, 1_908_062, 50)];
    for (group, (pieces, won, drawn, lost, longest)) in
        report["groups"].as_array().expect("groups").iter().zip(expected)
    {
        let positions = won + drawn + lost;
        let wanted = serde_json::json!({
            "pieces": pieces, "positions": positions, "won": won, "drawn": drawn, "lost": lost, "longest": longest
        });
        assert_eq!(*group, wanted);
    }
    assert_eq!(report["groups"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["file"]["bytes"], file.len());
}

#[test]
fn the_report_has_the_counts_the_file_and_the_cost() {
    let dir = Dir::new();
    let ran = run(&dir, &["--pieces", "2", "--output", "t"]);
    let lines: Vec<&str> = ran.exits_with(0).stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{ran:#?}");
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(words, ["2", "3,488", "716", "2,370", "402", "12"]);
    assert!(lines[2].starts_with(&format!("t: {} bytes, checksum ", bytes(&dir, "t").len())), "{ran:#?}");
    assert!(lines[3].contains(" CPU seconds: "), "{ran:#?}");
    let path = fs::canonicalize(dir.path("t")).expect("the file");
    assert_eq!(lines[4], format!("line for calibration.txt: \"tables\": {path:?}"));
    assert_eq!(ran.stderr, "", "no warning, and no progress without a terminal");
}

#[test]
fn one_thread_and_two_build_the_same_file() {
    let dir = Dir::new();
    run(&dir, &["--pieces", "3", "--output", "one", "--threads", "1"]).exits_with(0);
    run(&dir, &["--pieces", "3", "--output", "two", "--threads", "2"]).exits_with(0);
    assert!(bytes(&dir, "one") == bytes(&dir, "two"));
}

#[test]
fn a_killed_build_is_resumed() {
    let (expected, _) = built_four();
    let arguments = ["--pieces", "4", "--output", "t", "--threads", "1"];
    const BEFORE: &str = "kltables that were here before";
    let dir = Dir::new().with("t", BEFORE);
    for parts in [3, 17, 30] {
        let left = interrupted(&dir, &arguments, parts);
        assert!(left.len() >= parts, "{left:?}");
        assert_eq!(bytes(&dir, "t"), BEFORE.as_bytes());
    }
    run(&dir, &arguments)
        .exits_with(0)
        .stderr_contains(&["of 41 materials were already solved"])
        .stderr_lacks(&["warning"]);
    assert!(bytes(&dir, "t") == *expected);
    assert_eq!(dir.names(), ["t"], "no parts are left");
}

#[test]
fn damaged_parts_are_rebuilt_with_a_warning() {
    let expected = built("3");
    let dir = Dir::new();
    // The disk is full at the first part larger than 20 KiB.
    let line = format!("{FULL_AFTER} 40; exec \"$0\" tables --pieces 3 --output t");
    dir.run_in_shell(&line, Program::Calibrate).exits_with(1);
    let damage: [(&str, Damage); 4] = [
        ("K-K.values", |bytes| bytes[..bytes.len() - 1].to_vec()),
        ("KK-K.values", |bytes| [&bytes[..5000], &[bytes[5000] ^ 1], &bytes[5001..]].concat()),
        ("m-m.values", |_| Vec::new()),
        ("K-m.values", |_| b"something else, and long enough for a head".to_vec()),
    ];
    for (name, damaged) in damage {
        let name = format!("t.parts/{name}");
        dir.write(&name, damaged(bytes(&dir, &name)));
    }
    fs::remove_file(dir.path("t.parts/K-KK.values")).expect("a part");
    let rebuilding = |material: &str| format!("warning: rebuilding t.parts/{material}.values: it is damaged");
    let ran = run(&dir, &["--pieces", "3", "--output", "t"]);
    ran.exits_with(0);
    for material in ["K-K", "KK-K", "m-m", "K-m"] {
        ran.stderr_contains(&[&rebuilding(material)]);
    }
    assert_eq!(ran.stderr.matches("warning").count(), 4, "{ran:#?}");
    assert!(bytes(&dir, "t") == expected);
    assert_eq!(dir.names(), ["t"]);
}

/// Names that no part of a build has.
const FOREIGN: [&str; 4] = ["mine.section", "mine.values", "notes.tmp", "notes.txt"];

#[test]
fn damaged_sections_are_rebuilt_and_foreign_files_kept() {
    let (expected, _) = built_four();
    let arguments = ["--pieces", "4", "--output", "t"];
    let dir = Dir::new();
    // Only 41 parts are values, so at least two of these 43 are sections, but far from all sections.
    let left = interrupted(&dir, &arguments, 43);
    let section = left.iter().find(|name| name.ends_with(".section")).expect("a section");
    let mut altered = bytes(&dir, &format!("t.parts/{section}"));
    *altered.last_mut().expect("a byte") ^= 0x10;
    dir.write(&format!("t.parts/{section}"), altered);
    for name in FOREIGN {
        dir.write(&format!("t.parts/{name}"), "mine");
    }
    let ran = run(&dir, &arguments);
    let stays = "warning: t.parts is kept: mine.section in it is not part of a build";
    ran.exits_with(0).stderr_contains(&[&format!("rebuilding t.parts/{section}: it is damaged"), stays]);
    assert!(bytes(&dir, "t") == *expected);
    let mut kept = names(&dir);
    kept.sort();
    assert_eq!(kept, FOREIGN);
}

#[test]
fn a_build_on_a_full_disk_is_resumed() {
    let expected = built("3");
    const BEFORE: &str = "kltables that were here before";
    let dir = Dir::new().with("t", BEFORE);
    for kib in ["0", "8", "40"] {
        let line = format!("{FULL_AFTER} {kib}; exec \"$0\" tables --pieces 3 --output t");
        dir.run_in_shell(&line, Program::Calibrate).exits_with(1).stderr_contains(&["cannot write t.parts/", "large"]);
        assert_eq!(bytes(&dir, "t"), BEFORE.as_bytes());
        assert!(names(&dir).iter().all(|name| name.ends_with(".values")), "{:?}", names(&dir));
    }
    let ran = run(&dir, &["--pieces", "3", "--output", "t"]);
    ran.exits_with(0).stderr_contains(&["were already solved"]).stderr_lacks(&["warning"]);
    assert!(bytes(&dir, "t") == expected);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_at_once() {
    let dir = Dir::new().with("file", "");
    run(&dir, &["--pieces", "2", "--output", "none/t"]).exits_with(1).stderr_contains(&["cannot write none/t: "]);
    run(&dir, &["--pieces", "2", "--output", "file/t"])
        .exits_with(1)
        .stderr_contains(&["cannot write file/t: file is not a folder"]);
    run(&dir, &["--pieces", "2", "--output", "."]).exits_with(1).stderr_contains(&["cannot write .: it is a folder"]);
    run(&dir, &["--pieces", "2", "--output", ".."]).exits_with(1).stderr_contains(&["it is a folder"]);
    assert_eq!(dir.names(), ["file"]);
    dir.write("notes.txt", "mine");
    let ran = run(&dir, &["--pieces", "2", "--output", "notes.txt"]);
    ran.exits_with(1).stderr_contains(&["notes.txt: found something else, expected"]);
    assert_eq!(dir.read("notes.txt").as_deref(), Some("mine"));
    assert_eq!(dir.names(), ["file", "notes.txt"]);
}

#[test]
fn bad_usage_is_refused() {
    let dir = Dir::new();
    for (arguments, expected) in [
        (&[][..], "--pieces"),
        (&["--pieces", "2"], "--output"),
        (&["--pieces", "1", "--output", "t"], "2..=6"),
        (&["--pieces", "7", "--output", "t"], "2..=6"),
        (&["--pieces", "many", "--output", "t"], "many"),
        (&["--pieces", "6", "--side", "5", "--output", "t"], "3..=4"),
        (&["--pieces", "2", "--output", "t", "--threads", "0"], "--threads"),
        (&["--pieces", "2", "--verify", "--longest"], "--longest"),
        (&["--pieces", "2", "--output", "t", "--sample", "9"], "--verify"),
        (&["--pieces", "2", "--longest", "--output", "t"], "--output"),
        (&["--pieces", "2", "--name-in", "."], "--output"),
        (&["--pieces", "2", "--verify", "--output", "t", "--name-in", "."], "--name-in"),
    ] {
        run(&dir, arguments).exits_with(2).stderr_contains(&[expected]);
    }
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn solved_values_and_their_file_pass() {
    let dir = Dir::new().with("t", built("3"));
    let ran = run(&dir, &["--pieces", "3", "--verify", "--output", "t"]);
    assert_eq!(ran.exits_with(0).stdout, "199,520 positions are correct\n");
    let ran = run(&dir, &["--pieces", "2", "--verify"]);
    assert_eq!(ran.exits_with(0).stdout, "3,488 positions are correct\n");
    assert_eq!(dir.names(), ["t"]);
}

#[test]
fn a_sample_has_about_the_size_given() {
    let ran = run(&Dir::new(), &["--pieces", "4", "--verify", "--sample", "20000"]);
    let count = ran.exits_with(0).stdout.split(' ').next().expect("a number").replace(',', "");
    // Some of the sampled numbers belong to no position.
    assert!((15_000..21_000).contains(&count.parse::<u32>().expect("a number")), "{ran:#?}");
}

#[test]
fn an_altered_file_fails_where_it_is_read() {
    let right = built("3");
    let mut altered = right.clone();
    *altered.last_mut().expect("a byte") ^= 1;
    let dir = Dir::new().with("t", altered);
    let ran = run(&dir, &["--pieces", "3", "--verify", "--output", "t"]);
    ran.exits_with(1).stderr_contains(&["positions are wrong"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 10, "{ran:#?}");
    for line in lines {
        assert!(line.starts_with("W:W") && line.contains("in the file, expected "), "{line}");
    }
}

#[test]
fn a_file_without_some_materials_is_refused() {
    let dir = Dir::new().with("t", built("2"));
    let ran = run(&dir, &["--pieces", "3", "--verify", "--output", "t"]);
    ran.exits_with(1).stderr_contains(&["t has no KK-K"]);
}

#[test]
fn a_foreign_file_is_refused() {
    let dir = Dir::new().with("t", "something else");
    let verify = |file| run(&dir, &["--pieces", "2", "--verify", "--output", file]);
    verify("t").exits_with(1).stderr_contains(&["cannot use t: not an endgame table file"]);
    verify("none").exits_with(1).stderr_contains(&["cannot read none"]);
    verify(".").exits_with(1).stderr_contains(&["cannot read ."]);
}
