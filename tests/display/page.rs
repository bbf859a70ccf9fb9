//! The page in a real browser.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::browser::Browser;
use super::running::Running;
use crate::support::skipped::skipped;

const MOVES: &str = "document.querySelectorAll('#moves button').length - 1";

/// The board, and a browser that shows it; none where there is no browser.
fn open(test: &str, arguments: &[&str]) -> Option<(Running, Browser)> {
    let browser = Browser::start(test, 1200, 900)?;
    let running = Running::start(arguments);
    browser.open(&running.address());
    Some((running, browser))
}

/// The button of a square.
fn square(name: &str) -> String {
    format!("#squares [data-square={name}]")
}

fn moved(browser: &Browser, count: usize) {
    browser.wait("a move", &format!("{MOVES} === {count}"));
}

/// White moves by hand too.
fn by_hand(browser: &Browser) {
    browser.click("input[name=white][value=manual]");
    browser.wait("two people", "document.querySelector('input[name=white][value=manual]').checked");
}

#[test]
fn pieces_are_moved_by_clicks_and_by_dragging() {
    let Some((running, browser)) = open("pieces_are_moved_by_clicks_and_by_dragging", &[]) else { return };
    by_hand(&browser);
    browser.click(&square("b1"));
    browser.wait("targets", "document.querySelectorAll('.target').length > 1");
    let label = browser.value("document.querySelector('[data-square=b3]').getAttribute('aria-label')");
    assert_eq!(label, "b3, empty, target, 2 pieces on the line");
    assert_eq!(
        browser.value("[...document.querySelectorAll('.count')].every((count) => +count.textContent > 0)"),
        true
    );
    browser.click(&square("b3"));
    moved(&browser, 1);
    browser.drag(&square("a2"), &square("c2"));
    moved(&browser, 2);
    // A drag to where the piece cannot go is none.
    browser.drag(&square("c1"), &square("c2"));
    let game = running.page().game;
    let texts: Vec<&str> =
        game["moves"].as_array().expect("moves").iter().filter_map(|mv| mv["text"].as_str()).collect();
    assert_eq!(texts, ["b1-b3", "a2-c2"]);
    assert_eq!(browser.value("document.getElementById('said').textContent"), "White a2 to c2");
}

#[test]
fn a_game_is_played_by_keys_to_its_end() {
    let Some((mut running, browser)) = open("a_game_is_played_by_keys_to_its_end", &[]) else { return };
    running.type_line("manual white");
    // Black connects by c5-d4: on that diagonal it stands alone.
    running.type_line("position --------/--------/--------/--b-----/--------/--b-----/--b----w/w------- black");
    browser.wait("the position", "document.querySelectorAll('#board .pieces use').length === 5");
    let (right, left, up, down) = ("\u{e014}", "\u{e012}", "\u{e013}", "\u{e015}");
    // To the board, from its lower left corner to c5 by way of d5, and there.
    browser.press(&format!("b{}{left}{}", right.repeat(3), up.repeat(4)));
    assert_eq!(browser.value("document.activeElement.dataset.square"), "c5");
    browser.press(&format!(" {right}{down}"));
    assert_eq!(browser.value("document.activeElement.ariaLabel"), "d4, empty, target, 1 piece on the line");
    browser.press("\u{e007}");
    let end = "Black wins. All its pieces are connected.";
    browser.wait("the end", &format!("document.getElementById('status').textContent === '{end}'"));
    assert_eq!(browser.value("document.querySelectorAll('#board .group').length"), 3);
    assert_eq!(browser.value("document.getElementById('said').textContent"), format!("Black c5 to d4. {end}"));
    browser.press("u");
    moved(&browser, 0);
    browser.press("r");
    browser.wait("the end again", &format!("document.getElementById('status').textContent === '{end}'"));
}

#[test]
fn a_game_is_played_by_mouse_to_its_end() {
    let Some((_running, browser)) = open("a_game_is_played_by_mouse_to_its_end", &[]) else { return };
    by_hand(&browser);
    browser.fill("#limit", "2");
    browser.click("#limit-form button");
    for (number, mv) in ["b1-b3", "a2-c2", "c1-e3", "h2-f2"].iter().enumerate() {
        let (from, to) = mv.split_once('-').expect("a move");
        if number % 2 == 0 {
            browser.click(&square(from));
            browser.click(&square(to));
        } else {
            browser.drag(&square(from), &square(to));
        }
        moved(&browser, number + 1);
    }
    assert_eq!(browser.value("document.getElementById('status').textContent"), "Tie game.");
    browser.click(&square("d1"));
    assert_eq!(browser.value("document.querySelectorAll('.target').length"), 0, "the game is over");
    browser.click("#new");
    moved(&browser, 0);
}

#[test]
fn undo_takes_back_the_machines_move_too() {
    let Some((_running, browser)) = open("undo_takes_back_the_machines_move_too", &["--time=0.05"]) else { return };
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    moved(&browser, 2);
    browser.click("#undo");
    moved(&browser, 0);
    browser.click("#redo");
    moved(&browser, 2);
}

#[test]
fn players_change_while_the_machine_thinks() {
    let Some((running, browser)) = open("players_change_while_the_machine_thinks", &["--time=60"]) else { return };
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    browser.wait("thoughts", "/depth [0-9]/.test(document.getElementById('thought').textContent)");
    browser.click("input[name=white][value=manual]");
    browser.wait("White by hand", "document.getElementById('status').textContent === 'White to move'");
    browser.click(&square("a2"));
    browser.click(&square("c2"));
    moved(&browser, 2);
    drop(running);
    browser.wait("the end to be noticed", "!document.getElementById('lost').hidden");
}

#[test]
fn terminal_and_two_pages_show_one_game() {
    let Some((mut running, browser)) = open("terminal_and_two_pages_show_one_game", &[]) else { return };
    let Some(other) = Browser::start("terminal_and_two_pages_show_one_game", 400, 800) else { return };
    other.open(&running.address());
    running.type_line("manual white");
    running.type_line("b1-b3");
    moved(&browser, 1);
    moved(&other, 1);
    other.click(&square("a2"));
    other.click(&square("c2"));
    moved(&browser, 2);
    running.type_line("dump");
    running.output_with("- - w - - - - w");
}

#[test]
fn the_past_can_be_looked_at_and_gone_on_from() {
    let Some((mut running, browser)) = open("the_past_can_be_looked_at_and_gone_on_from", &[]) else { return };
    for line in ["manual white", "b1-b3", "a2-c2", "c1-e3"] {
        running.type_line(line);
    }
    moved(&browser, 3);
    browser.click("#moves [data-moves='1']");
    browser.wait("a note", "document.getElementById('when').textContent === 'after move 1 of 3'");
    let pieces = "document.querySelector('#board .pieces use[x=\"0\"][y=\"6\"]') !== null";
    assert_eq!(browser.value(pieces), true, "White's piece is still on a2");
    browser.click("#back-to-now");
    assert_eq!(browser.value(pieces), false);
    browser.press(",,");
    browser.click("#go-on-here");
    moved(&browser, 1);
    browser.click("#redo");
    moved(&browser, 2);
}

#[test]
fn thoughts_are_hidden_by_one_switch_and_hints_are_drawn() {
    let Some((_running, browser)) = open("thoughts_are_hidden_by_one_switch_and_hints_are_drawn", &["--time=0.2"])
    else {
        return;
    };
    browser.click("#hint");
    browser.wait("a hint", "document.querySelectorAll('.hinted').length === 2");
    browser.click("#show-thought");
    browser.wait(
        "silence",
        "[...document.querySelectorAll('.thought, .hinted')].every((each) => !each.checkVisibility())",
    );
    assert_eq!(browser.value("document.querySelectorAll('.hinted').length"), 0);
}

#[test]
fn positions_are_set_up_and_games_taken_up() {
    let Some((running, browser)) = open("positions_are_set_up_and_games_taken_up", &[]) else { return };
    by_hand(&browser);
    browser.click("#setup");
    browser.click("#palette input[value='']");
    browser.click(&square("b1"));
    browser.click("#palette input[value=w]");
    browser.click(&square("d4"));
    browser.click("#take-up");
    browser.wait("the position", "document.querySelector('[data-square=d4]').ariaLabel.startsWith('d4, white')");
    let position = running.page().game["position"].clone();
    assert_eq!(position, "-bbbbbb-/w------w/w------w/w------w/w--w---w/w------w/w------w/--bbbbb- black");
    browser.fill("#paste", "(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])");
    browser.click("#paste-form button");
    moved(&browser, 2);
    browser.fill("#paste", "nonsense");
    browser.click("#paste-form button");
    browser.wait("a complaint", "document.getElementById('problems').textContent.includes('invalid position')");
    browser.click("#new");
    browser.click("#question button[value=yes]");
    moved(&browser, 0);
}

#[test]
fn the_end_is_asked_for_and_told() {
    let Some((mut running, browser)) = open("the_end_is_asked_for_and_told", &[]) else { return };
    browser.click("#end");
    browser.click("#question button[value=no]");
    browser.click("#open-help");
    browser.wait(
        "help",
        "document.getElementById('help').open && document.querySelectorAll('.examples .board').length === 4",
    );
    browser.click("#help form button");
    browser.click("#end");
    browser.click("#question button[value=yes]");
    browser.wait("the end", "!document.getElementById('lost').hidden");
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn a_phone_sees_all_and_nothing_is_loaded_from_elsewhere() {
    let Some(browser) = Browser::start("a_phone_sees_all_and_nothing_is_loaded_from_elsewhere", 500, 800) else {
        return;
    };
    let running = Running::start(&[]);
    browser.open(&running.address());
    browser.run("document.documentElement.style.width = '360px'");
    assert_eq!(browser.value("document.documentElement.scrollWidth <= Math.max(360, innerWidth)"), true);
    assert_eq!(browser.value("document.getElementById('board').getBoundingClientRect().width <= 360"), true);
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    moved(&browser, 2);
    let loaded = browser.value("performance.getEntriesByType('resource').map((entry) => entry.name)");
    for name in loaded.as_array().expect("names") {
        let name = name.as_str().expect("a name");
        assert!(name.starts_with(&running.address()) || name.starts_with("data:"), "{name}");
    }
    let sizes = browser.value("performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).map((entry) => entry.transferSize)");
    let sum: u64 = sizes.as_array().expect("sizes").iter().filter_map(Value::as_u64).sum();
    assert!(sum > 20_000 && sum < 150_000, "{sum} bytes");
}

#[test]
fn the_board_is_there_at_once_and_a_move_soon_on_it() {
    let Some((_running, browser)) = open("the_board_is_there_at_once_and_a_move_soon_on_it", &[]) else { return };
    browser.wait("the first picture", "performance.getEntriesByName('first-contentful-paint').length === 1");
    let drawn = browser.value("performance.getEntriesByName('first-contentful-paint')[0].startTime");
    by_hand(&browser);
    // From the click on the target to the move on the board, in the page's own time.
    browser.run(
        "window.took = []; const moves = document.getElementById('moves'); let since = 0; \
         document.addEventListener('pointerup', () => (since = performance.now()), true); \
         new MutationObserver(() => window.took.push(performance.now() - since)).observe(moves, { childList: true });",
    );
    let game = ["b1-b3", "a2-c2", "c1-e3", "h2-f2", "d1-d3", "a4-c4"];
    for (number, mv) in game.iter().enumerate() {
        let (from, to) = mv.split_once('-').expect("a move");
        browser.click(&square(from));
        browser.click(&square(to));
        let start = Instant::now();
        while browser.value(MOVES) != number + 1 {
            assert!(start.elapsed() < Duration::from_secs(10), "{mv} is not made");
        }
    }
    let mut took: Vec<f64> =
        browser.value("window.took").as_array().expect("times").iter().filter_map(Value::as_f64).collect();
    took.sort_by(f64::total_cmp);
    println!("first drawn after {drawn} ms; a move on the board after {took:.1?} ms");
    assert!(took[took.len() / 2] < 500.0, "{took:?}");
}

#[test]
fn nobody_finds_the_page_hard_to_reach() {
    let test = "nobody_finds_the_page_hard_to_reach";
    let axe = std::env::var_os("AXE").and_then(|path| fs::read_to_string(path).ok());
    let Some(axe) = axe else {
        return skipped(&format!("display::page::{test}"), "axe-core is not installed: AXE names its axe.min.js");
    };
    let Some((_running, browser)) = open(test, &[]) else { return };
    browser.run(&axe);
    let found = |state: &str| {
        browser.run(state);
        browser.run("window.found = null; axe.run().then((result) => (window.found = result.violations));");
        browser.wait("the check", "window.found !== null");
        browser.value("window.found.map((each) => `${each.id}: ${each.nodes.map((node) => node.html)}`)")
    };
    for state in [
        "",
        "document.querySelector('[data-square=b1]').click()",
        "document.getElementById('setup').click()",
        "document.getElementById('open-help').click()",
    ] {
        assert_eq!(found(state), Value::Array(Vec::new()), "{state}");
    }
    assert_ne!(
        found("document.getElementById('help').close(); document.body.append(new Image())"),
        Value::Array(Vec::new())
    );
}

#[test]
#[ignore = "writes the pictures of the guide"]
fn pictures_of_the_guide() {
    let test = "pictures_of_the_guide";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
    let Some(browser) = Browser::start(test, 1000, 800) else { return };
    let mut running = Running::start(&["--time=0.3"]);
    browser.open(&running.address());
    running.type_line("seed 3");
    for (number, line) in ["b1-b3", "d1-d3"].iter().enumerate() {
        running.type_line(line);
        moved(&browser, 2 * number + 2);
    }
    browser.click(&square("f1"));
    fs::write(folder.join("display-chosen.png"), browser.picture()).expect("a picture");
    let Some(phone) = Browser::start(test, 500, 900) else { return };
    phone.open(&running.address());
    running.type_line("auto black");
    phone.wait("the end", "/wins|Tie/.test(document.getElementById('status').textContent)");
    fs::write(folder.join("display-phone.png"), phone.picture()).expect("a picture");
}
