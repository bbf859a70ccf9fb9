//! Speed and cost of the page, measured by [`COMMAND`] with a release build on a quiet machine.

use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kingline_players::figures::{Figure, Topic};

use super::browser::{Browser, MOVES, Screen, by_hand, open};
use super::running::{Page, Running};
use crate::support::figures;

const COMMAND: &str = "cargo test --release -p kingline-workspace-tests --test pages -- --ignored display::figures --nocapture \
                       --test-threads 1";

const GAME: [&str; 6] = ["b1-b3", "a2-c2", "c1-e3", "h2-f2", "d1-d3", "a4-c4"];

fn record(figure: Figure) {
    figures::record(Topic::Display, COMMAND, figure);
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Times from the click on the target to the move on the board, in milliseconds, as measured by the page.
fn times_of_moves(browser: &Browser, moves: &[&str]) -> Vec<f64> {
    browser.run(
        "window.took = []; const moves = document.getElementById('moves'); let since = 0; \
         document.addEventListener('pointerup', () => (since = performance.now()), true); \
         new MutationObserver(() => window.took.push(performance.now() - since)).observe(moves, { childList: true });",
    );
    for (number, mv) in moves.iter().enumerate() {
        let (from, to) = mv.split_once('-').expect("a move");
        browser.click_squares(from, to);
        browser.wait(mv, &format!("{MOVES} === {}", number + 1));
    }
    let took = browser.value("window.took");
    took.as_array().expect("times").iter().map(|time| time.as_f64().expect("a time")).collect()
}

#[test]
fn a_move_appears_within_half_a_second() {
    let Some((_running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    let took = median(times_of_moves(&browser, &GAME));
    assert!(took < 500.0, "a move took {took} ms, expected less than 500 even on a busy machine");
}

#[test]
#[ignore = "measures a figure; needs a quiet machine"]
fn from_the_click_to_the_board() {
    let Some((running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    let mut took = Vec::new();
    for _ in 0..10 {
        took.extend(times_of_moves(&browser, &GAME));
        running.ask("new");
        browser.open(&running.address());
    }
    let (count, longest) = (took.len(), took.iter().copied().fold(0.0, f64::max));
    let median = median(took);
    let measured = format!("median {median:.1} ms, longest of {count}: {longest:.0}");
    record(
        Figure::new("from the click to the move on the board", measured).against("median under 50 ms", median < 50.0),
    );
    assert!(median < 50.0);
}

#[test]
#[ignore = "measures a figure; needs a quiet machine"]
fn from_the_address_to_the_board() {
    let Some(browser) = Browser::start(Screen::Desktop) else { return };
    let (mut painted, mut ready) = (Vec::new(), Vec::new());
    for _ in 0..15 {
        let running = Running::start(&[]);
        let opened = milliseconds(SystemTime::now().duration_since(UNIX_EPOCH).expect("a time"));
        let start = Instant::now();
        browser.open(&running.address());
        ready.push(milliseconds(start.elapsed()));
        browser.wait("a picture", "performance.getEntriesByName('first-contentful-paint').length === 1");
        let picture = "performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime";
        painted.push(browser.value(picture).as_f64().expect("a time") - opened);
    }
    let longest = painted.iter().copied().fold(0.0, f64::max);
    let (painted, ready) = (median(painted), median(ready));
    let measured = format!("median {painted:.0} ms, longest of 15: {longest:.0}; ready to play: {ready:.0}");
    let figure = Figure::new("from the address in the terminal to the drawn board, browser running", measured);
    record(figure.against("under 500 ms", longest < 500.0));
    assert!(longest < 500.0);
}

/// Plays a game of the machine against itself, which searches the same nodes each time. Returns its duration in
/// milliseconds.
fn seeded_game(running: &mut Running) -> f64 {
    let start = Instant::now();
    running.type_line("new\nseed 1\nauto black");
    running.output_with(" wins.");
    let took = milliseconds(start.elapsed());
    running.type_line("manual black");
    took
}

/// Number of nodes searched in a second for a hint.
fn hinted(running: &mut Running) -> f64 {
    running.type_line("hint");
    let hint = running.error_with(" nodes");
    let nodes = hint.rsplit(' ').nth(1).and_then(|nodes| nodes.parse().ok());
    nodes.unwrap_or_else(|| panic!("{hint}"))
}

#[test]
#[ignore = "measures a figure; needs a quiet machine"]
fn strength_with_a_page_open() {
    let Some((mut shown, _browser)) = open(&["--time=1"]) else { return };
    let mut alone = Running::start(&["--time=1"]);
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        for mv in GAME {
            for running in [&mut shown, &mut alone] {
                running.type_line("manual white");
                running.type_line(mv);
            }
            // Each variant goes first equally often.
            if with.len() % 2 == 0 {
                with.push(hinted(&mut shown));
                without.push(hinted(&mut alone));
            } else {
                without.push(hinted(&mut alone));
                with.push(hinted(&mut shown));
            }
        }
        shown.type_line("new");
        alone.type_line("new");
    }
    let sum = |nodes: &[f64]| nodes.iter().sum::<f64>();
    let ratio = sum(&with) / sum(&without);
    let measured = format!("{:.1} %, {} hints each", 100.0 * ratio, with.len());
    let figure = Figure::new("nodes of a second of thought with a page open", measured);
    record(figure.against("at least 97 %", ratio > 0.97));
    assert!(ratio > 0.97);
}

/// Starts pages that listen until the end, each in its own thread.
fn listen(running: &Running, pages: usize) -> Vec<thread::JoinHandle<usize>> {
    let listen = |mut page: Page| {
        move || {
            let mut heard = 0;
            while !page.has_ended {
                page.hear_game();
                heard += 1;
            }
            heard
        }
    };
    (0..pages).map(|_| thread::spawn(listen(running.page()))).collect()
}

/// Types a move, `undo` and `dump`. Returns the milliseconds until the program prints the dump.
fn typed(running: &mut Running) -> f64 {
    let start = Instant::now();
    running.type_line("b1-b3\nundo\ndump");
    running.output_with("Next move: black");
    milliseconds(start.elapsed())
}

#[test]
#[ignore = "measures a figure; needs a quiet machine"]
fn a_hundred_pages_and_none() {
    let (mut crowded, mut lonely) = (Running::start(&[]), Running::start(&[]));
    let pages = listen(&crowded, 100);
    let mut ratios = Vec::new();
    for _ in 0..15 {
        ratios.push(seeded_game(&mut crowded) / seeded_game(&mut lonely));
    }
    let game = median(ratios);
    for running in [&mut crowded, &mut lonely] {
        running.type_line("new\nmanual white");
    }
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..500 {
        for (times, running) in times.iter_mut().zip([&mut crowded, &mut lonely]) {
            times.push(typed(running));
            // People type more slowly than this.
            thread::sleep(Duration::from_millis(5));
        }
    }
    let [crowded_time, lonely_time] = times.map(median);
    crowded.type_line("quit");
    assert_eq!(crowded.exit_code(), Some(0));
    let heard: Vec<usize> = pages.into_iter().map(|page| page.join().expect("a page")).collect();
    let [least, most] = [heard.iter().min(), heard.iter().max()].map(|states| states.expect("a page"));
    println!("each page received {least} to {most} states");
    let longer = 100.0 * (game - 1.0);
    let measured = format!("{longer:.1} % longer; {crowded_time:.3} ms instead of {lonely_time:.3}");
    let name = "with a hundred pages: a whole game of the machine in a second; a move, undo and dump typed";
    let met = game < 1.1 && crowded_time < 1.1 * lonely_time;
    record(Figure::new(name, measured).against("at most 10 %", met));
    assert!(met);
}

/// Time from the address to the first drawing, in milliseconds.
const PAINTED: &str = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
/// Longest time of a search for a name, letter by letter, until its rows are laid out, in milliseconds; and the rows.
const SEARCHED: &str = include_str!("searched.js");

/// `KINGLINE_SITE` is the folder of a site that `master report` has written for a store of
/// `report::large::a_large_sample_is_written` with 300 agents.
#[test]
#[ignore = "measures a figure; needs a large site and a quiet machine"]
fn the_standings_of_a_large_site_are_drawn_and_searched_at_once() {
    let site = std::env::var("KINGLINE_SITE").expect("KINGLINE_SITE");
    let Some(browser) = Browser::start(Screen::Desktop) else { return };
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
