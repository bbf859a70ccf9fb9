//! Test reports, files that tests leave behind, and files that count as tests.

use super::{IDLE, NOTHING, run};
use crate::support::command::*;

/// Player that prints a dump, an error, a move and the end of a game.
const PLAYER: &str = "printf '===\\n - b\\n===\\n'; echo 'no such move' >&2; echo '* a2-c2'; echo '* Tie game.'; cat";

/// Directory with three 2020 tests, of which the second fails, and two 2015 tests, of which the first fails.
fn five() -> Dir {
    let dir = Dir::new().with("player.sh", PLAYER);
    dir.write("a-1.in", "#* cat\n");
    for name in ["a-1.std", "c-1.std", "c-2.std"] {
        dir.write(name, NOTHING);
    }
    dir.write("b-1.in", "#* sh player.sh\n#*move\n#*win+\n");
    dir.write("b-1.std", "* Tie game.\n");
    dir.write("c-1.in", "# two\n#* cat\n");
    dir.write("c-2.in", "#* cat\n");
    dir.write("d.in", "exit 1\nNone\n===#1===\n");
    dir.write("e.in", "cat\nNone\n===#1===\n");
    dir
}

#[test]
fn the_report_covers_both_languages() {
    let dir = five();
    let ran = run(&dir, &["a-1.in", "b-1.in", "c-1.in", "c-2.in", "d.in", "e.in"]);
    let expected = "\
** a-1 PASSED.
** b-1 FAILED (output differs from b-1.std)
** c-1 PASSED.
d: FAIL (ended with exit status: 1)
e: OK

Passed 3 out of 5 tests.
";
    assert_eq!((ran.exits_with(2).stdout.as_str(), ran.stderr.as_str()), (expected, ""));
}

#[test]
fn failures_in_detail() {
    let dir = five();
    dir.write("d.out", "Program #1:\n");
    let ran = run(&dir, &["--show=1", "a-1.in", "b-1.in", "d.in"]);
    assert_eq!(ran.exits_with(2).stdout, include_str!("reports/detail-2020.txt"));
    let ran = run(&dir, &["--show=9", "d.in"]);
    assert_eq!(ran.exits_with(1).stdout, include_str!("reports/detail-2015.txt"));
}

#[test]
fn outputs_and_errors_are_kept_on_request() {
    let dir = five();
    dir.write("c-1.out", "of an earlier run");
    let before = dir.names();
    run(&dir, &["--keep", "a-1.in", "b-1.in", "c-1.in", "d.in"]).exits_with(2);
    let files = [
        ("a-1.out", ""),
        ("a-1.err", "Ending: exit status: 0\n"),
        ("b-1.out", "===\n - b\n===\n* Tie game.\n"),
        ("b-1.err", "no such move\nEnding: exit status: 0\n"),
        ("c-1.out", ""),
        ("c-2.err", "Ending: exit status: 0\n"),
    ];
    for (name, text) in files {
        assert_eq!(dir.read(name).as_deref(), Some(text), "{name}");
    }
    assert_eq!(dir.names().len(), before.len() + 7, "two files for each 2020 program: {:?}", dir.names());
    // Without `--keep`, a run neither writes nor deletes such files.
    let kept = dir.names();
    dir.write("b-1.out", "of an earlier run");
    run(&dir, &["a-1.in", "b-1.in", "c-1.in", "d.in"]).exits_with(2);
    assert_eq!((dir.names(), dir.read("b-1.out").as_deref()), (kept, Some("of an earlier run")));
}

#[test]
fn the_cause_of_a_failure_is_kept_with_the_errors() {
    let dir = Dir::new().with("player.sh", "echo '* hello'; sleep 100");
    dir.write("t-1.in", "#* sleep 100\n#*move\n");
    dir.write("t-2.in", "#* sh player.sh\n");
    run(&dir, &["--keep", "t-1.in"]).exits_with(1);
    let reason = "malformed message: found \"* hello\", expected a move or the end of a game after *";
    assert_eq!(dir.read("t-2.err"), Some(format!("Ending: {reason}\n")));
    assert_eq!(dir.read("t-1.err").as_deref(), Some("Ending: ended by test-loa\n"));
}

#[test]
fn outputs_can_be_saved_as_expected_outputs() {
    let dir = five();
    let ran = run(&dir, &["--std", "b-1.in", "c-1.in", "d.in", "e.in"]);
    ran.exits_with(1).stdout_starts_with("** b-1 PASSED.\n** c-1 PASSED.\nd: FAIL ");
    for (name, text) in [
        ("b-1.out.tmp", Some("===\n - b\n===\n* Tie game.\n")),
        ("c-1.out.tmp", Some("")),
        ("c-2.out.tmp", Some("")),
        ("d.out.tmp", None),
        ("e.out.tmp", Some("Program #1:\n")),
    ] {
        assert_eq!(dir.read(name).as_deref(), text, "{name}");
    }
}

#[test]
fn the_exit_code_counts_failures_up_to_254() {
    let dir = Dir::new();
    for (count, code) in [(2, 2), (254, 254), (255, 254), (256, 254), (512, 254)] {
        let mut arguments = vec!["missing.in"; count];
        arguments.push("--show=1");
        run(&dir, &arguments).exits_with(code);
    }
}

#[test]
fn the_winner_can_be_the_result() {
    let dir = Dir::new();
    for (printed, other, result) in [
        ("White wins.", "None", "t: White wins\n\nPassed all 1 tests.\n"),
        ("Tie game.", "None", "t: Tie game\n\nPassed all 1 tests.\n"),
        ("Black wins.", "echo Black wins.; cat", "t: Black wins\n\nPassed all 1 tests.\n"),
        ("Black wins.", "exit 3", "t: FAIL (program 2: ended with exit status: 3)\n\nPassed 0 out of 1 tests.\n"),
    ] {
        dir.write("t.in", format!("echo {printed}; sleep 0.3; cat\n{other}\n===#1===\n%ae\n===#2===\n%ae\n"));
        assert_eq!(run(&dir, &["t.in"]).stdout, result);
    }
}

#[test]
fn the_trace_has_the_form_of_the_edition() {
    let dir = Dir::new().with("other.sh", "read mv; echo \"got $mv\"; echo \"$1\"; cat");
    dir.write("first.sh", "echo hm >&2; echo \"b> $1\"; cat >&2");
    dir.write("t.in", "sh first.sh B::b1-b3\nsh other.sh W::a2-c2\n===#1===\ndump\n%mb\n%iw\n===#2===\n%ib\n%mw\n");
    dir.write("u-1.in", "#* sh first.sh *b1-b3\ndump\n#*move\na2-c2\n");
    dir.write("u-2.in", "#* sh other.sh *a2-c2\nb1-b3\n#*move\n");
    for (script, [sent, received, error]) in
        [("t.in", [">Program N:", "<Program N:", "<Program N(e):"]), ("u-1.in", ["[N]<", "[N]>", "[N]E>"])]
    {
        let ran = run(&dir, &["--verbose", script]);
        let mut lines: Vec<&str> = ran.exits_with(0).stderr.lines().collect();
        lines.sort_unstable();
        let [black, white] = if script == "t.in" { ["B::b1-b3", "W::a2-c2"] } else { ["*b1-b3", "*a2-c2"] };
        let mut expected: Vec<String> = [
            (1, sent, "dump"),
            (1, sent, "a2-c2"),
            (1, received, &format!("b> {black}")),
            (1, error, "hm"),
            (1, error, "dump"),
            (1, error, "a2-c2"),
            (2, sent, "b1-b3"),
            (2, received, "got b1-b3"),
            (2, received, white),
        ]
        .map(|(number, mark, line)| format!("{} {line}", mark.replace('N', &number.to_string())))
        .to_vec();
        expected.sort_unstable();
        assert_eq!(lines, expected);
    }
}

#[test]
fn replacements_run_in_place_of_the_named_programs() {
    let dir = Dir::new().with("player.sh", "echo \"$@\" >&2");
    dir.write("a.in", "#* java -ea loa.Main --strict 'a  b'\n");
    dir.write("b.in", "java  -ea loa.Main --strict 'a  b' >&2\nNone\n===#1===\n");
    let programs = ["--program=java=false", "--program=java -ea loa.Main=sh player.sh x"];
    let ran = run(&dir, &[programs[0], programs[1], "--verbose", "a.in", "b.in"]);
    assert_eq!(ran.exits_with(0).stderr, "[1]E> x --strict 'a b'\n<Program 1(e): x --strict a  b\n");
    run(&dir, &[programs[0], "a.in", "b.in"]).exits_with(2);
}

#[test]
fn other_files_are_not_tests() {
    let dir = Dir::new().with("script.txt", "#* cat\n").with("ok.in", "#* cat\n").with("ok.std", NOTHING);
    dir.make_dir("dir.in");
    dir.make_pipe("pipe.in");
    dir.write("huge.in", vec![b'\n'; (1 << 20) + 1]);
    let ran = run(&dir, &["missing.in", "ok.in", "script.txt", "dir.in", "pipe.in", "huge.in", "no/such.in"]);
    let expected = "\
** missing FAILED (cannot read missing.in: No such file or directory (os error 2))
** ok PASSED.
** script FAILED (cannot read script.txt: expected a script FILE.in)
** dir FAILED (cannot read dir.in: not a regular file)
** pipe FAILED (cannot read pipe.in: not a regular file)
** huge FAILED (cannot read huge.in: longer than 1 MiB)
** such FAILED (cannot read no/such.in: No such file or directory (os error 2))

Passed 1 out of 7 tests.
";
    assert_eq!(ran.exits_with(6).stdout, expected);
}

#[test]
fn only_2020_scripts_come_in_pairs() {
    let dir = Dir::new().with("player.sh", IDLE);
    for name in ["a-1.in", "a-2.in"] {
        dir.write(name, "cat\nNone\n===#1===\n");
    }
    run(&dir, &["a-1.in", "a-2.in"]).exits_with(0).stdout_starts_with("a-1: OK\na-2: OK\n");
    dir.write("b-1.in", "#* cat\n");
    dir.write("b-2.in", "dump\n");
    run(&dir, &["b-1.in"]).exits_with(1).stdout_starts_with("** b-1 FAILED (b-2.in: could not find initial");
    dir.write("b-2.in", "#* sh player.sh\n");
    run(&dir, &["b-2.in"]).exits_with(0).stdout_starts_with("** b-2 PASSED.\n");
}

#[test]
fn bad_usage_exits_with_255() {
    let dir = Dir::new();
    for arguments in [&["--show", "t.in"][..], &["--nonsense", "t.in"], &["--program=loa", "t.in"], &["--keep"]] {
        let ran = run(&dir, arguments);
        assert_eq!(ran.exits_with(255).stdout, "");
        ran.stderr_contains(&["error: "]);
    }
}

#[test]
fn the_help_describes_the_scripts() {
    let dir = Dir::new();
    let ran = run(&dir, &[]);
    let help = ran.exits_with(0).stdout.as_str();
    assert_eq!((help, ran.stderr.as_str()), (run(&dir, &["--help"]).stdout.as_str(), ""));
    assert!(help.contains("--program <NAME=COMMAND>"), "{help}");
    let guide = include_str!("../../src/players/guide/scripts.md");
    let (_, table) = guide.split_once("# Instructions\n").expect("the instructions");
    let words = table.split('`').skip(1).step_by(2);
    let instructions: Vec<&str> = words.filter(|word| word.starts_with("#*") || word.starts_with('%')).collect();
    assert!(instructions.len() >= 18, "{instructions:?}");
    for word in instructions.iter().copied().chain(["===#1===", "===#2===", "None"]) {
        assert!(help.contains(word), "{word} is not in {help}");
    }
}

#[test]
fn an_unwritable_report_is_a_failure() {
    let dir = five();
    let ran = dir.run_in_shell("\"$0\" a-1.in >/dev/full", Program::TestLoa);
    ran.exits_with(255).stderr_contains(&["test-loa: No space left"]);
    let ran = dir.run_in_shell("(sleep 0.2; exec \"$0\" a-1.in; ) | true", Program::TestLoa);
    assert_eq!(ran.exits_with(0).stderr, "");
}
