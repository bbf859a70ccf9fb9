//! Outputs of `master`.

use std::process::Command;

use super::Table;
use crate::support::command::*;

/// A move, a game and a threshold.
const COURSE: &str = r#"{"name": "a course", "moves": {"count": 1}, "games": [{"seconds": 0.2, "side": "black"}],
    "thresholds": [{"opponent": "reference", "seconds": 0.2, "games": 1, "needed": 1, "points": 5}]}"#;
/// Variables of Classroom 50's runner.
const VARIABLES: [&str; 5] = ["CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "RELEASE_URL", "COMMIT_URL"];

/// A class: an agent that plays, one whose answer is right in one position only, and one without a program.
fn class() -> Dir {
    let dir = Dir::new().with("course.json", COURSE);
    dir.copy(Program::Reference.path(), "class/ada/homework");
    dir.write_program("class/ben/homework", "#!/bin/sh\necho 'E c3 b4' > output.txt\n");
    dir.write("more/cy/notes.txt", "I shall hand it in tomorrow");
    dir
}

fn master(dir: &Dir, words: &str) -> Ran {
    let variables = VARIABLES.map(|name| (name, name.to_lowercase()));
    dir.run_command(Command::new(Program::Master.path()).args(words.split(' ')).envs(variables))
}

/// Output of a command that ends well.
fn done(dir: &Dir, words: &str) -> String {
    master(dir, words).exits_with(0).stdout.clone()
}

fn hold_games_and_grades(dir: &Dir, table: &mut Table) {
    table.hold("master play --json", &done(dir, "play class/ada class/ben --time 1 --any-tier --json"));
    let check = master(dir, "check class/ben --json");
    assert!(check.exits_with(1).stdout.contains("\"legal\""), "{check:#?}");
    table.hold("master check --json", &check.stdout);
    let terms = "--course course.json --seed 3 --any-tier";
    table.hold("master grade --json", &done(dir, &format!("grade class/ada {terms} --json")));
    for system in ["gradescope", "prairielearn", "classroom50", "autolab"] {
        done(dir, &format!("grade class/ben {terms} --format {system} --results {system}"));
        table.hold(&format!("master grade --format {system}"), &dir.text(system));
    }
    dir.rename("class/ben", "more/ben");
    let class = master(dir, &format!("grade more --class {terms} --json"));
    assert!(class.exits_with(0).stdout.contains("\"is_machines\": false"), "{class:#?}");
    table.hold("master grade --json of a class", &class.stdout);
    dir.rename("more/ben", "class/ben");
    table.hold("master doctor --json", &done(dir, "doctor --json"));
    table.hold("master doctor --json with a command", &done(dir, "doctor --json -- true"));
}

fn hold_tournaments(dir: &Dir, table: &mut Table) {
    let plan = "tournament plan class --store t.db --time 0.2 --json";
    table.hold("master tournament plan --json", &done(dir, plan));
    table.hold("*.plan", &dir.text("t.plan"));
    table.hold("master tournament merge --json", &master(dir, "tournament merge t.db t.plan --json").stdout);
    table.hold(
        "master tournament play --json",
        &done(dir, "tournament play t.plan class --shard 1/1 --any-tier --json"),
    );
    table.hold("master tournament merge --json", &done(dir, "tournament merge t.db t.plan.1-of-1 --json"));
    let elimination = "tournament class --store e.db --pairing elimination --time 0.2 --any-tier --json";
    table.hold("master tournament --json", &done(dir, elimination));
    table.hold("master tournament table --json", &done(dir, "tournament table t.db --json"));
    for (store, more) in [("e", ""), ("t", " --review 0.001")] {
        table.hold("master report --json", &done(dir, &format!("report {store}.db{more} --json")));
        for name in ["standings.json", "games.json"] {
            table.hold(&format!("{name} of a site"), &dir.text(&format!("{store}-report/{name}")));
        }
    }
    table.hold("*.review-0.02.jsonl", &dir.text("t.review-0.001.jsonl"));
    table.hold("master verify --json", &done(dir, "verify t.db --json"));
    let store = rusqlite::Connection::open(dir.path("t.db")).expect("a store");
    store.execute("UPDATE game SET winner = 1 - winner, black_points = white_points", ()).expect("a change");
    let changed = master(dir, "verify t.db --json");
    assert!(changed.exits_with(2).stdout.contains("\"by_moves\""), "{changed:#?}");
    table.hold("master verify --json", &changed.stdout);
}

#[test]
fn outputs_of_master_fit_their_schemas() {
    let (dir, mut table) = (class(), Table::under("master"));
    hold_games_and_grades(&dir, &mut table);
    hold_tournaments(&dir, &mut table);
    table.is_complete();
}
