//! Lines of Action players, and games between them.

use std::time::Duration;

use kingline::clock::Clock;
use kingline::game::{Color, Ending, Game, History, random_opening};
use kingline::loa::Position;
use kingline::play::{self, LoaSettings};
use kingline::search::Limits;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;
use serde::de::Error;
use serde_json::Value;

use super::json::{FromJson, check_seconds};
use super::tally::PlayedGame;

/// Player as JSON. [`help`](super::help) describes the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LoaPlayer {
    settings: Value,
    /// Nodes per move, in place of the clock.
    nodes: Option<u64>,
    /// CPU seconds per move.
    seconds: f64,
}

impl LoaPlayer {
    /// Returns the default player with `seconds` of CPU time per move.
    pub(crate) fn with_seconds(seconds: f64) -> LoaPlayer {
        LoaPlayer { seconds, ..LoaPlayer::default() }
    }

    /// Returns the limits of a search that starts now, in a game that is drawn after `game_plies` more plies.
    fn limits(&self, game_plies: u16) -> Limits {
        let limits = match self.nodes {
            Some(nodes) => Limits::nodes(nodes),
            None => Limits::until(Clock::Thread, Clock::Thread.now() + Duration::from_secs_f64(self.seconds)),
        };
        Limits { game_plies: Some(game_plies), ..limits }
    }

    /// Returns the default settings with the player's changes.
    fn settings(&self) -> serde_json::Result<LoaSettings> {
        let mut settings = serde_json::to_value(LoaSettings::default())?;
        change(&mut settings, &self.settings);
        serde_json::from_value(settings)
    }
}

impl FromJson for LoaPlayer {
    fn check(&self) -> serde_json::Result<()> {
        check_seconds(self.seconds)?;
        let LoaSettings { solver, .. } = self.settings()?;
        if (0.0..=1.0).contains(&solver) {
            return Ok(());
        }
        Err(serde_json::Error::custom(format!("found {solver}, expected 0 to 1")))
    }
}

/// Overwrites the fields of `known` that `wanted` names, object by object.
fn change(known: &mut Value, wanted: &Value) {
    match (known, wanted) {
        (_, Value::Null) => {}
        (Value::Object(known), Value::Object(wanted)) => {
            for (name, value) in wanted {
                match known.get_mut(name) {
                    Some(part @ Value::Object(_)) if value.is_object() => change(part, value),
                    _ => drop(known.insert(name.clone(), value.clone())),
                }
            }
        }
        (known, wanted) => known.clone_from(wanted),
    }
}

/// Number of plies after which a game is drawn.
const LONGEST: u16 = 200;

/// Plays one game from `opening`, in which `first` has `color`.
pub(crate) fn play<const N: usize>(
    first: &LoaPlayer,
    second: &LoaPlayer,
    color: Color,
    opening: Position<N>,
    seed: u64,
) -> PlayedGame {
    const TABLE_BYTES: usize = 64 << 20;
    let players = super::runner::by_color(first, second, color);
    let mut memories = players.map(|player| {
        let settings = player.settings().unwrap_or_default();
        play::LoaPlayer::with_settings(settings, seed + 1, TABLE_BYTES)
    });
    let mut history = History::new(opening);
    let mut used = [Duration::ZERO; 2];
    let (mut winner, mut turns) = (None, 0);
    while turns < LONGEST {
        if let Some(Ending::Win(color)) = history.ending() {
            winner = Some(color);
            break;
        }
        let side = history.position().turn().index();
        let began = Clock::Thread.now();
        let limits = players[side].limits(LONGEST - turns);
        let Some(choice) = memories[side].choose(&history, limits) else { break };
        used[side] += Clock::Thread.now() - began;
        history.play(choice.best);
        turns += 1;
    }
    PlayedGame { winner, used, turns: turns.into(), ..PlayedGame::default() }
}

/// Returns `count` undecided positions after `plies` random plies from the start.
pub(crate) fn openings<const N: usize>(plies: usize, count: usize, seed: u64) -> Vec<Position<N>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let openings = std::iter::repeat_with(|| random_opening::<Position<N>>(plies, |moves| rng.random_range(0..moves)));
    openings.flatten().take(count).map(|opening| opening.history.position()).collect()
}
