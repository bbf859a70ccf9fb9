//! Tests: which games, losses and typical moves make up a player's summary?

use super::*;
use crate::game_name::GameName;
use crate::review::{ReviewedMove, Worth};

/// Board before each move: the start, then with fewer pieces, then with a king.
const BOARDS: [&str; 3] =
    ["1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1", "1b1b4/8/8/8/w1w5/8/8/8", "W7/1b6/8/8/8/8/8/8"];

fn mv(index: usize, loss: f64, clock: f64) -> ReviewedMove {
    let worth = |chances| Worth { chances, score: None, exact: None };
    ReviewedMove {
        side: if index.is_multiple_of(2) { Color::Black } else { Color::White },
        mv: format!("m{index}"),
        path: "c3-b4".to_owned(),
        board: BOARDS[index.min(2)].to_owned(),
        before: worth(0.9),
        after: worth(0.9 - loss),
        loss,
        mark: Mark::of_loss(loss),
        best: vec!["best".to_owned()],
        reply: vec!["reply".to_owned()],
        clock: Some(clock),
    }
}

/// A game in which Anna has Black and loses these parts of her chances with her three moves, the last in a hurry.
fn game(losses: [f64; 3], result: &str) -> Review {
    let [one, two, three] = losses;
    Review {
        game: GameName::Checkers,
        players: ["Anna".to_owned(), "<Bo>".to_owned()],
        event: String::new(),
        result: result.to_owned(),
        nodes: 1,
        moves: vec![mv(0, one, 100.0), mv(1, 0.0, 100.0), mv(2, two, 5.0), mv(3, 0.0, 90.0), mv(4, three, 4.0)],
        last_board: BOARDS[2].to_owned(),
        accuracy: [Some(80.0), None],
        turning_point: None,
        broken: None,
    }
}

fn lost(summary: &PlayerSummary, by: LossesBy) -> Vec<(u32, f64)> {
    let group = summary.losses.iter().find(|group| group.by == by).expect("a group");
    group.parts.iter().map(|part| (part.moves, (part.lost * 100.0).round())).collect()
}

#[test]
fn games_of_a_player_are_summarized() {
    let (won, drawn) = (game([0.0, 0.3, 0.1], "1-0"), game([0.06, 0.5, 0.4], "1/2-1/2"));
    let [summary] = &PlayerSummary::of("Anna", &[&won, &drawn])[..] else { panic!("one kind of game") };
    assert_eq!((summary.games, summary.results), (2, Results { won: 1, drawn: 1, ..Results::default() }));
    assert_eq!((summary.accuracy, summary.choices), (Some(80.0), 6));
    assert_eq!(summary.marks, MarkCounts { inaccuracies: 1, mistakes: 1, blunders: 3 });
    assert_eq!(lost(summary, LossesBy::Pieces), [(2, 6.0), (0, 0.0), (0, 0.0), (4, 130.0)]);
    assert_eq!(lost(summary, LossesBy::Kings), [(2, 6.0), (4, 130.0)]);
    assert_eq!(lost(summary, LossesBy::Stage), [(2, 6.0), (0, 0.0), (4, 130.0)]);
    assert_eq!(lost(summary, LossesBy::Side), [(6, 136.0), (0, 0.0)]);
    assert_eq!(lost(summary, LossesBy::Clock), [(2, 80.0), (2, 50.0)], "the clock before the move counts");
    let sentences = summary.sentences().join(" ");
    for sentence in [
        "Anna played 2 games of checkers: 1 won, 1 drawn, 0 lost.",
        "The mean accuracy is 80.0 %: of 6 moves with a choice, 1 inaccuracy, 1 mistake and 3 blunders.",
        "Most chances were lost in the ending: 96 % of them, in 67 % of the moves.",
    ] {
        assert!(sentences.contains(sentence), "{sentences}");
    }
    let other = PlayerSummary::of("<Bo>", &[&won, &drawn]);
    assert_eq!((other[0].results.lost, other[0].lost), (1, 0.0));
    assert!(PlayerSummary::of("Cy", &[&won]).is_empty());
}

#[test]
fn typical_mistakes_come_from_different_games() {
    let games = [game([0.3, 0.9, 0.8], "0-1"), game([0.0, 0.2, 0.0], "0-1"), game([0.0, 0.0, 0.0], "*")];
    let typical = |games: &[&Review]| -> Vec<(i64, usize)> {
        PlayerSummary::of("Anna", games)[0].typical.iter().map(|mistake| (mistake.game, mistake.index)).collect()
    };
    assert_eq!(typical(&[&games[0]]), [(1, 2), (1, 4), (1, 0)]);
    assert_eq!(typical(&[&games[0], &games[1], &games[2]]), [(1, 2), (2, 2), (1, 4)]);
    assert_eq!(typical(&[&games[1], &games[1], &games[0], &games[0]]), [(3, 2), (4, 2), (1, 2)]);
}

#[test]
fn a_summary_is_shown_as_text_and_on_a_page() {
    let summary = PlayerSummary::of("Anna", &[&game([0.0, 0.3, 0.0], "0-1")]).swap_remove(0);
    let text = summary.to_string();
    assert!(
        text.contains("\nGame 1, 2. m2?? against <Bo>\nBlunder. Black: 90 % before, 60 % now.\nBetter: best\n"),
        "{text}"
    );
    let link = |mistake: &TypicalMistake| (format!("#{}", mistake.index), "Game <1>".to_owned());
    let page = player(&summary, GameName::Checkers.grid(), "anna", &link).into_string();
    assert!(page.contains("<a href=\"#2\">Game &lt;1&gt;</a>: m2?? against &lt;Bo&gt;"), "{page}");
    assert!(page.contains("id=\"anna-1\"") && !page.contains("<Bo>"), "{page}");
}
