//! Appeals: everything about one mark in a folder, and the command that asks the question again.

use std::process::Command;

use crate::support::referee::*;

/// Words of an appeal against a mark of a student.
fn appeal<'a>(student: &'a str, mark: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["appeal", "class", student, mark], more].concat()
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
    let class = Dir::class(3);
    let agent = "printf 'J a1 b2\\377\\033[2J' > output.txt; printf '\\033[31m' >&2
        i=0; while [ $i -lt 4000 ]; do echo 'a line of some trace' >&2; i=$((i+1)); done; exit 3\n";
    class.write("class/a da/run.sh", agent);
    class.grade("--seed 5").exits_with(0);
    let ran = class.master(&appeal("a da", "Move 2", &[]));
    assert_eq!(ran.exits_with(0).stdout, "appeal-a da-move-2: verdict.md, input.txt, output.txt, stderr.txt\n");
    let folder = "appeal-a da-move-2";
    let input = class.text(&format!("{folder}/input.txt"));
    let lines: Vec<&str> = input.lines().collect();
    assert_eq!((lines[0], lines[2], lines.len()), ("SINGLE", "9", 11), "{input}");
    assert_eq!(class.bytes(&format!("{folder}/output.txt")), b"J a1 b2\xff\x1b[2J");
    let errors = class.text(&format!("{folder}/stderr.txt"));
    assert!(errors.starts_with("\u{1b}[31ma line of some trace\n") && errors.ends_with("a line of some trace\n"));
    assert!(errors.contains(" bytes left out]\n") && errors.len() < 64 << 10, "{} bytes", errors.len());
    let verdict = class.text(&format!("{folder}/verdict.md"));
    contains(
        &verdict,
        &[
            "# a da, move 2: 02 two jumps: 0 of 1 points\n\nill-formed answer\n",
            "| CPU time | 0.",
            " s of 9.000 s |\n| wall time | ",
            " s of 37.000 s |\n| end of the program | exit code 3 |\n",
            "  8  ",
            "\n  read      ",
            "\n  expected  ",
            "- no `playdata.txt`: there is no such file\n",
            " --only 'a da' --question 'move 2' --seed 5 --store ",
        ],
    );
    assert!(!verdict.contains('\u{1b}'), "{verdict}");
    // The student's page and the store stay as they are; the new answer has a store of its own.
    let store = class.read("class.grades");
    let ran = ask_again(&class, &verdict);
    ran.exits_with(0).stderr_contains(&["0 of 1 moves and games are done, seed 5"]);
    ran.stdout_contains(&["move  2  02 two jumps", "0/1  ill-formed answer"]);
    assert_eq!(class.read("class.grades"), store);
    for file in ["input.txt", "output.txt", "stderr.txt"] {
        let [again, before] = ["again/", ""].map(|part| class.bytes(&format!("{folder}/{part}{file}")));
        assert_eq!(again, before, "{file}");
    }
}

#[test]
fn a_game_has_the_files_of_its_last_turn() {
    let class = Dir::class(1);
    class.agent("class/ada", Program::Reference, "engine");
    let fails = "./engine --seed 1 2> /dev/null
        [ \"$(cat playdata.txt 2> /dev/null)\" = two ] && rm output.txt && exit 7
        [ -e playdata.txt ] && printf two > playdata.txt || printf one > playdata.txt\n";
    class.script("class/ada", fails);
    let games = json!([{ "seconds": 9, "side": "black" }, { "seconds": 1.9, "side": "white" }]);
    class.course(&json!({ "moves": { "count": 0 }, "games": games }));
    class.grade("--seed 5").exits_with(0);
    let ran = class.master(&appeal("ada", "game 2: White, 1.9 s", &["--output", "new/folder"]));
    let files = "new/folder: verdict.md, input.txt, playdata.txt, stderr.txt, game-2.pdn\n";
    assert_eq!(ran.exits_with(0).stdout, files);
    let [input, playdata, game, verdict] =
        ["input.txt", "playdata.txt", "game-2.pdn", "verdict.md"].map(|name| class.text(&format!("new/folder/{name}")));
    assert!(input.starts_with("GAME\nWHITE\n1."), "{input}");
    assert_eq!(playdata, "two");
    assert!(game.contains("[White \"ada\"]") && game.parse::<kingline::checkers::pdn::Record>().is_ok(), "{game}");
    contains(&verdict, &["| turn | 6 |\n", "crashed", "exit code 7", "- no `output.txt`: there is no such file\n"]);
    ask_again(&class, &verdict).exits_with(0).stdout_contains(&["game  2"]);
    let moves = |game: &str| game.split("\n\n").nth(1).map(|moves| moves.split(" {").next().map(str::to_owned));
    assert_eq!(moves(&class.text("new/folder/again/game-2.pdn")), moves(&game));
}

#[test]
fn wrong_names_are_answered_with_the_right_ones_and_nothing_is_overwritten() {
    let class = Dir::class(2);
    let refused = |student: &str, mark: &str, more: &[&str], messages: &[&str]| {
        class.refuses(&appeal(student, mark, more), messages)
    };
    refused("ada", "move 1", &[], &["class.grades: no such file", "--store"]);
    class.hand_in(&["ada", "adam", "zoe"]);
    class.write("class/dan/notes.txt", "");
    class.write("class/eva/build.sh", "echo no compiler here >&2; exit 1\n");
    class.grade("--seed 5").exits_with(0);
    refused("aada", "move 1", &[], &["no submission called aada; similar: ada, adam"]);
    let questions = "found \"move 3\", expected a question:\n  move 1: 01 steps\n  move 2: 02 two jumps\n";
    refused("ada", "move 3", &[], &[questions]);
    refused("dan", "move 1", &[], &["dan: no question was asked", "no program"]);
    // An agent that could not be built does not count as changed.
    refused("eva", "move 1", &[], &["eva: no question was asked, since it cannot play: it cannot be built"])
        .stderr_lacks(&["put the old"]);
    class.make_dir("mine");
    class.master(&appeal("ada", "move 1", &["--output", "mine"])).exits_with(0);
    let before = class.bytes("mine/verdict.md");
    refused("zoe", "move 1", &["--output", "mine"], &["mine: not empty"]);
    refused("zoe", "move 1", &["--output", "course.json"], &["course.json: "]);
    assert_eq!(class.bytes("mine/verdict.md"), before);
    // After a change, there is no answer any more; a store that is none is named.
    class.write("class/ada/run.sh", "exit 1\n");
    refused("ada", "move 2", &[], &["no answer of ada to move 2", "put the old ones"]);
    refused("zoe", "move 2", &["--store", "course.json"], &["course.json: "]);
    let command = grade("--only zoe --seed 5");
    let asked = [command.words(), vec!["--question", "move 7"]].concat();
    class.refuses(&asked, &["--question: found \"move 7\", expected a question:\n  move 1"]);
    assert!(!class.names().iter().any(|name| name.starts_with(".appeal")), "{:?}", class.names());
}

#[test]
fn a_store_without_evidence_still_has_a_verdict() {
    let class = Dir::class(1);
    class.write("class/ada/run.sh", "echo no > output.txt\n");
    class.grade("--seed 5").exits_with(0);
    let store = class.text("class.grades");
    let (start, rest) = store.split_once(",\"evidence\":").expect("evidence");
    assert!(rest.contains("exit code 0"), "{rest}");
    // As earlier versions wrote it.
    class.write("class.grades", format!("{start}}}}}]}}\n"));
    let ran = class.master(&appeal("ada", "move 1", &[]));
    assert_eq!(ran.exits_with(0).stdout, "appeal-ada-move-1: verdict.md, input.txt\n", "{ran:#?}");
    let verdict = class.text("appeal-ada-move-1/verdict.md");
    contains(&verdict, &["the store does not have what the agent found and left"]);
}
