//! Answers to the page's scripts: the state of a game, and the result of a search.

use kingline::checkers;
use kingline::draw::compact;
use kingline::draw::shown::{Shown, Step, steps};
use kingline::game::{Color, Ending, Game, Outcome};
use kingline::knowledge::tablebase::TableMove;
use kingline::score::{Ply, Score};
use kingline::search::Report;
use serde::Serialize;

use crate::request::Played;

/// A game with its moves, the current position, and the legal moves.
#[derive(Serialize)]
struct State {
    position: String,
    start: String,
    /// Side that moves first.
    first: String,
    board: String,
    turn: String,
    moves: Vec<MadeMove>,
    steps: Vec<PossibleStep>,
    must_capture: bool,
    ending: Option<String>,
    /// The winner's groups of pieces, if groups decide the game.
    groups: Vec<Vec<String>>,
}

/// A move of a game, with the board after it.
#[derive(Serialize)]
struct MadeMove {
    text: String,
    words: String,
    #[serde(rename = "move")]
    mv: String,
    path: Vec<String>,
    captures: bool,
    board: String,
}

#[derive(Serialize)]
struct PossibleStep {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    step: Step,
}

/// Result of a search. The score is Black's in words, and the side to move's as a number.
#[derive(Serialize)]
struct Found {
    score: String,
    value: i16,
    best: Option<String>,
    depth: i16,
    nodes: u64,
    lines: Vec<ScoredLine>,
    /// Value in the endgame tables, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<String>,
}

#[derive(Serialize)]
struct ScoredLine {
    score: String,
    value: i16,
    moves: String,
}

#[derive(Serialize)]
struct Failure {
    error: String,
}

pub(crate) fn failure(error: String) -> String {
    json(&Failure { error })
}

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

pub(crate) fn state<G: Shown>(played: &Played<G>) -> String {
    let position = played.history.position();
    let ending = played.history.ending();
    let legal = position.legal_moves();
    let possible = if ending.is_none() { steps(&position) } else { Vec::new() };
    let possible = possible.into_iter();
    let winner = match ending.map(Ending::outcome) {
        Some(Outcome::Win(winner)) => Some(winner),
        _ => None,
    };
    json(&State {
        position: position.to_string(),
        start: compact(&played.start),
        first: side(played.start.turn()),
        board: compact(&position),
        turn: side(position.turn()),
        moves: moves(played),
        steps: possible
            .map(|(step, number)| PossibleStep { mv: position.notation(legal[number]).to_string(), step })
            .collect(),
        must_capture: position.must_capture(),
        ending: ending.map(in_words),
        groups: winner.and_then(|winner| position.groups(winner)).unwrap_or_default(),
    })
}

fn moves<G: Shown>(played: &Played<G>) -> Vec<MadeMove> {
    let mut position = played.start;
    let made = played.moves.iter().map(|&mv| {
        let Step { path, captures, .. } = position.steps(mv).swap_remove(0);
        let (text, words) = (position.written(mv), position.words(mv));
        let name = position.notation(mv).to_string();
        position = position.play(mv);
        MadeMove { text, words, mv: name, path, captures, board: compact(&position) }
    });
    made.collect()
}

fn in_words(ending: Ending) -> String {
    let mut words = ending.to_string();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

fn side(color: Color) -> String {
    color.to_string().to_ascii_lowercase()
}

pub(crate) fn searched<G: Shown>(position: &G, report: &Report<G>) -> String {
    json(&Found {
        score: of_black(position, report.score),
        value: report.score.value(),
        best: report.best.map(|mv| position.notation(mv).to_string()),
        depth: report.depth.0,
        nodes: report.nodes,
        lines: report.lines.iter().map(|line| scored(position, line.score, &line.moves)).collect(),
        known: None,
    })
}

/// Returns a move that the endgame tables chose.
pub(crate) fn tabled(position: &checkers::Position, choice: &TableMove) -> String {
    let score = choice.value.score(Ply(0));
    json(&Found {
        score: of_black(position, score),
        value: score.value(),
        best: Some(position.notation(choice.mv).to_string()),
        depth: 0,
        nodes: 0,
        lines: vec![scored(position, score, &[choice.mv])],
        known: Some(format!("By the endgame tables: {}", choice.value)),
    })
}

fn scored<G: Shown>(position: &G, score: Score, moves: &[G::Move]) -> ScoredLine {
    let mut after = *position;
    let written = moves.iter().map(|&mv| {
        let text = after.written(mv);
        after = after.play(mv);
        text
    });
    let moves = written.collect::<Vec<_>>().join(" ");
    ScoredLine { score: of_black(position, score), value: score.value(), moves }
}

fn of_black<G: Game>(position: &G, score: Score) -> String {
    let score = if position.turn() == Color::Black { score } else { -score };
    score.to_string()
}
