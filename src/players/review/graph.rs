//! The graph of a game's winning chances, as SVG.

use maud::{Markup, html};

use super::mark::Mark;
use super::reviewed::Review;
use super::words;
use crate::chart::line_through;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;

/// Draws Black's winning chances over the game: black below the line, white above it, and a dot on each fault.
///
/// `.chances` is its class in [`REVIEW_CSS`](super::REVIEW_CSS). A script may set the attributes `x1` and `x2` of
/// `.here`, the line at the shown move; `data-step` is the width of a move.
pub fn graph(review: &Review) -> Markup {
    let chances = review.chances_of_black();
    let step = WIDTH / (chances.len().max(2) - 1) as f64;
    let place = |index: usize| [index as f64 * step, (1.0 - chances[index]) * HEIGHT];
    let line = line_through((0..chances.len()).map(place));
    let faults = review.moves.iter().enumerate().filter(|(_, mv)| mv.mark.is_some_and(Mark::is_fault));
    html! {
        svg .chances viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
            aria-label="Winning chances of Black over the game" data-step=(format_args!("{step:.3}")) {
            path .black-share d={ "M0 " (HEIGHT) (line) "L" (WIDTH) " " (HEIGHT) "z" } {}
            path .even d={ "M0 " (HEIGHT / 2.0) "H" (WIDTH) } {}
            line .here x1="0" x2="0" y1="0" y2=(HEIGHT) {}
            @for (index, mv) in faults {
                @let [x, y] = place(index + 1);
                circle .fault.(mark_class(mv.mark)) cx=(format_args!("{x:.1}")) cy=(format_args!("{y:.1}")) r="4" {
                    title { (review.number(index)) " " (mv.mv) ": " (words::judgment(mv)) }
                }
            }
        }
    }
}

/// Class of a mark in the style sheet.
pub fn mark_class(mark: Option<Mark>) -> &'static str {
    match mark {
        Some(Mark::Inaccuracy) => "inaccuracy",
        Some(Mark::Mistake) => "mistake",
        Some(Mark::Blunder) => "blunder",
        Some(Mark::OnlyMove) => "only-move",
        Some(Mark::Forced) | None => "unmarked",
    }
}
