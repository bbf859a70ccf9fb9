//! Plays a game by the player under test, and checks its result.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use kingline::checkers::{Position, Route};
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Color, Ending, Game, History, Value};
use kingline::knowledge::tablebase::Tablebase;
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline::search::Params;
use kingline_players::play::{self, Choice, Engine, TimeBudget, Why};
use kingline_players::protocol::turn_files::{Calibration, Mode, Playdata, TurnRequest, read_answer, write_answer};
use rand::RngExt;
use rand::rngs::StdRng;
use serde::Serialize;

use super::perfect::{OpponentKind, StartKind, exact};
use crate::tabled::{playdata, turns};

#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    pub(super) player: PlayerKind,
    pub(super) opponent: OpponentKind,
}

pub(super) struct PlayedEnding {
    pub(super) won: bool,
    pub(super) turns: usize,
    pub(super) most_quiet_turns: u16,
    /// True if the first position is drawn only because of its count of quiet turns.
    pub(super) by_count: bool,
    /// Way in which each turn of the agent was chosen, and its CPU time.
    pub(super) chosen: Vec<(By, Duration)>,
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

/// Player under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum PlayerKind {
    /// The agent, which should make no mistake.
    Agent,
    /// Random legal turns, to show that mistakes are found.
    Random,
}

/// Player in a game. It knows the earlier turns only from its playdata.txt.
pub(super) struct EndingPlayer {
    player: PlayerKind,
    playdata: Option<String>,
}

/// Turn as written to output.txt, with its CPU time.
pub(super) struct TimedAnswer {
    pub(super) text: String,
    pub(super) by: By,
    /// CPU time, including reading and writing.
    pub(super) took: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    OnlyTurn,
    Tables,
    Search,
    Chance,
}

/// CPU time for a game, more than enough.
const BUDGET: Duration = Duration::from_secs(300);

impl EndingPlayer {
    /// Returns a player who has played this game so far and is to move.
    pub(super) fn new(player: PlayerKind, game: &History<Position>) -> Result<EndingPlayer> {
        let playdata = playdata(game).map(|known| known.to_json()).transpose()?;
        Ok(EndingPlayer { player, playdata })
    }

    pub(super) fn turn(&mut self, position: Position, rng: &mut StdRng) -> Result<TimedAnswer> {
        match self.player {
            PlayerKind::Agent => self.by_files(position),
            PlayerKind::Random => {
                let list = position.legal_moves();
                let mv = list[rng.random_range(0..list.len())];
                let text = write_answer(&Route::of(&position, mv));
                Ok(TimedAnswer { text, by: By::Chance, took: Duration::ZERO })
            }
        }
    }

    /// Takes a turn as [`play::take_turn`] does, with the texts of the files in memory.
    fn by_files(&mut self, position: Position) -> Result<TimedAnswer> {
        let began = Clock::Thread.now();
        let playdata = match &self.playdata {
            None => Playdata::fresh(position),
            Some(text) => Playdata::parse(text, position).context("playdata.txt is invalid")?,
        };
        let left = BUDGET.saturating_sub(playdata.spent);
        let input = TurnRequest { mode: Mode::Game, left, position, warnings: Vec::new() }.to_string();
        let request = TurnRequest::parse(&input).context("input.txt is invalid")?;
        let budget = TimeBudget::new(&request, &Calibration::default(), &playdata);
        let tables = Tablebase::with_embedded(None);
        let engine = Engine { evaluation: Evaluation::default(), params: Params::default(), tables: &tables };
        let clock = Clock::Thread;
        let Choice { best, why } =
            play::choose(&playdata.history, engine, budget, clock, began, &mut |_| ()).context("no turn was made")?;
        let text = write_answer(&Route::of(&position, best));
        let after = playdata.after(best, why.score(), Clock::Thread.now() - began);
        self.playdata = Some(after.to_json()?);
        let by = match why {
            Why::OnlyMove => By::OnlyTurn,
            Why::Known(_) | Why::Solved(_) | Why::Lost(_) | Why::Held => By::Tables,
            Why::Proved(_) | Why::Searched(_) => By::Search,
        };
        Ok(TimedAnswer { text, by, took: Clock::Thread.now() - began })
    }
}
