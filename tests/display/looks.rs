//! The page on different screens, and its accessibility.

use crate::support::programs::root;
use std::fs;

use serde_json::{Value, json};

use super::browser::{Browser, Screen, axe, moved, open, square};
use super::running::Running;

#[test]
fn the_page_fits_a_phone_and_loads_nothing_from_elsewhere() {
    let Some(browser) = Browser::start("the_page_fits_a_phone_and_loads_nothing_from_elsewhere", Screen::Phone) else {
        return;
    };
    let running = Running::start(&[]);
    browser.open(&running.address());
    assert_eq!(browser.value("[innerWidth, document.documentElement.scrollWidth]"), json!([360, 360]));
    let width = "document.getElementById('board').getBoundingClientRect().width";
    assert_eq!(browser.value(&format!("{width} > 300 && {width} <= 360")), true);
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
fn a_dark_system_has_a_dark_page_in_which_nothing_moves() {
    let test = "a_dark_system_has_a_dark_page_in_which_nothing_moves";
    let (Some(dark), Some((running, light))) = (Browser::start(test, Screen::DarkDesk), open(test, &[])) else {
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
    let test = "the_page_is_accessible";
    let Some(axe) = axe(&format!("display::looks::{test}")) else { return };
    let screens = [Screen::Desk, Screen::DarkDesk, Screen::Phone, Screen::Sideways];
    for (screen, dialect) in screens.into_iter().flat_map(|screen| [(screen, "2020"), (screen, "2015")]) {
        let Some(browser) = Browser::start(test, screen) else { return };
        let running = Running::start(&["--time=0.05", "--dialect", dialect]);
        browser.open(&running.address());
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
    let test = "pictures_of_the_guide";
    let folder = root().join("src/players/guide");
    let Some(browser) = Browser::start(test, Screen::Desk) else { return };
    let mut running = Running::start(&["--time=0.3"]);
    browser.open(&running.address());
    running.type_line("seed 3");
    for (number, line) in ["b1-b3", "d1-d3"].iter().enumerate() {
        running.type_line(line);
        moved(&browser, 2 * number + 2);
    }
    browser.click(&square("f1"));
    fs::write(folder.join("display-chosen.png"), browser.picture()).expect("a picture");
    let Some(phone) = Browser::start(test, Screen::Phone) else { return };
    phone.open(&running.address());
    running.type_line("auto black");
    phone.wait("the end", "/wins|Tie/.test(document.getElementById('status').textContent)");
    fs::write(folder.join("display-phone.png"), phone.picture()).expect("a picture");
}
