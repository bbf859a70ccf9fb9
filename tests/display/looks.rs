//! The page and its help on different screens, and its accessibility.

use std::fs;

use serde_json::{Value, json};

use super::browser::{Browser, Screen, axe, moved, open, open_on, square};
use crate::support::programs::root;

#[test]
fn the_page_fits_a_phone_and_loads_nothing_from_elsewhere() {
    let Some((running, browser)) = open_on(Screen::Phone, &[]) else { return };
    assert_eq!(browser.value("[innerWidth, document.documentElement.scrollWidth]"), json!([360, 360]));
    let width = "document.getElementById('board').getBoundingClientRect().width";
    browser.holds(&format!("{width} > 300 && {width} <= 360"));
    browser.play("b1-b3", 2);
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
fn a_dark_system_has_a_dark_page_in_which_nothing_moves() {
    let (Some(dark), Some((running, light))) = (Browser::start(Screen::DarkDesktop), open(&[])) else {
        return;
    };
    dark.open(&running.address());
    let brightness =
        "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).reduce((sum, part) => sum + +part, 0) / 3";
    assert_eq!(dark.value(&format!("{brightness} < 60")), true);
    assert_eq!(light.value(&format!("{brightness} > 200")), true);
    let moving = "[...document.querySelectorAll('*')].filter((each) => \
                  getComputedStyle(each).transitionDuration.split(', ').some((time) => time !== '0s')).length";
    assert_eq!(dark.value(moving), 0);
    assert_ne!(light.value(moving), 0);
}

#[test]
fn the_page_is_accessible() {
    let Some(axe) = axe() else { return };
    let screens = [Screen::Desktop, Screen::DarkDesktop, Screen::Phone, Screen::Sideways];
    for (screen, dialect) in screens.into_iter().flat_map(|screen| [(screen, "2020"), (screen, "2015")]) {
        let Some((_running, browser)) = open_on(screen, &["--time=0.05", "--dialect", dialect]) else { return };
        browser.click("#play-white");
        moved(&browser, 1);
        browser.wait("a graph", "document.querySelector('#graph .dots').getAttribute('d') !== ''");
        browser.run(&axe);
        let found = |state: &str| {
            browser.run(state);
            browser.violations()
        };
        for state in [
            "",
            "document.querySelector('#squares .own').click()",
            "document.querySelector('#moves [data-moves=\"0\"]').click()",
            "document.getElementById('time').value = 'soon'; \
             ['input', 'change'].forEach((kind) => document.getElementById('time').dispatchEvent(new Event(kind)))",
            "document.getElementById('setup').click()",
            "document.getElementById('open-help').click()",
        ] {
            assert_eq!(found(state), json!([]), "{screen:?}, {dialect}: {state}");
        }
        let worse = "document.getElementById('help').close(); document.body.append(new Image())";
        assert_ne!(found(worse), json!([]), "an image without alternative text is reported");
    }
}

#[test]
#[ignore = "writes the pictures of the guide"]
fn pictures_of_the_guide() {
    let folder = root().join("src/players/guide");
    let Some((mut running, browser)) = open_on(Screen::Desktop, &["--time=0.3"]) else { return };
    running.type_line("seed 3");
    for (number, line) in ["b1-b3", "d1-d3"].iter().enumerate() {
        running.type_line(line);
        moved(&browser, 2 * number + 2);
    }
    browser.click(&square("f1"));
    fs::write(folder.join("display-chosen.png"), browser.picture()).expect("a picture");
    let Some(phone) = Browser::start(Screen::Phone) else { return };
    phone.open(&running.address());
    running.type_line("auto black");
    phone.wait("the end", "/wins|Tie/.test(document.getElementById('status').textContent)");
    fs::write(folder.join("display-phone.png"), phone.picture()).expect("a picture");
}

#[test]
fn close_stays_in_view_in_the_long_help() {
    let Some((_running, browser)) = open_on(Screen::Phone, &["--time=0.05"]) else { return };
    browser.click("#open-help");
    browser.holds("document.getElementById('help').scrollHeight > 2 * innerHeight");
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
        let Some((_running, browser)) = open_on(screen, &["--time=0.05"]) else { return };
        browser.click("#open-help");
        let cut = "(() => { const help = document.getElementById('help'); \
                   return [help, ...help.querySelectorAll('*')].filter((each) => each instanceof HTMLElement && (\
                   each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline' \
                   || each.getBoundingClientRect().right > help.getBoundingClientRect().right)) \
                   .map((each) => each.outerHTML); })()";
        assert_eq!(browser.value(cut), json!([]), "{screen:?}");
        let help = browser.text("help");
        assert!(help.as_str().is_some_and(|help| help.contains("put black, white or - on a square")), "{help}");
    }
}

#[test]
fn buttons_are_large_enough_for_fingers() {
    for screen in [Screen::Phone, Screen::Sideways] {
        let Some((_running, browser)) = open_on(screen, &["--time=0.05"]) else { return };
        browser.holds("matchMedia('(pointer: coarse)').matches");
        browser.play("b1-b3", 2);
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
    let Some((_running, browser)) = open_on(Screen::Phone, &["--time=0.05"]) else { return };
    let top = "document.getElementById('board').getBoundingClientRect().top";
    let before = browser.value(top);
    for status in ["Black wins. All its pieces are connected.", "White to move, after move 12 of 34"] {
        browser.run(&format!("document.getElementById('status').textContent = '{status}'"));
        assert_eq!(browser.value(top), before, "{status}");
    }
}

#[test]
fn a_phone_held_sideways_has_its_panels_beside_the_board() {
    let Some((_running, browser)) = open_on(Screen::Sideways, &["--time=0.05"]) else { return };
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
    browser.holds("scrollY > 500");
    browser.play("b1-b3", 2);
    let is_in_view = "(() => { const box = document.getElementById('board').getBoundingClientRect(); \
                      return box.top >= 0 && box.bottom <= innerHeight; })()";
    browser.holds(is_in_view);
}

#[test]
fn the_help_draws_the_lines_and_targets_that_it_speaks_of() {
    let Some((_running, browser)) = open_on(Screen::Desktop, &["--time=0.05"]) else { return };
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
    browser.holds("document.querySelector('#help .target').checkVisibility()");
}
