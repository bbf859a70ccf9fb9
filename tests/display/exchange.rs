//! Positions set up on the page, and games and positions loaded and copied.

use super::browser::{Browser, by_hand, moved, open, square};

#[test]
fn positions_are_set_up_and_games_loaded() {
    let Some((running, browser)) = open("positions_are_set_up_and_games_loaded", &[]) else { return };
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
    browser.click("#new");
    browser.click("#question button[value=yes]");
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
    let Some((running, browser)) = open("files_are_dropped_and_opened", &[]) else { return };
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
    let Some((running, browser)) = open("copied_games_and_positions_can_be_pasted", &[]) else { return };
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
    browser.click("#new");
    browser.click("#question button[value=yes]");
    moved(&browser, 0);
    browser.click("#paste-form button");
    moved(&browser, 2);
}
