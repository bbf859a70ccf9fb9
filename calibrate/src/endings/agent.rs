//! Turns of the player under test.

use std::time::Duration;

use anyhow::{Context, Result};
use kingline::checkers::{Position, Route};
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Game, History};
use kingline::knowledge::tablebase::Tablebase;
use kingline::search::Params;
use kingline_players::play::{self, Choice, Engine, TimeBudget, Why};
use kingline_players::protocol::turn_files::{Calibration, Mode, Playdata, TurnRequest, write_answer};
use rand::RngExt;
use rand::rngs::StdRng;

use crate::tabled::playdata;

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

/// Way in which a turn was chosen.
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
    ///
    /// # Errors
    /// Never fails: playdata can always be serialized.
    pub(super) fn new(player: PlayerKind, game: &History<Position>) -> Result<EndingPlayer> {
        let playdata = playdata(game).map(|known| known.to_json()).transpose()?;
        Ok(EndingPlayer { player, playdata })
    }

    /// Takes a turn.
    ///
    /// # Errors
    /// Fails if playdata is invalid or there is no legal turn.
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
