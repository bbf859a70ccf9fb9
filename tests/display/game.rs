//! Persons against agents: `master play AGENT human --display`.

use kingline::checkers::{Position, Route, pdn};
use kingline::game::{Game, Outcome};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::browser::{Browser, Screen, axe, moved, square};
use super::guarded::storm;
use super::running::{Page, Running};
use super::squares::WATCH_MOTIONS;
use crate::support::referee::{Dir, Program, master};
use crate::support::table::rows;

/// Tables of cases.
const CASES: &str = include_str!("cases.txt");

/// Expression that is true in a person's turn.
const OWN_TURN: &str = "document.querySelector('#squares .own') !== null";

/// Starts `master play` with these arguments.
fn play(dir: Dir, arguments: &[&str]) -> Running {
    Running::start_command(dir, master(&[&["play", "--display"], arguments].concat()))
}

/// An agent's folder with one of our programs.
fn with_agent(program: Program) -> Dir {
    let dir = Dir::new();
    dir.agent("engine", program, program.name());
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
    Some(squares(&steps[number * 7 % steps.len()]["path"]))
}

/// Input of a person's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    /// By clicks and by dragging, in turn.
    Mouse,
    /// By keys.
    Keys,
}

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

/// Plays a whole game against one of our programs in a browser. Returns the text of the saved game, and the number of moves
/// that the page showed.
fn whole_game(
    screen: Screen,
    hand: Hand,
    program: Program,
    sides: [&str; 2],
    league: &[&str],
) -> Option<(String, usize)> {
    let browser = Browser::start(screen)?;
    let mut running = play(with_agent(program), &[&sides, league].concat());
    browser.open(&running.address());
    let mut page = running.page();
    let mut number = 0;
    while let Some(path) = next_move(&mut page, number) {
        let count = page.moves().len();
        moved(&browser, count);
        browser.wait("the turn", OWN_TURN);
        make(&browser, hand, &path, count);
        page.hear_until(|page| page.moves().len() > count || page.game["phase"] == "over");
        number = page.moves().len();
    }
    let result = page.game["result"].as_str().expect("a result").to_owned();
    browser.wait_for("status", &result);
    assert!(result.contains("wins: ") || result.contains("drawn: "), "{result}");
    browser.confirm("#end");
    assert_eq!(running.exit_code(), Some(0));
    let saved = ["pdn", "sgf"].iter().find_map(|kind| running.dir.read(&format!("{}-1.{kind}", sides.join("-"))));
    Some((saved.expect("a saved game"), page.moves().len()))
}

#[test]
fn whole_games_are_played_by_mouse_by_keys_and_on_a_phone() {
    let (first, second) = (["human", "engine"], ["engine", "human"]);
    for (screen, hand, sides) in [
        (Screen::Desktop, Hand::Mouse, second),
        // The board is turned.
        (Screen::Desktop, Hand::Keys, first),
        (Screen::Phone, Hand::Mouse, second),
    ] {
        let Some((text, moves)) = whole_game(screen, hand, Program::Homework, sides, &["--time", "5"]) else { return };
        let record: pdn::Record = text.parse().expect("PDN");
        assert_eq!(record.moves().len(), moves);
        assert_eq!([record.tag("Black"), record.tag("White")], sides.map(Some));
        assert!(text.contains("wins") || text.contains("drawn"), "{text}");

        let league = ["--league", "loa", "--time", "5"];
        let Some((text, moves)) = whole_game(screen, hand, Program::Loa, sides, &league) else { return };
        let record: kingline::loa::sgf::Record<8> = text.parse().expect("SGF");
        assert_eq!(record.moves().len(), moves);
        assert!(matches!(record.result(), Some(Outcome::Win(_) | Outcome::Draw)));
    }
    let league = ["--league", "loa6", "--turn-time", "0.5"];
    let Some((text, _)) = whole_game(Screen::Phone, Hand::Mouse, Program::Loa6, first, &league) else { return };
    let record: kingline::loa::sgf::Record<6> = text.parse().expect("SGF");
    assert!(record.position().legal_moves().is_empty() || record.result().is_some());
}

/// A folder with an agent that is only a script, each turn of which runs these lines.
fn scripted(lines: &str) -> Dir {
    let dir = Dir::new();
    dir.script("engine", lines);
    dir
}

#[test]
fn agents_at_fault_lose_as_in_a_league_and_the_page_lives() {
    for [lines, fault] in rows(CASES, "agents at fault") {
        let mut running = play(scripted(lines), &["engine", "human", "--time", "0.3"]);
        let mut page = running.page();
        page.hear_until(|page| page.game["phase"] == "over");
        let result = page.game["result"].as_str().expect("a result");
        assert!(result.starts_with("White wins: Black in turn 1: ") && result.contains(fault), "{lines}: {result}");
        // Another game, in which the agent comes second.
        running.ask("again");
        page.hear_until(|page| page.game["serial"] == 2 && page.game["steps"] != Value::Array(Vec::new()));
        running.ask("quit");
        assert_eq!(running.exit_code(), Some(0), "{lines}");
        let saved = running.dir.text("human-engine-2.pdn");
        assert!(saved.contains("the person left") && saved.trim_end().ends_with('*'), "{saved}");
    }
}

#[test]
fn the_agents_time_goes_down_and_the_persons_up() {
    let Some(browser) = Browser::start(Screen::Desktop) else { return };
    let text = |side: &str| browser.value(&format!("document.getElementById('clock-{side}').textContent"));
    let running = play(with_agent(Program::Homework), &["engine", "human", "--time", "90"]);
    browser.open(&running.address());
    moved(&browser, 1);
    browser.wait_for("clock-white", "0:01");
    browser.wait("which clock runs", "document.getElementById('clock-white').classList.contains('running')");
    assert!(["1:29 left", "1:28 left", "1:27 left"].map(Value::from).contains(&text("black")), "{}", text("black"));
    // Wall time goes by while an agent of this league thinks.
    let running = play(scripted("exec sleep 100"), &["engine", "human", "--league", "loa", "--time", "50"]);
    browser.open(&running.address());
    browser.wait_for("clock-black", "0:47 left");
    assert_eq!(text("white"), "0:00");
}

#[test]
fn wrong_requests_change_nothing_in_a_referees_game() {
    let mut running = play(Dir::new(), &["human", "human"]);
    let mut page = running.page();
    page.hear_until(|page| page.game["steps"] != Value::Array(Vec::new()));
    let before = page.game.clone();
    for line in ["c3-d4", "b6-a5-c3", "b6", "b6a5", "new", "load game.pdn", "position x", "", "goto 0"] {
        let answer = running.post("command", line);
        assert!(answer.status == 422 && !answer.body.is_empty(), "{line}: {answer:?}");
    }
    assert!(running.post("command", "b6-b5").body.contains("b6-a5"), "legal moves are listed");
    assert_eq!(running.post("game", "[White \"x\"] 1. 9-13 *").status, 422);
    assert_eq!(storm(&running, &"f".repeat(32), 10_000), 0, "no request succeeds");
    storm(&running, &running.token.clone(), 10_000);
    assert_eq!(running.page().game, before);
    running.ask("b6-a5");
    page.hear_moves(1);
    running.ask("a3-b4");
    page.hear_moves(2);
    running.ask("quit");
    assert_eq!(running.exit_code(), Some(0));
    let record: pdn::Record = running.dir.text("human-human-1.pdn").parse().expect("PDN");
    assert_eq!((record.moves().len(), record.result()), (2, None));
}

#[test]
fn spectators_change_nothing() {
    let mut running = play(with_agent(Program::Homework), &["engine", "engine", "--time", "3"]);
    let mut page = running.page();
    for line in ["quit", "again", "b6-a5"] {
        assert_eq!(running.post("command", line).status, 422, "{line}");
    }
    assert!(!running.get("").body.contains("id=\"end\""), "a watcher cannot end the program");
    page.hear_until(|page| page.game["phase"] == "over");
    assert_eq!(running.exit_code(), Some(0));
    let record: pdn::Record = running.dir.text("engine-engine-1.pdn").parse().expect("PDN");
    assert_eq!(record.moves().len(), page.moves().len());
}

#[test]
fn a_game_is_left_for_another_in_a_persons_turn() {
    let Some(browser) = Browser::start(Screen::Desktop) else { return };
    let mut running = play(with_agent(Program::Homework), &["human", "engine", "--time", "5"]);
    let mut page = running.page();
    browser.open(&running.address());
    browser.wait("the turn", OWN_TURN);
    running.ask("b6-a5");
    page.hear_until(|page| page.moves().len() == 2 && page.game["steps"] != Value::Array(Vec::new()));
    moved(&browser, 2);
    browser.wait("the turn", OWN_TURN);
    browser.confirm("#new");
    page.hear_until(|page| page.game["serial"] == 2 && page.game["steps"] != Value::Array(Vec::new()));
    assert_eq!((page.moves().len(), &page.game["names"][0]), (1, &Value::from("engine")));
    assert_eq!(running.dir.names().iter().filter(|name| *name == "human-engine-1.pdn").count(), 1);
    running.ask("quit");
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn persons_need_the_page() {
    let ran = Dir::new().run_with_input(Program::Master, &["play", "human", "human"], "");
    ran.exits_with(2).stderr_contains(&["human", "help: add --display"]);
}

/// Finds a random game that ends where a piece can capture several pieces in two ways. Returns the squares of its moves,
/// and the two ways.
fn where_ways_part() -> (Vec<String>, [Vec<String>; 2]) {
    let paths_of = |position: &Position, mv| -> Vec<Vec<String>> {
        let routes = Route::all(position, mv);
        routes.iter().map(|route| route.squares().iter().map(ToString::to_string).collect()).collect()
    };
    let mut rng = StdRng::seed_from_u64(5);
    loop {
        let (mut position, mut made) = (Position::start(), Vec::new());
        while position.ending().is_none() && made.len() < 80 {
            let legal = position.legal_moves();
            let paths: Vec<Vec<String>> = legal.iter().flat_map(|&mv| paths_of(&position, mv)).collect();
            for (place, one) in paths.iter().enumerate() {
                let parts = |other: &&Vec<String>| other[0] == one[0] && other[1] != one[1] && other.len() > 2;
                if let (true, Some(other)) = (one.len() > 2, paths[place + 1..].iter().find(parts)) {
                    return (made, [one.clone(), other.clone()]);
                }
            }
            let mv = legal[rng.random_range(0..legal.len())];
            made.push(paths_of(&position, mv).swap_remove(0).join("-"));
            position = position.play(mv);
        }
    }
}

fn squares(path: &Value) -> Vec<String> {
    path.as_array().expect("squares").iter().map(|square| square.as_str().expect("a square").to_owned()).collect()
}

#[test]
fn captures_of_several_pieces_are_entered_square_by_square_or_by_the_last_one() {
    let Some(browser) = Browser::start(Screen::Desktop) else { return };
    let running = play(Dir::new(), &["human", "human"]);
    browser.open(&running.address());
    let mut page = running.page();
    let (made, [one, other]) = where_ways_part();
    for (number, mv) in made.iter().enumerate() {
        page.hear_until(|page| page.moves().len() == number && page.game["steps"] != Value::Array(Vec::new()));
        running.ask(mv);
    }
    page.hear_moves(made.len());
    let count = page.moves().len();
    moved(&browser, count);
    browser.wait("the turn", OWN_TURN);
    browser.holds("document.getElementById('status').textContent.endsWith(': a capture must be made')");
    browser.click_squares(&one[0], &one[1]);
    let drawn = format!("document.querySelector('[data-square={}]').ariaLabel", one[1]);
    let label = browser.value(&drawn);
    assert!(
        label.as_str().expect("a label").contains("chosen"),
        "the piece has moved on: {label} in {one:?} or {other:?}"
    );
    browser.press("\u{e00c}");
    assert_eq!(browser.value("document.querySelectorAll('.target').length"), 0, "Escape releases the piece");
    browser.click(&square(&other[0]));
    if one.last() == other.last() {
        browser.click(&square(&other[1]));
    }
    browser.run(WATCH_MOTIONS);
    browser.click(&square(other.last().expect("a square")));
    moved(&browser, count + 1);
    page.hear_moves(count + 1);
    let frames = if one.last() == other.last() { other.len() - 1 } else { other.len() };
    assert_eq!(browser.value("window.frames_of_motions[0]"), json!(frames), "the piece glides through its squares");
    assert_eq!(squares(&page.game["moves"][count]["path"]).last(), other.last());
}

#[test]
fn the_page_of_a_referees_games_is_accessible() {
    let Some(axe) = axe() else { return };
    for screen in [Screen::Desktop, Screen::DarkDesktop, Screen::Phone, Screen::Sideways] {
        let Some(browser) = Browser::start(screen) else { return };
        let running = play(with_agent(Program::Homework), &["human", "engine", "--time", "5"]);
        browser.open(&running.address());
        browser.wait("the turn", OWN_TURN);
        browser.run(&axe);
        for state in ["document.querySelector('#squares .own').click()", "document.getElementById('open-help').click()"]
        {
            browser.run(state);
            assert_eq!(browser.violations(), json!([]), "{screen:?}: {state}");
        }
    }
}

#[test]
fn the_referees_page_says_why_a_piece_cannot_move() {
    for [league, from, to, why] in rows(CASES, "moves that a piece cannot make") {
        let Some(browser) = Browser::start(Screen::Desktop) else { return };
        let program = if league == "loa6" { Program::Loa6 } else { Program::Homework };
        let running =
            play(with_agent(program), &["human", "engine", "--time", "5", "--opening", "0", "--league", league]);
        browser.open(&running.address());
        browser.wait("the turn", OWN_TURN);
        browser.click_squares(from, to);
        let problem = browser.text("problems");
        assert_eq!(problem, why, "{league}: {from}-{to}");
    }
}
