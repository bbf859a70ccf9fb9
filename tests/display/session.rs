//! Page and terminal as two sources of commands for one game.

use std::process::Command;
use std::time::{Duration, Instant};

use super::running::Running;
use crate::support::command::*;

/// Starts a game in which both sides are manual.
fn by_hand() -> Running {
    let mut running = Running::start(&["--time=0.1"]);
    let mut page = running.page();
    running.type_line("manual white");
    page.hear_until(|page| page.game["players"][1] == "manual");
    running
}

#[test]
fn page_and_terminal_move_in_turn_and_see_the_same() {
    let mut running = by_hand();
    let mut page = running.page();
    running.ask("b1-b3");
    page.hear_moves(1);
    running.type_line("a2-c2");
    page.hear_moves(2);
    assert_eq!(page.moves(), ["b1-b3", "a2-c2"]);
    running.type_line("dump");
    running.output_with("    w b - - - - - w");
    // A page opened later sees the same game.
    assert_eq!(running.page().game, page.game);
    running.ask("undo");
    page.hear_moves(1);
    running.type_line("redo");
    page.hear_moves(2);
    running.ask("goto 0");
    page.hear_moves(0);
    assert_eq!(page.game["undone"], 2);
    assert!(running.get("game.sgf").body.contains("SZ[8]"));
}

#[test]
fn the_machine_answers_a_page_and_its_move_is_printed() {
    let running = Running::start(&["--time=0.05"]);
    let mut page = running.page();
    running.ask("b1-b3");
    page.hear_moves(2);
    let mv = page.moves()[1].clone();
    running.output_with(&format!("* {mv}"));
    // Undo after the machine's move also undoes the person's move.
    running.ask("undo");
    page.hear_moves(0);
}

#[test]
fn a_command_that_changes_the_game_stops_the_search() {
    let mut running = Running::start(&["--time=30"]);
    let mut page = running.page();
    let start = Instant::now();
    running.ask("b1-b3");
    page.hear_until(|page| page.thought["depth"].is_u64());
    running.ask("manual white");
    page.hear_until(|page| page.game["players"][1] == "manual" && page.thought.is_null());
    assert_eq!(page.moves(), ["b1-b3"], "the search was stopped without a move");
    // A command in the terminal stops the search as well.
    running.ask("auto white");
    page.hear_until(|page| page.thought["depth"].is_u64());
    running.type_line("undo");
    page.hear_moves(0);
    assert!(start.elapsed() < Duration::from_secs(25), "no command waits for a search");
    // The end of the session stops it as well.
    running.ask("b1-b3");
    page.hear_until(|page| page.thought["depth"].is_u64());
    running.type_line("quit");
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn a_command_that_changes_nothing_lets_the_search_continue() {
    let mut running = Running::start(&["--time=8"]);
    let mut page = running.page();
    running.ask("b1-b3");
    page.hear_until(|page| page.thought["depth"].is_u64());
    let start = Instant::now();
    running.type_line("dump");
    running.output_with("Next move: white");
    running.type_line("nonsense");
    running.error_with("unknown command: found \"nonsense\"");
    assert_eq!(running.post("command", "a2-c2").body, "it is the machine's turn");
    assert!(start.elapsed() < Duration::from_secs(7), "commands are answered at once");
    page.hear_moves(2);
}

#[test]
fn a_hint_is_shown_until_the_position_changes() {
    let running = by_hand();
    let mut page = running.page();
    running.ask("hint");
    page.hear_until(|page| page.game["hint"].is_object());
    let hint = page.game["hint"].clone();
    let is_legal = |step: &serde_json::Value| step["path"][0] == hint["from"] && step["path"][1] == hint["to"];
    assert!(page.game["steps"].as_array().expect("moves").iter().any(is_legal), "{hint}");
    running.error_with(&format!(
        "{}-{}: ",
        hint["from"].as_str().expect("a square"),
        hint["to"].as_str().expect("a square")
    ));
    running.ask("b1-b3");
    page.hear_until(|page| page.game["hint"].is_null());
}

#[test]
fn a_file_is_replayed_first_and_its_errors_are_shown() {
    let dir = Dir::new().with("game", "manual white\nb1-b3\nnonsense\na2-c2\nb1-b4\n");
    let mut running = Running::start_in(dir, &["game"]);
    let mut page = running.page();
    page.hear_moves(2);
    running.error_with("unknown command: found \"nonsense\"");
    running.error_with("illegal move: found \"b1-b4\"");
    page.hear_until(|page| page.game["notices"].as_array().is_some_and(|notices| notices.len() == 2));
    assert_eq!(page.moves(), ["b1-b3", "a2-c2"]);
    running.type_line("c1-e3");
    page.hear_moves(3);
    running.ask("undo");
    page.hear_moves(2);
    running.hang_up();
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn an_automatic_game_of_a_file_is_played_to_its_end_first() {
    let dir = Dir::new().with("game", "seed 5\nlimit 4\nauto black\ndump\n");
    let mut running = Running::start_in(dir, &["game"]);
    let mut page = running.page();
    page.hear_moves(8);
    page.hear_until(|page| page.game["phase"] == "over");
    running.output_with("* Tie game.");
    let alone = Dir::new().run_with_input(Program::Loa, "", "seed 5\nlimit 4\nauto black\ndump\n");
    for mv in page.moves() {
        assert!(alone.stdout.contains(&format!("* {mv}\n")), "{mv}: {alone:?}");
    }
    running.type_line("quit");
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn games_and_positions_are_loaded() {
    let running = by_hand();
    let mut page = running.page();
    let answer = running.post("game", "(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])");
    assert_eq!(answer.status, 204, "{answer:?}");
    page.hear_moves(2);
    let answer = running.post("game", "(;FF[4]GM[9]SZ[8];B[b1-b4])");
    assert!(answer.status == 422 && answer.body.contains("b1-b4"), "{answer:?}");
    let position = "-bb-----/--------/--------/--------/--------/--------/--------/w------w white";
    running.ask(&format!("position {position}"));
    page.hear_moves(0);
    assert_eq!(page.game["position"], position);
}

#[test]
fn a_page_goes_on_without_a_terminal_until_it_ends_the_program() {
    let dir = || Dir::new().with("game", "manual white\n");
    for (redirected, arguments) in [("</dev/null", ""), ("<&-", ""), ("0>/dev/null", ""), ("</dev/null", "game")] {
        let mut command = Command::new("sh");
        let line = format!("exec \"$0\" --display --time=0.02 {arguments} {redirected}");
        command.args(["-c", &line]).arg(Program::Loa.path());
        let mut running = Running::start_command(dir(), command);
        let mut page = running.page();
        running.ask("manual white");
        running.ask("b1-b3");
        page.hear_moves(1);
        running.ask("quit");
        page.hear_until(|page| page.has_ended);
        assert_eq!(running.exit_code(), Some(0), "{redirected}");
    }
    // After a line, the end of the input is `quit`.
    let mut running = Running::start(&[]);
    running.type_line("# a line");
    running.hang_up();
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn a_signal_ends_the_program_as_quit_does() {
    for (signal, arguments) in [("INT", "--time=0.02"), ("TERM", "--time=600")] {
        let mut running = Running::start(&[arguments]);
        let mut page = running.page();
        running.hang_up();
        // The machine may be thinking.
        running.ask("b1-b3");
        running.signal(signal);
        page.hear_until(|page| page.has_ended);
        assert_eq!(running.exit_code(), Some(0), "{signal}");
    }
}

#[test]
fn a_page_can_end_the_program_but_not_use_files() {
    let mut running = Running::start(&["--log=log"]);
    let mut page = running.page();
    for line in ["save here.sgf", "load log", "save /tmp/x"] {
        let answer = running.post("command", line);
        assert!(answer.status == 422 && answer.body.contains("cannot read or write files"), "{answer:?}");
    }
    running.ask("manual white\nquit");
    running.ask("b1-b3");
    running.ask("quit");
    page.hear_until(|page| page.has_ended);
    assert_eq!(running.exit_code(), Some(0));
    assert_eq!(running.dir.names(), ["log"]);
    let log = running.dir.text("log");
    assert!(log.ends_with("manual white quit\nb1-b3\nquit\n"), "one line is one command: {log}");
}

#[test]
fn the_dialect_of_2015_starts_and_stops() {
    let running = Running::start(&["--dialect=2015", "--time=0.05"]);
    let mut page = running.page();
    assert_eq!(page.game["phase"], "stopped");
    assert_eq!(running.post("command", "b1-b3").body, "game not started");
    running.ask("start");
    running.ask("b1-b3");
    page.hear_moves(2);
    running.ask("manual black");
    page.hear_until(|page| page.game["phase"] == "stopped");
    running.ask("clear");
    page.hear_moves(0);
}

#[test]
fn a_hundred_pages_miss_nothing() {
    let running = by_hand();
    let mut pages: Vec<_> = (0..100).map(|_| running.page()).collect();
    let moves = ["b1-b3", "a2-c2", "c1-e3", "h2-f2"];
    for mv in moves {
        running.ask(mv);
    }
    for page in &mut pages {
        page.hear_moves(moves.len());
        assert_eq!(page.moves(), moves);
    }
}

#[test]
fn a_taken_port_is_an_error() {
    let first = Running::start(&[]);
    let port = first.port.to_string();
    let ran = Dir::new().run_with_args(Program::Loa, &["--display", "--port", &port]);
    ran.exits_with(1).stderr_contains(&[&format!("cannot listen on port {port}")]);
    // Without --port a free port is used.
    assert_ne!(Running::start(&[]).port, first.port);
}
