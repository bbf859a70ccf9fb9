//! Checkers players, and games between them.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kingline::checkers::{Move, Position};
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Color, Ending, Game, History};
use kingline::knowledge::tablebase::Tablebase;
use kingline::score::Score;
use kingline::search::{Limits, Params, Searcher};
use kingline_players::play::reference::{self, Draw};
use kingline_players::play::{self, Choice, Engine, TimeBudget, Why};
use kingline_players::protocol::turn_files::{Calibration, Charges, Mode, Playdata, TurnRequest};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::{Deserialize, Deserializer};

use super::json::{self, FromJson, check_program, check_seconds, check_threads};
use super::programs::{ProgramFile, TurnFilesPlayer, TurnRules, is_over};
use super::tally::PlayedGame;

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

fn read_evaluation<'de, D: Deserializer<'de>>(text: D) -> std::result::Result<Option<Evaluation>, D::Error> {
    json::evaluation(&PathBuf::deserialize(text)?, Evaluation::read).map(Some)
}

/// Endgame tables of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
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
        CheckersPlayer { evaluation: Some(evaluation), nodes: Some(nodes), ..CheckersPlayer::default() }
    }

    /// Returns true if the number of threads is given, so that wall time counts.
    pub(crate) fn has_threads(&self) -> bool {
        self.threads.is_some()
    }

    /// Returns the default player with `seconds` CPU seconds per game; a `frugality` of `None` means the default.
    pub(crate) fn with_clock(seconds: f64, frugality: Option<f64>) -> CheckersPlayer {
        CheckersPlayer { seconds, frugality, ..CheckersPlayer::default() }
    }
}

impl FromJson for CheckersPlayer {
    fn check(&self) -> serde_json::Result<()> {
        check_threads(self.threads, self.nodes)?;
        check_seconds(self.per_move.unwrap_or_default())?;
        check_seconds(self.seconds)
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
        let own = own.into_iter().find(|&(_, is_set)| is_set).map(|(name, _)| name);
        ensure!(self.threads.is_none() || self.per_move.is_some(), "found threads, expected per_move beside them");
        let time = if self.per_move.unwrap_or(self.seconds) > 0.0 { Ok(()) } else { Err("per_move or seconds") };
        check_program(self.program.as_deref(), &self.arguments, own, time)
    }

    fn program(&mut self) -> Option<&mut PathBuf> {
        self.program.as_mut()
    }
}

/// State of a player in a game.
struct Seat<'a> {
    player: &'a CheckersPlayer,
    /// Clock that measures and limits the turns of a player in this process.
    clock: Clock,
    used: Duration,
    moves: usize,
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

impl<'a> Seat<'a> {
    /// Seats a player at the start of the game with this seed.
    ///
    /// # Errors
    /// Fails if the folder of a program cannot be made.
    fn new(player: &'a CheckersPlayer, (pace, clock): (Pace, Clock), seed: u64) -> Result<Seat<'a>> {
        let rules = match player.per_move {
            Some(seconds) => TurnRules::Single(Duration::from_secs_f64(seconds)),
            None => TurnRules::Game(Duration::from_secs_f64(player.seconds)),
        };
        let program = player.program.as_ref().map(|path| {
            let program = ProgramFile { path: path.clone(), arguments: player.arguments.clone() };
            TurnFilesPlayer::new(program, rules, player.frugality)
        });
        Ok(Seat {
            player,
            clock,
            used: Duration::ZERO,
            moves: 0,
            known: None,
            saw_win: false,
            rng: StdRng::seed_from_u64(seed),
            program: program.transpose()?,
            pace,
        })
    }

    /// Takes a turn; `None` if there is no legal one, or a program took far too long.
    ///
    /// # Errors
    /// Fails if a program crashes or its turn is illegal.
    fn choose(&mut self, history: &History<Position>) -> Result<Option<Move>> {
        if let Some(program) = &mut self.program {
            let turn = program.turn(&history.position())?;
            self.used += turn.used;
            return Ok(turn.mv);
        }
        let began = self.clock.now();
        let mv = if self.player.reference {
            let left = Duration::from_secs_f64(self.player.seconds).saturating_sub(self.used);
            reference::choose(&history.position(), left, Draw::Best, &mut self.rng)
        } else {
            let found = self.search(history, began);
            self.saw_win |= found.and_then(|(_, score)| score).is_some_and(Score::is_win);
            found.map(|(mv, _)| mv)
        };
        self.used += self.clock.now() - began;
        Ok(mv)
    }

    /// Returns true if the player has no time left after a turn that took `took`. Time per move is only enforced in games
    /// with a program.
    fn is_late(&self, took: Duration) -> bool {
        match (self.player.nodes, self.player.per_move) {
            (Some(_), _) => false,
            (None, Some(limit)) => self.pace == Pace::AsAgent && is_over(took, Duration::from_secs_f64(limit)),
            (None, None) => self.used.as_secs_f64() >= self.player.seconds,
        }
    }

    fn search(&mut self, history: &History<Position>, began: Duration) -> Option<(Move, Option<Score>)> {
        let tables = match self.player.tables {
            TableSource::Embedded => Tablebase::with_embedded(None),
            TableSource::None => Tablebase::default(),
        };
        let limits = match (self.player.nodes, self.player.per_move) {
            (Some(nodes), _) => Limits::nodes(nodes),
            (None, Some(seconds)) if self.pace == Pace::Whole => {
                Limits::until(self.clock, began + Duration::from_secs_f64(seconds))
            }
            (None, _) => return self.search_by_clock(history, &tables, began),
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
                let left = Duration::from_secs_f64(self.player.seconds).saturating_sub(self.used);
                let score = self.known.as_ref().and_then(|known| known.score);
                let history = history.clone();
                (Mode::Game, left, Playdata { history, spent: self.used, score, charges: Charges::default() })
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

/// Plays one game from `opening`, in which the first player has `color`.
///
/// # Errors
/// Fails if a player is a program and cannot be run, crashes, or takes an illegal turn.
pub(crate) fn play(
    [first, second]: [&CheckersPlayer; 2],
    color: Color,
    opening: Position,
    seed: u64,
) -> Result<PlayedGame> {
    let players = super::runner::by_color(first, second, color);
    let pace = if players.iter().any(|player| player.program.is_some()) { Pace::AsAgent } else { Pace::Whole };
    let has_threads = players.iter().any(|player| player.has_threads());
    let clock = if has_threads { Clock::Wall(Instant::now()) } else { Clock::Thread };
    let mut seats = [Seat::new(players[0], (pace, clock), seed)?, Seat::new(players[1], (pace, clock), seed)?];
    let mut history = History::new(opening);
    let mut late = None;
    let ending = loop {
        if let Some(ending) = history.ending() {
            break ending;
        }
        let turn = history.position().turn();
        let seat = &mut seats[turn.index()];
        let before = seat.used;
        let chosen = seat.choose(&history).with_context(|| {
            let place = if turn == color { "first" } else { "second" };
            let moves = seat.moves + 1;
            format!("game {} from {opening}: turn {moves} of the {place} player, {turn}", seed + 1)
        })?;
        seat.moves += 1;
        let took = seat.used - before;
        if seat.is_late(took) || (chosen.is_none() && seat.program.is_some()) {
            late = Some(turn);
        }
        let (Some(mv), None) = (chosen, late) else { break Ending::Win(!turn) };
        history.play(mv);
    };
    let (winner, draw) = match ending {
        Ending::Win(color) => (Some(color), None),
        Ending::Draw(reason) => (None, Some(reason)),
    };
    let missed_win =
        Color::ALL.into_iter().any(|color| seats[color.index()].saw_win && winner != Some(color) && late.is_none());
    let used = [0, 1].map(|index: usize| seats[index].used.as_secs_f64());
    let left = [0, 1].map(|index: usize| players[index].seconds - used[index]);
    let moves = [0, 1].map(|index: usize| seats[index].moves);
    Ok(PlayedGame { winner, draw, used, left, moves, late, missed_win })
}

/// Returns the score of a position for the side to move by a short search of this player, in hundredths of a man. A
/// program's score is unknown: the default player searches in its place.
pub(crate) fn score(player: &CheckersPlayer, position: Position, nodes: u64) -> Score {
    let tables = Tablebase::with_embedded(None);
    let searcher = Searcher::new(player.evaluation.clone().unwrap_or_default())
        .with_params(player.params)
        .with_table_limit(1 << 20);
    searcher.with_knowledge(&tables).search(position, Limits::nodes(nodes), &mut ()).score
}
