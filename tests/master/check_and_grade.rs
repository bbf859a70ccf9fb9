//! `master check` and `master grade`: our own programs pass, and the mistakes of others are reported.

use super::CASES;
use crate::support::checks::{filtered, findings, is_wrong, short_exam, step, steps, wrong_steps};
use crate::support::referee::*;
use crate::support::table::rows;

#[test]
fn our_lines_of_action_agents_pass_every_step() {
    let dir = Dir::new();
    for (name, program, script) in [
        ("loa6", Program::Loa6, "exec ./engine --time 0.02"),
        ("loa", Program::Loa, "exec ./engine --time 0.02"),
        ("loa-2015", Program::Loa, "exec ./engine --time 0.02 --dialect 2015"),
    ] {
        dir.agent(name, program, "engine");
        dir.script(name, script);
        let checked: Value = dir.master(&format!("check {name} --league {name} --json")).exits_with(0).json();
        assert_eq!((&checked["passed"], &checked["league"]), (&Value::Bool(true), &Value::from(name)));
        assert!(list(&checked["steps"]).len() >= 15, "{checked:#}");
    }
}

#[test]
fn a_bad_first_answer_fails_in_its_own_step() {
    let dir = Dir::new();
    for [name, script, title, message] in rows(CASES, "bad first answers") {
        dir.scripted(name, Program::Reference, script);
        let steps = is_wrong(&dir, &[name], title, message);
        let board = &steps[0]["findings"][0]["board"];
        assert_eq!(board[0], "  8  . b . b . b . b", "{name}");
        assert!(steps[0]["findings"][0]["legal"].as_array().is_some_and(|legal| legal.contains(&"c3-b4".into())));
    }
    // Its answer is right in one position only.
    dir.scripted("stubborn", Program::Reference, "echo 'E c3 b4' > output.txt");
    dir.master("check stubborn").exits_with(1).stdout_contains(&[
        "\nok      §1 it is a legal turn\n",
        "WRONG   §1 jumping is compulsory\n",
        "  5  . . b . . . . .\n",
        "  read      c3-b4\n",
        "  expected  a jump, since jumping is compulsory: ",
    ]);
}

#[test]
fn each_bad_habit_fails_in_its_own_step() {
    let dir = Dir::new();
    let right = "./engine --seed 1 2>/dev/null";
    for [name, script, title, message] in rows(CASES, "bad habits") {
        dir.scripted(name, Program::Reference, &script.replace("RIGHT", right));
        let steps = is_wrong(&dir, &[name], title, message);
        assert!(steps.len() <= 6, "{name}: {steps:#?}");
    }
}

#[test]
fn answers_are_read_strictly_or_leniently() {
    let dir = Dir::new();
    filtered(&dir, "sloppy", "s/E/e/; s/J/j/; s/$/\\r/");
    is_wrong(&dir, &["sloppy"], "output.txt has the form", "ill-formed answer");
    dir.master("check sloppy --lenient").exits_with(0);
}

#[test]
fn source_agents_are_built_in_a_copy() {
    let dir = Dir::new();
    dir.agent("source", Program::Reference, "engine");
    dir.write("source/build.sh", "mkdir bin && cp engine bin/ && printf '#!/bin/sh\\nexec bin/engine\\n' > run.sh");
    dir.master("check source --verbose")
        .exits_with(0)
        .stdout_contains(&["found source, to be built by `sh ./build.sh`"]);
    assert!(!dir.path("source/bin").exists(), "the folder itself is unchanged");

    dir.write("broken/build.sh", "echo 'main.c:1: no such thing' >&2; exit 7");
    let messages = ["WRONG   §2 the program can be built", "exit code 7", "main.c:1: no such thing"];
    dir.master("check broken").exits_with(1).stdout_contains(&messages);
    dir.make_dir("empty");
    assert!(findings(step(&wrong_steps(&dir, &["empty"]), "there is a program")).contains("an empty folder"));
    dir.refuses("check nobody", &["nobody"]);
    dir.refuses("check empty --league chess", &["chess"]);
}

#[test]
fn calibrate_is_checked() {
    let dir = Dir::new();
    dir.scripted("calibrated", Program::Reference, "[ -e calibration.txt ] || exit 3\n./engine");
    dir.write_program("calibrated/calibrate", "#!/bin/sh\necho 1 > calibration.txt\n");
    let noted = steps(&dir.master("check calibrated --json").exits_with(0).json(), "note");
    assert!(findings(step(&noted, "without calibration.txt")).contains("exit code 3"));
    assert_eq!(noted.len(), 1, "{noted:#?}");
    dir.write_program("calibrated/calibrate", "#!/bin/sh\nexit 2\n");
    assert!(findings(step(&wrong_steps(&dir, &["calibrated"]), "calibrate")).contains("exit code 2"));
}

#[test]
fn faults_of_other_protocols_are_shown_in_their_notation() {
    let dir = Dir::new();
    for [name, league, script, title, message] in rows(CASES, "faults of other protocols") {
        dir.agent(name, Program::Loa, "program");
        dir.script(name, script);
        is_wrong(&dir, &[name, "--league", league], title, message);
    }
}

#[test]
fn bidirectional_text_is_escaped() {
    let dir = Dir::new();
    let script = "printf 'a\\342\\200\\256b\\033[2J' >&2; printf 'E \\342\\200\\256' > output.txt; exit 1";
    dir.scripted("turned", Program::Reference, script);
    for command in ["check turned", "play turned turned --opening 0"] {
        let ran = dir.master(command);
        assert!(!ran.stdout.is_empty() && !ran.stdout.contains(['\u{202e}', '\u{1b}']), "{ran:#?}");
    }
    dir.scripted("a\u{202e}b", Program::Reference, "exec ./engine");
    dir.master(&["play", "a\u{202e}b", "turned"]).exits_with(2);
}

#[test]
fn homework_gets_full_marks() {
    let dir = Dir::new();
    short_exam(&dir);
    dir.agent("ours", Program::Homework, "homework");
    let ran = dir.master("grade ours --positions exam --seed 1 --report report.md --save games");
    let points = "ours: 100 of 100 points, 10 for single moves and 90 for games\n";
    assert!(ran.exits_with(0).stdout.ends_with(points), "{ran:#?}");
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("move ") || line.starts_with("game ")).count(), 19);
    let report = dir.text("report.md");
    assert!(report.starts_with("# ours: 100 of 100 points\n"), "{report}");
    for number in 1..=9 {
        let game = dir.text(&format!("games/game-{number}.pdn"));
        let side = if number % 2 == 1 { "[Black \"ours\"]" } else { "[White \"ours\"]" };
        assert!(game.contains(side) && game.parse::<kingline::checkers::pdn::Record>().is_ok(), "{game}");
    }
}

#[test]
fn every_lost_point_is_explained() {
    let dir = Dir::new();
    short_exam(&dir);
    // One fault in each kind of position, and one in each game.
    let faults = "case $(cat input.txt | tr '\\n' /) in
        *SINGLE*....W...*) while :; do :; done;;
        *SINGLE*b...b.b.*) echo 'J f6 d4' > output.txt;;
        *SINGLE*B*) exit 9;;
        *SINGLE*..W.....*) : > output.txt;;
        *GAME*BLACK*) sleep 0.01; exit 0;;
        *GAME*WHITE*) echo 'E a1 b2' > output.txt;;
        *) ./engine --seed 1;;
    esac";
    dir.scripted("faulty", Program::Reference, faults);
    let grade: Value = dir.master("grade faulty --positions exam --report report.md --json").exits_with(0).json();
    let marks = list(&grade["marks"]);
    let lost: Vec<_> = marks.iter().filter(|mark| mark["points"] != mark["of"]).collect();
    assert_eq!(grade["points"], marks.iter().map(|mark| mark["points"].as_u64().expect("points")).sum::<u64>());
    let losses: Vec<String> = lost.iter().map(|mark| mark["lost"].to_string()).collect();
    assert!(losses.iter().all(|lost| lost.contains("\"board\"") && lost.contains("\"legal\"")), "{losses:#?}");
    contains(
        &losses.join("\n"),
        &["out of time", "the jump to its end: ", "exit code 9", "an output.txt of 0 bytes", "no answer", "a1-b2"],
    );
    assert_eq!(marks.iter().filter(|mark| mark["part"] == "game" && mark["points"] == 0).count(), 9);
    let report = dir.text("report.md");
    assert_eq!(report.matches("\n### ").count() + 1, lost.len());
    assert_eq!(report.matches("\nThe same in move ").count(), 1, "two crash in the same way: {report}");
    assert_eq!(report.matches("```pdn\n").count(), 9, "games that are not won can be replayed");
    let by_squares = |line: &str| line.starts_with("- turn 1, Black: ") && line.contains("6-") && line.ends_with(')');
    assert!(report.lines().any(by_squares), "{report}");
    contains(
        &report,
        &[
            "an output.txt of 0 bytes; exit code 0; it printed nothing",
            "## Games: 0 of 90 points",
            "illegal move\n  read      a1-b2\n",
        ],
    );
}

#[test]
fn bad_exams_are_refused() {
    let dir = Dir::new();
    short_exam(&dir);
    dir.agent("ours", Program::Homework, "homework");
    dir.make_dir("empty");
    dir.write("many.txt", "1\n2\n");
    dir.write("words.txt", "1\nsoon\n");
    dir.write("nine.txt", "1\n".repeat(9));
    dir.write("notes.md", "# Mine\n");
    dir.run_rows(Program::Master, CASES, "bad exams");
    let sound = dir.text("exam/09-lost.txt");
    for (text, message) in [
        (sound.replace("WHITE", "GREEN"), "exam/09-lost.txt: line 2: found \"GREEN\""),
        (sound.replace("....W...", "........"), "exam/09-lost.txt: White has no legal move"),
    ] {
        dir.write("exam/09-lost.txt", text);
        dir.refuses("grade ours --positions exam", &[message]);
    }
    // In its own folder, the program finds no reference agent beside it.
    dir.make_dir("alone");
    dir.copy(Program::Master.path(), "alone/master");
    dir.run_command(std::process::Command::new(dir.path("alone/master")).args(["grade", "ours"]))
        .exits_with(2)
        .stderr_contains(&["expected the program `reference` beside this one"]);
}
