//! The page when something is wrong: files that are missing or damaged, positions that cannot be read, searches stopped
//! before they begin.

use std::fs;

use serde_json::Value;

use super::built;
use super::page::{LOADED, choose};
use crate::display::browser::{Browser, Screen, moved};
use crate::support::command::{Dir, copy_folder};

const LOST: &str = "document.getElementById('lost')";
const STATUS: &str = "document.getElementById('status').textContent";

/// Returns a copy of the page and the address of its server, and a browser that has not opened it.
fn copied() -> Option<(Dir, String, Browser)> {
    let folder = built::folder()?;
    let browser = Browser::start(Screen::Desktop)?;
    let copy = Dir::new();
    copy_folder(folder, &copy.path(""));
    let address = built::serve(copy.path(""));
    Some((copy, address, browser))
}

#[track_caller]
fn lost(browser: &Browser, reason: &str) {
    browser.wait(reason, &format!("!{LOST}.hidden && {LOST}.textContent.includes({reason:?})"));
}

#[test]
fn a_page_without_its_engine_says_why() {
    let Some((copy, address, browser)) = copied() else { return };
    let engine = copy.bytes("engine.wasm");
    for (name, bytes, reason) in [
        ("engine.wasm", None, "engine.wasm: 404"),
        ("engine.wasm", Some(&b"nonsense"[..]), "WebAssembly"),
        ("engine.wasm", Some(&engine[..engine.len() / 2]), "WebAssembly"),
        ("worker.js", None, "could not be loaded"),
        ("worker.js", Some(b"nonsense("), "SyntaxError"),
    ] {
        let whole = copy.bytes(name);
        match bytes {
            Some(bytes) => copy.write(name, bytes),
            None => fs::remove_file(copy.path(name)).expect(name),
        }
        browser.open_when(&address, LOADED);
        lost(&browser, reason);
        lost(&browser, "Reload the page");
        assert_eq!(browser.value(STATUS), "Not loaded");
        copy.write(name, whole);
        // It can be tried again without a reload.
        if name == "engine.wasm" && bytes.is_none() {
            browser.click("#new");
            browser.wait("a game", &format!("{LOST}.hidden && {STATUS}.includes('to move')"));
        }
    }
}

#[test]
fn in_a_folder_the_page_of_a_site_names_the_file_to_open() {
    let Some((copy, _, browser)) = copied() else { return };
    browser.open_when(&format!("file://{}", copy.path("index.html").display()), LOADED);
    lost(&browser, "opened from a folder. Open kingline.html, which contains everything,");
    assert_eq!(browser.value(&format!("{LOST}.textContent.includes('Reload')")), false);
    assert_eq!(browser.value(STATUS), "Not loaded");
}

#[test]
fn a_game_goes_on_after_its_engine_has_failed() {
    let Some((copy, address, browser)) = copied() else { return };
    let weights = copy.bytes("checkers.weights");
    let mut damaged = weights.clone();
    damaged[weights.len() / 2] ^= 1;
    copy.write("checkers.weights", damaged);
    browser.open_when(&address, LOADED);
    browser.click_squares("f6", "e5");
    lost(&browser, "Undo a move");
    assert_eq!(browser.value(STATUS), "White to move");
    choose(&browser, "game", "loa");
    browser.wait("the other game", "document.body.dataset.game === 'loa'");
    browser.holds(&format!("{LOST}.hidden"));
    choose(&browser, "person", "white");
    moved(&browser, 1);

    fs::remove_file(copy.path("checkers.weights")).expect("weights");
    choose(&browser, "person", "black");
    choose(&browser, "game", "checkers");
    browser.open_when(&address, LOADED);
    browser.click_squares("f6", "e5");
    lost(&browser, "checkers.weights: 404");
    copy.write("checkers.weights", weights);
    browser.click("#undo");
    moved(&browser, 0);
    browser.play("f6-e5", 2);
    browser.holds(&format!("{LOST}.hidden"));
}

#[test]
fn a_refused_position_does_not_end_the_search() {
    let Some((_copy, address, browser)) = copied() else { return };
    browser.open_when(&address, LOADED);
    choose(&browser, "strength", "milliseconds 5000");
    choose(&browser, "person", "white");
    browser.wait("a search", &format!("{STATUS} === 'Black is thinking'"));
    for position in ["nonsense", "W:W33:B1", "B:W21,22", "W:W21:B21"] {
        browser.fill("#position", position);
        browser.click("#position-form button");
        browser.wait("a reason", "/^found /.test(document.getElementById('problems').textContent)");
        assert_eq!(browser.value(STATUS), "Black is thinking", "{position}");
    }
    browser.wait("a line", "document.querySelectorAll('#found li').length === 1");
    browser.press("\u{e00c}");
    browser.click("#move-now");
    moved(&browser, 1);
}

#[test]
fn a_search_that_was_stopped_before_it_began_blocks_no_other() {
    let Some((_copy, address, browser)) = copied() else {
        return;
    };
    browser.open_when(&address, LOADED);
    browser.run(
        "const thinker = module_engine.engine('loa'); const endless = thinker.ask('search loa'); thinker.stop(); \
         window.found = null; \
         Promise.all([endless, thinker.ask('search loa\\nnodes 1000')]).then((both) => (window.found = both))",
    );
    browser.wait("a move", "found !== null");
    assert_eq!(browser.value("found[0]"), Value::Null);
    assert_eq!(browser.value("found[1].nodes"), 1000);
}
