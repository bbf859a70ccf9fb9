//! Appeals: everything about one mark in a folder, and the command that asks the question again.

use std::fs;
use std::process::Command;

use crate::master::submissions::{As, class, grade, text};
use crate::support::command::{Dir, Ran};
use crate::support::programs::Program;
use crate::support::referee::ANSWER;

fn appeal(class: &Dir, arguments: &[&str]) -> Ran {
    class.master(&[&["appeal", "class"], arguments].concat())
}

fn bytes(class: &Dir, path: &str) -> Vec<u8> {
    fs::read(class.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Runs the commands of a verdict, as they are there.
fn ask_again(class: &Dir, verdict: &str) -> Ran {
    let block = verdict.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
    let programs = Program::Master.path().parent().expect("a folder").display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    class.run_command(Command::new("sh").args(["-ec", block]).env("PATH", path).current_dir("/"))
}

#[test]
fn a_single_move_has_all_its_files_and_can_be_asked_again() {
    let class = class(3);
    let agent = "printf 'J a1 b2\\377\\033[2J' > output.txt; printf '\\033[31m' >&2
        i=0; while [ $i -lt 4000 ]; do echo 'a line of some trace' >&2; i=$((i+1)); done; exit 3\n";
    As::Folder.write(&class, "a da", &text("run.sh", agent));
    grade(&class, &["--seed", "5"]).exits_with(0);
    let ran = appeal(&class, &["a da", "Move 2"]);
    assert_eq!(ran.exits_with(0).stdout, "appeal-a da-move-2: verdict.md, input.txt, output.txt, stderr.txt\n");
    let folder = "appeal-a da-move-2";
    let input = String::from_utf8(bytes(&class, &format!("{folder}/input.txt"))).expect("text");
    assert!(
        input.starts_with("SINGLE\n") && input.lines().nth(2) == Some("9") && input.lines().count() == 11,
        "{input}"
    );
    assert_eq!(bytes(&class, &format!("{folder}/output.txt")), b"J a1 b2\xff\x1b[2J");
    let errors = bytes(&class, &format!("{folder}/stderr.txt"));
    let errors = String::from_utf8(errors).expect("text");
    assert!(errors.starts_with("\u{1b}[31ma line of some trace\n") && errors.ends_with("a line of some trace\n"));
    assert!(errors.contains(" bytes left out]\n") && errors.len() < 64 << 10, "{} bytes", errors.len());
    let verdict = class.text(&format!("{folder}/verdict.md"));
    for part in [
        "# a da, move 2: 02 two jumps: 0 of 1 points\n\nill-formed answer\n",
        "| CPU time | 0.",
        " s of 9.000 s |\n| wall time | ",
        " s of 37.000 s |\n| end of the program | exit code 3 |\n",
        "  8  ",
        "\n  read      ",
        "\n  expected  ",
        "- no `playdata.txt`: there is no such file\n",
        " --only 'a da' --question 'move 2' --seed 5 --store ",
    ] {
        assert!(verdict.contains(part), "{part:?}: {verdict}");
    }
    assert!(!verdict.contains('\u{1b}'), "{verdict}");
    // The student's page and the store stay as they are; the new answer has a store of its own.
    let store = class.read("class.grades");
    let ran = ask_again(&class, &verdict);
    ran.exits_with(0).stderr_contains(&["0 of 1 moves and games are done, seed 5"]);
    assert!(ran.stdout.contains("move  2  02 two jumps") && ran.stdout.contains("0/1  ill-formed answer"), "{ran:#?}");
    assert_eq!(class.read("class.grades"), store);
    for file in ["input.txt", "output.txt", "stderr.txt"] {
        assert_eq!(
            bytes(&class, &format!("{folder}/again/{file}")),
            bytes(&class, &format!("{folder}/{file}")),
            "{file}"
        );
    }
}

#[test]
fn a_game_has_the_files_of_its_last_turn() {
    let class = class(1);
    class.agent("class/ada", Program::Reference, "engine");
    let fails = "./engine --seed 1 2> /dev/null
        [ \"$(cat playdata.txt 2> /dev/null)\" = two ] && rm output.txt && exit 7
        [ -e playdata.txt ] && printf two > playdata.txt || printf one > playdata.txt\n";
    class.write_program("class/ada/run.sh", &format!("#!/bin/sh\n{fails}"));
    class.write(
        "course.json",
        r#"{"moves": {"count": 0}, "games": [{"seconds": 9, "side": "black"}, {"seconds": 1.9, "side": "white"}]}"#,
    );
    grade(&class, &["--seed", "5"]).exits_with(0);
    let ran = appeal(&class, &["ada", "game 2: White, 1.9 s", "--output", "new/folder"]);
    let files = "new/folder: verdict.md, input.txt, playdata.txt, stderr.txt, game-2.pdn\n";
    assert_eq!(ran.exits_with(0).stdout, files);
    let [input, playdata, game, verdict] = ["input.txt", "playdata.txt", "game-2.pdn", "verdict.md"]
        .map(|name| class.read(&format!("new/folder/{name}")).unwrap_or_else(|| panic!("no {name}")));
    assert!(input.starts_with("GAME\nWHITE\n1."), "{input}");
    assert_eq!(playdata, "two");
    assert!(game.contains("[White \"ada\"]") && game.parse::<kingline::checkers::pdn::Record>().is_ok(), "{game}");
    for part in ["| turn | 6 |\n", "crashed", "exit code 7", "- no `output.txt`: there is no such file\n"] {
        assert!(verdict.contains(part), "{part:?}: {verdict}");
    }
    let ran = ask_again(&class, &verdict);
    assert!(ran.exits_with(0).stdout.contains("game  2"), "{ran:#?}");
    let moves = |game: &str| game.split("\n\n").nth(1).map(|moves| moves.split(" {").next().map(str::to_owned));
    assert_eq!(moves(&class.text("new/folder/again/game-2.pdn")), moves(&game));
}

#[test]
fn wrong_names_are_answered_with_the_right_ones_and_nothing_is_overwritten() {
    let class = class(2);
    appeal(&class, &["ada", "move 1"]).exits_with(2).stderr_contains(&["class.grades: no such file", "--store"]);
    for name in ["ada", "adam", "zoe"] {
        As::Folder.write(&class, name, &text("run.sh", ANSWER));
    }
    As::Folder.write(&class, "dan", &text("notes.txt", ""));
    As::Folder.write(&class, "eva", &text("build.sh", "echo no compiler here >&2; exit 1\n"));
    grade(&class, &["--seed", "5"]).exits_with(0);
    appeal(&class, &["aada", "move 1"])
        .exits_with(2)
        .stderr_contains(&["no submission called aada; similar: ada, adam"]);
    appeal(&class, &["ada", "move 3"])
        .exits_with(2)
        .stderr_contains(&["found \"move 3\", expected a question:\n  move 1: 01 steps\n  move 2: 02 two jumps\n"]);
    appeal(&class, &["dan", "move 1"]).exits_with(2).stderr_contains(&["dan: no question was asked", "no program"]);
    // An agent that could not be built does not count as changed.
    appeal(&class, &["eva", "move 1"])
        .exits_with(2)
        .stderr_contains(&["eva: no question was asked, since it cannot play: it cannot be built"])
        .stderr_lacks(&["put the old"]);
    class.make_dir("mine");
    appeal(&class, &["ada", "move 1", "--output", "mine"]).exits_with(0);
    let before = bytes(&class, "mine/verdict.md");
    appeal(&class, &["zoe", "move 1", "--output", "mine"]).exits_with(2).stderr_contains(&["mine: not empty"]);
    appeal(&class, &["zoe", "move 1", "--output", "course.json"]).exits_with(2).stderr_contains(&["course.json: "]);
    assert_eq!(bytes(&class, "mine/verdict.md"), before);
    // After a change, there is no answer any more; a store that is none is named.
    class.write("class/ada/run.sh", "exit 1\n");
    appeal(&class, &["ada", "move 2"])
        .exits_with(2)
        .stderr_contains(&["no answer of ada to move 2", "put the old ones"]);
    appeal(&class, &["zoe", "move 2", "--store", "course.json"]).exits_with(2).stderr_contains(&["course.json: "]);
    let asked = ["--question", "move 7", "--only", "zoe", "--seed", "5"];
    grade(&class, &asked)
        .exits_with(2)
        .stderr_contains(&["--question: found \"move 7\", expected a question:\n  move 1"]);
    assert!(!class.names().iter().any(|name| name.starts_with(".appeal")), "{:?}", class.names());
}

#[test]
fn a_store_without_evidence_still_has_a_verdict() {
    let class = class(1);
    As::Folder.write(&class, "ada", &text("run.sh", "echo no > output.txt\n"));
    grade(&class, &["--seed", "5"]).exits_with(0);
    let store = class.text("class.grades");
    let (start, rest) = store.split_once(",\"evidence\":").expect("evidence");
    assert!(rest.contains("exit code 0"), "{rest}");
    // As earlier versions wrote it.
    class.write("class.grades", format!("{start}}}}}]}}\n"));
    let ran = appeal(&class, &["ada", "move 1"]);
    assert_eq!(ran.exits_with(0).stdout, "appeal-ada-move-1: verdict.md, input.txt\n", "{ran:#?}");
    let verdict = class.text("appeal-ada-move-1/verdict.md");
    assert!(verdict.contains("the store does not have what the agent found and left"), "{verdict}");
}
