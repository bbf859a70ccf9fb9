//! Plays a game and checks its result.

use std::fmt;
use std::time::Duration;

use anyhow::Result;
use kingline::checkers::Position;
use kingline::game::{Color, Ending, Game, History, Value};
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline_players::protocol::turn_files::read_answer;
use rand::rngs::StdRng;
use serde::Serialize;

use super::agent::{By, EndingPlayer, PlayerKind};
use super::opponent::OpponentKind;
use super::sampler::{StartKind, exact};
use crate::tabled::turns;

/// Players of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    pub(super) player: PlayerKind,
    pub(super) opponent: OpponentKind,
}

/// Game from its first position to its end.
pub(super) struct PlayedEnding {
    /// True if the agent won.
    pub(super) won: bool,
    /// Number of turns by both sides.
    pub(super) turns: usize,
    /// Largest number of consecutive quiet turns.
    pub(super) most_quiet_turns: u16,
    /// True if the first position is drawn only because of its count of quiet turns.
    pub(super) by_count: bool,
    /// Way in which each turn of the agent was chosen, and its CPU time.
    pub(super) chosen: Vec<(By, Duration)>,
    /// Details of a game with a wrong result.
    pub(super) failure: Option<FailedGame>,
}

/// Complete game with a wrong result, with moves in PDN.
#[derive(Debug, Serialize)]
pub(super) struct FailedGame {
    kind: String,
    game: u32,
    problem: String,
    /// First position of the history.
    first: String,
    /// Quiet turns that led to the position.
    history: Vec<String>,
    position: String,
    value: String,
    /// Moves from the position onward, the agent's first.
    moves: Vec<String>,
}

/// Plays a game from a position of this kind, with the player to move.
///
/// # Errors
/// Fails if a position is not solved. A mistake of the player is a [`FailedGame`].
pub(super) fn play(
    kind: StartKind,
    number: u32,
    start: &History<Position>,
    pairing: Pairing,
    values: &SolvedValues,
    rng: &mut StdRng,
) -> Result<PlayedEnding> {
    let us = start.position().turn();
    let value = exact(values, &start.position())?;
    let mut seat = EndingPlayer::new(pairing.player, start)?;
    let mut game = start.clone();
    let (mut moves, mut chosen) = (Vec::new(), Vec::new());
    let mut most_quiet_turns = game.quiet_turns();
    let problem = loop {
        if let Some(ending) = game.ending() {
            break problem(kind, us, ending);
        }
        let position = game.position();
        let mv = if position.turn() == us {
            let turn = seat.turn(position, rng).and_then(|answer| {
                chosen.push((answer.by, answer.took));
                Ok(read_answer(&answer.text, &position)?)
            });
            match turn {
                Ok(mv) => mv,
                Err(error) => break Some(format!("{error:#}")),
            }
        } else {
            pairing.opponent.turn(values, &game, rng)?
        };
        moves.push(position.notation(mv).to_string());
        game.play(mv);
        most_quiet_turns = most_quiet_turns.max(game.quiet_turns());
    };
    let count = moves.len();
    let failure = problem.map(|problem| FailedGame {
        kind: kind.to_string(),
        game: number,
        problem,
        first: start.positions()[0].to_string(),
        history: turns(start).iter().map(|(before, mv)| before.notation(*mv).to_string()).collect(),
        position: start.position().to_string(),
        value: value.to_string(),
        moves,
    });
    let by_count = kind == StartKind::Drawn && value != Value::Draw;
    let won = game.ending() == Some(Ending::Win(us));
    Ok(PlayedEnding { won, turns: count, most_quiet_turns, by_count, chosen, failure })
}

/// Returns what is wrong with this ending; `None` if it is right.
fn problem(kind: StartKind, us: Color, ending: Ending) -> Option<String> {
    match (kind, ending) {
        (_, Ending::Win(winner)) if winner == us => None,
        (_, Ending::Win(_)) => Some("lost".to_owned()),
        (StartKind::Won, Ending::Draw(_)) => Some(ending.to_string()),
        (StartKind::Drawn, Ending::Draw(_)) => None,
    }
}

impl fmt::Display for FailedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailedGame { kind, game, problem, first, history, position, value, moves } = self;
        writeln!(f, "{kind} position {game}: {problem}")?;
        writeln!(f, "  history: {first} {}", history.join(" "))?;
        writeln!(f, "  position: {position} after {} quiet turns; {value} without them", history.len())?;
        write!(f, "  moves: {}", moves.join(" "))
    }
}
