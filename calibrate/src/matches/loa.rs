//! Lines of Action players, and games between them.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kingline::clock::Clock;
use kingline::evaluate::loa::Evaluation;
use kingline::game::{Color, Ending, Game, History, random_opening};
use kingline::loa::{Move, Position};
use kingline::score::Score;
use kingline::search::{Limits, Searcher};
use kingline_players::play::{self, LoaSettings};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::json::{self, FromJson, change, check_program, check_seconds, check_threads};
use super::programs::{CommandPlayer, ProgramFile, is_over};
use super::tally::PlayedGame;
use kingline_players::exit::BadInput;

/// Player on a board of `N` columns and rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoaPlayer<const N: usize> {
    fields: Fields,
    evaluation: Evaluation<N>,
}

/// Player as JSON. [`help`](super::help) describes the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Fields {
    settings: Value,
    /// Nodes per move, in place of the clock.
    nodes: Option<u64>,
    /// Seconds per move, by the [`MoveClock`].
    seconds: f64,
    threads: Option<NonZero<usize>>,
    /// Weights file.
    evaluation: Option<PathBuf>,
    /// Another program that plays by commands.
    program: Option<PathBuf>,
    arguments: Vec<String>,
}

impl<'de, const N: usize> Deserialize<'de> for LoaPlayer<N> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<LoaPlayer<N>, D::Error> {
        let fields = Fields::deserialize(json)?;
        let evaluation = match &fields.evaluation {
            Some(name) => json::evaluation(name, Evaluation::read)?,
            None => Evaluation::default(),
        };
        Ok(LoaPlayer { fields, evaluation })
    }
}

impl<const N: usize> LoaPlayer<N> {
    /// Returns the default player with `seconds` of CPU time per move.
    pub(crate) fn with_seconds(seconds: f64) -> LoaPlayer<N> {
        LoaPlayer { fields: Fields { seconds, ..Fields::default() }, evaluation: Evaluation::default() }
    }

    /// Returns the default player with this evaluation and number of nodes per move.
    pub(crate) fn with_evaluation(evaluation: Evaluation<N>, nodes: u64) -> LoaPlayer<N> {
        LoaPlayer { fields: Fields { nodes: Some(nodes), ..Fields::default() }, evaluation }
    }

    /// Returns the limits of a search that starts now, in a game that is drawn after `game_plies` more plies.
    fn limits(&self, clock: MoveClock, game_plies: u16) -> Limits {
        let time = Duration::from_secs_f64(self.fields.seconds);
        let limits = match (self.fields.nodes, clock) {
            (Some(nodes), _) => Limits::nodes(nodes),
            (None, MoveClock::Cpu) => Limits::until(Clock::Thread, Clock::Thread.now() + time),
            (None, MoveClock::Wall) => Limits::time(time),
        };
        Limits { game_plies: Some(game_plies), ..limits }
    }

    /// Returns the default settings with the player's changes.
    fn settings(&self) -> serde_json::Result<LoaSettings> {
        let mut settings = serde_json::to_value(LoaSettings::default())?;
        change(&mut settings, &self.fields.settings);
        serde_json::from_value(settings)
    }
}

impl<const N: usize> FromJson for LoaPlayer<N> {
    fn check(&self) -> serde_json::Result<()> {
        check_seconds(self.fields.seconds)?;
        check_threads(self.fields.threads, self.fields.nodes)?;
        let LoaSettings { solver, .. } = self.settings()?;
        if !(0.0..=1.0).contains(&solver) {
            return Err(serde_json::Error::custom(format!("found {solver}, expected 0 to 1")));
        }
        Ok(())
    }

    fn check_program(&self) -> Result<()> {
        let own = [
            ("nodes", self.fields.nodes.is_some()),
            ("threads", self.fields.threads.is_some()),
            ("settings", !self.fields.settings.is_null()),
            ("evaluation", self.fields.evaluation.is_some()),
        ];
        let own = own.into_iter().find(|&(_, is_set)| is_set).map(|(name, _)| name);
        let time = if self.fields.seconds > 0.0 { Ok(()) } else { Err("seconds") };
        check_program(self.fields.program.as_deref(), &self.fields.arguments, own, time)
    }

    fn program(&mut self) -> Option<&mut PathBuf> {
        self.fields.program.as_mut()
    }
}

/// Number of plies after which a game is drawn.
const LONGEST: u16 = 200;

/// Clock of the time per move for players in this process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MoveClock {
    /// CPU time of the thread, in games between players in this process.
    Cpu,
    /// Wall time, in games against programs, which use it, and of players with several threads.
    Wall,
}

/// State of a player in a game.
struct Seat<'a, const N: usize> {
    player: &'a LoaPlayer<N>,
    mind: Mind<N>,
    /// Clock that measures the moves of a player in this process.
    timer: Clock,
    used: Duration,
    moves: usize,
}

/// Source of a player's moves.
enum Mind<const N: usize> {
    Here(Box<play::LoaPlayer<N>>),
    Program(CommandPlayer),
}

impl<'a, const N: usize> Seat<'a, N> {
    /// Seats a player at the start of the game with this seed, in which it has `side`.
    ///
    /// # Errors
    /// Fails if a program cannot be started, or does not play this game.
    fn new(
        player: &'a LoaPlayer<N>,
        opening: &Position<N>,
        side: Color,
        timer: Clock,
        seed: u64,
    ) -> Result<Seat<'a, N>> {
        const TABLE_BYTES: usize = 64 << 20;
        let mind = match &player.fields.program {
            None => {
                let settings = player.settings().unwrap_or_default();
                let evaluation = player.evaluation.clone().with_variety(seed + 1);
                let threads = player.fields.threads.unwrap_or(NonZero::<usize>::MIN);
                let mind = play::LoaPlayer::with(evaluation, settings, TABLE_BYTES).with_threads(threads);
                Mind::Here(Box::new(mind))
            }
            Some(path) => {
                let program = ProgramFile { path: path.clone(), arguments: player.fields.arguments.clone() };
                let limit = Duration::from_secs_f64(player.fields.seconds);
                Mind::Program(CommandPlayer::start(&program, limit, &on_8x8(opening)?, side, LONGEST)?)
            }
        };
        Ok(Seat { player, mind, timer, used: Duration::ZERO, moves: 0 })
    }

    /// Makes a move; `None` if there is no legal one, or a program took far too long.
    ///
    /// # Errors
    /// Fails if a program crashes or its move is illegal.
    fn choose(&mut self, history: &History<Position<N>>, clock: MoveClock, game_plies: u16) -> Result<Option<Move>> {
        match &mut self.mind {
            Mind::Here(mind) => {
                let began = self.timer.now();
                let limits = self.player.limits(clock, game_plies);
                let choice = mind.choose(history, limits);
                self.used += self.timer.now() - began;
                Ok(choice.map(|choice| choice.best))
            }
            Mind::Program(program) => {
                let turn = program.turn(&on_8x8(&history.position())?)?;
                self.used += turn.used;
                Ok(turn.mv)
            }
        }
    }

    /// Returns true if a move that took `took` exceeds the time of a move.
    fn is_late(&self, took: Duration) -> bool {
        self.player.fields.nodes.is_none() && is_over(took, Duration::from_secs_f64(self.player.fields.seconds))
    }
}

/// Returns the same position for a program, which only knows the board of 8x8 squares.
///
/// # Errors
/// Fails for another board.
fn on_8x8<const N: usize>(position: &Position<N>) -> Result<Position<8>> {
    anyhow::ensure!(N == 8, BadInput::new("a program can play checkers and 8x8 Lines of Action, not loa6"));
    Ok(Position::new(position.turn(), position.placed()))
}

/// Plays one game from `opening`, in which the first player has `color`.
///
/// # Errors
/// Fails if a player is a program and cannot be run, crashes, or makes an illegal move.
pub(crate) fn play<const N: usize>(
    [first, second]: [&LoaPlayer<N>; 2],
    color: Color,
    opening: Position<N>,
    seed: u64,
) -> Result<PlayedGame> {
    let [black, white] = super::runner::by_color(first, second, color);
    let has_program = black.fields.program.is_some() || white.fields.program.is_some();
    let has_threads = black.fields.threads.is_some() || white.fields.threads.is_some();
    let clock = if has_program || has_threads { MoveClock::Wall } else { MoveClock::Cpu };
    let timer = if has_threads { Clock::Wall(Instant::now()) } else { Clock::Thread };
    let seat = |player, side| Seat::new(player, &opening, side, timer, seed);
    let mut seats = [seat(black, Color::Black)?, seat(white, Color::White)?];
    let mut history = History::new(opening);
    let (mut winner, mut late, mut turns) = (None, None, 0);
    while turns < LONGEST {
        if let Some(Ending::Win(color)) = history.ending() {
            winner = Some(color);
            break;
        }
        let side = history.position().turn();
        let seat = &mut seats[side.index()];
        let before = seat.used;
        let chosen = seat.choose(&history, clock, LONGEST - turns).with_context(|| {
            let place = if side == color { "first" } else { "second" };
            let moves = seat.moves + 1;
            format!("game {} from {opening}: move {moves} of the {place} player, {side}", seed + 1)
        })?;
        seat.moves += 1;
        let is_late = seat.is_late(seat.used - before) || chosen.is_none();
        if has_program && is_late {
            (late, winner) = (Some(side), Some(!side));
            break;
        }
        let Some(mv) = chosen else { break };
        history.play(mv);
        turns += 1;
        if let Mind::Program(other) = &mut seats[(!side).index()].mind {
            other.tell(mv);
        }
    }
    let used = [0, 1].map(|index: usize| seats[index].used.as_secs_f64());
    let moves = [0, 1].map(|index: usize| seats[index].moves);
    Ok(PlayedGame { winner, used, moves, late, ..PlayedGame::default() })
}

/// Returns the score of a position for the side to move by a short search of this player, in hundredths of the
/// evaluation's unit. A program's score is unknown: the default player searches in its place.
pub(crate) fn score<const N: usize>(player: &LoaPlayer<N>, position: Position<N>, nodes: u64) -> Score {
    let params = player.settings().unwrap_or_default().search;
    let evaluation = player.evaluation.clone();
    let mut searcher = Searcher::new(evaluation).with_params(params).with_table_limit(1 << 20);
    searcher.search(position, Limits::nodes(nodes), &mut ()).score
}

/// Returns `count` undecided positions after `plies` random plies from the start.
pub(crate) fn openings<const N: usize>(plies: usize, count: usize, seed: u64) -> Vec<Position<N>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let openings = std::iter::repeat_with(|| random_opening::<Position<N>>(plies, |moves| rng.random_range(0..moves)));
    openings.flatten().take(count).map(|opening| opening.history.position()).collect()
}
