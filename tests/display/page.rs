//! Games on the page of a session, in a real browser: moves, their list, sides, levels, clocks, thoughts.

use serde_json::{Value, json};

use super::browser::{Browser, MOVES, Screen, by_hand, moved, open, square};

#[test]
fn pieces_are_moved_by_clicks_and_by_dragging() {
    let Some((running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    browser.click(&square("b1"));
    browser.wait("targets", "document.querySelectorAll('.target').length > 1");
    let label = browser.value("document.querySelector('[data-square=b3]').getAttribute('aria-label')");
    assert_eq!(label, "b3, empty, target, 2 pieces on the line");
    browser.holds("[...document.querySelectorAll('.count')].every((count) => +count.textContent > 0)");
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
    assert_eq!(browser.text("announced"), "White a2 to c2");
}

#[test]
fn a_game_is_played_by_keys_to_its_end() {
    let Some((mut running, browser)) = open(&[]) else { return };
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
    browser.wait_for("status", end);
    assert_eq!(browser.value("document.querySelectorAll('#board .group').length"), 3);
    assert_eq!(browser.text("announced"), format!("Black c5 to d4. {end}"));
    browser.press("u");
    moved(&browser, 0);
    browser.press("r");
    browser.wait_for("status", end);
}

#[test]
fn a_game_is_played_by_mouse_to_its_end() {
    let Some((_running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    browser.fill("#limit", "2\u{e007}");
    for (number, mv) in ["b1-b3", "a2-c2", "c1-e3", "h2-f2"].iter().enumerate() {
        let (from, to) = mv.split_once('-').expect("a move");
        if number % 2 == 0 {
            browser.click_squares(from, to);
        } else {
            browser.drag(&square(from), &square(to));
        }
        moved(&browser, number + 1);
    }
    assert_eq!(browser.text("status"), "Tie game.");
    browser.click(&square("d1"));
    assert_eq!(browser.value("document.querySelectorAll('.target').length"), 0, "the game is over");
    browser.click("#new");
    moved(&browser, 0);
}

#[test]
fn undo_also_undoes_the_machines_move() {
    let Some((_running, browser)) = open(&["--time=0.05"]) else { return };
    browser.play("b1-b3", 2);
    browser.click("#undo");
    moved(&browser, 0);
    browser.click("#redo");
    moved(&browser, 2);
}

#[test]
fn players_change_while_the_machine_thinks() {
    let Some((running, browser)) = open(&["--time=60"]) else { return };
    browser.click_squares("b1", "b3");
    browser.wait("thoughts", "/depth [0-9]/.test(document.getElementById('thought').textContent)");
    browser.click("input[name=white][value=manual]");
    browser.wait_for("status", "White to move");
    // The line and the bar of the stopped search would be advice.
    let thought = "document.getElementById('thought').textContent + document.querySelector('#bar div').style.transform";
    browser.wait("no advice", &format!("{thought} === 'Not thinking'"));
    browser.play("a2-c2", 2);
    drop(running);
    browser.wait("the end to be noticed", "!document.getElementById('lost').hidden");
}

#[test]
fn terminal_and_two_pages_show_one_game() {
    let Some((mut running, browser)) = open(&[]) else { return };
    let Some(other) = Browser::start(Screen::Phone) else { return };
    other.open(&running.address());
    running.type_line("manual white\nb1-b3");
    moved(&browser, 1);
    moved(&other, 1);
    other.play("a2-c2", 2);
    running.type_line("dump");
    running.output_with("- - w - - - - w");
}

#[test]
fn the_game_can_be_continued_from_an_earlier_position() {
    let Some((mut running, browser)) = open(&[]) else { return };
    running.type_line("manual white\nb1-b3\na2-c2\nc1-e3");
    moved(&browser, 3);
    browser.click("#moves [data-moves='1']");
    browser.wait_for("when", "after move 1 of 3");
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
    let Some((_running, browser)) = open(&["--time=0.2"]) else { return };
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
    let Some((mut running, browser)) = open(&[]) else { return };
    browser.click("#end");
    browser.click("#question button[value=no]");
    browser.click("#open-help");
    browser.wait(
        "help",
        "document.getElementById('help').open && document.querySelectorAll('.examples .board').length === 4",
    );
    browser.click("#help form button");
    browser.confirm("#end");
    browser.wait("the end", "!document.getElementById('lost').hidden");
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn the_dialect_of_2015_starts_and_stops() {
    let Some((_running, browser)) = open(&["--dialect=2015", "--time=0.05"]) else { return };
    let status = |text: &str| browser.wait_for("status", text);
    status("Stopped: press Start");
    assert_eq!(browser.value("document.querySelectorAll('.target').length"), 0);
    assert_eq!(browser.value("document.getElementById('limit')"), Value::Null, "there is no limit");
    // The button is under the board, with the others for the game, and a click on the board says what it is for.
    browser.holds("document.getElementById('start').parentElement.contains(document.getElementById('undo'))");
    browser.click(&square("b1"));
    assert_eq!(browser.text("problems"), "Press Start to play.");
    browser.click("#start");
    browser.wait_for("problems", "");
    status("Black to move");
    browser.play("b1-b3", 2);
    browser.click("#stop");
    status("Stopped: press Start");
    browser.confirm("#new");
    moved(&browser, 0);
}

/// Texts of the list's items.
const ITEMS: &str = "[...document.querySelectorAll('#moves li')].map((item) => \
                     [...item.children].map((part) => part.textContent).join(' '))";

const STATUS: &str = "document.getElementById('status').textContent";

#[test]
fn moves_stand_in_numbered_pairs_with_a_column_for_each_side() {
    let Some((mut running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    running.type_line("b1-b3\na2-c2\nc1-e3\nh2-f2\nd1-d3");
    moved(&browser, 5);
    assert_eq!(browser.value(ITEMS), json!(["start", "1. b1-b3 a2-c2", "2. c1-e3 h2-f2", "3. d1-d3"]));
    let left = |moves: usize| {
        browser.value(&format!("document.querySelector('[data-moves=\"{moves}\"]').getBoundingClientRect().left"))
    };
    assert_eq!((left(3), left(5), left(4)), (left(1), left(1), left(2)));
    assert!(left(2).as_f64() > left(1).as_f64(), "White's column is on the right");
    // White begins from this position.
    running.type_line(
        "position -b---b--/--------/--------/--------/--------/--------/w-------/w------w white\na2-b2\nb8-d8",
    );
    moved(&browser, 2);
    assert_eq!(browser.value(ITEMS), json!(["start", "1. … a2-b2", "2. b8-d8"]));
}

#[test]
fn an_earlier_position_shows_its_side_to_move() {
    let Some((mut running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    browser.holds("[...document.querySelectorAll('#back-to-now, #go-on-here')].every((each) => each.disabled)");
    running.type_line("b1-b3\na2-c2");
    moved(&browser, 2);
    assert_eq!(browser.text("status"), "Black to move");
    browser.press(",");
    assert_eq!(browser.text("status"), "White to move, after move 1 of 2");
    browser.press(",");
    assert_eq!(browser.text("status"), "Black to move, at the start");
    browser.click("#back-to-now");
    assert_eq!(browser.text("status"), "Black to move");
}

#[test]
fn the_graph_shows_the_scores_of_the_machines_moves() {
    let Some((running, browser)) = open(&["--time=0.05"]) else { return };
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
    assert_eq!(browser.text("status"), "Black to move, after move 2 of 4");
    browser.holds("document.querySelector('#graph .now').getAttribute('d').startsWith('M2 ')");
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

/// Name of the square in the lower left corner of the board.
const CORNER: &str = "[...document.querySelectorAll('#squares [role=row]')].at(-1).firstElementChild.dataset.square";

fn checked(browser: &Browser) -> Value {
    browser.value("[...document.querySelectorAll('.player input:checked')].map((each) => each.value)")
}

#[test]
fn playing_white_is_one_click() {
    for dialect in ["2020", "2015"] {
        let arguments = ["--time=0.05", "--dialect", dialect];
        let Some((_running, browser)) = open(&arguments) else { return };
        assert_eq!(browser.value(CORNER), "a1");
        browser.click("#play-white");
        moved(&browser, 1);
        browser.wait("the person's turn", &format!("{STATUS} === 'White to move'"));
        assert_eq!((checked(&browser), browser.value(CORNER)), (json!(["auto", "manual"]), json!("h8")));
        // Someone who looks at the page anew sees the same.
        browser.run("location.reload()");
        browser.wait("the board", &format!("{MOVES} === 1 && {CORNER} === 'h8'"));
        browser.click("#play-black");
        browser.click("#question button[value=no]");
        assert_eq!(browser.value(MOVES), 1);
        browser.confirm("#play-black");
        moved(&browser, 0);
        browser.wait("the person's turn", &format!("{STATUS} === 'Black to move' && {CORNER} === 'a1'"));
        assert_eq!(checked(&browser), json!(["manual", "auto"]));
    }
}

#[test]
fn a_level_is_chosen_from_a_list_in_words() {
    let Some((mut running, browser)) = open(&[]) else { return };
    let words = browser.value("[...document.querySelectorAll('#level option')].map((each) => each.textContent)");
    let words = words.as_array().expect("levels");
    assert_eq!((words.len(), &words[0], &words[1]), (9, &json!("by time"), &json!("1, easiest: 30 positions a move")));
    let mut page = running.page();
    let choose = |level: &str| {
        browser.run(&format!(
            "const level = document.getElementById('level'); level.value = '{level}'; \
             level.dispatchEvent(new Event('change'))"
        ));
    };
    choose("1");
    page.hear_until(|page| page.game["level"] == 1);
    browser.play("b1-b3", 2);
    let nodes = browser.value("document.getElementById('thought').textContent.match(/([0-9,]+) nodes/)?.[1]");
    let nodes = nodes.as_str().and_then(|nodes| nodes.replace(',', "").parse::<u64>().ok());
    assert!(nodes.is_none_or(|nodes| nodes <= 40), "{nodes:?}");
    // The terminal has the same levels.
    running.type_line("level 3");
    browser.wait("level 3", "document.getElementById('level').value === '3'");
    choose("");
    page.hear_until(|page| page.game["level"].is_null());
    running.type_line("time 2");
    page.hear_until(|page| page.game["time"] == 2.0);
    assert_eq!(browser.value("document.getElementById('level').value"), "");
}

#[test]
fn each_side_has_a_clock() {
    let Some((mut running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    let clock = |side: &str| format!("document.getElementById('clock-{side}').textContent");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(browser.value(&clock("black")), "0:00", "the first move is not timed");
    running.type_line("b1-b3");
    moved(&browser, 1);
    browser.wait("White's clock to tick", &format!("{} === '0:02'", clock("white")));
    running.type_line("a2-c2");
    moved(&browser, 2);
    browser.wait("Black's clock to tick", &format!("{} === '0:01'", clock("black")));
    let used = running.page().game["clock"]["used"].clone();
    assert!(used[0] == 0 && used[1].as_u64().is_some_and(|used| (2000..20_000).contains(&used)), "{used}");
    running.type_line("new");
    moved(&browser, 0);
    browser.wait("new clocks", &format!("{} === '0:00' && {} === '0:00'", clock("black"), clock("white")));
    let clock = running.page().game["clock"].clone();
    assert_eq!((&clock["used"], &clock["since"]), (&json!([0, 0]), &json!(null)));
}

#[test]
fn moves_click_only_if_wanted() {
    let Some((_running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    browser.run(
        "window.clicks = 0; const start = OscillatorNode.prototype.start; \
         OscillatorNode.prototype.start = function (...given) { window.clicks++; return start.apply(this, given); }",
    );
    let play = |from: &str, to: &str, count: usize| {
        browser.run("scrollTo(0, 0)");
        browser.click_squares(from, to);
        moved(&browser, count);
        browser.value("window.clicks").as_u64()
    };
    assert_eq!(play("b1", "b3", 1), Some(0));
    browser.click("#sound");
    assert_eq!(browser.value("window.clicks"), 1, "the box sounds as well");
    assert_eq!(play("a2", "c2", 2), Some(2));
    browser.click("#undo");
    moved(&browser, 1);
    browser.click("#sound");
    assert_eq!(play("a2", "c2", 2), Some(2));
}
