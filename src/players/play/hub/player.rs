//! The player, and its parameters.

use std::io;
use std::num::NonZero;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::play::arguments::MOST_THREADS;
use crate::play::board_engine::{BoardEngine, MOST_HASH, MoveTime};
use crate::play::search_control::{HitLimits, SearchControl, Watch};
use crate::protocol::hub::{Answer, Level, Parameter, ParameterKind, Purpose};
use kingline::checkers::{Move, Position};
use kingline::game::History;
use kingline::search::{Limits, Report};

/// Variants that are played.
const VARIANTS: [&str; 1] = ["english"];

/// The engine, and the values of its parameters.
#[derive(Default)]
pub(super) struct HubPlayer {
    engine: BoardEngine,
    /// Paths as they were set; empty for what the program contains.
    evaluation: String,
    tables: String,
}

impl HubPlayer {
    /// The parameters with their values.
    pub(super) fn parameters(&self) -> [Parameter; 5] {
        let parameter = |name, value: &str, kind| Parameter { name, value: value.to_owned(), kind };
        let settings = self.engine.settings();
        [
            parameter("variant", VARIANTS[0], ParameterKind::OneOf(&VARIANTS)),
            parameter("threads", &settings.threads.to_string(), ParameterKind::Number(1, MOST_THREADS as u64)),
            parameter("hash", &settings.hash.to_string(), ParameterKind::Number(1, MOST_HASH)),
            parameter("evaluation", &self.evaluation, ParameterKind::Text),
            parameter("tables", &self.tables, ParameterKind::Text),
        ]
    }

    /// Sets a parameter, and empties the memory. An empty file name stands for what the program contains.
    ///
    /// # Errors
    /// There is no such parameter, or it cannot have this value; nothing has changed then.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let mut settings = self.engine.settings().clone();
        match name {
            "variant" if VARIANTS.contains(&value) => {}
            "variant" => bail!("variant: found {value:?}, expected {}", VARIANTS.join(" or ")),
            "threads" => {
                let threads = number(name, value, MOST_THREADS as u64)?;
                settings.threads =
                    usize::try_from(threads).ok().and_then(NonZero::new).unwrap_or(NonZero::<usize>::MIN);
            }
            "hash" => settings.hash = number(name, value, MOST_HASH)?,
            "evaluation" => {
                settings.set_evaluation(value)?;
                value.clone_into(&mut self.evaluation);
            }
            "tables" => {
                settings.set_tables(value)?;
                value.clone_into(&mut self.tables);
            }
            other => bail!("found parameter {other:?}, expected variant, threads, hash, evaluation or tables"),
        }
        self.engine = BoardEngine::new(settings);
        Ok(())
    }

    /// Empties the memory.
    pub(super) fn forget(&mut self) {
        self.engine.forget();
    }

    /// Returns a move and the answer that it expects, as far as there are any. Writes each finished iteration.
    ///
    /// # Errors
    /// An iteration cannot be written.
    pub(super) fn think(
        &mut self,
        history: &History<Position>,
        level: Level,
        control: &SearchControl,
        write: &mut dyn FnMut(Answer) -> io::Result<()>,
    ) -> io::Result<(Option<Move>, Option<Move>)> {
        let purpose = control.purpose();
        if purpose != Purpose::Analyze
            && let Some(best) = self.known(history)
        {
            return Ok((Some(best), None));
        }
        let Level { depth, nodes, .. } = level;
        let (mut limits, mut time, mut after_hit) = (Limits::default(), None, HitLimits::default());
        match purpose {
            Purpose::Think => {
                limits = Limits { depth, nodes, ..limits };
                time = move_time(level).map(|time| (time, Instant::now()));
            }
            // The clock may begin to run during the search, so the observer keeps the limits.
            Purpose::Ponder => {
                after_hit = HitLimits { time: move_time(level).map(|time| time.share), depth, nodes };
            }
            Purpose::Analyze => {}
        }
        let mut write = |report: &Report<Position>, time: Duration| write(Answer::Info(report.clone(), time));
        let mut watch = Watch::new(control, after_hit, &mut write);
        let report = self.engine.search(history, limits, time, &mut watch);
        watch.finish(&report)?;
        Ok((report.best, report.principal_variation.get(1).copied()))
    }

    /// The only legal move, or one by the endgame tables.
    fn known(&self, history: &History<Position>) -> Option<Move> {
        self.engine.only_move(history).or_else(|| self.engine.tabled(history).map(|choice| choice.mv))
    }
}

/// Time for a move at a level; `None` if time does not limit it.
fn move_time(level: Level) -> Option<MoveTime> {
    match level.move_time {
        Some(time) => Some(MoveTime::exact(time)),
        None => level.time.map(|left| MoveTime::on_clock(left, level.increment, level.moves)),
    }
}

fn number(name: &str, value: &str, most: u64) -> Result<u64> {
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    number.with_context(|| format!("{name}: found {value:?}, expected a number from 1 to {most}"))
}
