//! A page that asks puzzles and tells their answers.

use maud::{Markup, PreEscaped, html};

use super::page::document;
use super::puzzles::Puzzle;
use kingline::draw::{BOARD_JS, Drawing};

const PUZZLE_JS: &str = include_str!("puzzles.js");

/// A page with all puzzles, in one file.
pub(super) fn page(puzzles: &[Puzzle]) -> String {
    let main = html! {
        p { "Find the only move that wins. Every other move leaves about even chances at most." }
        ol .puzzles { @for (number, puzzle) in (1..).zip(puzzles) { (asked(puzzle, number)) } }
    };
    document(&format!("{} puzzles", puzzles.len()), &main, &[BOARD_JS, PUZZLE_JS])
}

/// A puzzle with its answer, which is folded.
fn asked(puzzle: &Puzzle, number: usize) -> Markup {
    let (id, task) = (format!("puzzle{number}"), puzzle.task());
    let drawing = Drawing { grid: puzzle.game.grid(), id: &id, label: &task, board: &puzzle.board, mv: None };
    html! {
        li .puzzle {
            h2 { (number) ". " (task) }
            figure { (PreEscaped(drawing.to_string())) }
            details {
                summary { "Answer" }
                p { (puzzle.answer()) }
                div .puzzle-steps role="group" aria-label="Play the solution" data-start=(puzzle.board) hidden {
                    button type="button" data-go="back" aria-label="One move back" { "◀" }
                    button type="button" data-go="on" aria-label="One move forward" { "▶" }
                    @for step in &puzzle.solution {
                        span .step data-board=(step.board) data-path=(step.path) { (step.mv) } " "
                    }
                }
            }
        }
    }
}
