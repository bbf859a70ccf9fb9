//! How is a game sent to a page? All of it, as JSON, each time that something has changed.

use serde::Serialize;

use super::shown::{Shown, Step};
use crate::draw::compact;
use crate::game::{Color, Game, Outcome};
use crate::loa::{Move, Position};
use crate::play::{Choice, GameState, Settings};
use crate::protocol::commands::{Control, Pace, Phase, grammar::ended};
use crate::score::{Meaning, Score};
use crate::search::Report;

/// A game as a page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Snapshot {
    /// The board before the first move, as [`compact`] writes it.
    start: String,
    moves: Vec<Made>,
    /// How many moves can be made again.
    undone: usize,
    turn: &'static str,
    /// `playing`, `stopped` or `over`.
    phase: &'static str,
    /// In words, where the game is over.
    result: Option<String>,
    winner: Option<&'static str>,
    /// The legal moves of a person whose turn it is.
    steps: Vec<Step>,
    /// Each side's groups of pieces, where the game is over.
    groups: Option<[Vec<Vec<String>>; 2]>,
    /// Black's and White's: `manual` or `automatic`.
    players: [&'static str; 2],
    /// Moves of each side after which the game is a tie.
    limit: Option<i64>,
    /// Seconds a move, where that is what was asked for.
    time: Option<f64>,
    /// A number beyond what a script can hold exactly: as text.
    seed: Option<String>,
    hint: Option<Hint>,
    /// What went wrong where the page could not hear it.
    notices: Vec<String>,
    /// The position as text.
    position: String,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Made {
    text: String,
    words: String,
    captures: bool,
    /// The board after it.
    board: String,
}

/// What the machine would move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Hint {
    #[serde(skip)]
    position: Position<8>,
    from: String,
    to: String,
    why: String,
}

/// What the machine thinks at the moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Thinks {
    /// How much better Black stands, -1 to 1.
    share: f64,
    /// The same in words, for Black.
    score: String,
    depth: u16,
    nodes: u64,
    line: Vec<String>,
}

impl Snapshot {
    pub(super) fn of(state: &GameState, settings: &Settings, hint: Option<&Hint>, notices: &[String]) -> Snapshot {
        let (record, position) = (state.record(), state.position());
        let is_over = state.phase() == Phase::Over;
        let is_persons = state.phase() == Phase::Playing && state.control(position.turn()) == Control::Manual;
        let steps = if is_persons {
            position.legal_moves().into_iter().map(|mv| position.step(mv)).collect()
        } else {
            Vec::new()
        };
        let made = |(place, &mv): (usize, &Move)| {
            let (before, after) = (&record.positions()[place], &record.positions()[place + 1]);
            Made {
                text: before.notation(mv).to_string(),
                words: before.words(mv),
                captures: before.captures(mv),
                board: compact(after),
            }
        };
        Snapshot {
            start: compact(&record.positions()[0]),
            moves: record.moves().iter().enumerate().map(made).collect(),
            undone: state.undone(),
            turn: name(position.turn()),
            phase: match state.phase() {
                Phase::Playing => "playing",
                Phase::Stopped => "stopped",
                Phase::Over => "over",
            },
            result: record.result().filter(|_| is_over).map(|result| ended(result).to_owned()),
            winner: match record.result() {
                Some(Outcome::Win(side)) if is_over => Some(name(side)),
                _ => None,
            },
            steps,
            groups: is_over.then(|| Color::ALL.map(|side| position.groups(side))),
            players: Color::ALL.map(|side| match state.control(side) {
                Control::Manual => "manual",
                Control::Automatic => "automatic",
            }),
            limit: state.limit(),
            time: match settings.pace {
                Pace::Constant(time) => Some(time.as_secs_f64()),
                Pace::PerGame | Pace::PerProcess => None,
            },
            seed: settings.seed.map(|seed| seed.to_string()),
            hint: hint.filter(|_| is_persons).cloned(),
            notices: notices.to_vec(),
            position: position.to_string(),
        }
    }
}

impl Hint {
    pub(super) fn of(position: &Position<8>, choice: &Choice<Position<8>>) -> Hint {
        let Step { from, to, .. } = position.step(choice.best);
        Hint { position: *position, from, to, why: choice.why.to_string() }
    }

    pub(super) fn is_of(&self, position: &Position<8>) -> bool {
        self.position == *position
    }
}

impl Thinks {
    pub(super) fn of(position: &Position<8>, report: &Report<Position<8>>) -> Thinks {
        let score = if position.turn() == Color::Black { report.score } else { -report.score };
        Thinks {
            share: share(score),
            score: score.to_string(),
            depth: report.depth.0 as u16,
            nodes: report.nodes,
            line: report.principal_variation.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A score as a share of the bar: twice the chance to win, less one. 100 is a chance of 73 %.
fn share(score: Score) -> f64 {
    match score.meaning() {
        Meaning::WinIn(_) => 1.0,
        Meaning::LossIn(_) => -1.0,
        _ => (f64::from(score.value()) / 200.0).tanh(),
    }
}

fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}
