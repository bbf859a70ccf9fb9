//! The exports of the page's engine with wild arguments: an answer or an error, and no trap.

use super::built;
use super::page::LOADED;
use crate::display::browser::{Browser, Screen};

/// Calls at once, and how often: 10,000 in all.
const CALLS: usize = 1000;
const ROUNDS: usize = 10;

#[test]
fn wild_calls_are_answered() {
    let Some(folder) = built::folder() else { return };
    let Some(browser) = Browser::start(Screen::Desktop) else { return };
    browser.open_when(&built::serve(folder), LOADED);
    browser.run(&format!(
        "{}; Object.assign(window, {{ ask, hear, load, wild, encoder: new TextEncoder() }}); window.engine = null; \
         start().then((started) => (window.engine = started), (error) => (window.engine = String(error)))",
        include_str!("wild.js")
    ));
    browser.wait("the engine", "engine !== null");
    assert_eq!(browser.value("engine.errors"), 0, "{}", browser.value("engine"));

    for round in 1..=ROUNDS {
        browser.run(&format!("wild(engine, {round}, {CALLS})"));
    }
    let counted = browser.value("[engine.searches, engine.states, engine.errors]");
    println!("{} calls: [searches, states, errors] {counted}", CALLS * ROUNDS);
    for place in 0..3 {
        assert!(counted[place].as_u64().is_some_and(|count| count >= 400), "{counted}");
    }
    // The largest input and the searches, and no more: what was refused is not kept.
    let megabytes = browser.value("engine.exports.memory.buffer.byteLength / 2 ** 20");
    println!("{megabytes} MiB");
    assert!(megabytes.as_f64().is_some_and(|megabytes| megabytes < 256.0), "{megabytes}");
}
