//! `review --player`: the summary of one player.

use serde_json::Value;

use crate::support::command::{Dir, Ran, Words};

/// White, Anna, gives a piece away and loses.
const LOST: &str = "[White \"Anna\"]\n[Black \"Bo <b>\"]\n[Result \"1-0\"]\n\n\
    1. 11-15 23-19 2. 8-11 22-17 3. 9-13 17-14 4. 10x17 21x14 5. 6-10 25-22 1-0\n\n";
const OTHER: &str = "[White \"Cy\"]\n[Black \"Bo <b>\"]\n[Result \"*\"]\n\n1. 11-15 23-19 *\n\n";

fn review(dir: &Dir, words: &(impl Words + ?Sized)) -> Ran {
    dir.review(&[&["games.pdn", "--seconds", "0.02"], &*words.words()].concat())
}

#[test]
fn a_player_is_summed_up_after_the_games() {
    let dir = Dir::new().with("games.pdn", format!("{LOST}{OTHER}"));
    let without = review(&dir, "").stdout;
    let with = review(&dir, "--player Anna").stdout;
    let summary = with.strip_prefix(without.trim_end()).expect("the games come first, and are the same");
    for words in [
        "Anna played 1 game of checkers: 0 won, 0 drawn, 1 lost.\n",
        "The mean accuracy is ",
        "\nGame 1, 5... 25-22?? against Bo <b>\nBlunder. White: ",
        "\nBetter: 25-21 ",
        "\n  7  b . . . b . . .\n",
    ] {
        assert!(summary.contains(words), "{words:?} is not in {summary}");
    }
    let both = review(&dir, &["--player", "Bo <b>"]).stdout;
    assert!(both.contains("Bo <b> played 2 games of checkers: 1 won, 0 drawn, 0 lost, 1 without a result."), "{both}");
}

#[test]
fn a_player_is_in_json_and_in_front_on_the_page() {
    let dir = Dir::new().with("games.pdn", format!("{OTHER}{LOST}"));
    let json: Value = review(&dir, "--player Anna --format json").json();
    let player = &json["player"][0];
    assert_eq!((&player["name"], &player["games"], &player["results"]["lost"]), (&"Anna".into(), &1.into(), &1.into()));
    assert_eq!((&player["typical"][0]["game"], &player["typical"][0]["mv"]["mv"]), (&2.into(), &"25-22".into()));
    let without: Value = review(&dir, "--format json").json();
    assert!(without.get("player").is_none());
    assert_eq!(without["games"], json["games"]);
    let page = review(&dir, &["--player", "Bo <b>", "--format", "html"]).stdout;
    assert!(
        page.find("Bo &lt;b&gt; played 2 games").expect("a summary") < page.find("class=\"review\"").expect("a game")
    );
    assert!(!page.contains("<b>"), "names are escaped");
    let page = review(&dir, "--player Anna --format html").stdout;
    assert!(page.contains("<a href=\"#g2m10\">Game 2, 5...</a>") && page.contains("id=\"g2m10\""), "{page}");
}

#[test]
fn an_unknown_player_is_bad_usage() {
    let dir = Dir::new().with("games.pdn", format!("{LOST}{OTHER}"));
    let ran = review(&dir, "--player Dora");
    ran.exits_with(2)
        .stderr_contains(&["review: --player: found no game of \"Dora\", expected \"Anna\", \"Bo <b>\", \"Cy\"\n"]);
    assert_eq!(ran.stdout, "");
    review(&dir, "--player Anna --format pdn").exits_with(2).stderr_contains(&["use another --format"]);
    dir.write("games.pdn", "1. 11-15 *\n");
    review(&dir, "--player Anna").exits_with(2).stderr_contains(&["but no player is named"]);
}
