//! Results of searches, for the page's scripts.

use kingline::draw::shown::Shown;
use kingline::game::Color;
use kingline::knowledge::tablebase::TableMove;
use kingline::score::{Ply, Score};
use kingline::search::Report;
use kingline::{checkers, game::Game};

use crate::json::{Object, list, text};

/// Returns the report of a search. Scores are Black's in words, and the side to move's as numbers.
pub(crate) fn searched<G: Shown>(position: &G, report: &Report<G>) -> String {
    let line = |line: &kingline::search::Line<G>| scored(position, line.score, &line.moves).end();
    best(position, report.best, report.score)
        .with("depth", report.depth.0)
        .with("nodes", report.nodes)
        .with("lines", list(report.lines.iter().map(line)))
        .end()
}

/// Returns a move that the endgame tables chose.
pub(crate) fn tabled(position: &checkers::Position, choice: &TableMove) -> String {
    let score = choice.value.score(Ply(0));
    best(position, Some(choice.mv), score)
        .with("depth", 0)
        .with("nodes", 0)
        .with("lines", list([scored(position, score, &[choice.mv]).end()]))
        .with_text("known", format!("By the endgame tables: {}", choice.value))
        .end()
}

fn best<G: Shown>(position: &G, best: Option<G::Move>, score: Score) -> Object {
    let best = best.map_or_else(|| "null".to_owned(), |mv| text(&position.notation(mv).to_string()));
    values(position, score).with("best", best)
}

fn scored<G: Shown>(position: &G, score: Score, moves: &[G::Move]) -> Object {
    let mut after = *position;
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        words.push(after.written(mv));
        after = after.play(mv);
    }
    values(position, score).with_text("moves", words.join(" "))
}

fn values<G: Game>(position: &G, score: Score) -> Object {
    let of_black = if position.turn() == Color::Black { score } else { -score };
    Object::new().with_text("score", of_black).with("value", score.value())
}
