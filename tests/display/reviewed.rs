//! The review of a game that is over.

use super::browser::{axe, moved, open};
use super::running::Running;

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
    let test = "the_page_leads_to_the_review_and_back";
    let Some((running, browser)) = open(test, &[]) else { return };
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
    if let Some(axe) = axe(test) {
        browser.run(&axe);
        assert_eq!(browser.violations(), serde_json::json!([]));
    }
    browser.run("document.querySelector('main a').click()");
    browser.wait("the game", "document.getElementById('status')?.textContent.includes('White')");
}
