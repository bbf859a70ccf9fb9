//! `loa` as a person at a terminal sees it.

use std::fs::File;
use std::process::Command;

use crate::support::command::*;
use crate::support::terminal::Terminal;

const UP: &str = "\u{1b}[A";
const DELETE: &str = "\u{1b}[3~";
const CTRL_A: &str = "\u{1}";
const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";
const CTRL_U: &str = "\u{15}";
const CTRL_W: &str = "\u{17}";
/// The editor's last output for a line: the end of bracketed paste.
const EDITOR_OFF: &str = "\u{1b}[?2004l";

/// Background colors of marked squares.
const YELLOW: [&str; 2] = ["48;5;136;", "48;5;178;"];

/// Command for `loa` whose automatic moves are quick, at a terminal of this kind.
fn loa(term: &str, no_color: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(Program::Loa.path());
    command.arg("--time=0.01").args(arguments).envs([("TERM", term), ("NO_COLOR", no_color)]);
    command
}

/// Starts `loa`, and waits for its first prompt.
fn at_terminal(term: &str, no_color: &str) -> Option<Terminal> {
    let mut terminal = Terminal::start(&mut loa(term, no_color, &[]), None)?;
    terminal.wait_for("b> ");
    Some(terminal)
}

#[test]
fn the_up_arrow_brings_back_earlier_lines() {
    let Some(mut terminal) = at_terminal("xterm", "1") else { return };
    terminal.enter("manual white\r", "b> ");
    terminal.enter("moves\r", "b> ");
    terminal.enter(UP, "b> moves");
    terminal.enter(UP, "b> manual white");
    // The line in the history stays as it was.
    terminal.enter(&format!("{CTRL_W}{CTRL_U}dump\r"), "Next move: black");
    terminal.wait_for("b> ");
    let shown = terminal.enter(&format!("{UP}{UP}\r"), "\nb1-h1 b1-b3 b1-d3\n");
    assert!(!shown.contains("==="), "{shown:?}");
    terminal.wait_for("b> ");
    terminal.end_by(CTRL_D);
}

#[test]
fn lines_are_edited_and_commands_completed() {
    let Some(mut terminal) = at_terminal("xterm", "1") else { return };
    terminal.enter(&format!("xmp{CTRL_A}{DELETE}du\r"), "Next move: black");
    terminal.wait_for("b> ");
    terminal.enter("HE\t\r", "end the program");
    terminal.wait_for("b> ");
    // Two commands begin with an m; the second Tab lists them.
    terminal.enter("m\t\t", "manual");
    terminal.wait_for("moves");
    // The only command that begins so, with the blank before its operand.
    terminal.enter(&format!("{CTRL_U}au\tgreen\r"), "Error: unknown player: found \"green\"");
    terminal.wait_for("b> ");
    terminal.end_by("quit\r");
}

#[test]
fn ctrl_c_drops_the_line_and_ctrl_d_ends_the_program_on_a_new_line() {
    let Some(mut terminal) = at_terminal("xterm", "1") else { return };
    terminal.enter(&format!("new{CTRL_C}"), "new");
    terminal.wait_for("b> ");
    terminal.enter(&format!("dum{CTRL_D}p\r"), "Next move: black");
    terminal.wait_for("b> ");
    let rest = terminal.end_by(CTRL_D);
    assert!(rest.ends_with('\n') && rest.matches('\n').count() == 1, "{rest:?}");

    let Some(terminal) = at_terminal("dumb", "") else { return };
    assert_eq!(terminal.end_by(CTRL_D), "\n");
}

/// The thought would take an hour.
#[test]
fn while_the_machine_thinks_lines_are_read_and_ctrl_c_drops_them() {
    for (keys, prompt) in [("undo\r", "b> "), ("manual white\r", "w> "), ("print\rmanual white\r", "w> ")] {
        let Some(mut terminal) = Terminal::start(&mut loa("xterm", "1", &["--time=3600"]), None) else { return };
        terminal.wait_for("b> ");
        terminal.enter("b1-b3\r", "White to move\n");
        let shown = terminal.enter(&format!("qu{CTRL_C}{keys}"), prompt);
        assert!(!shown.contains("Error"), "{shown:?}");
        terminal.enter(UP, keys.trim_end().rsplit('\r').next().expect("a line"));
        terminal.enter(&format!("{CTRL_U}hint\r"), EDITOR_OFF);
        // The end of the input ends the program, also in the middle of a hint.
        terminal.end_by(CTRL_D);
    }
}

/// A terminal set to another encoding sends such bytes for letters with accents.
#[test]
fn bytes_that_are_not_utf_8_are_an_error_and_a_prompt() {
    let starts = [b"\xe9".as_slice(), b"\xff", b"b1-\xe9b3", b"\x1b[200~\xe9\x1b[201~", b"\xe9\xe9", b"\xf0\x9f"];
    for term in ["xterm", "dumb"] {
        let Some(mut terminal) = at_terminal(term, "1") else { return };
        terminal.enter("manual white\r", "b> ");
        terminal.enter("b1-b3\r", "w> ");
        for start in starts {
            terminal.press([start, b"\r"].concat());
            terminal.wait_for("Error: unknown command: found \"");
            // The editor ends the line at an odd byte, so the key after it may begin another.
            terminal.enter(&format!("{CTRL_U}dump\r"), "Next move: white");
            terminal.wait_for("w> ");
        }
        terminal.end_by("quit\r");
    }
}

#[test]
fn a_prompt_is_printed_once() {
    for term in ["xterm", "dumb"] {
        let Some(mut terminal) = Terminal::start(&mut loa(term, "", &[]), None) else { return };
        let mut seen = terminal.wait_for("b> ");
        for line in ["b1-b3\r", "manual white\r", "nonsense\r"] {
            seen += &terminal.enter(line, "b> ");
        }
        seen += &terminal.end_by(CTRL_D);
        assert_eq!((seen.matches("b> ").count(), seen.matches("\n* ").count()), (4, 1), "{seen:?}");
        assert_eq!(seen.contains('\u{1b}'), term == "xterm", "{seen:?}");
    }
}

/// Beside the page, lines are read without the editor, since other text may be printed at any time.
#[cfg(all(feature = "display", not(target_os = "macos")))]
#[test]
fn beside_the_page_a_prompt_is_printed_once() {
    let mut command = loa("xterm", "1", &["--display"]);
    // Without windows no browser opens.
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let Some(mut terminal) = Terminal::start(&mut command, None) else { return };
    let mut seen = terminal.wait_for("b> ");
    for line in ["manual white\r", "help\r", "b1-b3\r"] {
        seen += &terminal.enter(line, "> ");
    }
    seen += &terminal.end_by(CTRL_D);
    assert!(seen.ends_with("White to move\nw> \n") && seen.contains("  3 | w[b]- - - - - w\n"), "{seen:?}");
    assert_eq!((seen.matches("> ").count(), seen.contains('\u{1b}')), (4, false), "{seen:?}");
}

#[test]
fn lines_typed_or_pasted_at_once_are_all_executed() {
    for keys in ["manual white\rdump\rmoves\r", "\u{1b}[200~manual white\ndump\nmoves\u{1b}[201~\r"] {
        let Some(mut terminal) = at_terminal("xterm", "1") else { return };
        terminal.enter(keys, "Next move: black");
        terminal.wait_for("\nb1-h1 b1-b3 b1-d3\n");
        terminal.wait_for("b> ");
        terminal.end_by("quit\r");
    }
}

#[test]
fn help_begins_with_the_rules() {
    let Some(mut terminal) = at_terminal("xterm", "1") else { return };
    let help = terminal.enter("help\r", "b> ");
    let (rules, commands) = help.split_once("\n\n").expect("an empty line");
    assert!(rules.contains("\nBlack moves first. ") && rules.contains("\nAfter 30 moves "), "{rules}");
    assert!(commands.starts_with("new  ") && commands.contains("\nmoves  "), "{commands}");
    // A program gets the commands alone.
    let ran = Dir::new().run_with_input(Program::Loa, "", "help\n");
    assert_eq!(commands[..ran.stderr.len()], ran.stderr);
}

#[test]
fn the_last_move_is_marked_with_and_without_colors() {
    for no_color in ["", "1"] {
        let Some(mut terminal) = at_terminal("xterm", no_color) else { return };
        terminal.enter("manual white\r", "b> ");
        // `print` draws the same board again.
        for line in ["b1-b3\r", "print\r"] {
            let board = terminal.enter(line, "w> ");
            let yellow: usize = YELLOW.iter().map(|ground| board.matches(ground).count()).sum();
            let brackets = ["  3 | w[b]- - - - - w\n", "  1 | -[-]b b b b b -\n"].map(|row| board.matches(row).count());
            let expected = if no_color.is_empty() { (2, [0, 0]) } else { (0, [1, 1]) };
            assert_eq!((yellow, brackets), expected, "{board:?}");
        }
        let board = terminal.enter("undo\r", "b> ");
        assert!(!board.contains("[b]") && !YELLOW.iter().any(|ground| board.contains(ground)), "{board:?}");
        terminal.end_by(CTRL_D);
    }
}

#[test]
fn the_other_dialect_has_the_same_terminal() {
    let Some(mut terminal) = Terminal::start(&mut loa("xterm", "1", &["--dialect=2015"]), None) else { return };
    terminal.wait_for("-> ");
    terminal.enter("manual white\r", "-> ");
    terminal.enter("sta\t\r", "b> ");
    terminal.enter("b1-b3\r", "w> ");
    assert!(terminal.enter("b\r", "w> ").contains("  3 | w[b]- - - - - w\n"));
    let help = terminal.enter("?\r", "w> ");
    assert!(help.contains("Black moves first. ") && !help.contains("30 moves"), "{help:?}");
    terminal.enter(&format!("{UP}{UP}\r"), "White to move");
    terminal.end_by("q\r");
}

/// Tests that a terminal for the output alone gets the bytes that a pipe gets.
#[test]
fn commands_that_nobody_types_are_answered_as_ever() {
    let script = "manual white\nb1-b3\nprint\ndump\n";
    let dir = Dir::new().with("script", script);
    let input = File::open(dir.path("script")).expect("a script");
    let Some(terminal) = Terminal::start(&mut loa("xterm", "", &[]), Some(input)) else { return };
    let shown = terminal.wait_for_end();
    let ran = dir.run_with_input(Program::Loa, "", script);
    let (before, after) = ran.exits_with(0).stdout.split_once("===").expect("a dump");
    // The prompts before the board were printed before it.
    let prompts = "w> ";
    let before = before.strip_suffix(prompts).expect("a prompt");
    assert_eq!(shown, format!("{before}{}{prompts}==={after}", ran.stderr));
    assert!(ran.stderr.contains("  3 | w b - - - - - w\n"), "{ran:?}");
}
