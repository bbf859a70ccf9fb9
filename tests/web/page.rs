//! The page of samples/web in a browser, from a server and from a folder.

use serde_json::json;

use super::built;
use crate::display::browser::{Browser, MOVES, Screen, axe, moved, square};

/// Expression that is true once the page shows a game.
pub(super) const LOADED: &str = "document.getElementById('status').textContent !== 'Loading'";

/// Opens both forms of the page, one after the other, in a browser with this screen, and runs `check` in each.
fn in_both_forms(screen: Screen, check: impl Fn(&Browser)) {
    let Some(folder) = built::folder() else { return };
    let Some(browser) = Browser::start(screen) else { return };
    for address in [built::serve(folder), format!("file://{}/kingline.html", folder.display())] {
        browser.open_when(&address, LOADED);
        check(&browser);
    }
}

pub(super) fn choose(browser: &Browser, list: &str, value: &str) {
    browser.run(&format!(
        "const list = document.getElementById('{list}'); list.value = '{value}'; \
         list.dispatchEvent(new Event('change'))"
    ));
}

#[test]
fn the_engine_plays_games_against_itself() {
    in_both_forms(Screen::Desktop, |browser| {
        choose(browser, "strength", "nodes 100");
        choose(browser, "person", "neither");
        for game in ["checkers", "loa"] {
            choose(browser, "game", game);
            browser.wait("the game", &format!("document.body.dataset.game === '{game}'"));
            browser.wait("its end", "/wins|drawn|Drawn/.test(document.getElementById('status').textContent)");
            assert!(browser.value(MOVES).as_i64().is_some_and(|moves| moves > 20), "{game}");
            browser.holds("document.getElementById('lost').hidden");
        }
    });
}

#[test]
fn a_person_plays_by_mouse_and_keys() {
    in_both_forms(Screen::Desktop, |browser| {
        browser.play("f6-e5", 2);
        browser.drag(&square("h6"), &square("g5"));
        moved(browser, 4);
        browser.press("u");
        moved(browser, 2);
        browser.click("#undo");
        moved(browser, 0);
        choose(browser, "person", "both");
        browser.press("b");
        browser.run("document.querySelector('#squares [data-square=b6]').focus()");
        browser.press("\u{e007}");
        browser.run("document.querySelector('#squares [data-square=a5]').focus()");
        browser.press(" ");
        moved(browser, 1);
        browser.click("#flip");
        assert_eq!(browser.value("document.querySelector('#squares button').dataset.square"), "h1");
        browser.press("n");
        moved(browser, 0);
    });
}

#[test]
fn forced_captures_are_marked_and_other_moves_refused() {
    in_both_forms(Screen::Desktop, |browser| {
        choose(browser, "person", "both");
        browser.fill("#position", "B:W18,27,30:B14,1");
        browser.click("#position-form button");
        browser.wait("the position", "/capture must be made/.test(document.getElementById('status').textContent)");
        assert_eq!(browser.value("document.querySelectorAll('.forced').length"), 1);
        browser.click(&square("b8"));
        browser.wait("a reason", "/must capture/.test(document.getElementById('problems').textContent)");
        browser.play("c5-g1", 1);
        browser.fill("#position", "nonsense");
        browser.click("#position-form button");
        browser.wait("a reason", "/nonsense/.test(document.getElementById('problems').textContent)");
        moved(browser, 1);
    });
}

#[test]
fn the_page_answers_while_the_engine_thinks() {
    in_both_forms(Screen::Desktop, |browser| {
        browser.click("#analyze");
        let lines = "document.querySelectorAll('#found li').length";
        browser.wait("three lines", &format!("{lines} === 3"));
        choose(browser, "lines", "5");
        browser.wait("five lines", &format!("{lines} === 5"));
        browser.click("#flip");
        browser.play("f6-g5", 2);
        browser.click("#moves button");
        browser.wait("the first position", "/at the start/.test(document.getElementById('status').textContent)");
        browser.wait("five lines", &format!("{lines} === 5"));
        browser.press("\u{e00c}a");
        // The game goes on between other players. A move that is wanted now ends the search.
        choose(browser, "strength", "milliseconds 5000");
        choose(browser, "person", "white");
        browser.wait("a search", "document.querySelectorAll('#found li').length === 1");
        browser.press("g");
        moved(browser, 3);
        browser.holds("document.getElementById('lost').hidden");
    });
}

#[test]
fn a_search_ends_by_the_clock_of_the_page() {
    in_both_forms(Screen::Desktop, |browser| {
        browser.run(
            "const start = performance.now(); window.took = 0; \
             module_engine.engine('loa').ask('search loa\\nmilliseconds 300') \
             .then((found) => (window.took = found.depth > 3 ? performance.now() - start : -1))",
        );
        browser.wait("a move", "took !== 0");
        assert!(browser.value("took").as_f64().is_some_and(|took| took >= 300.0), "{}", browser.value("took"));
    });
}

#[test]
fn the_page_breaks_no_rule_of_accessibility() {
    for screen in [Screen::Desktop, Screen::DarkDesktop, Screen::Phone] {
        in_both_forms(screen, |browser| {
            let Some(axe) = axe() else { return };
            browser.run(&axe);
            choose(browser, "strength", "nodes 1000");
            browser.run("document.querySelector('#squares [data-square=f6]').click()");
            browser.run("document.querySelector('#squares [data-square=e5]').click()");
            moved(browser, 2);
            browser.run("document.getElementById('analyze').click()");
            browser.wait("lines", "document.querySelectorAll('#found li').length > 0");
            assert_eq!(browser.violations(), json!([]), "{screen:?}");
        });
    }
}

#[test]
fn everything_fits_on_a_phone() {
    in_both_forms(Screen::Phone, |browser| {
        assert_eq!(browser.value("[innerWidth, document.documentElement.scrollWidth]"), json!([360, 360]));
        let small = "[...document.querySelectorAll('button, select, textarea, label:has(input)')] \
                     .filter((each) => each.checkVisibility() && !each.closest('#squares') && \
                     each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)";
        assert_eq!(browser.value(small), json!([]));
    });
}
