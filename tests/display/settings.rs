//! Settings that are typed on the page, refusals, and panels that keep their size and place.

use serde_json::{Value, json};

use super::browser::{Browser, by_hand, moved, open, square};

const ENTER: char = '\u{e007}';
const ESCAPE: &str = "\u{e00c}";

fn text(id: &str) -> String {
    format!("document.getElementById('{id}').textContent")
}

fn value(id: &str) -> String {
    format!("document.getElementById('{id}').value")
}

#[test]
fn what_is_typed_counts_at_enter_or_when_the_field_is_left() {
    let Some((mut running, browser)) = open("what_is_typed_counts_at_enter_or_when_the_field_is_left", &[]) else {
        return;
    };
    let mut page = running.page();
    browser.fill("#time", &format!("0.50{ENTER}"));
    page.hear_until(|page| page.game["time"] == 0.5);
    browser.wait("the number of the program", &format!("{} === '0.5'", value("time")));
    browser.fill("#limit", "7");
    browser.click("#settings-heading");
    page.hear_until(|page| page.game["limit"] == 7);
    browser.fill("#time", "3");
    browser.press(ESCAPE);
    assert_eq!(browser.value(&value("time")), "0.5");
    // A change of the game leaves alone what is being typed.
    by_hand(&browser);
    browser.fill("#seed", "12");
    running.type_line("b1-b3");
    moved(&browser, 1);
    assert_eq!(browser.value(&value("seed")), "12");
    browser.press(ESCAPE);
    browser.click("#settings-heading");
    running.type_line("a2-c2");
    moved(&browser, 2);
    assert_eq!((browser.value(&value("seed")), running.page().game["seed"].clone()), (json!(""), Value::Null));
}

#[test]
fn a_refused_setting_is_explained_beside_it() {
    let Some((running, browser)) = open("a_refused_setting_is_explained_beside_it", &[]) else { return };
    browser.fill("#time", &format!("soon{ENTER}"));
    browser.wait("the reason", &format!("{}.startsWith('invalid number: found \"soon\"')", text("time-problem")));
    assert_eq!(browser.value(&text("problems")), "");
    assert_eq!(browser.value("document.getElementById('time').ariaInvalid"), "true");
    let is_near = "(() => { const [field, why] = ['time', 'time-problem'].map((id) => \
                   document.getElementById(id).getBoundingClientRect()); return why.top - field.bottom < 10; })()";
    assert_eq!(browser.value(is_near), true);
    browser.fill("#time", &format!("2{ENTER}"));
    browser.wait("no problem", &format!("{} === ''", text("time-problem")));
    running.page().hear_until(|page| page.game["time"] == 2.0);
    browser.fill("#limit", &format!("0{ENTER}"));
    browser.wait("the reason", &format!("{}.startsWith('move limit too small')", text("limit-problem")));
    browser.press(ESCAPE);
    assert_eq!((browser.value(&text("limit-problem")), browser.value(&value("limit"))), (json!(""), json!("30")));
}

#[test]
fn a_refusal_goes_away_when_the_next_thing_succeeds() {
    let Some((_running, browser)) = open("a_refusal_goes_away_when_the_next_thing_succeeds", &[]) else { return };
    by_hand(&browser);
    browser.fill("#paste", "nonsense");
    browser.click("#paste-form button");
    browser.wait("a complaint", &format!("{}.includes('invalid position')", text("problems")));
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    moved(&browser, 1);
    browser.wait("no complaint", &format!("{} === ''", text("problems")));
}

/// Places and sizes of the board and all panels.
fn boxes(browser: &Browser) -> Value {
    browser.value(
        "[...document.querySelectorAll('#stage, #table .buttons, aside section:not([hidden])')].map((each) => { \
         const { left, top, width, height } = each.getBoundingClientRect(); \
         return [left, top + scrollY, width, height].map(Math.round); })",
    )
}

#[test]
fn nothing_on_the_page_moves_when_its_texts_change() {
    let Some((running, browser)) = open("nothing_on_the_page_moves_when_its_texts_change", &["--time=0.3"]) else {
        return;
    };
    let before = boxes(&browser);
    browser.click("#hint");
    browser.wait("a hint", &format!("{} !== ''", text("hinted")));
    assert_eq!(boxes(&browser), before, "with a hint");
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    browser.wait("a thought", &format!("{} !== 'Not thinking'", text("thought")));
    assert_eq!(boxes(&browser), before, "with a thought");
    moved(&browser, 2);
    browser.run("document.getElementById('thought').textContent = 'a1-b2 '.repeat(100)");
    assert_eq!(boxes(&browser), before, "with a long thought");
    browser.press(",");
    assert_eq!(boxes(&browser), before, "with an earlier position");
    browser.click("#back-to-now");
    browser.fill("#time", &format!("soon{ENTER}"));
    browser.fill("#paste", "nonsense");
    browser.click("#paste-form button");
    browser.wait("a complaint", &format!("{} !== ''", text("problems")));
    assert_eq!(boxes(&browser), before, "with refusals");
    drop(running);
}

#[test]
fn the_palette_stands_beside_the_board() {
    let Some((_running, browser)) = open("the_palette_stands_beside_the_board", &[]) else { return };
    browser.click("#setup");
    let is_beside = "(() => { const [board, palette] = ['board', 'palette'].map((id) => \
                     document.getElementById(id).getBoundingClientRect()); \
                     return palette.left >= board.right && palette.top >= 0 && palette.bottom <= innerHeight; })()";
    assert_eq!(browser.value(is_beside), true);
    browser.click("#give-up");
    assert_eq!(browser.value("document.getElementById('palette').hidden"), true);
}
