//! Watching a tournament: `master tournament CLASS --display`.

use std::thread;
use std::time::Instant;

use kingline_players::figures::{Figure, Topic};
use serde_json::json;

use super::browser::{Browser, Screen, axe};
use super::guarded::storm;
use super::running::{Page, Running};
use crate::support::figures;
use crate::support::referee::{Dir, Program, master, root};

/// A folder of agents: `homework` under several names.
fn class(agents: &[&str]) -> Dir {
    class_of(Program::Homework, "homework", agents)
}

/// A folder of agents: this program under several names, each in a file of the same name.
fn class_of(program: Program, file: &str, agents: &[&str]) -> Dir {
    let dir = Dir::new();
    agents.iter().for_each(|agent| dir.agent(&format!("class/{agent}"), program, file));
    dir
}

/// Words of a tournament.
fn tournament(rest: &str) -> String {
    format!("tournament class --any-tier {rest}")
}

fn watch(dir: Dir, rest: &str) -> Running {
    Running::start_command(dir, master(&tournament(&format!("{rest} --display"))))
}

/// The table of a store, as JSON.
fn table(dir: &Dir) -> String {
    dir.master("tournament table class.db --json").exits_with(0).stdout.clone()
}

#[test]
fn four_games_are_watched_at_once() {
    let Some(browser) = Browser::start(Screen::Desktop) else { return };
    let mut running = watch(class(&["ann", "ben", "cleo"]), "--jobs 4 --time 1");
    browser.open_when(&running.address(), "document.getElementById('progress').textContent !== 'Loading'");
    browser.wait("four boards", "document.querySelectorAll('#boards li').length === 4");
    browser.wait("pieces", "document.querySelectorAll('#boards .pieces use').length > 60");
    browser.wait(
        "moves",
        "[...document.querySelectorAll('#boards .way')].filter((way) => way.getAttribute('d') !== '').length === 4",
    );
    browser.wait(
        "clocks",
        "[...document.querySelectorAll('#boards p')].some((line) => /, [0-2]\\.[0-9] s$/.test(line.textContent))",
    );
    browser.wait("names", "document.querySelector('#boards p').textContent.startsWith('White ')");
    browser.wait("a game that has ended", "Number(document.getElementById('progress').textContent.split(' ')[0]) > 0");
    assert_eq!(browser.value("document.querySelectorAll('#standings tr').length"), 3);
    browser.wait_for("progress", "6 of 6 games");
    assert_eq!(running.exit_code(), Some(0));
    browser.wait("the notice", "!document.getElementById('lost').hidden");
    let games = "[...document.querySelectorAll('#standings td:nth-child(4)')].map((cell) => cell.textContent).join()";
    assert_eq!(browser.value(games), "4,4,4", "the last standings stay");
    let points = "[...document.querySelectorAll('#standings td:nth-child(3)')].reduce((sum, cell) => sum + Number(cell.textContent), 0)";
    assert_eq!(browser.value(points), 6.0);
}

#[test]
fn the_page_fits_every_screen_and_is_accessible() {
    let Some(axe) = axe() else { return };
    for screen in [Screen::Desktop, Screen::DarkDesktop, Screen::Phone] {
        let Some(browser) = Browser::start(screen) else { return };
        let mut running = watch(class(&["ann", "ben-of-the-very-long-name-that-has-no-end"]), "--time 2");
        browser.open_when(&running.address(), "document.querySelectorAll('#standings tr').length === 2");
        browser.wait("a board", "document.querySelector('#boards .pieces use') !== null");
        assert_eq!(browser.value("document.documentElement.scrollWidth - innerWidth"), 0);
        browser.run(&axe);
        assert_eq!(browser.violations(), json!([]), "{screen:?}");
        assert_eq!(running.exit_code(), Some(0));
    }
}

#[test]
fn pages_of_a_tournament_change_nothing() {
    let dir = class(&["ann", "ben"]);
    let mut running = watch(dir, "--time 3");
    for line in ["quit", "b6-a5", "again", ""] {
        assert_eq!(running.post("command", line).status, 422, "{line}");
    }
    assert_eq!(running.post("game", "1. 9-13 *").status, 422);
    assert_eq!(running.get("game.pdn").status, 404, "a tournament has no game of its own");
    storm(&running, &running.token.clone(), 2_000);
    assert_eq!(running.exit_code(), Some(0));
    assert!(table(&running.dir).contains("\"games\": 2"));
}

/// Records the figure: the time of a tournament that three pages watch, against that of one that nobody watches. Its
/// agents search four plies, and no game is decided by a clock, so the tables are the same.
#[test]
#[ignore = "measures a figure; needs a quiet machine"]
fn three_pages_watch_two_hundred_games() {
    let rest = format!("--league {} --games 200", root().join("samples/leagues/blitz.json").display());
    let class = || {
        let dir = class_of(Program::Reference, "engine", &["ann", "ben"]);
        for agent in ["ann", "ben"] {
            dir.script(&format!("class/{agent}"), "exec ./engine --seed 1");
        }
        dir
    };
    let dir = class();
    let start = Instant::now();
    dir.master(&tournament(&rest)).exits_with(0);
    let alone = start.elapsed();
    let unwatched = table(&dir);

    let start = Instant::now();
    let mut running = watch(class(), &rest);
    let listen = |mut page: Page| thread::spawn(move || page.hear_until(|page| page.has_ended));
    let listening = [(); 3].map(|()| listen(running.page()));
    // The games last longer than the limit for the end of a program.
    listening.into_iter().for_each(|page| page.join().expect("a page"));
    assert_eq!(running.exit_code(), Some(0));
    let watched = start.elapsed();
    println!("{alone:?} alone, {watched:?} watched");
    let ratio = watched.as_secs_f64() / alone.as_secs_f64() - 1.0;
    let command =
        "cargo test --release -p kingline-workspace-tests --test pages -- --ignored three_pages_watch --nocapture";
    let figure =
        Figure::new("a tournament of 200 games, watched by three pages", format!("{:.1} % longer", 100.0 * ratio));
    figures::record(Topic::Display, command, figure.against("at most 3 % longer, the same table", ratio <= 0.03));
    assert_eq!(table(&running.dir), unwatched);
}
