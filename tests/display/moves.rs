//! The list of moves, and the graph of the score.

use serde_json::{Value, json};

use super::browser::{by_hand, moved, open};

/// Texts of the list's items.
const ITEMS: &str = "[...document.querySelectorAll('#moves li')].map((item) => \
                     [...item.children].map((part) => part.textContent).join(' '))";

const STATUS: &str = "document.getElementById('status').textContent";

#[test]
fn moves_stand_in_numbered_pairs_with_a_column_for_each_side() {
    let Some((mut running, browser)) = open("moves_stand_in_numbered_pairs_with_a_column_for_each_side", &[]) else {
        return;
    };
    by_hand(&browser);
    for line in ["b1-b3", "a2-c2", "c1-e3", "h2-f2", "d1-d3"] {
        running.type_line(line);
    }
    moved(&browser, 5);
    assert_eq!(browser.value(ITEMS), json!(["start", "1. b1-b3 a2-c2", "2. c1-e3 h2-f2", "3. d1-d3"]));
    let left = |moves: usize| {
        browser.value(&format!("document.querySelector('[data-moves=\"{moves}\"]').getBoundingClientRect().left"))
    };
    assert_eq!((left(3), left(5), left(4)), (left(1), left(1), left(2)));
    assert!(left(2).as_f64() > left(1).as_f64(), "White's column is on the right");
    // White begins from this position.
    running.type_line("position -b---b--/--------/--------/--------/--------/--------/w-------/w------w white");
    running.type_line("a2-b2");
    running.type_line("b8-d8");
    moved(&browser, 2);
    assert_eq!(browser.value(ITEMS), json!(["start", "1. … a2-b2", "2. b8-d8"]));
}

#[test]
fn an_earlier_position_shows_its_side_to_move() {
    let Some((mut running, browser)) = open("an_earlier_position_shows_its_side_to_move", &[]) else { return };
    by_hand(&browser);
    assert_eq!(
        browser.value("[...document.querySelectorAll('#back-to-now, #go-on-here')].every((each) => each.disabled)"),
        true
    );
    running.type_line("b1-b3");
    running.type_line("a2-c2");
    moved(&browser, 2);
    assert_eq!(browser.value(STATUS), "Black to move");
    browser.press(",");
    assert_eq!(browser.value(STATUS), "White to move, after move 1 of 2");
    browser.press(",");
    assert_eq!(browser.value(STATUS), "Black to move, at the start");
    browser.click("#back-to-now");
    assert_eq!(browser.value(STATUS), "Black to move");
}

#[test]
fn the_graph_shows_the_scores_of_the_machines_moves() {
    let Some((running, browser)) = open("the_graph_shows_the_scores_of_the_machines_moves", &["--time=0.05"]) else {
        return;
    };
    for count in [2, 4] {
        let game = running.page().game;
        let square = |place: usize| game["steps"][0]["path"][place].as_str().expect("a square").to_owned();
        running.ask(&format!("{}-{}", square(0), square(1)));
        moved(&browser, count);
    }
    let shares = |game: &Value| -> Vec<Option<f64>> {
        game["moves"].as_array().expect("moves").iter().map(|mv| mv["share"].as_f64()).collect()
    };
    let seen = shares(&running.page().game);
    assert_eq!(seen.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false, true], "{seen:?}");
    assert!(seen.iter().flatten().all(|share| share.abs() <= 1.0), "{seen:?}");
    let label = format!("Score over the game, for Black from -1 to 1: {:.2} after move 4", seen[3].expect("a share"));
    assert_eq!(browser.value("document.getElementById('graph').getAttribute('aria-label')"), label);
    assert_eq!(browser.value("document.querySelector('#graph .dots').getAttribute('d').match(/M/g).length"), 2);
    // A click near the first dot shows the position after the second move.
    browser.run(
        "const graph = document.getElementById('graph'); const box = graph.getBoundingClientRect(); \
         const [clientX, clientY] = [box.left + box.width * 2.4 / 11, box.top + box.height / 2]; \
         const target = document.elementFromPoint(clientX, clientY); \
         if (!graph.contains(target)) throw new Error(target.outerHTML); \
         target.dispatchEvent(new MouseEvent('click', { clientX, clientY, bubbles: true }))",
    );
    assert_eq!(browser.value(STATUS), "Black to move, after move 2 of 4");
    assert_eq!(browser.value("document.querySelector('#graph .now').getAttribute('d').startsWith('M2 ')"), true);
    // Undone moves keep their scores.
    browser.click("#undo");
    moved(&browser, 2);
    assert_eq!(shares(&running.page().game), seen[..2]);
    browser.click("#redo");
    moved(&browser, 4);
    assert_eq!(shares(&running.page().game), seen);
    running.ask("new");
    moved(&browser, 0);
    assert_eq!(
        browser.value("document.getElementById('graph').getAttribute('aria-label')"),
        "Score over the game: none yet"
    );
}
