//! `--as-the-course`: verdicts where the course's own testers differ from the contract, in the order of the table in the
//! guide. On all other scripts of these tests both agree.

use super::{IDLE, NOTHING, reason, run};
use crate::support::command::Dir;

/// Verdicts on `t.in`: as the contract, and as the course's tester.
#[track_caller]
fn verdicts(dir: &Dir, passed: &str, failed: &str) -> [String; 2] {
    [&["t.in"][..], &["--as-the-course", "t.in"]].map(|arguments| {
        let ran = run(dir, arguments);
        let warned = ran.stdout.lines().any(|line| line.starts_with("warning: "));
        if warned {
            assert!(ran.exits_with(0).stdout.starts_with(&format!("{passed}\n")), "{ran:?}");
            return String::new();
        }
        reason(&ran, passed, failed)
    })
}

/// Directory with a player that prints lines, then does nothing.
fn player(lines: &str) -> Dir {
    Dir::new().with("player.sh", format!("printf '{lines}'\n{IDLE}"))
}

#[test]
fn a_malformed_message_of_2020_fails_when_it_is_read() {
    for (lines, script, fails) in [
        ("* a2-c9\\n", "dump\n", false),
        ("*\\n", "", false),
        ("* Black wins\\n", "", false),
        ("* a2-c2\\n* hello\\n", "#*move\n", false),
        ("* a2-c2\\n* Tie game.\\n* a2 - c2\\n", "#*move/win\n", false),
        ("* a2-c9\\n", "#*move\n", true),
        ("* hello\\n* a2-c2\\n", "#*move\n", true),
        ("* a2-c2\\n* hello\\n* Tie game.\\n", "#*move/win\n", true),
        ("* Black wins\\n", "#*win+\n", true),
    ] {
        let dir = player(lines).with("t.in", format!("#* sh player.sh\n{script}")).with("t.std", NOTHING);
        let [contract, course] = verdicts(&dir, "** t PASSED.", "** t FAILED (");
        assert!(contract.starts_with("malformed message: found \"*"), "{lines:?} {script:?}: {contract:?}");
        assert_eq!(course, if fails { contract } else { String::new() }, "{lines:?} {script:?}");
    }
}

#[test]
fn a_malformed_message_of_2015_fails_when_it_is_read() {
    for (lines, script, fails) in [
        ("B:: a2-c2\\n", "dump\n", false),
        ("::\\n", "", false),
        ("Who wins?\\n", "", false),
        ("=== x\\n", "", false),
        ("  Black wins.\\n", "", false),
        ("B::a2-c2\\nW::a2-c2!\\n", "%mb\n", false),
        ("B::a2-c2\\nBlack wins.\\nwho wins\\n", "%mb\n%eb\n", false),
        ("B:: a2-c2\\n", "%mb\n", true),
        ("b::a2-c2\\nB::a2-c2\\n", "%mb\n", true),
        ("=== x\\nTie game.\\n", "%e\n", true),
        ("B::a2-c2\\nwho wins\\nBlack wins.\\n", "%bw\n%eb\n", true),
    ] {
        let dir = player(lines).with("t.in", format!("sh player.sh\nNone\n===#1===\n{script}"));
        let [contract, course] = verdicts(&dir, "t: OK", "t: FAIL (");
        assert!(contract.starts_with("malformed message: found \""), "{lines:?} {script:?}: {contract:?}");
        assert_eq!(course, if fails { contract } else { String::new() }, "{lines:?} {script:?}");
    }
}

#[test]
fn a_test_without_a_std_fails() {
    let dir = player("* a2-c2\\n").with("t.in", "#* sh player.sh\n#*move\n");
    assert_eq!(verdicts(&dir, "** t PASSED.", "** t FAILED ("), ["", "no t.std to compare with"]);
}

#[test]
fn a_std_must_end_with_a_newline_and_have_no_comment_behind_a_dump() {
    for (std, course) in [
        ("===\n - b\n===\n", ""),
        ("# why\n===\n - b # why\n===\n# end\n", ""),
        ("===\n - b\n===", "t.std: found no newline after the last line"),
        ("===\n - b\n===\n# end", "t.std: found no newline after the last line"),
        ("=== # why\n - b\n===\n", "t.std: line 1: found a comment after ==="),
        ("===\n - b\n===# why", "t.std: line 3: found a comment after ==="),
    ] {
        let dir = player("===\\n - b\\n===\\n").with("t.in", "#* sh player.sh\n").with("t.std", std);
        assert_eq!(verdicts(&dir, "** t PASSED.", "** t FAILED ("), ["", course], "{std:?}");
    }
}
