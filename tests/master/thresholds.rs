//! Scores to reach against opponents of the staff's choice: one question each, for all points or none.

use crate::support::referee::*;

/// Always at fault.
const FAULTY: &str = "#!/bin/sh\nexit 9\n";

/// A class of ada, who plays, and eva, who cannot; with two opponents of the staff beside it: one that is always at
/// fault, and one that must be built and calibrated.
fn two_students() -> Dir {
    let class = Dir::class(1);
    class.scripted("class/ada", Program::Reference, "exec ./engine --seed 1");
    class.write("class/eva/run.sh", FAULTY);
    class.write_program("staff/faulty/run.sh", FAULTY);
    class.agent("staff/built", Program::Reference, "engine");
    let script = "#!/bin/sh\\n[ -e calibration.txt ] || exit 3\\nexec ./engine --seed 2\\n";
    class.write("staff/built/build.sh", format!("printf '{script}' > run.sh; chmod +x run.sh\n"));
    class.write_program("staff/built/calibrate", "#!/bin/sh\necho 1 > calibration.txt\n");
    class.write(
        "staff/course.json",
        r#"{"name": "short", "moves": {"count": 1, "seconds": 9}, "games": [{"seconds": 1.9, "side": "white"}],
            "points_a_game": 2, "thresholds": [
            {"opponent": "faulty", "seconds": 1.9, "games": 3, "needed": 1.5, "points": 30},
            {"opponent": "built", "seconds": 9, "opponent_seconds": 1.9, "games": 2, "needed": 2, "points": 10}]}"#,
    );
    class
}

/// Words that grade the class by the course of the staff.
fn by_staff(words: &str) -> String {
    format!("grade class --class --any-tier --course staff/course.json --seed 5 {words}")
}

/// Marks of a student's thresholds.
fn thresholds(all: &Value, student: &str) -> Vec<Value> {
    let grade = list(&all["grades"]).iter().find(|grade| grade["agent"] == student).expect("a grade");
    let marks = list(&grade["marks"]).iter();
    assert_eq!(grade["of"], 43);
    assert_eq!(grade["points"], marks.clone().map(|mark| mark["points"].as_u64().expect("points")).sum::<u64>());
    marks.filter(|mark| mark["part"] == "threshold").cloned().collect()
}

#[test]
fn a_threshold_gives_all_points_or_none_ends_when_it_is_decided_and_is_in_every_output() {
    let class = two_students();
    let ran = class.master(&by_staff("--json --csv book.csv --report reports --save games"));
    let all: Value = ran.exits_with(0).stderr_contains(&["0 of 8 moves and games"]).json();
    let [ada, eva] = ["ada", "eva"].map(|student| thresholds(&all, student));
    let played = |mark: &Value| list(&mark["records"]).to_vec();
    assert_eq!((&ada[0]["points"], &ada[0]["of"], played(&ada[0]).len()), (&30.into(), &30.into(), 2));
    let begins =
        |text: &Value, start: &str| assert!(text.as_str().is_some_and(|text| text.starts_with(start)), "{text}");
    begins(&ada[0]["result"], "score 2, needed 1.5, after 2 of 3 games: won in turn ");
    // Colors alternate, and the times are those of the course.
    let sides: Vec<_> = played(&ada[0]).iter().map(|game| game["names"][0].clone()).collect();
    assert_eq!(sides, ["ada", "faulty"]);
    assert_eq!(played(&ada[1])[0]["budgets"], json!([9_000_000, 1_900_000]));
    let reasons = played(&ada[1]).iter().map(|game| game["verdict"]["reason"]["why"].clone()).collect::<Vec<_>>();
    assert!(!reasons.contains(&"fault".into()), "the opponent is built and calibrated: {reasons:?}");
    // The first to move is at fault: eva wins the second game, and cannot win both of the other threshold.
    begins(&eva[0]["result"], "score 1, needed 1.5, after 3 of 3 games: lost in turn 1: crashed; ");
    begins(&eva[1]["result"], "score 0, needed 2, after 1 of 2 games: lost in turn 1: crashed");
    begins(&eva[0]["lost"]["asked"], "game 3: turn 1, as Black");
    assert_eq!((&eva[0]["points"], &eva[1]["points"], &eva[0]["fault"]), (&0.into(), &0.into(), &"crashed".into()));

    let book = class.text("book.csv");
    let columns = ",\"threshold 1: faulty, 1.9 s\",\"threshold 2: built, 9 s against 1.9 s\"";
    assert!(book.lines().next().is_some_and(|line| line.ends_with(columns)), "{book}");
    assert!(book.lines().any(|line| line.starts_with("eva,") && line.ends_with(",0,0")), "{book}");
    assert!(book.lines().any(|line| line.starts_with("ada,") && line.contains(",30,")), "{book}");
    let summary = class.text("reports/grade.md");
    contains(
        &summary,
        &["out of 43 points", "| moves | games | thresholds |", "| threshold 1: faulty, 1.9 s | 15.00 | 30 |"],
    );
    let page = class.text("reports/pages/eva.html");
    contains(
        &page,
        &["Thresholds: 0 of 40 points", "Threshold 1: faulty, 1.9 s", "score 1, needed 1.5", "faulty against eva"],
    );
    for name in ["game-1", "threshold-1-game-3", "threshold-2-game-1"] {
        assert!(class.read(&format!("games/eva/{name}.pdn")).is_some(), "{name}");
    }
    for (system, part) in [
        ("gradescope", "threshold 1: faulty, 1.9 s"),
        ("prairielearn", "score 1, needed 1.5"),
        ("autolab", "\"thresholds\":0"),
    ] {
        let ran = class.master(&by_staff(&format!("--format {system} --results {system}")));
        ran.exits_with(0).stderr_contains(&["8 of 8 moves and games"]);
        contains(&class.text(&format!("{system}/eva.json")), &[part]);
    }
    // One submission by itself, and one mark.
    let single = "grade class/eva --any-tier --report eva.md --course staff/course.json --seed 5";
    class.master(single).exits_with(0).stdout_contains(&[" for games and 0 for thresholds\n"]);
    let report = class.text("eva.md");
    contains(&report, &["## Thresholds: 0 of 40 points\n", "Game 3 of the threshold, eva against faulty"]);
    let ran = class.master(&["appeal", "class", "eva", "threshold 1"]);
    let files =
        "verdict.md, input.txt, stderr.txt, threshold-1-game-1.pdn, threshold-1-game-2.pdn, threshold-1-game-3.pdn\n";
    assert_eq!(ran.exits_with(0).stdout, format!("appeal-eva-threshold-1: {files}"));
    let input = class.text("appeal-eva-threshold-1/input.txt");
    assert!(input.starts_with("GAME\nBLACK\n1.9\n"), "{input}");
}

#[test]
fn a_killed_threshold_continues_with_its_next_game() {
    let class = two_students();
    class.script("class/ada", "sleep 0.01\nexec ./engine --seed 1");
    class.delete_dir("class/eva");
    let answers = || class.read("class.grades").unwrap_or_default().matches("{\"answer\":").count();
    // A move, a game, and the first game of each threshold.
    class.kill_when(&mut master(&by_staff("--jobs 1")), || answers() >= 4);
    let before = class.text("class.grades");
    let again = class.master(&by_staff("--csv book.csv"));
    again.exits_with(0).stderr_contains(&[" of 4 moves and games are done, seed 5"]);
    let after = class.text("class.grades");
    let kept = &before[..before.rfind('\n').expect("a line") + 1];
    assert!(after.starts_with(kept), "no game is played again");
    let indexes = |number: usize| after.matches(&format!("\",{number},{{\"game\"")).count();
    assert_eq!([indexes(2), indexes(3), indexes(4)], [1, 1, 0], "two games decide the first threshold");
    // Thresholds are among the terms.
    let course = class.text("staff/course.json");
    class.write("staff/course.json", course.replace("\"needed\": 1.5", "\"needed\": 1"));
    class.refuses(&by_staff(""), &["class.grades belongs to another grading: course.thresholds: "]);
}

#[test]
fn a_threshold_without_its_opponent_is_refused_before_anything_runs() {
    let class = two_students();
    class.delete_dir("staff/built");
    class.refuses(&by_staff(""), &["thresholds[1].opponent: ", "built: cannot read"]);
    let course = class.text("staff/course.json");
    class.write("staff/course.json", course.replace("\"needed\": 1.5", "\"needed\": 3.5"));
    class.refuses(&by_staff(""), &["staff/course.json: thresholds[0]: needed is 3.5, expected a multiple"]);
    assert!(!class.names().contains(&"class.grades".to_owned()), "{:?}", class.names());
    // Without thresholds, nothing changes.
    class.grade("--seed 5").exits_with(0).stderr_contains(&["0 of 2 moves"]);
}
