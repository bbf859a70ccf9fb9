//! Checkers players, and games between them.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use kingline::checkers::{Move, Position};
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Color, Game, History};
use kingline::knowledge::tablebase::Tablebase;
use kingline::score::Score;
use kingline::search::{Limits, Params, Searcher};
use kingline_players::exit::BadInput;
use kingline_players::play::reference::{self, Draw};
use kingline_players::play::{self, Choice, Engine, TimeBudget, Why};
use kingline_players::protocol::turn_files::{Calibration, Charges, Mode, Playdata, TurnRequest};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::player::{self, Player, Seat, check_limits, check_program, play_game, shortest};
use super::process::ProgramFile;
use super::programs::{TurnFilesPlayer, TurnRules, is_over};
use super::tally::PlayedGame;
use crate::openings::{self, Openings, SHARP};

/// Player as JSON. [`help`](super::help) describes the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CheckersPlayer {
    params: Params,
    /// Nodes per move, in place of the clock.
    nodes: Option<u64>,
    /// Seconds per move, in place of a clock for the game: of CPU time or, in games with threads, of wall time.
    per_move: Option<f64>,
    /// Threads of a search with `per_move`.
    threads: Option<NonZero<usize>>,
    /// CPU seconds per game.
    seconds: f64,
    frugality: Option<f64>,
    /// True for the plain minimax.
    reference: bool,
    tables: TableSource,
    #[serde(deserialize_with = "read_evaluation")]
    evaluation: Option<Evaluation>,
    /// Another program that plays by turn files.
    program: Option<PathBuf>,
    arguments: Vec<String>,
}

fn read_evaluation<'de, D: Deserializer<'de>>(json: D) -> std::result::Result<Option<Evaluation>, D::Error> {
    player::evaluation(json, Evaluation::read)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TableSource {
    #[default]
    Embedded,
    None,
}

impl CheckersPlayer {
    /// Returns the default player with this evaluation and number of nodes per move.
    pub(crate) fn with_evaluation(evaluation: Evaluation, nodes: u64) -> CheckersPlayer {
        CheckersPlayer { evaluation: Some(evaluation), nodes: Some(nodes), ..CheckersPlayer::default() }
    }

    /// Returns the default player with `seconds` CPU seconds per game; a `frugality` of `None` means the default.
    pub(crate) fn with_clock(seconds: f64, frugality: Option<f64>) -> CheckersPlayer {
        CheckersPlayer { seconds, frugality, ..CheckersPlayer::default() }
    }

    /// Lets a program play in place of this player.
    pub(crate) fn with_program(self, path: &Path, arguments: Vec<String>) -> CheckersPlayer {
        CheckersPlayer { program: Some(path.to_owned()), arguments, ..self }
    }
}

impl Player for CheckersPlayer {
    type Position = Position;

    fn check(&self) -> serde_json::Result<()> {
        check_limits(&[self.per_move.unwrap_or_default(), self.seconds], self.threads, self.nodes)
    }

    fn check_program(&self) -> Result<()> {
        let own = [
            ("params", self.params != Params::default()),
            ("nodes", self.nodes.is_some()),
            ("threads", self.threads.is_some()),
            ("reference", self.reference),
            ("tables", self.tables != TableSource::Embedded),
            ("evaluation", self.evaluation.is_some()),
        ];
        ensure!(self.threads.is_none() || self.per_move.is_some(), "found threads, expected per_move beside them");
        let time = ("per_move or seconds", self.per_move.unwrap_or(self.seconds));
        check_program(self.program.as_deref(), &self.arguments, &own, time)
    }

    fn program(&mut self) -> Option<&mut PathBuf> {
        self.program.as_mut()
    }

    fn defaults() -> Result<Value> {
        Ok(json!({ "params": shortest(Params::default())?, "frugality": Calibration::default().frugality }))
    }

    fn engine() -> u64 {
        Searcher::new(Evaluation::default()).search(Position::start(), Limits::depth(11), &mut ()).nodes
    }

    fn openings(seed: u64) -> impl Iterator<Item = Position> {
        let mut list = Openings::new(SHARP, seed);
        std::iter::repeat_with(move || list.draw()).flatten()
    }

    fn openings_of_match(count: usize, seed: u64) -> Vec<Position> {
        openings::openings(SHARP, count, seed)
    }

    fn score(&self, position: Position, nodes: u64) -> Score {
        let tables = Tablebase::with_embedded(None);
        let searcher = Searcher::new(self.evaluation.clone().unwrap_or_default()).with_params(self.params);
        let mut searcher = searcher.with_table_limit(1 << 20).with_knowledge(&tables);
        searcher.search(position, Limits::nodes(nodes), &mut ()).score
    }

    fn play([first, second]: [&Self; 2], color: Color, opening: Position, seed: u64) -> Result<PlayedGame> {
        let players = super::runner::by_color(first, second, color);
        let has_program = players.iter().any(|player| player.program.is_some());
        let has_threads = players.iter().any(|player| player.threads.is_some());
        ensure!(
            !(has_program && has_threads),
            BadInput::new("found threads and a program, expected both players in this process")
        );
        let pace = if has_program { Pace::AsAgent } else { Pace::Whole };
        let clock = if has_threads { Clock::Wall(Instant::now()) } else { Clock::Thread };
        let [black, white] = players.map(|player| CheckersSeat::new(player, pace, clock, seed));
        let mut seats = [black?, white?];
        let played = play_game(&mut seats, color, opening, seed, None)?;
        let missed = |color: Color| seats[color.index()].saw_win && played.winner != Some(color);
        let missed_win = played.late.is_none() && Color::ALL.into_iter().any(missed);
        let left = [0, 1].map(|index: usize| players[index].seconds - played.used[index]);
        Ok(PlayedGame { left, missed_win, ..played })
    }
}

struct CheckersSeat<'a> {
    player: &'a CheckersPlayer,
    /// Clock that measures and limits the turns of a player in this process.
    clock: Clock,
    /// The game so far, as a player on the clock knows it.
    known: Option<Playdata>,
    saw_win: bool,
    rng: StdRng,
    program: Option<TurnFilesPlayer>,
    pace: Pace,
}

/// Use of the time per move by a player in this process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// All of it, in games between players in this process.
    Whole,
    /// In games against programs: the time of the agent for a single turn, less the cost of a launch. Like the agent, the
    /// player does not know the earlier turns.
    AsAgent,
}

impl Seat<Position> for CheckersSeat<'_> {
    const MOVE: &'static str = "turn";

    fn choose(&mut self, history: &History<Position>, used: Duration, _: u16) -> Result<(Option<Move>, Duration)> {
        if let Some(program) = &mut self.program {
            return program.turn(&history.position());
        }
        let began = self.clock.now();
        let mv = if self.player.reference {
            let left = Duration::from_secs_f64(self.player.seconds).saturating_sub(used);
            reference::choose(&history.position(), left, Draw::Best, &mut self.rng)
        } else {
            let found = self.search(history, began, used);
            self.saw_win |= found.and_then(|(_, score)| score).is_some_and(Score::is_win);
            found.map(|(mv, _)| mv)
        };
        Ok((mv, self.clock.now() - began))
    }

    /// Time per move is only enforced in games with a program.
    fn is_late(&self, took: Duration, used: Duration) -> bool {
        match (self.player.nodes, self.player.per_move) {
            (Some(_), _) => false,
            (None, Some(limit)) => self.pace == Pace::AsAgent && is_over(took, Duration::from_secs_f64(limit)),
            (None, None) => used.as_secs_f64() >= self.player.seconds,
        }
    }

    fn is_program(&self) -> bool {
        self.program.is_some()
    }
}

impl<'a> CheckersSeat<'a> {
    fn new(player: &'a CheckersPlayer, pace: Pace, clock: Clock, seed: u64) -> Result<CheckersSeat<'a>> {
        let rules = match player.per_move {
            Some(seconds) => TurnRules::Single(Duration::from_secs_f64(seconds)),
            None => TurnRules::Game(Duration::from_secs_f64(player.seconds)),
        };
        let program = player.program.as_ref().map(|path| {
            let program = ProgramFile { path: path.clone(), arguments: player.arguments.clone() };
            TurnFilesPlayer::new(program, rules, player.frugality)
        });
        let rng = StdRng::seed_from_u64(seed);
        Ok(CheckersSeat { player, clock, known: None, saw_win: false, rng, program: program.transpose()?, pace })
    }

    fn search(
        &mut self,
        history: &History<Position>,
        began: Duration,
        used: Duration,
    ) -> Option<(Move, Option<Score>)> {
        let tables = match self.player.tables {
            TableSource::Embedded => Tablebase::with_embedded(None),
            TableSource::None => Tablebase::default(),
        };
        let limits = match (self.player.nodes, self.player.per_move) {
            (Some(nodes), _) => Limits::nodes(nodes),
            (None, Some(seconds)) if self.pace == Pace::Whole => {
                Limits::until(self.clock, began + Duration::from_secs_f64(seconds))
            }
            (None, _) => return self.search_by_clock(history, &tables, began, used),
        };
        if let Ok(choice) = tables.choose(history, &Evaluation::default(), limits.nodes.unwrap_or(PROBES)) {
            return Some((choice.mv, Why::<Position>::Known(choice.value).score()));
        }
        let searcher =
            Searcher::new(self.player.evaluation.clone().unwrap_or_default()).with_params(self.player.params);
        let threads = self.player.threads.unwrap_or(NonZero::<usize>::MIN);
        let mut searcher = searcher.with_table_limit(16 << 20).with_threads(threads).with_knowledge(&tables);
        let report = searcher.search(history, limits, &mut ());
        Some((report.best?, Some(report.score)))
    }

    /// Searches on the clock, as the agent does.
    fn search_by_clock(
        &mut self,
        history: &History<Position>,
        tables: &Tablebase<'_>,
        began: Duration,
        used: Duration,
    ) -> Option<(Move, Option<Score>)> {
        let position = history.position();
        let mut calibration = Calibration::default();
        calibration.frugality = self.player.frugality.unwrap_or(calibration.frugality);
        let (mode, left, playdata) = match self.player.per_move {
            Some(seconds) => {
                let launch = Duration::from_secs_f64(calibration.costs.start_up_ms / 1000.0);
                let left = Duration::from_secs_f64(seconds).saturating_sub(launch);
                (Mode::Single, left, Playdata::fresh(position))
            }
            None => {
                let left = Duration::from_secs_f64(self.player.seconds).saturating_sub(used);
                let score = self.known.as_ref().and_then(|known| known.score);
                let history = history.clone();
                (Mode::Game, left, Playdata { history, spent: used, score, charges: Charges::default() })
            }
        };
        let request = TurnRequest { mode, left, position, warnings: Vec::new() };
        let budget = TimeBudget::new(&request, &calibration, &playdata);
        let evaluation = self.player.evaluation.clone().unwrap_or_default();
        let engine = Engine { evaluation, params: self.player.params, tables };
        let Choice { best, why } = play::choose(&playdata.history, engine, budget, self.clock, began, &mut |_| ())?;
        self.known = Some(playdata.after(best, why.score(), Duration::ZERO));
        Some((best, why.score()))
    }
}

/// Largest number of endgame table probes for a timed move.
const PROBES: u64 = 20_000;
