//! Thoughts on the page: that of the machine's last move, the bar of a game that is over, and what screen readers hear.

use serde_json::Value;

use super::browser::{MOVES, moved, open};

/// First move of the line that the page shows.
const THOUGHT: &str = "document.getElementById('thought').textContent.split(': ').pop().split(' ')[0]";

#[test]
fn the_thought_shown_is_that_of_the_move_played() {
    let Some((running, browser)) = open("the_thought_shown_is_that_of_the_move_played", &["--time=0.02"]) else {
        return;
    };
    let mut page = running.page();
    let mut checked = 0;
    while checked < 100 {
        let count = page.moves().len();
        if page.game["phase"] == "over" {
            running.ask("new");
            page.hear_moves(0);
            continue;
        }
        // Not always the same moves, so that the games differ.
        let steps = page.game["steps"].as_array().expect("steps").clone();
        let step = &steps[checked * 7 % steps.len()];
        let square = |place: usize| step["path"][place].as_str().expect("a square").to_owned();
        running.ask(&format!("{}-{}", square(0), square(1)));
        let is_answered = |game: &Value| game["phase"] == "over" || game["steps"] != Value::Array(Vec::new());
        page.hear_until(|page| page.moves().len() > count && is_answered(&page.game));
        let moves = page.moves();
        moved(&browser, moves.len());
        if moves.len() == count + 2 {
            assert_eq!(browser.value(THOUGHT), moves[count + 1].as_str(), "{moves:?}");
            checked += 1;
        }
    }
}

#[test]
fn the_bar_of_a_won_game_is_full_on_a_new_page() {
    let Some((mut running, browser)) = open("the_bar_of_a_won_game_is_full_on_a_new_page", &[]) else { return };
    running.type_line("manual white");
    running.type_line("position --------/--------/--------/--b-----/--------/--b-----/--b----w/w------- black");
    running.type_line("c5-d4");
    for _ in 0..2 {
        moved(&browser, 1);
        assert_eq!(browser.value("document.querySelector('#bar div').style.transform"), "scaleX(1)");
        browser.open(&running.address());
    }
}

#[test]
fn screen_readers_hear_of_new_games_and_positions() {
    let Some((mut running, browser)) = open("screen_readers_hear_of_new_games_and_positions", &[]) else { return };
    running.type_line("manual white");
    for (lines, count, words) in [
        (&["b1-b3"][..], 1, "Black b1 to b3"),
        (&["undo"], 0, "Moves were undone"),
        // The number of moves stays.
        (&["new"], 0, "A new game"),
        (&["b1-b3"], 1, "Black b1 to b3"),
        (&["undo", "b1-b3", "new"], 0, "A new game"),
        (
            &["position --------/--------/--------/--b-----/--------/--b-----/--b----w/w------- black"],
            0,
            "A new position",
        ),
    ] {
        for line in lines {
            running.type_line(line);
        }
        let heard = format!("{MOVES} === {count} && document.getElementById('announced').textContent === '{words}'");
        browser.wait(words, &heard);
    }
}
