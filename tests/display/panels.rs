//! Panels of the page: settings, positions set up, games loaded and copied, thoughts, and the review.

use serde_json::{Value, json};

use super::browser::{Browser, MOVES, axe, by_hand, moved, open, square};
use super::running::Running;

const ENTER: char = '\u{e007}';
const ESCAPE: &str = "\u{e00c}";

fn text(id: &str) -> String {
    format!("document.getElementById('{id}').textContent")
}

fn value(id: &str) -> String {
    format!("document.getElementById('{id}').value")
}

#[test]
fn what_is_typed_counts_at_enter_or_when_the_field_is_left() {
    let Some((mut running, browser)) = open(&[]) else { return };
    let mut page = running.page();
    browser.fill("#time", &format!("0.50{ENTER}"));
    page.hear_until(|page| page.game["time"] == 0.5);
    browser.wait("the number of the program", &format!("{} === '0.5'", value("time")));
    browser.fill("#limit", "7");
    browser.click("#settings-heading");
    page.hear_until(|page| page.game["limit"] == 7);
    browser.fill("#time", "3");
    browser.press(ESCAPE);
    assert_eq!(browser.value(&value("time")), "0.5");
    // A change of the game leaves alone what is being typed.
    by_hand(&browser);
    browser.fill("#seed", "12");
    running.type_line("b1-b3");
    moved(&browser, 1);
    assert_eq!(browser.value(&value("seed")), "12");
    browser.press(ESCAPE);
    browser.click("#settings-heading");
    running.type_line("a2-c2");
    moved(&browser, 2);
    assert_eq!((browser.value(&value("seed")), running.page().game["seed"].clone()), (json!(""), Value::Null));
}

#[test]
fn a_refused_setting_is_explained_beside_it() {
    let Some((running, browser)) = open(&[]) else { return };
    browser.fill("#time", &format!("soon{ENTER}"));
    browser.wait("the reason", &format!("{}.startsWith('invalid number: found \"soon\"')", text("time-problem")));
    assert_eq!(browser.value(&text("problems")), "");
    assert_eq!(browser.value("document.getElementById('time').ariaInvalid"), "true");
    let is_near = "(() => { const [field, why] = ['time', 'time-problem'].map((id) => \
                   document.getElementById(id).getBoundingClientRect()); return why.top - field.bottom < 10; })()";
    browser.holds(is_near);
    browser.fill("#time", &format!("2{ENTER}"));
    browser.wait("no problem", &format!("{} === ''", text("time-problem")));
    running.page().hear_until(|page| page.game["time"] == 2.0);
    browser.fill("#limit", &format!("0{ENTER}"));
    browser.wait("the reason", &format!("{}.startsWith('move limit too small')", text("limit-problem")));
    browser.press(ESCAPE);
    assert_eq!((browser.value(&text("limit-problem")), browser.value(&value("limit"))), (json!(""), json!("30")));
}

#[test]
fn a_refusal_goes_away_when_the_next_thing_succeeds() {
    let Some((_running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    browser.fill("#paste", "nonsense");
    browser.click("#paste-form button");
    browser.wait("a complaint", &format!("{}.includes('invalid position')", text("problems")));
    browser.play("b1-b3", 1);
    browser.wait("no complaint", &format!("{} === ''", text("problems")));
}

/// Places and sizes of the board and all panels.
fn boxes(browser: &Browser) -> Value {
    browser.value(
        "[...document.querySelectorAll('#stage, #play .buttons, aside section:not([hidden])')].map((each) => { \
         const { left, top, width, height } = each.getBoundingClientRect(); \
         return [left, top + scrollY, width, height].map(Math.round); })",
    )
}

#[test]
fn nothing_on_the_page_moves_when_its_texts_change() {
    let Some((running, browser)) = open(&["--time=0.3"]) else { return };
    let before = boxes(&browser);
    browser.click("#hint");
    browser.wait("a hint", &format!("{} !== ''", text("hinted")));
    assert_eq!(boxes(&browser), before, "with a hint");
    browser.click_squares("b1", "b3");
    browser.wait("a thought", &format!("{} !== 'Not thinking'", text("thought")));
    assert_eq!(boxes(&browser), before, "with a thought");
    moved(&browser, 2);
    browser.run("document.getElementById('thought').textContent = 'a1-b2 '.repeat(100)");
    assert_eq!(boxes(&browser), before, "with a long thought");
    browser.press(",");
    assert_eq!(boxes(&browser), before, "with an earlier position");
    browser.click("#back-to-now");
    browser.fill("#time", &format!("soon{ENTER}"));
    browser.fill("#paste", "nonsense");
    browser.click("#paste-form button");
    browser.wait("a complaint", &format!("{} !== ''", text("problems")));
    assert_eq!(boxes(&browser), before, "with refusals");
    drop(running);
}

#[test]
fn the_palette_stands_beside_the_board() {
    let Some((_running, browser)) = open(&[]) else { return };
    browser.click("#setup");
    let is_beside = "(() => { const [board, palette] = ['board', 'palette'].map((id) => \
                     document.getElementById(id).getBoundingClientRect()); \
                     return palette.left >= board.right && palette.top >= 0 && palette.bottom <= innerHeight; })()";
    browser.holds(is_beside);
    browser.click("#give-up");
    browser.holds("document.getElementById('palette').hidden");
}

#[test]
fn positions_are_set_up_and_games_loaded() {
    let Some((running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    browser.click("#setup");
    browser.click("#palette input[value='']");
    browser.click(&square("b1"));
    browser.click("#palette input[value=w]");
    browser.click(&square("d4"));
    browser.click("#take-up");
    browser.wait("the position", "document.querySelector('[data-square=d4]').ariaLabel.startsWith('d4, white')");
    let position = running.page().game["position"].clone();
    assert_eq!(position, "-bbbbbb-/w------w/w------w/w------w/w--w---w/w------w/w------w/--bbbbb- black");
    browser.fill("#paste", "(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])");
    browser.click("#paste-form button");
    moved(&browser, 2);
    browser.fill("#paste", "nonsense");
    browser.click("#paste-form button");
    browser.wait("a complaint", "document.getElementById('problems').textContent.includes('invalid position')");
    browser.confirm("#new");
    moved(&browser, 0);
}

/// Drops data on the board, as if from a file manager or another window.
fn drop_on_board(browser: &Browser, data: &str) {
    browser.run(&format!(
        "const data = new DataTransfer(); {data}; \
         for (const type of ['dragover', 'drop']) {{ \
             const event = new DragEvent(type, {{ dataTransfer: data, bubbles: true, cancelable: true }}); \
             document.getElementById('squares').dispatchEvent(event); \
         }}"
    ));
}

#[test]
fn files_are_dropped_and_opened() {
    let Some((running, browser)) = open(&[]) else { return };
    let complaint = |text: &str| {
        browser.wait(text, &format!("document.getElementById('problems').textContent.includes('{text}')"));
    };
    by_hand(&browser);
    drop_on_board(&browser, "data.items.add(new File(['(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])'], 'game.sgf'))");
    moved(&browser, 2);
    running.dir.write("longer.sgf", "(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2];B[c1-e3])");
    browser.choose_file("#file", &running.dir.path("longer.sgf"));
    moved(&browser, 3);
    let position = "--------/-b----w-/--------/--------/--------/--------/-b----w-/-------- white";
    drop_on_board(&browser, &format!("data.setData('text', '{position}')"));
    moved(&browser, 0);
    assert_eq!(running.page().game["position"], position);
    drop_on_board(&browser, "data.items.add(new File(['x'.repeat(70000)], 'all.sgf'))");
    complaint("all.sgf is too long for a game");
    drop_on_board(&browser, "data.items.add(new File(['(;FF[4]GM[9]SZ[8];B[b1-b4])'], 'wrong.sgf'))");
    complaint("b1-b4");
    drop_on_board(&browser, "data.items.add(new File([new Uint8Array([0, 255, 254, 40])], 'bytes'))");
    complaint("invalid position");
    assert_eq!(running.page().game["position"], position, "refused input changes nothing");
}

#[test]
fn copied_games_and_positions_can_be_pasted() {
    let Some((running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    running.ask("b1-b3");
    running.ask("a2-c2");
    moved(&browser, 2);
    let paste = |button: &str| {
        browser.run("document.getElementById('paste').value = ''");
        browser.click(button);
        browser.click("#paste");
        browser.press_with_control('v');
        browser.wait("the paste", "document.getElementById('paste').value !== ''");
        browser.value("document.getElementById('paste').value")
    };
    assert_eq!(paste("#copy-position"), running.page().game["position"]);
    let game = paste("#copy-game");
    assert_eq!(game, running.get("game.sgf").body);
    browser.confirm("#new");
    moved(&browser, 0);
    browser.click("#paste-form button");
    moved(&browser, 2);
}

/// First move of the line that the page shows.
const THOUGHT: &str = "document.getElementById('thought').textContent.split(': ').pop().split(' ')[0]";

#[test]
fn the_thought_shown_is_that_of_the_move_played() {
    let Some((running, browser)) = open(&["--time=0.02"]) else { return };
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
    let Some((mut running, browser)) = open(&[]) else { return };
    running.type_line(
        "manual white\nposition --------/--------/--------/--b-----/--------/--b-----/--b----w/w------- black\nc5-d4",
    );
    for _ in 0..2 {
        moved(&browser, 1);
        assert_eq!(browser.value("document.querySelector('#bar div').style.transform"), "scaleX(1)");
        browser.open(&running.address());
    }
}

#[test]
fn screen_readers_hear_of_new_games_and_positions() {
    let Some((mut running, browser)) = open(&[]) else { return };
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

/// The moves of a game that White wins, as SGF.
const WON: &str = include_str!("../../samples/records/win.sgf");

#[test]
fn a_game_is_reviewed_only_when_it_is_over() {
    let running = Running::start(&[]);
    assert_eq!(running.get("review").status, 409, "no game has been played");
    assert_eq!(running.post("game", "(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])").status, 204);
    assert_eq!(running.get("review").status, 409, "no advice in a game");
    assert_eq!(running.post("game", WON).status, 204);
    running.page().hear_until(|page| page.game["phase"] == "over");
    let answer = running.get("review");
    assert_eq!(answer.status, 200);
    let page = answer.body.clone();
    assert!(page.contains("decided the game") && page.contains("Accuracy"), "{page}");
    assert!(!page.contains("<style") && !page.contains("style="), "the policy allows no styles inside");
    let again = running.get("review");
    assert_eq!(again.body, answer.body);
}

#[test]
fn the_page_leads_to_the_review_and_back() {
    let Some((running, browser)) = open(&[]) else { return };
    browser.wait("no link before the end", "document.getElementById('review').hidden");
    assert_eq!(running.post("game", WON).status, 204);
    moved(&browser, 56);
    browser.click("#review");
    browser.wait("the review", "document.querySelectorAll('.review-moves li').length === 56");
    browser.wait("the first fault", "document.querySelector('.review-moves .now .judgment') !== null");
    let shown = "document.querySelector('.review-comment').textContent";
    browser.click("[data-go=first]");
    browser.wait("the start", &format!("{shown} === 'The start'"));
    browser.click("[data-go=on]");
    browser.wait("the first move", &format!("{shown}.startsWith('1. g1-g3')"));
    if let Some(axe) = axe() {
        browser.run(&axe);
        assert_eq!(browser.violations(), serde_json::json!([]));
    }
    browser.run("document.querySelector('main a').click()");
    browser.wait("the game", "document.getElementById('status')?.textContent.includes('White')");
}
