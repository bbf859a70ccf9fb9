//! Building tables: every way of building makes the same file, failures are handled, and verification finds what is wrong.

use std::fs;
use std::ops::Range;

use super::{built, built_four, command, run};
use crate::support::command::*;

/// First line of the file of parts.
const TITLE: &str = "kingline tables 2\n";

/// Starts a build and kills it as soon as the file of parts has so many. Returns the number of whole parts in it.
fn interrupted(dir: &Dir, arguments: &[&str], least: usize) -> usize {
    dir.kill_when(&mut command(arguments), || parts(dir).len() >= least);
    parts(dir).len()
}

/// Places of the whole batches in the file of parts; each begins with its length.
fn parts(dir: &Dir) -> Vec<Range<usize>> {
    let bytes = fs::read(dir.path("t.parts")).unwrap_or_default();
    let (mut places, mut at) = (Vec::new(), TITLE.len());
    while let Some(length) = bytes.get(at..at + 8) {
        let end = at + 16 + u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize;
        if end > bytes.len() {
            break;
        }
        places.push(at..end);
        at = end;
    }
    places
}

/// Compares with the counts of an independent program.
#[test]
fn counts_of_positions_are_right() {
    let (file, report) = built_four();
    let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
    let expected: [(&str, [u64; 3], u64, [u64; 2]); 3] = [
        ("2", [716, 2_370, 402], 12, [0, 0]),
        ("3", [100_250, 8_477, 87_305], 34, [0, 0]),
        ("4", [2_562_431, 1_738_823, 1_908_062], 50, [20_901, 73]),
    ];
    for (group, (pieces, counts, longest, [cursed, longest_cursed])) in
        report["groups"].as_array().expect("groups").iter().zip(expected)
    {
        let [won, drawn, lost] = counts;
        let wanted = serde_json::json!({
            "pieces": pieces, "positions": counts.iter().sum::<u64>(), "won": won, "drawn": drawn, "lost": lost,
            "longest": longest, "cursed": cursed, "longest_cursed": longest_cursed
        });
        assert_eq!(*group, wanted);
    }
    assert_eq!(report["groups"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["file"]["bytes"], file.len());
}

#[test]
fn the_report_has_the_counts_the_file_and_the_cost() {
    let dir = Dir::new();
    let ran = run(&dir, "--pieces 2 --output t");
    let lines: Vec<&str> = ran.exits_with(0).stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{ran:#?}");
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(words, ["2", "3,488", "716", "2,370", "402", "12", "0", "0"]);
    assert!(lines[2].starts_with(&format!("t: {} bytes, checksum ", dir.bytes("t").len())), "{ran:#?}");
    assert!(lines[3].contains(" CPU seconds: "), "{ran:#?}");
    let path = fs::canonicalize(dir.path("t")).expect("the file");
    assert_eq!(lines[4], format!("line for calibration.txt: \"tables\": {path:?}"));
    assert_eq!(ran.stderr, "", "no warning, and no progress without a terminal");
}

#[test]
fn one_thread_and_two_build_the_same_file() {
    let dir = Dir::new();
    run(&dir, "--pieces 3 --output one --threads 1").exits_with(0);
    run(&dir, "--pieces 3 --output two --threads 2").exits_with(0);
    assert!(dir.bytes("one") == dir.bytes("two"));
}

#[test]
fn a_killed_build_is_resumed() {
    let (expected, _) = built_four();
    let arguments = ["--pieces", "4", "--output", "t", "--threads", "1"];
    const BEFORE: &str = "kltables that were here before";
    let dir = Dir::new().with("t", BEFORE);
    for least in [3, 17, 30] {
        assert!(interrupted(&dir, &arguments, least) >= least);
        assert_eq!(dir.bytes("t"), BEFORE.as_bytes());
    }
    run(&dir, &arguments)
        .exits_with(0)
        .stderr_contains(&["of 41 materials were already solved"])
        .stderr_lacks(&["warning"]);
    assert!(dir.bytes("t") == *expected);
    assert_eq!(dir.names(), ["t"], "no parts are left");
}

/// The parts before the damaged one are kept.
#[test]
fn damaged_parts_are_rebuilt() {
    let (expected, _) = built_four();
    let arguments = ["--pieces", "4", "--output", "t"];
    let dir = Dir::new();
    // Only 41 parts are values, so at least two of these 43 are sections, but far from all sections.
    interrupted(&dir, &arguments, 43);
    let (whole, places) = (dir.bytes("t.parts"), parts(&dir));
    let cut = whole[..places[9].end - 1].to_vec();
    let altered = |place: usize| [&whole[..place], &[whole[place] ^ 0x10], &whole[place + 1..]].concat();
    for (damaged, message, solved) in [
        (cut, "t.parts: removed the last ", 9),
        (altered(places[4].start + 30), "warning: t.parts is damaged: the batch at byte ", 4),
        (altered(places[41].end - 1), "warning: t.parts is damaged: the batch at byte ", 41),
        (TITLE.as_bytes()[..5].to_vec(), "", 0),
    ] {
        dir.write("t.parts", damaged);
        let ran = run(&dir, &arguments);
        ran.exits_with(0).stderr_contains(&[message]);
        // Of two materials that are solved together, one may be lost.
        let taken = ran
            .stderr
            .split_once(" of 41 materials were already solved")
            .and_then(|(before, _)| before.rsplit('\n').next()?.parse::<usize>().ok());
        assert!(taken.map_or(solved == 0, |taken| (solved - 1..=solved).contains(&taken)), "{solved}: {ran:#?}");
        assert!(!ran.stderr.contains("of 41 materials were already compressed"), "{ran:#?}");
        assert!(dir.bytes("t") == *expected);
        assert_eq!(dir.names(), ["t"]);
    }
}

#[test]
fn another_file_in_place_of_the_parts_is_left_alone() {
    let dir = Dir::new().with("t.parts", "my only copy\n");
    let ran = run(&dir, "--pieces 2 --output t");
    ran.exits_with(1).stderr_contains(&["t.parts: found \"my only copy\", expected \"kingline tables 2\""]);
    assert_eq!((dir.names(), dir.read("t.parts")), (vec!["t.parts".into()], Some("my only copy\n".into())));
}

#[test]
fn a_build_on_a_full_disk_is_resumed() {
    let expected = built("3");
    const BEFORE: &str = "kltables that were here before";
    let dir = Dir::new().with("t", BEFORE);
    for units in [0, 8, 40] {
        let ran = dir.run_on_full_disk(units, "exec \"$0\" tables --pieces 3 --output t", Program::Calibrate);
        ran.exits_with(1).stderr_contains(&["cannot write t.parts", "large"]);
        assert_eq!(dir.bytes("t"), BEFORE.as_bytes());
    }
    let ran = run(&dir, "--pieces 3 --output t");
    ran.exits_with(0).stderr_contains(&["were already solved"]).stderr_lacks(&["warning"]);
    assert!(dir.bytes("t") == expected);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_at_once() {
    let dir = Dir::new().with("file", "");
    dir.run_rows(Program::Calibrate, include_str!("refused.txt"), "outputs");
    assert_eq!(dir.names(), ["file"]);
    dir.write("notes.txt", "mine");
    let ran = run(&dir, "--pieces 2 --output notes.txt");
    ran.exits_with(1).stderr_contains(&["notes.txt: found something else, expected"]);
    assert_eq!(dir.read("notes.txt").as_deref(), Some("mine"));
    assert_eq!(dir.names(), ["file", "notes.txt"]);
}

#[test]
fn bad_usage_is_refused() {
    let dir = Dir::new();
    dir.run_rows(Program::Calibrate, include_str!("refused.txt"), "tables");
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn solved_values_and_their_file_pass() {
    let dir = Dir::new().with("t", built("3"));
    let ran = run(&dir, "--pieces 3 --verify --output t");
    assert_eq!(ran.exits_with(0).stdout, "199,520 positions are correct\n");
    let ran = run(&dir, "--pieces 2 --verify");
    assert_eq!(ran.exits_with(0).stdout, "3,488 positions are correct\n");
    assert_eq!(dir.names(), ["t"]);
}

#[test]
fn a_sample_has_about_the_size_given() {
    let ran = run(&Dir::new(), "--pieces 4 --verify --sample 20000");
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
    let ran = run(&dir, "--pieces 3 --verify --output t");
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
    run(&dir, "--pieces 3 --verify --output t").exits_with(1).stderr_contains(&["t has no KK-K"]);
}

#[test]
fn a_foreign_file_is_refused() {
    let dir = Dir::new().with("t", "something else");
    let verify = |file| run(&dir, &["--pieces", "2", "--verify", "--output", file]);
    verify("t").exits_with(1).stderr_contains(&["cannot use t: not an endgame table file"]);
    verify("none").exits_with(1).stderr_contains(&["cannot read none"]);
    verify(".").exits_with(1).stderr_contains(&["cannot read ."]);
}
