//! The accessibility checker finds nothing on the pages of tournaments, reviews and students.

use super::scripted::site;
use super::synthetic::{PLAIN, Sample, league};
use crate::support::axe::{violations, violations_in};
use crate::support::chromium::Screen;
use crate::support::referee::*;

#[test]
fn every_kind_of_page_is_accessible() {
    let first = Sample::new(&league("checkers"), &PLAIN, 4);
    let sample = first.next_round(&[("alpha", &"c".repeat(64)), ("beta", &Sample::hash("beta")), ("new", "d")]);
    let (folder, tournament, _) = site(&sample);
    let game = format!("game.html#{}", tournament.games[0].id.0);
    let addresses =
        [&*game, "games.html", "pair.html#1,2", "cross.html", "index.html", "ratings.html", "agents/1-alpha.html"];
    for screen in [Screen::Desktop, Screen::DarkDesktop, Screen::Phone] {
        for address in addresses {
            let Some(found) = violations_in(&folder, address, screen) else { return };
            assert_eq!(found, "", "{address}, {screen:?}");
        }
    }
}

#[test]
fn pages_with_reviews_are_accessible() {
    let dir = Sample::new(&league("checkers"), &PLAIN[..2], 2).dir();
    dir.master("report spring.db --review 0.001").exits_with(0);
    assert!(dir.text("spring-report/agents/1-alpha.html").contains("id=\"review\""));
    for address in ["game.html#1", "agents/1-alpha.html"] {
        let Some(found) = violations_in(&dir.path("spring-report"), address, Screen::Desktop) else { return };
        assert_eq!(found, "", "{address}");
    }
}

#[test]
fn pages_of_students_are_accessible() {
    let class = Dir::class(2);
    class.write("class/ada/run.sh", ANSWER);
    class.agent("class/eva", Program::Reference, "homework");
    class.write("class/dan/notes.txt", "");
    let games = json!([{ "seconds": 1.5, "side": "black" }]);
    class.course(&json!({ "moves": { "count": 2, "seconds": 9 }, "games": games, "points_a_game": 2 }));
    class.grade("--report reports --seed 48611").exits_with(0);
    for name in ["ada", "dan", "eva"] {
        let page = class.text(&format!("reports/pages/{name}.html"));
        let Some(found) = violations(&page) else { return };
        assert_eq!(found, "", "{name}");
        let worse = violations(&page.replacen("</body>", "<img src=\"data:,\"></body>", 1));
        assert!(worse.expect("findings").contains("image-alt"), "an image without alternative text is reported");
    }
}
