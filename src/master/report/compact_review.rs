//! A game's review as data for its page.

use serde_json::{Value, json};

use kingline::game::Color;
use kingline_players::review::{
    Mark, MarkCounts, Review, ReviewedMove, accuracy_in_words, better_lines, decisive_move, judgment, mark_class,
    of_black,
};

/// The review: Black's chances in thousandths before each move and after the last, and in words after each move; marks and judgments of the
/// moves that have one, by index; and what is below the turns.
pub(super) fn json(review: &Review) -> Value {
    let chances = review.chances_of_black().into_iter().map(|chances| (chances * 1000.0).round() as u32);
    let marks = review.moves.iter().enumerate().filter_map(|(index, mv)| {
        let mark = mv.mark.filter(|&mark| mark != Mark::Forced)?;
        Some(json!([index, mark_class(Some(mark)), mark.sign(), mark.to_string(), judgment(mv), lines_of(mv)]))
    });
    let sides = Color::ALL.map(|side| {
        let counts = MarkCounts::of(review, side).numbers();
        json!([accuracy_in_words(review.accuracy[side.index()]), counts])
    });
    json!({
        "chances": chances.collect::<Vec<u32>>(),
        "after": review.moves.iter().map(of_black).collect::<Vec<String>>(),
        "marks": marks.collect::<Vec<Value>>(),
        "sides": sides,
        "turning": review.turning_point.zip(decisive_move(review)),
        "nodes": review.nodes,
    })
}

/// The better line and the one that follows the move, each with its name.
fn lines_of(mv: &ReviewedMove) -> Vec<String> {
    let lines = ["Better", "Now"].into_iter().zip(better_lines(mv)).filter(|(_, line)| !line.is_empty());
    lines.map(|(name, line)| format!("{name}: {}.", line.join(" "))).collect()
}
