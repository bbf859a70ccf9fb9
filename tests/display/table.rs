//! Persons against agents: `master play AGENT human --display`.

use std::fs;
use std::process::Command;

use kingline::checkers::pdn;
use kingline::game::Outcome;
use serde_json::Value;

use super::browser::{Browser, Screen, moved, square};
use super::running::{Page, Running};
use crate::support::command::Dir;
use crate::support::programs::Program;

/// Starts `master play` with these arguments.
fn play(dir: Dir, arguments: &[&str]) -> Running {
    let mut command = Command::new(Program::Master.path());
    command.args(["play", "--display"]).args(arguments);
    Running::start_command(dir, command)
}

/// An agent's folder with one of our programs.
fn with_agent(program: Program) -> Dir {
    let dir = Dir::new();
    dir.make_dir("engine");
    let name = program.path().file_name().expect("a name");
    fs::copy(program.path(), dir.path("engine").join(name)).expect("a copy of a program");
    dir
}

/// Waits until it is the person's turn, or the game is over. Returns the squares of one of the legal moves, or `None`
/// at the end.
fn next_move(page: &mut Page, number: usize) -> Option<Vec<String>> {
    page.hear_until(|page| {
        page.moves().len() >= number && (page.game["phase"] == "over" || page.game["steps"] != Value::Array(Vec::new()))
    });
    if page.game["phase"] == "over" {
        return None;
    }
    let steps = page.game["steps"].as_array().expect("steps");
    let path = steps[number * 7 % steps.len()]["path"].as_array().expect("squares");
    Some(path.iter().map(|square| square.as_str().expect("a square").to_owned()).collect())
}

/// How a person makes moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    /// By clicks and by dragging, in turn.
    Mouse,
    /// By keys.
    Keys,
}

/// Makes a move in the browser.
fn make(browser: &Browser, hand: Hand, path: &[String], number: usize) {
    match hand {
        Hand::Keys => path.iter().for_each(|name| go_to_and_press(browser, name)),
        Hand::Mouse if number % 4 < 2 => path.iter().for_each(|name| browser.click(&square(name))),
        Hand::Mouse => path.windows(2).for_each(|hop| browser.drag(&square(&hop[0]), &square(&hop[1]))),
    }
}

/// Moves the focus to a square by arrow keys, and presses Enter.
fn go_to_and_press(browser: &Browser, name: &str) {
    let place = |which: &str| -> [i64; 2] {
        let script = format!(
            "(() => {{ const all = [...document.querySelectorAll('#squares button')]; \
             const size = Math.sqrt(all.length); const index = all.indexOf({which}); \
             return [index % size, Math.floor(index / size)]; }})()"
        );
        let value = browser.value(&script);
        [value[0].as_i64().expect("a column"), value[1].as_i64().expect("a row")]
    };
    browser.press("b");
    let ([x, y], [to_x, to_y]) =
        (place("document.activeElement"), place(&format!("document.querySelector('[data-square={name}]')")));
    let times = |key: &str, count: i64| key.repeat(usize::try_from(count.max(0)).expect("a number"));
    let keys = [
        times("\u{e014}", to_x - x),
        times("\u{e012}", x - to_x),
        times("\u{e015}", to_y - y),
        times("\u{e013}", y - to_y),
        "\u{e007}".to_owned(),
    ];
    browser.press(&keys.concat());
}

/// Plays a whole game against one of our programs in a browser. Returns the directory with the saved game, and the
/// moves that the page showed.
fn whole_game(
    test: &str,
    screen: Screen,
    program: Program,
    hand: Hand,
    arguments: &[&str],
) -> Option<(Dir, Vec<String>)> {
    let browser = Browser::start(test, screen)?;
    let mut running = play(with_agent(program), arguments);
    browser.open(&running.address());
    let mut page = running.page();
    let mut number = 0;
    while let Some(path) = next_move(&mut page, number) {
        let count = page.moves().len();
        moved(&browser, count);
        browser.wait("the turn", "document.querySelector('#squares .own') !== null");
        make(&browser, hand, &path, count);
        page.hear_until(|page| page.moves().len() > count || page.game["phase"] == "over");
        number = page.moves().len();
    }
    let result = page.game["result"].as_str().expect("a result").to_owned();
    browser.wait("the result", &format!("document.getElementById('status').textContent === '{result}'"));
    assert!(result.contains("wins: ") || result.contains("drawn: "), "{result}");
    browser.click("#end");
    browser.click("#question button[value=yes]");
    assert_eq!(running.exit_code(), Some(0));
    let moves = page.moves();
    let dir = std::mem::replace(&mut running.dir, Dir::new());
    Some((dir, moves))
}

#[test]
fn checkers_are_played_by_mouse_to_the_end() {
    let test = "checkers_are_played_by_mouse_to_the_end";
    let arguments = ["engine", "human", "--time", "5"];
    let Some((dir, moves)) = whole_game(test, Screen::Desk, Program::Homework, Hand::Mouse, &arguments) else { return };
    let text = dir.read("engine-human-1.pdn").expect("a saved game");
    let record: pdn::Record = text.parse().expect("PDN");
    assert_eq!(record.moves().len(), moves.len());
    assert_eq!((record.tag("Black"), record.tag("White")), (Some("engine"), Some("human")));
    assert!(text.contains("Black wins") || text.contains("drawn"), "{text}");
}

#[test]
fn checkers_are_played_by_keys_to_the_end_with_the_board_turned() {
    let test = "checkers_are_played_by_keys_to_the_end_with_the_board_turned";
    let arguments = ["human", "engine", "--time", "5"];
    let Some((dir, moves)) = whole_game(test, Screen::Desk, Program::Homework, Hand::Keys, &arguments) else { return };
    let record: pdn::Record = dir.read("human-engine-1.pdn").expect("a saved game").parse().expect("PDN");
    assert_eq!(record.moves().len(), moves.len());
}

#[test]
fn checkers_are_played_on_a_phone_to_the_end() {
    let test = "checkers_are_played_on_a_phone_to_the_end";
    whole_game(test, Screen::Phone, Program::Homework, Hand::Mouse, &["engine", "human", "--time", "5"]);
}

#[test]
fn lines_of_action_are_played_by_mouse_to_the_end() {
    let test = "lines_of_action_are_played_by_mouse_to_the_end";
    let arguments = ["engine", "human", "--league", "loa", "--time", "5"];
    let Some((dir, moves)) = whole_game(test, Screen::Desk, Program::Loa, Hand::Mouse, &arguments) else { return };
    let text = dir.read("engine-human-1.sgf").expect("a saved game");
    let record: kingline::loa::sgf::Record<8> = text.parse().expect("SGF");
    assert_eq!(record.moves().len(), moves.len());
    assert!(matches!(record.result(), Some(Outcome::Win(_) | Outcome::Draw)));
}

#[test]
fn lines_of_action_are_played_by_keys_to_the_end() {
    let test = "lines_of_action_are_played_by_keys_to_the_end";
    whole_game(test, Screen::Desk, Program::Loa, Hand::Keys, &["human", "engine", "--league", "loa", "--time", "5"]);
}
