//! The page on a phone, and the help.

use serde_json::json;

use super::browser::{Browser, Screen, moved, square};
use super::running::Running;

fn open(test: &str, screen: Screen) -> Option<(Running, Browser)> {
    let browser = Browser::start(test, screen)?;
    let running = Running::start(&["--time=0.05"]);
    browser.open(&running.address());
    Some((running, browser))
}

#[test]
fn close_stays_in_view_in_the_long_help() {
    let Some((_running, browser)) = open("close_stays_in_view_in_the_long_help", Screen::Phone) else { return };
    browser.click("#open-help");
    assert_eq!(browser.value("document.getElementById('help').scrollHeight > 2 * innerHeight"), true);
    let is_in_view = "(() => { const box = document.querySelector('#help form button').getBoundingClientRect(); \
                      return box.top >= 0 && box.bottom <= innerHeight; })()";
    for place in ["0", "1500", "1e9"] {
        browser.run(&format!("document.getElementById('help').scrollTop = {place}"));
        assert_eq!(browser.value(is_in_view), true, "scrolled to {place}");
    }
    browser.click("#help form button");
    assert_eq!(browser.value("document.getElementById('help').open"), false);
}

#[test]
fn nothing_in_the_help_is_cut_off() {
    for screen in [Screen::Phone, Screen::Sideways] {
        let Some((_running, browser)) = open("nothing_in_the_help_is_cut_off", screen) else { return };
        browser.click("#open-help");
        let cut = "(() => { const help = document.getElementById('help'); \
                   return [help, ...help.querySelectorAll('*')].filter((each) => each instanceof HTMLElement && (\
                   each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline' \
                   || each.getBoundingClientRect().right > help.getBoundingClientRect().right)) \
                   .map((each) => each.outerHTML); })()";
        assert_eq!(browser.value(cut), json!([]), "{screen:?}");
        let help = browser.value("document.getElementById('help').textContent");
        assert!(help.as_str().is_some_and(|help| help.contains("put black, white or - on a square")), "{help}");
    }
}

#[test]
fn buttons_are_large_enough_for_fingers() {
    for screen in [Screen::Phone, Screen::Sideways] {
        let Some((_running, browser)) = open("buttons_are_large_enough_for_fingers", screen) else { return };
        assert_eq!(browser.value("matchMedia('(pointer: coarse)').matches"), true);
        browser.click(&square("b1"));
        browser.click(&square("b3"));
        moved(&browser, 2);
        browser.click("#setup");
        for state in
            ["", "document.getElementById('help').showModal()", "document.getElementById('question').showModal()"]
        {
            browser.run(state);
            let small = "[...document.querySelectorAll('button, .button, select, a, label:has(input)')] \
                         .filter((each) => each.checkVisibility() && !each.closest('#squares') && \
                         each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)";
            assert_eq!(browser.value(small), json!([]), "{screen:?}: {state}");
        }
    }
}

#[test]
fn the_status_moves_nothing_on_a_phone() {
    let Some((_running, browser)) = open("the_status_moves_nothing_on_a_phone", Screen::Phone) else { return };
    let top = "document.getElementById('board').getBoundingClientRect().top";
    let before = browser.value(top);
    for status in ["Black wins. All its pieces are connected.", "White to move, after move 12 of 34"] {
        browser.run(&format!("document.getElementById('status').textContent = '{status}'"));
        assert_eq!(browser.value(top), before, "{status}");
    }
}

#[test]
fn a_phone_held_sideways_has_its_panels_beside_the_board() {
    let test = "a_phone_held_sideways_has_its_panels_beside_the_board";
    let Some((_running, browser)) = open(test, Screen::Sideways) else { return };
    assert_eq!(
        browser.value("[innerWidth, innerHeight, document.documentElement.scrollWidth]"),
        json!([740, 360, 740])
    );
    let fits = "(() => { const box = (id) => document.getElementById(id).getBoundingClientRect(); \
                const [board, undo, moves] = ['board', 'undo', 'moves'].map(box); \
                return [board.height > 250, board.top >= 0 && board.bottom <= innerHeight, \
                undo.left > board.right && undo.bottom <= innerHeight, moves.left > board.right]; })()";
    assert_eq!(browser.value(fits), json!([true, true, true, true]));
    // The board stays while the panels scroll.
    browser.run("scrollTo(0, 700)");
    assert_eq!(browser.value("scrollY > 500"), true);
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    moved(&browser, 2);
    let is_in_view = "(() => { const box = document.getElementById('board').getBoundingClientRect(); \
                      return box.top >= 0 && box.bottom <= innerHeight; })()";
    assert_eq!(browser.value(is_in_view), true);
}

#[test]
fn the_help_draws_the_lines_and_targets_that_it_speaks_of() {
    let test = "the_help_draws_the_lines_and_targets_that_it_speaks_of";
    let Some((_running, browser)) = open(test, Screen::Desk) else { return };
    browser.click("#open-help");
    let marks = |name: &str| browser.value(&format!("document.querySelectorAll('#help .board .{name}').length"));
    assert_eq!(["line", "target", "blocked", "group"].map(marks), [json!(3), json!(3), json!(1), json!(4)]);
    assert_eq!(
        browser.value("[...document.querySelectorAll('#help .count')].map((each) => each.textContent)"),
        json!(["3", "2", "2"])
    );
    // The first target is on f4, at the end of three squares from c4 along the fourth row.
    assert_eq!(
        browser.value(
            "['cx', 'cy'].map((each) => document.querySelector('#help .target').getAttribute(each)) \
             .concat(document.querySelector('#help .line').getAttribute('d'))"
        ),
        json!(["5.5", "4.5", "M0.5 4.5L7.5 4.5"])
    );
    assert_eq!(browser.value("document.querySelector('#help .target').checkVisibility()"), true);
}
