//! Checkers players, and games between them.

use std::fmt::Display;
use std::time::Duration;

use kingline::checkers::{Move, Position};
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Color, Ending, Game, History};
use kingline::knowledge::tablebase::Tablebase;
use kingline::play::{self, Choice, Engine, TimeBudget, Why, reference};
use kingline::protocol::turn_files::{Calibration, Charges, Mode, Playdata, TurnRequest};
use kingline::score::Score;
use kingline::search::{Limits, Params, Searcher};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::json::{FromJson, check_seconds};
use super::tally::PlayedGame;

/// Player as JSON. [`help`](super::help) describes the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CheckersPlayer {
    params: Params,
    /// Nodes per move, in place of the clock.
    nodes: Option<u64>,
    /// CPU seconds per move, in place of a clock for the game.
    per_move: Option<f64>,
    /// CPU seconds per game.
    seconds: f64,
    frugality: Option<f64>,
    /// True for the plain minimax.
    reference: bool,
    tables: TableSource,
    #[serde(deserialize_with = "read_evaluation")]
    evaluation: Evaluation,
}

/// Reads an evaluation from the file that the JSON names.
fn read_evaluation<'de, D: Deserializer<'de>>(text: D) -> Result<Evaluation, D::Error> {
    let name = String::deserialize(text)?;
    let failed = |error: &dyn Display| D::Error::custom(format!("the evaluation {name}: {error}"));
    let bytes = std::fs::read(&name).map_err(|error| failed(&error))?;
    Evaluation::read(&bytes).map_err(|error| failed(&error))
}

/// Endgame tables of a player.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TableSource {
    /// Tables inside the program.
    #[default]
    Embedded,
    /// No tables.
    None,
}

impl CheckersPlayer {
    /// Returns the default player with this evaluation and number of nodes per move.
    pub(crate) fn with_evaluation(evaluation: Evaluation, nodes: u64) -> CheckersPlayer {
        CheckersPlayer { evaluation, nodes: Some(nodes), ..CheckersPlayer::default() }
    }

    /// Returns the default player with `seconds` CPU seconds per game; a `frugality` of `None` means the default.
    pub(crate) fn with_clock(seconds: f64, frugality: Option<f64>) -> CheckersPlayer {
        CheckersPlayer { seconds, frugality, ..CheckersPlayer::default() }
    }
}

impl FromJson for CheckersPlayer {
    fn check(&self) -> serde_json::Result<()> {
        check_seconds(self.per_move.unwrap_or_default())?;
        check_seconds(self.seconds)
    }
}

/// State of a player in a game.
struct Seat<'a> {
    player: &'a CheckersPlayer,
    used: Duration,
    known: Option<Playdata>,
    saw_win: bool,
    rng: StdRng,
}

impl Seat<'_> {
    fn choose(&mut self, history: &History<Position>) -> Option<Move> {
        let began = Clock::Thread.now();
        if self.player.reference {
            let left = Duration::from_secs_f64(self.player.seconds).saturating_sub(self.used);
            let mv = reference::choose(&history.position(), left, &mut self.rng);
            self.used += Clock::Thread.now() - began;
            return mv;
        }
        let (mv, score) = self.search(history, began)?;
        self.saw_win |= score.is_some_and(Score::is_win);
        self.used += Clock::Thread.now() - began;
        Some(mv)
    }

    fn search(&mut self, history: &History<Position>, began: Duration) -> Option<(Move, Option<Score>)> {
        let tables = match self.player.tables {
            TableSource::Embedded => Tablebase::with_embedded(None),
            TableSource::None => Tablebase::default(),
        };
        let limits = match (self.player.nodes, self.player.per_move) {
            (Some(nodes), _) => Limits::nodes(nodes),
            (None, Some(seconds)) => Limits::until(Clock::Thread, began + Duration::from_secs_f64(seconds)),
            (None, None) => return self.search_by_clock(history, &tables, began),
        };
        if let Ok(choice) = tables.choose(history, &Evaluation::default(), limits.nodes.unwrap_or(PROBES)) {
            return Some((choice.mv, Why::<Position>::Known(choice.value).score()));
        }
        let searcher = Searcher::new(self.player.evaluation.clone()).with_params(self.player.params);
        let mut searcher = searcher.with_table_limit(16 << 20).with_knowledge(&tables);
        let report = searcher.search(history, limits, &mut ());
        Some((report.best?, Some(report.score)))
    }

    /// Searches on the clock, as the agent does.
    fn search_by_clock(
        &mut self,
        history: &History<Position>,
        tables: &Tablebase<'_>,
        began: Duration,
    ) -> Option<(Move, Option<Score>)> {
        let left = Duration::from_secs_f64(self.player.seconds).saturating_sub(self.used);
        let request = TurnRequest { mode: Mode::Game, left, position: history.position(), warnings: Vec::new() };
        let mut calibration = Calibration::default();
        calibration.frugality = self.player.frugality.unwrap_or(calibration.frugality);
        let score = self.known.as_ref().and_then(|known| known.score);
        let playdata = Playdata { history: history.clone(), spent: self.used, score, charges: Charges::default() };
        let budget = TimeBudget::new(&request, &calibration, &playdata);
        let evaluation = self.player.evaluation.clone();
        let engine = Engine { evaluation, params: self.player.params, tables };
        let Choice { best, why } = play::choose(history, engine, budget, Clock::Thread, began, &mut |_| ())?;
        self.known = Some(playdata.after(best, why.score(), Duration::ZERO));
        Some((best, why.score()))
    }
}

/// Largest number of endgame table probes for a timed move.
const PROBES: u64 = 20_000;

/// Plays one game from `opening`, in which `first` has `color`.
pub(crate) fn play(
    first: &CheckersPlayer,
    second: &CheckersPlayer,
    color: Color,
    opening: Position,
    seed: u64,
) -> PlayedGame {
    let players = super::runner::by_color(first, second, color);
    let mut seats = players.map(|player| Seat {
        player,
        used: Duration::ZERO,
        known: None,
        saw_win: false,
        rng: StdRng::seed_from_u64(seed),
    });
    let mut history = History::new(opening);
    let mut turns = 0;
    let mut late = None;
    let ending = loop {
        if let Some(ending) = history.ending() {
            break ending;
        }
        let turn = history.position().turn();
        let seat = &mut seats[turn.index()];
        let Some(mv) = seat.choose(&history) else { break Ending::Win(!turn) };
        if seat.player.nodes.is_none()
            && seat.player.per_move.is_none()
            && seat.used.as_secs_f64() >= seat.player.seconds
        {
            late = Some(turn);
            break Ending::Win(!turn);
        }
        history.play(mv);
        turns += 1;
    };
    let (winner, draw) = match ending {
        Ending::Win(color) => (Some(color), None),
        Ending::Draw(reason) => (None, Some(reason)),
    };
    let missed_win =
        Color::ALL.into_iter().any(|color| seats[color.index()].saw_win && winner != Some(color) && late.is_none());
    let used = [seats[0].used, seats[1].used];
    let left = [0, 1].map(|index: usize| players[index].seconds - used[index].as_secs_f64());
    PlayedGame { winner, draw, used, left, turns, late, missed_win }
}
