//! Pieces and marks on the board: motion, dragging, colors, and reasons why a piece cannot move to a square.

use serde_json::json;

use super::browser::{Screen, by_hand, moved, open, open_on, square};

const PROBLEM: &str = "document.getElementById('problems').textContent";

/// Keeps each motion of a piece in `window.motions`: the start, and where the piece is. Keeps the number of its squares
/// in `window.frames_of_motions`.
pub(super) const WATCH_MOTIONS: &str = "window.motions = []; window.frames_of_motions = []; const animate = Element.prototype.animate; \
    Element.prototype.animate = function (...given) { \
        window.frames_of_motions.push(given[0].length); \
        window.motions.push([given[0][0].transform, this.getAttribute('x'), this.getAttribute('y')].join(' ')); \
        return animate.apply(this, given); }";

#[test]
fn moves_glide_from_square_to_square() {
    let Some((mut running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    browser.run(WATCH_MOTIONS);
    let motions = || browser.value("window.motions.splice(0)");
    browser.play("b1-b3", 1);
    assert_eq!(motions(), json!(["translate(0px, 2px) 1 5"]));
    running.type_line("a2-c2");
    moved(&browser, 2);
    assert_eq!(motions(), json!(["translate(-2px, 0px) 2 6"]));
    // An undone move glides back, even on a board that has been turned.
    browser.click("#flip");
    browser.click("#undo");
    moved(&browser, 1);
    assert_eq!(motions(), json!(["translate(-2px, 0px) 7 1"]));
    // A piece that was dragged is already there.
    browser.run("scrollTo(0, 0)");
    browser.drag(&square("a2"), &square("c2"));
    moved(&browser, 2);
    assert_eq!(motions(), json!([]));
    // A new position appears at once.
    running.type_line("position --------/-b----w-/--------/--------/--------/--------/-b----w-/-------- white");
    moved(&browser, 0);
    assert_eq!(motions(), json!([]));
}

#[test]
fn nothing_glides_on_a_system_with_reduced_motion() {
    let Some((running, browser)) = open_on(Screen::DarkDesktop, &[]) else { return };
    by_hand(&browser);
    browser.run(WATCH_MOTIONS);
    running.ask("b1-b3");
    moved(&browser, 1);
    assert_eq!(browser.value("window.motions"), json!([]));
}

#[test]
fn a_dragged_piece_leaves_its_square() {
    let Some((_running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    // Sends the events of a drag without its end.
    let pointer = |kind: &str, name: &str| {
        browser.run(&format!(
            "const box = document.querySelector('[data-square={name}]').getBoundingClientRect(); \
             const target = document.querySelector('[data-square={name}]'); \
             const squares = document.getElementById('squares'); squares.setPointerCapture = () => {{}}; \
             target.dispatchEvent(new PointerEvent('{kind}', {{ bubbles: true, button: 0, \
             clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }}))"
        ));
    };
    let seen = "(() => { const at = (use) => [use.getAttribute('x'), use.getAttribute('y')].map(Math.round).join(); \
                const uses = [...document.querySelectorAll('#board use')].filter((use) => use.checkVisibility({ visibilityProperty: true })); \
                const found = (place) => uses.filter((use) => at(use) === place).length; \
                return [found('1,7'), found('1,5'), uses.length, \
                uses.every((use) => getComputedStyle(use).opacity === '1')]; })()";
    pointer("pointerdown", "b1");
    pointer("pointermove", "b3");
    assert_eq!(browser.value(seen), json!([0, 1, 24, true]), "the piece is at b3 only");
    // Dropped where it cannot go, the piece returns, and the page says why.
    pointer("pointerup", "b4");
    assert_eq!(browser.value(seen), json!([1, 0, 24, true]));
    assert_eq!(browser.value(PROBLEM), "A piece moves as many squares as there are pieces on the line: 2.");
    pointer("pointerdown", "b1");
    pointer("pointermove", "b3");
    pointer("pointerup", "b3");
    moved(&browser, 1);
    assert_eq!(browser.value(seen), json!([0, 1, 24, true]));
    assert_eq!(browser.value(PROBLEM), "", "the move succeeded");
}

#[test]
fn the_page_says_why_a_piece_cannot_move_to_a_square() {
    let Some((mut running, browser)) = open(&[]) else { return };
    by_hand(&browser);
    running.type_line("position --------/--------/--------/--------/bwb--b--/--------/--b-----/-------w black");
    browser.wait("the position", "document.querySelectorAll('#board .pieces use').length === 6");
    let chosen = "document.querySelector('#squares [aria-selected=true]')?.dataset.square";
    for (from, to, why) in [
        ("c4", "d6", "A piece moves along a row, a column or a diagonal; d6 is on none of c4."),
        ("c4", "c7", "A piece moves as many squares as there are pieces on the line: 2."),
        ("a4", "e4", "A piece cannot jump over the other side's: there is one on b4."),
    ] {
        browser.click_squares(from, to);
        assert_eq!((browser.value(PROBLEM), browser.value(chosen)), (json!(why), json!(from)));
        browser.press("\u{e00c}");
    }
    // Another piece that can move is chosen instead.
    browser.click_squares("c4", "f4");
    assert_eq!(browser.value(chosen), "f4");
    // A piece of one's own on the target, by dragging.
    browser.drag(&square("c4"), &square("c2"));
    assert_eq!(browser.value(PROBLEM), "A piece cannot land on its own side's: there is one on c2.");
    browser.drag(&square("c4"), &square("c6"));
    moved(&browser, 1);
    assert_eq!(browser.value(PROBLEM), "");
}

/// Distance of two colors as a person sees them, CIE76.
const DISTANCE: &str = include_str!("distance.js");

#[test]
fn the_last_move_and_the_chosen_piece_differ_clearly_on_all_squares() {
    for screen in [Screen::Desktop, Screen::DarkDesktop] {
        let Some((_running, browser)) = open_on(screen, &[]) else { return };
        by_hand(&browser);
        browser.play("b1-b3", 1);
        browser.click(&square("a2"));
        let least = browser.run(&format!(
            "{DISTANCE} const styles = ['light', 'dark', 'marks .last', 'marks .chosen'].map((name) => \
             getComputedStyle(document.querySelector(`#board .${{name}}`))); \
             if (styles.some((style) => style.opacity !== '1')) throw new Error('not opaque'); \
             const fills = styles.map((style) => style.fill); \
             const pairs = fills.flatMap((one, place) => fills.slice(Math.max(place + 1, 2)).map((other) => [one, other])); \
             return Math.min(...pairs.map(([one, other]) => distance(one, other)))"
        ));
        assert!(least.as_f64().is_some_and(|least| least > 35.0), "{screen:?}: {least}");
    }
}
