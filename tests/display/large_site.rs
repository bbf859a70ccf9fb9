//! The standings of a large tournament's site in a browser.

use super::browser::{Browser, Screen};

/// Time from the address to the first drawing, in milliseconds.
const PAINTED: &str = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
/// Longest time of a search for a name, letter by letter, until its rows are laid out, in milliseconds; and the rows.
const SEARCHED: &str = "const field = document.querySelector('.pages input'); let longest = 0;
    for (const text of ['a', 'ag', 'age', 'agent', 'agent1', 'agent12', 'agent123', '']) {
      const begin = performance.now();
      field.value = text;
      field.dispatchEvent(new Event('input'));
      document.body.getBoundingClientRect();
      longest = Math.max(longest, performance.now() - begin);
    }
    field.value = 'agent123';
    field.dispatchEvent(new Event('input'));
    return [longest, document.querySelector('.standings').tBodies[0].rows.length];";

/// `KINGLINE_SITE` is the folder of a site that `master report` has written for a store of
/// `report::large::a_large_sample_is_written` with 300 agents.
#[test]
#[ignore = "measures a figure; needs a large site and a quiet machine"]
fn the_standings_of_a_large_site_are_drawn_and_searched_at_once() {
    let site = std::env::var("KINGLINE_SITE").expect("KINGLINE_SITE");
    let Some(browser) = Browser::start("the_standings_of_a_large_site", Screen::Desk) else { return };
    let (mut painted, mut searched) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        browser.open_when(&format!("file://{site}/index.html"), &format!("{PAINTED} > 0"));
        painted.push(browser.value(PAINTED).as_f64().expect("a time"));
        let found = browser.run(SEARCHED);
        assert_eq!(found[1], 1, "one agent is found");
        searched.push(found[0].as_f64().expect("a time"));
    }
    let [(median, longest), (median_search, longest_search)] = [painted, searched].map(|mut times| {
        times.sort_by(f64::total_cmp);
        (times[times.len() / 2], times[times.len() - 1])
    });
    println!("first drawing: median {median:.0} ms, longest {longest:.0}");
    println!("search for a name: median {median_search:.1} ms, longest {longest_search:.1}");
    assert!(median < 1000.0 && median_search < 100.0);
}
