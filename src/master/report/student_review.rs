//! The review of a lost game on a student's page.

use maud::{Markup, html};

use crate::record::GameRecord;
use kingline::game::Color;
use kingline_players::review::{Mark, Review, ReviewedMove, accuracy_in_words, comment, decisive_move, mark_class};

/// Maximum number of moves that are explained, so that ten games fit into a page that can be mailed.
const EXPLAINED: usize = 8;

/// The turning point, the accuracy of both sides, and the student's worst moves with better lines. `agent` is the
/// student's name in the record.
pub(super) fn section(review: &Review, agent: &str, record: &GameRecord) -> Markup {
    let [black, white] = review.accuracy.map(accuracy_in_words);
    let faults = worst(review, agent, record);
    html! {
        @if let (Some(index), Some(sentence)) = (review.turning_point, decisive_move(review)) {
            p .turning-point { "Turn " (index + 1) ": " (sentence) }
        }
        p { "By the engine's review, the accuracy is " (black) " for Black and " (white) " for White." }
        @if !faults.is_empty() {
            p { "Moves that lost the most chances:" }
            ul .faults {
                @for (index, mv) in faults {
                    li data-turn=(index + 1) {
                        span .turn.(mark_class(mv.mark)) { "Turn " (index + 1) ": " (mv.mv) (mv.mark.map_or("", Mark::sign)) }
                        (comment(mv))
                    }
                }
            }
        }
    }
}

/// The student's worst moves with their indexes, in order.
fn worst<'a>(review: &'a Review, agent: &str, record: &GameRecord) -> Vec<(usize, &'a ReviewedMove)> {
    let is_own = |side: Color| record.names[side.index()] == agent;
    let moves = review.moves.iter().enumerate();
    let mut faults: Vec<(usize, &ReviewedMove)> =
        moves.filter(|(_, mv)| is_own(mv.side) && mv.mark.is_some_and(Mark::is_fault)).collect();
    faults.sort_by(|(_, one), (_, other)| other.loss.total_cmp(&one.loss));
    faults.truncate(EXPLAINED);
    faults.sort_by_key(|&(index, _)| index);
    faults
}
