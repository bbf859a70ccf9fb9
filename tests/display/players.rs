//! Playing against the machine: sides, levels, clocks and sounds.

use serde_json::{Value, json};

use super::browser::{Browser, MOVES, by_hand, moved, open, square};

const STATUS: &str = "document.getElementById('status').textContent";

/// Name of the square in the lower left corner of the board.
const CORNER: &str = "[...document.querySelectorAll('#squares [role=row]')].at(-1).firstElementChild.dataset.square";

fn checked(browser: &Browser) -> Value {
    browser.value("[...document.querySelectorAll('.player input:checked')].map((each) => each.value)")
}

#[test]
fn playing_white_is_one_click() {
    for dialect in ["2020", "2015"] {
        let arguments = ["--time=0.05", "--dialect", dialect];
        let Some((_running, browser)) = open("playing_white_is_one_click", &arguments) else { return };
        assert_eq!(browser.value(CORNER), "a1");
        browser.click("#play-white");
        moved(&browser, 1);
        browser.wait("the person's turn", &format!("{STATUS} === 'White to move'"));
        assert_eq!((checked(&browser), browser.value(CORNER)), (json!(["auto", "manual"]), json!("h8")));
        // Someone who looks at the page anew sees the same.
        browser.run("location.reload()");
        browser.wait("the board", &format!("{MOVES} === 1 && {CORNER} === 'h8'"));
        browser.click("#play-black");
        browser.click("#question button[value=no]");
        assert_eq!(browser.value(MOVES), 1);
        browser.click("#play-black");
        browser.click("#question button[value=yes]");
        moved(&browser, 0);
        browser.wait("the person's turn", &format!("{STATUS} === 'Black to move' && {CORNER} === 'a1'"));
        assert_eq!(checked(&browser), json!(["manual", "auto"]));
    }
}

#[test]
fn a_level_is_chosen_from_a_list_in_words() {
    let Some((mut running, browser)) = open("a_level_is_chosen_from_a_list_in_words", &[]) else { return };
    let words = browser.value("[...document.querySelectorAll('#level option')].map((each) => each.textContent)");
    let words = words.as_array().expect("levels");
    assert_eq!((words.len(), &words[0], &words[1]), (9, &json!("by time"), &json!("1, easiest: 30 positions a move")));
    let mut page = running.page();
    let choose = |level: &str| {
        browser.run(&format!(
            "const level = document.getElementById('level'); level.value = '{level}'; \
             level.dispatchEvent(new Event('change'))"
        ));
    };
    choose("1");
    page.hear_until(|page| page.game["level"] == 1);
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    moved(&browser, 2);
    let nodes = browser.value("document.getElementById('thought').textContent.match(/([0-9,]+) nodes/)?.[1]");
    let nodes = nodes.as_str().and_then(|nodes| nodes.replace(',', "").parse::<u64>().ok());
    assert!(nodes.is_none_or(|nodes| nodes <= 40), "{nodes:?}");
    // The terminal has the same levels.
    running.type_line("level 3");
    browser.wait("level 3", "document.getElementById('level').value === '3'");
    choose("");
    page.hear_until(|page| page.game["level"].is_null());
    running.type_line("time 2");
    page.hear_until(|page| page.game["time"] == 2.0);
    assert_eq!(browser.value("document.getElementById('level').value"), "");
}

#[test]
fn each_side_has_a_clock() {
    let Some((mut running, browser)) = open("each_side_has_a_clock", &[]) else { return };
    by_hand(&browser);
    let clock = |side: &str| format!("document.getElementById('clock-{side}').textContent");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(browser.value(&clock("black")), "0:00", "the first move is not timed");
    running.type_line("b1-b3");
    moved(&browser, 1);
    browser.wait("White's clock to tick", &format!("{} === '0:02'", clock("white")));
    running.type_line("a2-c2");
    moved(&browser, 2);
    browser.wait("Black's clock to tick", &format!("{} === '0:01'", clock("black")));
    let used = running.page().game["clock"]["used"].clone();
    assert!(used[0] == 0 && used[1].as_u64().is_some_and(|used| (2000..20_000).contains(&used)), "{used}");
    running.type_line("new");
    moved(&browser, 0);
    browser.wait("new clocks", &format!("{} === '0:00' && {} === '0:00'", clock("black"), clock("white")));
    let clock = running.page().game["clock"].clone();
    assert_eq!((&clock["used"], &clock["since"]), (&json!([0, 0]), &json!(null)));
}

#[test]
fn moves_click_only_if_wanted() {
    let Some((_running, browser)) = open("moves_click_only_if_wanted", &[]) else { return };
    by_hand(&browser);
    browser.run(
        "window.clicks = 0; const start = OscillatorNode.prototype.start; \
         OscillatorNode.prototype.start = function (...given) { window.clicks++; return start.apply(this, given); }",
    );
    let play = |from: &str, to: &str, count: usize| {
        browser.run("scrollTo(0, 0)");
        browser.click(&square(from));
        browser.click(&square(to));
        moved(&browser, count);
        browser.value("window.clicks").as_u64()
    };
    assert_eq!(play("b1", "b3", 1), Some(0));
    browser.click("#sound");
    assert_eq!(browser.value("window.clicks"), 1, "the box sounds as well");
    assert_eq!(play("a2", "c2", 2), Some(2));
    browser.click("#undo");
    moved(&browser, 1);
    browser.click("#sound");
    assert_eq!(play("a2", "c2", 2), Some(2));
}
