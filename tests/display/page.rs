//! A game on the page, in a real browser.

use serde_json::Value;

use super::browser::{Browser, Screen, by_hand, moved, open, square};

#[test]
fn pieces_are_moved_by_clicks_and_by_dragging() {
    let Some((running, browser)) = open("pieces_are_moved_by_clicks_and_by_dragging", &[]) else { return };
    by_hand(&browser);
    browser.click(&square("b1"));
    browser.wait("targets", "document.querySelectorAll('.target').length > 1");
    let label = browser.value("document.querySelector('[data-square=b3]').getAttribute('aria-label')");
    assert_eq!(label, "b3, empty, target, 2 pieces on the line");
    assert_eq!(
        browser.value("[...document.querySelectorAll('.count')].every((count) => +count.textContent > 0)"),
        true
    );
    browser.click(&square("b3"));
    moved(&browser, 1);
    browser.drag(&square("a2"), &square("c2"));
    moved(&browser, 2);
    // A drag to a square that is not a target does nothing.
    browser.drag(&square("c1"), &square("c2"));
    let game = running.page().game;
    let texts: Vec<&str> =
        game["moves"].as_array().expect("moves").iter().filter_map(|mv| mv["text"].as_str()).collect();
    assert_eq!(texts, ["b1-b3", "a2-c2"]);
    assert_eq!(browser.value("document.getElementById('announced').textContent"), "White a2 to c2");
}

#[test]
fn a_game_is_played_by_keys_to_its_end() {
    let Some((mut running, browser)) = open("a_game_is_played_by_keys_to_its_end", &[]) else { return };
    running.type_line("manual white");
    // Black connects by c5-d4: its piece is alone on that diagonal, so it moves one square.
    running.type_line("position --------/--------/--------/--b-----/--------/--b-----/--b----w/w------- black");
    browser.wait("the position", "document.querySelectorAll('#board .pieces use').length === 5");
    let (right, left, up, down) = ("\u{e014}", "\u{e012}", "\u{e013}", "\u{e015}");
    // The keys select the board, move from its lower left corner to c5, and then via d5 to d4.
    browser.press(&format!("b{}{left}{}", right.repeat(3), up.repeat(4)));
    assert_eq!(browser.value("document.activeElement.dataset.square"), "c5");
    browser.press(&format!(" {right}{down}"));
    assert_eq!(browser.value("document.activeElement.ariaLabel"), "d4, empty, target, 1 piece on the line");
    browser.press("\u{e007}");
    let end = "Black wins. All its pieces are connected.";
    browser.wait("the end", &format!("document.getElementById('status').textContent === '{end}'"));
    assert_eq!(browser.value("document.querySelectorAll('#board .group').length"), 3);
    assert_eq!(browser.value("document.getElementById('announced').textContent"), format!("Black c5 to d4. {end}"));
    browser.press("u");
    moved(&browser, 0);
    browser.press("r");
    browser.wait("the end again", &format!("document.getElementById('status').textContent === '{end}'"));
}

#[test]
fn a_game_is_played_by_mouse_to_its_end() {
    let Some((_running, browser)) = open("a_game_is_played_by_mouse_to_its_end", &[]) else { return };
    by_hand(&browser);
    browser.fill("#limit", "2\u{e007}");
    for (number, mv) in ["b1-b3", "a2-c2", "c1-e3", "h2-f2"].iter().enumerate() {
        let (from, to) = mv.split_once('-').expect("a move");
        if number % 2 == 0 {
            browser.click(&square(from));
            browser.click(&square(to));
        } else {
            browser.drag(&square(from), &square(to));
        }
        moved(&browser, number + 1);
    }
    assert_eq!(browser.value("document.getElementById('status').textContent"), "Tie game.");
    browser.click(&square("d1"));
    assert_eq!(browser.value("document.querySelectorAll('.target').length"), 0, "the game is over");
    browser.click("#new");
    moved(&browser, 0);
}

#[test]
fn undo_also_undoes_the_machines_move() {
    let Some((_running, browser)) = open("undo_also_undoes_the_machines_move", &["--time=0.05"]) else { return };
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    moved(&browser, 2);
    browser.click("#undo");
    moved(&browser, 0);
    browser.click("#redo");
    moved(&browser, 2);
}

#[test]
fn players_change_while_the_machine_thinks() {
    let Some((running, browser)) = open("players_change_while_the_machine_thinks", &["--time=60"]) else { return };
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    browser.wait("thoughts", "/depth [0-9]/.test(document.getElementById('thought').textContent)");
    browser.click("input[name=white][value=manual]");
    browser.wait("White by hand", "document.getElementById('status').textContent === 'White to move'");
    // The line and the bar of the stopped search would be advice.
    let thought = "document.getElementById('thought').textContent + document.querySelector('#bar div').style.transform";
    browser.wait("no advice", &format!("{thought} === 'Not thinking'"));
    browser.click(&square("a2"));
    browser.click(&square("c2"));
    moved(&browser, 2);
    drop(running);
    browser.wait("the end to be noticed", "!document.getElementById('lost').hidden");
}

#[test]
fn terminal_and_two_pages_show_one_game() {
    let Some((mut running, browser)) = open("terminal_and_two_pages_show_one_game", &[]) else { return };
    let Some(other) = Browser::start("terminal_and_two_pages_show_one_game", Screen::Phone) else { return };
    other.open(&running.address());
    running.type_line("manual white");
    running.type_line("b1-b3");
    moved(&browser, 1);
    moved(&other, 1);
    other.click(&square("a2"));
    other.click(&square("c2"));
    moved(&browser, 2);
    running.type_line("dump");
    running.output_with("- - w - - - - w");
}

#[test]
fn the_game_can_be_continued_from_an_earlier_position() {
    let Some((mut running, browser)) = open("the_game_can_be_continued_from_an_earlier_position", &[]) else { return };
    for line in ["manual white", "b1-b3", "a2-c2", "c1-e3"] {
        running.type_line(line);
    }
    moved(&browser, 3);
    browser.click("#moves [data-moves='1']");
    browser.wait("a note", "document.getElementById('when').textContent === 'after move 1 of 3'");
    let pieces = "document.querySelector('#board .pieces use[x=\"0\"][y=\"6\"]') !== null";
    assert_eq!(browser.value(pieces), true, "White's piece is still on a2");
    browser.click("#back-to-now");
    assert_eq!(browser.value(pieces), false);
    browser.press(",,");
    browser.click("#go-on-here");
    moved(&browser, 1);
    browser.click("#redo");
    moved(&browser, 2);
}

#[test]
fn thoughts_are_hidden_by_one_switch_and_hints_are_drawn() {
    let Some((_running, browser)) = open("thoughts_are_hidden_by_one_switch_and_hints_are_drawn", &["--time=0.2"])
    else {
        return;
    };
    browser.click("#hint");
    browser.wait("a hint", "document.querySelectorAll('.hinted').length === 2");
    browser.click("#show-thought");
    browser.wait(
        "silence",
        "[...document.querySelectorAll('.thought, .hinted')].every((each) => !each.checkVisibility())",
    );
    assert_eq!(browser.value("document.querySelectorAll('.hinted').length"), 0);
}

#[test]
fn the_program_ends_after_a_question() {
    let Some((mut running, browser)) = open("the_program_ends_after_a_question", &[]) else { return };
    browser.click("#end");
    browser.click("#question button[value=no]");
    browser.click("#open-help");
    browser.wait(
        "help",
        "document.getElementById('help').open && document.querySelectorAll('.examples .board').length === 4",
    );
    browser.click("#help form button");
    browser.click("#end");
    browser.click("#question button[value=yes]");
    browser.wait("the end", "!document.getElementById('lost').hidden");
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn the_dialect_of_2015_starts_and_stops() {
    let Some((_running, browser)) = open("the_dialect_of_2015_starts_and_stops", &["--dialect=2015", "--time=0.05"])
    else {
        return;
    };
    let status =
        |text: &str| browser.wait(text, &format!("document.getElementById('status').textContent === '{text}'"));
    status("Stopped: press Start");
    assert_eq!(browser.value("document.querySelectorAll('.target').length"), 0);
    assert_eq!(browser.value("document.getElementById('limit')"), Value::Null, "there is no limit");
    // The button is under the board, with the others for the game, and a click on the board says what it is for.
    assert_eq!(
        browser.value("document.getElementById('start').parentElement.contains(document.getElementById('undo'))"),
        true
    );
    browser.click(&square("b1"));
    let problem = "document.getElementById('problems').textContent";
    assert_eq!(browser.value(problem), "Press Start to play.");
    browser.click("#start");
    browser.wait("no problem", &format!("{problem} === ''"));
    status("Black to move");
    browser.click(&square("b1"));
    browser.click(&square("b3"));
    moved(&browser, 2);
    browser.click("#stop");
    status("Stopped: press Start");
    browser.click("#new");
    browser.click("#question button[value=yes]");
    moved(&browser, 0);
}
