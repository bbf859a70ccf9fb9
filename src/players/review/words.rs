//! Sentences about moves and games.

use super::mark::Mark;
use super::reviewed::{Review, ReviewedMove};

/// Judgment of a marked move: `Blunder. Black: 62 % before, lost in 9 now.`; empty for others.
pub fn judgment(mv: &ReviewedMove) -> String {
    match mv.mark {
        Some(mark) if mark.is_fault() => {
            let ReviewedMove { side, before, after, .. } = mv;
            format!("{}. {side}: {before} before, {after} now.", capitalized(&mark.to_string()))
        }
        Some(Mark::OnlyMove) => "The only good move.".to_owned(),
        _ => String::new(),
    }
}

/// The better play instead of a fault, and the play that follows it; empty for other moves.
pub fn lines(mv: &ReviewedMove) -> [&[String]; 2] {
    if mv.mark.is_some_and(Mark::is_fault) { [&mv.best, &mv.reply] } else { [&[], &[]] }
}

/// A sentence on the move that decided the game, if one did.
pub(super) fn turning_point(review: &Review) -> Option<String> {
    let number = review.number(review.turning_point?);
    Some(format!("{number} {}", decisive_move(review)?))
}

/// The sentence on the move that decided the game, without its number.
pub fn decisive_move(review: &Review) -> Option<String> {
    let mv = &review.moves[review.turning_point?];
    let verb =
        if review.result.starts_with("1/2") || review.result == "*" { "cost the most" } else { "decided the game" };
    let better = mv.best.first().map_or_else(String::new, |best| format!("; {best} was better"));
    Some(format!("{} {verb}. {}: {} before, {} after{better}.", mv.mv, mv.side, mv.before, mv.after))
}

/// Names of the players, the game and the result: `Anna - Bo, checkers, 1-0`.
pub(super) fn title(review: &Review) -> String {
    let name = |index: usize, instead: &str| match review.players[index].as_str() {
        "" => instead.to_owned(),
        name => name.to_owned(),
    };
    format!("{} - {}, {}, {}", name(0, "Black"), name(1, "White"), review.game, review.result)
}

/// Accuracy of a side: `91.3 %`, or a dash if it never had a choice.
pub fn accuracy(accuracy: Option<f64>) -> String {
    accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1} %"))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
