//! Tests that pass with a warning: nothing was compared, or the course's own tester would fail them.

use super::run;
use crate::support::command::Dir;

/// Player that prints a dump, a move and the end of a game.
const PLAYER: &str = "printf '===\\n - b\\n===\\n'; echo '* a2-c2'; echo '* Tie game.'; cat";

#[test]
fn without_a_std_nothing_is_compared() {
    let dir = Dir::new().with("player.sh", PLAYER);
    for name in ["t-1.in", "t-2.in"] {
        dir.write(name, "#* sh player.sh\n#*move\n#*win+\n");
    }
    let warning =
        |name: &str| format!("warning: nothing compared: no {name}; the course's tester would fail this test\n");
    let report = |warnings: &str| format!("** t-1 PASSED.\n{warnings}\nPassed all 1 tests.\n");
    let ran = run(&dir, &["t-1.in"]);
    assert_eq!(ran.exits_with(0).stdout, report(&(warning("t-1.std") + &warning("t-2.std"))));
    dir.write("t-2.std", "===\n - b\n===\n* Tie game.\n");
    assert_eq!(run(&dir, &["t-1.in"]).exits_with(0).stdout, report(&warning("t-1.std")));
    dir.write("t-2.std", "");
    run(&dir, &["t-1.in"]).exits_with(1).stdout_starts_with("** t-1 FAILED (output differs from t-2.std)\n\n");
    // Without output, the course's tester agrees.
    dir.write("v.in", "#* cat\n");
    let expected = "** v PASSED.\nwarning: nothing compared: no v.std\n\nPassed all 1 tests.\n";
    for options in [&["v.in"][..], &["--as-the-course", "v.in"]] {
        assert_eq!(run(&dir, options).exits_with(0).stdout, expected);
    }
    // The run itself must pass.
    dir.write("u.in", "#* sh player.sh\n#*win+\n");
    run(&dir, &["u.in"]).exits_with(1).stdout_starts_with("** u FAILED (found \"a2-c2\", expected ");
}

#[test]
fn warnings_if_the_tester_of_the_course_would_fail() {
    let dir = Dir::new().with("player.sh", PLAYER).with("t.in", "#* sh player.sh\n#*move\n#*win+\n");
    for (std, warning) in [
        ("# why\n===\n - b\n===\n* Tie game.\n", None),
        ("===\n - b\n===\n* Tie game.", Some("found no newline after the last line")),
        ("===\n - b # why\n===\n* Tie game.\n", Some("line 2: found a comment at the end of the line")),
        ("===\n - b\n=== # end\n* Tie game.\n", Some("line 3: found a comment at the end of the line")),
    ] {
        dir.write("t.std", std);
        let warning = warning.map(|text| format!("warning: t.std: {text}; the course's tester would fail this test\n"));
        let expected = format!("** t PASSED.\n{}\nPassed all 1 tests.\n", warning.unwrap_or_default());
        assert_eq!(run(&dir, &["t.in"]).exits_with(0).stdout, expected);
    }
}
