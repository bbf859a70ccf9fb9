//! Lines of Action players, and games between them.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use kingline::clock::Clock;
use kingline::evaluate::loa::Evaluation;
use kingline::game::{Color, Game, History, random_opening};
use kingline::loa::{Move, Position};
use kingline::score::Score;
use kingline::search::{Limits, Searcher};
use kingline_players::exit::BadInput;
use kingline_players::play::{self, LoaSettings};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::player::{self, Player, Seat, change, check_limits, check_program, play_game, shortest};
use super::process::ProgramFile;
use super::programs::{CommandPlayer, is_over};
use super::tally::PlayedGame;

/// Player on a board of `N` columns and rows, as JSON. [`help`](super::help) describes the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoaPlayer<const N: usize> {
    #[serde(default)]
    settings: Value,
    /// Nodes per move, in place of the clock.
    nodes: Option<u64>,
    /// Seconds per move, of CPU time or, in games with programs or threads, of wall time.
    #[serde(default)]
    seconds: f64,
    threads: Option<NonZero<usize>>,
    #[serde(default, deserialize_with = "read_evaluation")]
    evaluation: Option<Evaluation<N>>,
    /// Another program that plays by commands.
    program: Option<PathBuf>,
    #[serde(default)]
    arguments: Vec<String>,
}

fn read_evaluation<'de, D: Deserializer<'de>, const N: usize>(
    json: D,
) -> std::result::Result<Option<Evaluation<N>>, D::Error> {
    player::evaluation(json, Evaluation::read)
}

impl<const N: usize> LoaPlayer<N> {
    /// Returns the default player with this evaluation and number of nodes per move.
    pub(crate) fn with_evaluation(evaluation: Evaluation<N>, nodes: u64) -> LoaPlayer<N> {
        LoaPlayer { evaluation: Some(evaluation), nodes: Some(nodes), ..LoaPlayer::default() }
    }

    /// Returns the default settings with the player's changes.
    fn settings(&self) -> serde_json::Result<LoaSettings> {
        let mut settings = serde_json::to_value(LoaSettings::default())?;
        change(&mut settings, &self.settings);
        serde_json::from_value(settings)
    }
}

impl<const N: usize> Player for LoaPlayer<N> {
    type Position = Position<N>;

    fn check(&self) -> serde_json::Result<()> {
        check_limits(&[self.seconds], self.threads, self.nodes)?;
        let LoaSettings { solver, .. } = self.settings()?;
        if (0.0..=1.0).contains(&solver) {
            return Ok(());
        }
        Err(serde_json::Error::custom(format!("found {solver}, expected 0 to 1")))
    }

    fn check_program(&self) -> Result<()> {
        let own = [
            ("nodes", self.nodes.is_some()),
            ("threads", self.threads.is_some()),
            ("settings", !self.settings.is_null()),
            ("evaluation", self.evaluation.is_some()),
        ];
        check_program(self.program.as_deref(), &self.arguments, &own, ("seconds", self.seconds))
    }

    fn program(&mut self) -> Option<&mut PathBuf> {
        self.program.as_mut()
    }

    fn defaults() -> Result<Value> {
        Ok(json!({ "settings": shortest(LoaSettings::default())? }))
    }

    fn engine() -> u64 {
        let depth = if N == 8 { 6 } else { 8 };
        Searcher::new(Evaluation::<N>::default()).search(Position::start(), Limits::depth(depth), &mut ()).nodes
    }

    /// Undecided positions after four random moves: enough for variety, too few to decide a game.
    fn openings(seed: u64) -> impl Iterator<Item = Position<N>> {
        openings(4, seed)
    }

    fn score(&self, position: Position<N>, nodes: u64) -> Score {
        let params = self.settings().unwrap_or_default().search;
        let searcher = Searcher::new(self.evaluation.clone().unwrap_or_default()).with_params(params);
        searcher.with_table_limit(1 << 20).search(position, Limits::nodes(nodes), &mut ()).score
    }

    fn play([first, second]: [&Self; 2], color: Color, opening: Position<N>, seed: u64) -> Result<PlayedGame> {
        let [black, white] = super::runner::by_color(first, second, color);
        let has_program = black.program.is_some() || white.program.is_some();
        let has_threads = black.threads.is_some() || white.threads.is_some();
        let timer = if has_threads { Clock::Wall(Instant::now()) } else { Clock::Thread };
        let seat = |player, side| LoaSeat::new(player, &opening, side, timer, has_program, seed);
        let mut seats = [seat(black, Color::Black)?, seat(white, Color::White)?];
        play_game(&mut seats, color, opening, seed, Some(LONGEST))
    }
}

const LONGEST: u16 = 200;

struct LoaSeat<'a, const N: usize> {
    player: &'a LoaPlayer<N>,
    mind: Mind<N>,
    /// Clock that measures the moves of a player in this process.
    timer: Clock,
    /// True in games with a program: the time per move is then enforced, and is wall time, which programs use.
    has_program: bool,
}

enum Mind<const N: usize> {
    Here(Box<play::LoaPlayer<N>>),
    Program(CommandPlayer),
}

impl<'a, const N: usize> LoaSeat<'a, N> {
    fn new(
        player: &'a LoaPlayer<N>,
        opening: &Position<N>,
        side: Color,
        timer: Clock,
        has_program: bool,
        seed: u64,
    ) -> Result<LoaSeat<'a, N>> {
        const TABLE_BYTES: usize = 64 << 20;
        let mind = match &player.program {
            None => {
                let settings = player.settings().unwrap_or_default();
                let evaluation = player.evaluation.clone().unwrap_or_default().with_variety(seed + 1);
                let threads = player.threads.unwrap_or(NonZero::<usize>::MIN);
                let mind = play::LoaPlayer::with(evaluation, settings, TABLE_BYTES).with_threads(threads);
                Mind::Here(Box::new(mind))
            }
            Some(path) => {
                let program = ProgramFile { path: path.clone(), arguments: player.arguments.clone() };
                let limit = Duration::from_secs_f64(player.seconds);
                Mind::Program(CommandPlayer::start(&program, limit, &on_8x8(opening)?, side, LONGEST)?)
            }
        };
        Ok(LoaSeat { player, mind, timer, has_program })
    }

    /// Returns the limits of a search that starts now, in a game that is drawn after `plies` more.
    fn limits(&self, plies: u16) -> Limits {
        let time = Duration::from_secs_f64(self.player.seconds);
        let limits = match (self.player.nodes, self.timer) {
            (Some(nodes), _) => Limits::nodes(nodes),
            (None, Clock::Thread) if !self.has_program => Limits::until(Clock::Thread, Clock::Thread.now() + time),
            (None, _) => Limits::time(time),
        };
        Limits { game_plies: Some(plies), ..limits }
    }
}

impl<const N: usize> Seat<Position<N>> for LoaSeat<'_, N> {
    const MOVE: &'static str = "move";

    fn choose(&mut self, history: &History<Position<N>>, _: Duration, plies: u16) -> Result<(Option<Move>, Duration)> {
        let limits = self.limits(plies);
        match &mut self.mind {
            Mind::Here(mind) => {
                let began = self.timer.now();
                let choice = mind.choose(history, limits);
                Ok((choice.map(|choice| choice.best), self.timer.now() - began))
            }
            Mind::Program(program) => program.turn(&on_8x8(&history.position())?),
        }
    }

    fn is_late(&self, took: Duration, _: Duration) -> bool {
        self.has_program && self.player.nodes.is_none() && is_over(took, Duration::from_secs_f64(self.player.seconds))
    }

    fn is_program(&self) -> bool {
        matches!(self.mind, Mind::Program(_))
    }

    fn tell(&mut self, mv: Move) {
        if let Mind::Program(program) = &mut self.mind {
            program.tell(mv);
        }
    }
}

/// Returns the same position for a program, which only knows the board of 8x8 squares.
fn on_8x8<const N: usize>(position: &Position<N>) -> Result<Position<8>> {
    ensure!(N == 8, BadInput::new("a program can play checkers and 8x8 Lines of Action, not loa6"));
    Ok(Position::new(position.turn(), position.placed()))
}

/// Returns an endless list of undecided positions after `plies` random plies from the start.
pub(crate) fn openings<const N: usize>(plies: usize, seed: u64) -> impl Iterator<Item = Position<N>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let draw = move || random_opening::<Position<N>>(plies, |moves| rng.random_range(0..moves));
    std::iter::repeat_with(draw).flatten().map(|opening| opening.history.position())
}
