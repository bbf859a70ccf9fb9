//! The figures page, its rows and their commands, and the figures in README.md.

use std::fs;
use std::process::Command;

use kingline_master::league::agent_limits::{AgentLimits, Bytes};
use kingline_master::league::preparation::PreparationLimits;
use kingline_players::figures::Row;

use super::{Checkout, Page};
use crate::support::command::*;

/// Figures in README.md's table, each with part of the names of its rows, or `None` if it is from history.md.
const README: [(&str, Option<&str>); 7] = [
    ("75.1 % ± 2.6 of 400 games", None),
    ("75.5 % ± 3.6 of 400 games", None),
    ("40 of 40 games", Some("40 games against `reference` by files")),
    ("at most 1.2 s of 300 s", Some("most CPU time of a game among them at 300 s")),
    ("every game of 6x6", Some("`loa6` with its part of the strategy, against every reply")),
    ("11,100 turns", Some(" random positions at ")),
    ("3,200 games with 40 hostile agents", Some("hostile agents, 20 games each")),
];

fn rows(text: &str) -> Vec<Row> {
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

#[test]
fn the_page_is_made_of_its_rows() {
    let rows = root().join("src/players/guide/figures.jsonl");
    let ran = Dir::new().run_with_args(Program::Calibrate, &["figures", rows.to_str().expect("a path")]);
    let again = "target/release/calibrate figures src/players/guide/figures.jsonl > src/players/guide/figures.md";
    let page = Page::read("src/players/guide/figures.md").text;
    assert!(ran.exits_with(0).stdout == page, "the page differs from its rows. help: run `{again}`");
    assert!(page.contains(again), "the page says how it is made");
}

/// True if a file of the referee's tests, or a test in one, is called so, or has this in its name.
fn is_test_of_referee(filter: &str) -> bool {
    let name = filter.rsplit("::").next().unwrap_or(filter);
    let has = |text: &str| text.lines().filter_map(|line| line.strip_prefix("fn ")).any(|test| test.contains(name));
    ["master", "report", "sandbox", "tournament"].iter().any(|folder| {
        let files = fs::read_dir(root().join("tests").join(folder)).expect("tests").flatten();
        files.map(|file| file.path()).any(|file| {
            file.file_stem().is_some_and(|stem| stem == name) || has(&fs::read_to_string(&file).expect("a test"))
        })
    })
}

/// Error of a row's command if the command names something that does not exist.
fn error(command: &[String], checkout: &Checkout) -> Option<String> {
    let (own, other) = command.split_at(command.iter().position(|word| word == "--").unwrap_or(command.len()));
    let ran = match own[0].strip_prefix("target/release/") {
        Some(program) => {
            let Some(program) = Program::ALL.into_iter().find(|known| known.name() == program) else {
                return Some("no such program".to_owned());
            };
            // Words before `--help` are still checked. Words after `--` belong to another program.
            Dir::new().run_command(Command::new(program.path()).args(&own[1..]).arg("--help"))
        }
        None => checkout.run(&command.join(" "), "60"),
    };
    if ran.code == Some(0) && own.iter().any(|word| word == "kingline-master") {
        let filter = other.iter().skip(1).find(|word| !word.starts_with('-')).map_or("", String::as_str);
        return (!is_test_of_referee(filter)).then(|| "no such test".to_owned());
    }
    (ran.code != Some(0)).then_some(ran.stderr)
}

#[test]
fn every_row_has_a_command_that_exists() {
    let checkout = Checkout::new();
    let mut commands: Vec<_> =
        rows(&Page::read("src/players/guide/figures.jsonl").text).into_iter().map(|row| row.command).collect();
    assert!(commands.len() > 70, "only {} rows", commands.len());
    commands.dedup();
    let errors = commands.iter().filter_map(|words| Some(format!("{}: {}", words.join(" "), error(words, &checkout)?)));
    let errors: Vec<String> = errors.collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    for line in [
        "target/release/calibrate bench pearft",
        "cargo test -p kingline-master -- --ignored every_row_has_a_command",
        "cargo test -p kingline-mister -- every_row_has_a_command",
        "cargo run --release --bin loa8",
        "cargo build --release --features browser",
    ] {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert!(error(&words, &checkout).is_some(), "{line}");
    }
}

#[test]
fn a_file_with_other_lines_is_refused_and_stays() {
    let bad = "{\"topic\":\"Search\"}\n";
    let dir = Dir::new().with("figures", bad);
    let ran = dir.run_with_args(Program::Calibrate, &["figures", "figures"]);
    ran.exits_with(2).stderr_contains(&["figures: line 1: found ", "a row of figures (missing field `figure`"]);
    // A bad file is refused before anything is measured.
    let ran = dir.run_with_args(Program::Calibrate, &["depth", "3", "--figures", "figures"]);
    ran.exits_with(2).stderr_contains(&["'--figures <FILE>'", "missing field `figure`"]);
    assert_eq!((dir.read("figures").as_deref(), ran.stdout.as_str()), (Some(bad), ""));
    dir.run_with_args(Program::Calibrate, &["figures", "none"]).exits_with(1).stderr_contains(&["cannot read none"]);
}

#[test]
fn a_command_appends_a_row_and_the_page_shows_the_last() {
    let dir = Dir::new();
    for depth in ["3", "2", "3"] {
        dir.run_with_args(Program::Calibrate, &["depth", depth, "--figures=figures"]).exits_with(0);
    }
    let text = dir.text("figures").replacen("\"measured\":\"", "\"measured\":\"at first ", 1);
    let rows = rows(&text);
    let commands: Vec<String> = rows.iter().map(|row| row.command[1..].join(" ")).collect();
    assert_eq!(commands, ["depth 3", "depth 2", "depth 3"]);
    assert!(rows.iter().all(|row| row.time > 1_700_000_000 && row.signature.starts_with("checkers ")), "{text}");
    dir.write("figures", &text);
    let page = dir.run_with_args(Program::Calibrate, &["figures", "figures"]).exits_with(0).stdout.clone();
    let last = format!("| {} | {} | ", rows[2].figure, rows[2].measured);
    assert!(page.contains("# Search\n\nMachine: ") && page.contains(&last) && !page.contains("at first"), "{page}");
}

#[test]
fn figures_of_the_readme_are_those_of_this_engine() {
    let [readme, page] = ["README.md", "src/players/guide/figures.md"].map(|name| Page::read(name).text);
    let history =
        ["checkers", "loa"].map(|game| Page::read(&format!("src/engine/evaluate/{game}/history.md")).text).concat();
    let table = readme.split_once("## Figures\n").and_then(|(_, rest)| rest.split("\n##").next()).expect("a section");
    let lines: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    let unnamed = lines.iter().filter(|line| !README.iter().any(|(figure, _)| line.contains(figure)));
    let mut wrong: Vec<String> = unnamed.map(|line| format!("this test has no rows for {line}")).collect();
    for (figure, name) in README {
        assert!(lines.iter().any(|line| line.contains(figure)), "README.md has no {figure:?}");
        let Some(name) = name else {
            assert!(history.contains(figure), "history.md has no {figure:?}");
            continue;
        };
        let of_page = page.lines().filter(|line| line.split(" | ").next().is_some_and(|first| first.contains(name)));
        let of_page: Vec<&str> = of_page.collect();
        assert!(!of_page.is_empty(), "no row has {name:?} in its name");
        let earlier =
            of_page.into_iter().filter(|row| row.contains(", with an earlier ") || row.contains(", with earlier "));
        wrong.extend(earlier.map(|row| format!("{figure} must be measured again: {row}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn results_in_prose_are_figures_or_history() {
    let spaced = |page: &Page| page.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let history =
        ["checkers", "loa"].map(|game| spaced(&Page::read(&format!("src/engine/evaluate/{game}/history.md"))));
    let known = history.concat() + &spaced(&Page::read("src/players/guide/figures.md"));
    let mut found = 0;
    for page in Page::all() {
        let text = spaced(&page);
        for (at, _) in text.match_indices(" ± ") {
            let begin = text[..at].rmatch_indices(' ').nth(1).map_or(0, |(space, _)| space + 1);
            let end = text[at..].find([',', ';', '|', ')']).unwrap_or(text.len() - at);
            let result = &text[begin..at + end];
            let words: Vec<&str> = result.split(' ').take(4).collect();
            let result = words.join(" ").trim_start_matches('(').trim_end_matches('.').to_owned();
            assert!(known.contains(&result), "{}: {result:?} is neither a figure nor in a history.md", page.name);
            found += 1;
        }
    }
    assert!(found > 8, "only {found} results");
}

#[test]
fn sizes_in_prose_are_those_of_the_files() {
    let embedded = ["tablebase/embedded.tables", "solved/loa6.strategy", "solved/loa6.defense"];
    let sizes = embedded.map(|name| root().join("src/engine/knowledge").join(name).metadata().expect(name).len());
    let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let row = format!("the strategies for 6x6 Lines of Action | {} |", megabytes(sizes.iter().sum()));
    assert!(Page::read("src/engine/lib.rs").text.contains(&row), "src/engine/lib.rs lacks {row:?}");
}

#[test]
fn limits_in_the_guide_are_the_defaults() {
    let AgentLimits { memory, processes, open_files, disk, files, .. } = AgentLimits::default();
    let PreparationLimits { files: tree, build, calibrate } = PreparationLimits::default();
    for (page, row) in [
        ("sandbox", format!("| memory, including all descendants and files | {},", Bytes(memory))),
        ("sandbox", format!("| processes and threads | {processes} |")),
        ("sandbox", format!("| open files per process | {open_files} |")),
        ("sandbox", format!("| working directory | {} in {files} files |", Bytes(disk))),
        ("class", format!("| `files.bytes` | {} |", Bytes(tree.bytes))),
        ("class", format!("| `files.entries` | {} |", tree.entries)),
        ("class", format!("`files.path` | {}, {}, {} |", tree.depth, tree.name, tree.path)),
        ("class", format!("| `build.seconds` | {} |", build.seconds)),
        ("class", format!("| `build.memory` | {} |", Bytes(build.memory))),
        ("class", format!("| `calibrate.seconds` | {} |", calibrate.seconds)),
    ] {
        assert!(
            Page::read(&format!("src/players/guide/{page}.md")).text.contains(&row),
            "src/players/guide/{page}.md lacks {row:?}"
        );
    }
}
