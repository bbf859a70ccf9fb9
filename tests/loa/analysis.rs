//! `loa --analyze`: thinking until `stop`.

use std::ops::ControlFlow;

use kingline::evaluate::loa::Evaluation;
use kingline::game::{Game, History};
use kingline::loa::Position;
use kingline::search::{Limits, Report, Searcher};

use crate::support::command::*;
use crate::support::dialog::Dialog;

/// Position in which Black wins with one move.
const WON: &str = "position bb------/--------/--b-----/--------/--------/--------/w------w/-------- black";
/// Position in which Black has no move.
const STUCK: &str = "position --------/--------/--------/--------/--------/--------/--------/w------w black";

fn loa(arguments: &[&str], input: &str) -> Ran {
    Dir::new().run_with_input(Program::Loa, arguments, format!("manual white\n{input}"))
}

/// A session with both sides manual.
fn session() -> Dialog {
    let mut session = Dialog::new(Program::Loa, &["--analyze"]);
    session.say("manual white");
    session
}

/// Value of a field: `field("info depth=9 score=0.12", "score")`.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let after = line.split_once(&format!(" {name}=")).unwrap_or_else(|| panic!("no {name}: {line}")).1;
    match after.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => after.split(' ').next().unwrap_or_default(),
    }
}

#[test]
fn without_the_option_the_words_are_unknown() {
    for dialect in ["2020", "2015"] {
        let run = |input: &str| loa(&["--dialect", dialect], input);
        let ran = run("analyze\nstop\n");
        assert_eq!(ran.exits_with(0).stdout, run("#\n#\n").stdout);
        for word in ["analyze", "stop"] {
            ran.stderr_contains(&[&format!("Error: unknown command: found \"{word}\", expected a command")]);
        }
        run("help\n").stderr_lacks(&["analyze", "stop  "]);
        let with = |option: &[&str]| Dir::new().run_with_input(Program::Loa, option, "manual white\nb1-b3\nmoves\n");
        let [with, without] = [with(&["--analyze"]), with(&[])];
        assert_eq!((with.stdout, with.stderr), (without.stdout, without.stderr));
    }
    loa(&["--analyze"], "help\n").stderr_contains(&["analyze            think", "stop               end", "quit  "]);
}

#[test]
fn the_iterations_are_those_of_the_search() {
    let mut session = session();
    session.say("b1-b3\nanalyze");
    let mut history = History::from(Position::<8>::start());
    history.play(history.position().parse_move("b1-b3").expect("a move"));
    // A game of 60 moves, one of which is made.
    let limits = Limits { game_plies: Some(59), ..Limits::depth(6) };
    let mut iterations = 0;
    let mut watch = |report: &Report<Position<8>>| {
        let line = session.hear("info");
        let fields = ["depth", "score", "nodes", "pv"].map(|name| field(&line, name).to_owned());
        let pv: Vec<String> = report.principal_variation.iter().map(ToString::to_string).collect();
        let score = format!("{:.2}", f64::from(report.score.value()) / 100.0);
        assert_eq!(fields, [report.depth.0.to_string(), score, report.nodes.to_string(), pv.join(" ")]);
        iterations += 1;
        ControlFlow::Continue(())
    };
    Searcher::new(Evaluation::default()).search(&history, limits, &mut watch);
    assert_eq!(iterations, 6);
    let done = session.ask("stop", "done");
    assert!(history.position().parse_move(field(&done, "move")).is_ok(), "{done}");
}

#[test]
fn questions_are_answered_during_an_analysis() {
    let mut session = session();
    session.ask("analyze\ndump\n\n# a comment\njunk", "Next");
    let line = session.hear("info");
    assert!(field(&line, "depth").parse::<u32>().is_ok_and(|depth| depth > 0), "{line}");
    session.ask("stop\ndump", "done");
    session.hear("Next");
}

#[test]
fn any_other_command_ends_the_analysis_first() {
    for command in ["b1-b3", "undo", "new", "set a1 white black", "manual black", "limit 9", "a1-a1", "analyze", "stop"]
    {
        let mut session = session();
        let done = session.ask(&format!("analyze\n{command}\ndump"), "done");
        assert!(field(&done, "move").contains('-'), "{command}: {done}");
        session.hear("Next");
    }
    // The machine answers the move that has ended the analysis.
    let mut session = session();
    session.ask("time 0.01\nauto white\nanalyze\nb1-b3", "done");
    session.hear("*");
}

#[test]
fn the_end_of_the_commands_ends_the_analysis() {
    for (input, code) in
        [("analyze", 0), ("analyze\nquit\n", 0), ("analyze\nanalyze\n", 0), ("analyze\njunk\nstop\n", 2)]
    {
        let strict = if code == 0 { &["--analyze"][..] } else { &["--analyze", "--strict"] };
        let ran = loa(strict, input);
        let done = ran.exits_with(code).stdout.matches("done move=").count();
        assert_eq!(done, input.matches("analyze").count(), "{ran:?}");
    }
    let mut session = session();
    session.ask("analyze", "info");
    assert!(session.hang_up().success());
}

#[test]
fn a_finished_game_is_not_analyzed() {
    let run = |input: &str| loa(&["--analyze", "--dialect", "2020"], input);
    let over = run(&format!("{WON}\nc6-c7\nanalyze\nstop\n"));
    over.exits_with(0).stderr_contains(&["Error: no game in progress\n"]);
    let stuck = run(&format!("{STUCK}\nanalyze\n"));
    stuck.exits_with(0).stderr_contains(&["Error: nothing to analyze: the side to move has no legal move\n"]);
    assert!(!over.stdout.contains("done") && !stuck.stdout.contains("done"), "{over:?} {stuck:?}");
    // Nothing is to be searched where one move wins, and still there is a line about it.
    let won = run(&format!("{WON}\nanalyze\nstop\n"));
    assert!(won.stdout.contains("info depth=1 score=99.99 ") && won.stdout.contains("pv=\"c6-c7\"\n"), "{won:?}");
    assert!(won.stdout.contains("\ndone move=c6-c7\n") || won.stdout.contains("> done move=c6-c7\n"), "{won:?}");
    // A board of 2015 is analyzed before the game starts.
    loa(&["--analyze", "--dialect", "2015"], "analyze\nstop\n").exits_with(0).stdout_contains(&["done move="]);
}

#[test]
fn the_players_take_no_notice_of_an_analysis() {
    let moves = |analyses: &str| {
        let ran = loa(&["--analyze"], &format!("seed 3\nauto white\n{analyses}b1-b3\n{analyses}"));
        let line = ran.exits_with(0).stdout.lines().find(|line| line.contains("* ")).expect("a move").to_owned();
        line.rsplit("* ").next().expect("a move").to_owned()
    };
    assert_eq!(moves("analyze\ndump\nstop\n"), moves(""));
}

#[test]
fn every_line_is_logged_once() {
    let dir = Dir::new();
    let input = "analyze\n dump\njunk\n\nb1-b3\nanalyze\nstop\n";
    let arguments = ["--analyze", "--log=a.log"];
    dir.run_with_input(Program::Loa, &arguments, format!("manual white\n{input}")).exits_with(0);
    let expected = "manual white\nanalyze\ndump\njunk\nb1-b3\nanalyze\nstop\n";
    assert_eq!(dir.read("a.log").as_deref(), Some(expected));
}

#[test]
fn the_page_and_an_analysis_exclude_each_other() {
    loa(&["--analyze", "--display"], "").exits_with(1).stderr_contains(&["--analyze", "--display", "Usage: loa"]);
}

/// `cargo test --release --test players -- --ignored loa::analysis::a_hundred_stops --nocapture`
#[test]
#[ignore = "needs a free core"]
fn a_hundred_stops_are_answered_within_ten_milliseconds() {
    session().assert_stops_within_ten_milliseconds("analyze");
}
