//! Pages of `review` in a browser.

use crate::support::axe::violations;
use crate::support::chromium::{Screen, elements};
use crate::support::command::*;

const LOST: &str = include_str!("../data/lost-game.pdn");
const PUZZLE: &str = include_str!("../data/puzzle.sgf");

/// The page that `review` prints.
fn review(dir: &Dir, arguments: &[&str]) -> String {
    let format = ["--seconds", "0.01", "--format", "html"];
    let ran = dir.run_with_args(Program::Review, &[arguments, &format].concat());
    ran.exits_with(0).stdout.clone()
}

#[test]
fn pages_fit_a_phone() {
    const WIDTH: u32 = 360;
    let long = LOST.replace("Anna", "Maximilian Featherstonehaugh").replace("Bo", &"endless".repeat(20));
    let dir = Dir::new().with("games.pdn", format!("{LOST}{long}")).with("game.pdn", LOST).with("puzzle.sgf", PUZZLE);
    let all = [
        &["game.pdn"][..],
        &["games.pdn", "--player", "Maximilian Featherstonehaugh"],
        &["puzzle.sgf", "--puzzles"],
        &["game.pdn", "--puzzles"],
    ];
    for arguments in all {
        let page = review(&dir, arguments).replace('&', "&amp;").replace('"', "&quot;");
        let measure = "document.body.dataset.width = this.contentDocument.documentElement.scrollWidth";
        let frame =
            format!("<iframe width=\"{WIDTH}\" style=\"border: 0\" srcdoc=\"{page}\" onload=\"{measure}\"></iframe>");
        dir.write("frame.html", frame);
        let Some(shown) = elements(&dir.path(""), "frame.html", Screen::Desktop) else { return };
        let width = shown.split_once("data-width=\"").and_then(|(_, rest)| rest.split('"').next()?.parse().ok());
        assert!(width.is_some_and(|width: u32| width <= WIDTH), "{arguments:?}: {width:?}");
    }
}

#[test]
fn pages_have_no_barriers() {
    let dir = Dir::new().with("games.pdn", LOST).with("puzzle.sgf", PUZZLE);
    for arguments in [&["games.pdn"][..], &["puzzle.sgf", "--puzzles"]] {
        let Some(findings) = violations(&review(&dir, arguments)) else { return };
        assert_eq!(findings, "", "{arguments:?}");
    }
}
