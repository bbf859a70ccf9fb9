//! The state of a game, for the page's scripts.

use kingline::draw::compact;
use kingline::draw::shown::{Shown, Step, steps};
use kingline::game::{Color, Ending, Outcome};

use crate::json::{Object, list, text, texts};
use crate::played::Played;

/// Returns the state of a game: its moves, the current position, and the legal moves.
pub(crate) fn state<G: Shown>(played: &Played<G>) -> String {
    let position = played.history.position();
    let ending = played.history.ending();
    let legal = position.legal_moves();
    let possible = if ending.is_none() { steps(&position) } else { Vec::new() };
    let possible = possible.iter().map(|(step, number)| step_of(&position, step, legal[*number]));
    Object::new()
        .with_text("position", position)
        .with_text("start", compact(&played.start))
        .with_text("first", side(played.start.turn()))
        .with_text("board", compact(&position))
        .with_text("turn", side(position.turn()))
        .with("moves", list(moves(played)))
        .with("steps", list(possible))
        .with("must_capture", position.must_capture())
        .with("ending", ending.map_or_else(|| "null".to_owned(), |ending| text(&in_words(ending))))
        .with("groups", groups(&position, ending))
        .end()
}

/// Returns the moves of a game, each with the board after it.
fn moves<G: Shown>(played: &Played<G>) -> Vec<String> {
    let mut position = played.start;
    let mut list = Vec::with_capacity(played.moves.len());
    for &mv in &played.moves {
        let step = position.steps(mv).swap_remove(0);
        let entry = Object::new()
            .with_text("text", position.written(mv))
            .with_text("words", position.words(mv))
            .with_text("move", position.notation(mv))
            .with("path", texts(&step.path))
            .with("captures", step.captures);
        position = position.play(mv);
        list.push(entry.with_text("board", compact(&position)).end());
    }
    list
}

fn step_of<G: Shown>(position: &G, step: &Step, mv: G::Move) -> String {
    Object::new()
        .with_text("move", position.notation(mv))
        .with("path", texts(&step.path))
        .with("line", texts(&step.line))
        .with("count", step.count)
        .with("captures", step.captures)
        .end()
}

/// Returns the winner's groups of pieces, if groups decide the game.
fn groups<G: Shown>(position: &G, ending: Option<Ending>) -> String {
    let winner = match ending.map(Ending::outcome) {
        Some(Outcome::Win(winner)) => winner,
        _ => return "[]".to_owned(),
    };
    list(position.groups(winner).unwrap_or_default().iter().map(texts))
}

fn in_words(ending: Ending) -> String {
    let mut words = ending.to_string();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// Name of a side in the page's scripts.
pub(crate) fn side(color: Color) -> String {
    color.to_string().to_ascii_lowercase()
}
