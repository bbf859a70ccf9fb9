//! The player, and its parameters.

use std::io;
use std::num::NonZero;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::clock::MoveTime;
use super::thought::{Control, Watch};
use crate::checkers::{Move, Position};
use crate::clock::Clock;
use crate::evaluate::checkers::Evaluation;
use crate::files::read_at_most;
use crate::game::{Game, History};
use crate::knowledge::tablebase::{SideFile, TableFile, Tablebase};
use crate::play::arguments::MOST_THREADS;
use crate::play::params::{MIB, MOST_EVALUATION};
use crate::play::time_manager::{MoveDemand, TimeManager};
use crate::protocol::hub::{Answer, Level, Parameter, ParameterKind, Purpose};
use crate::search::{Limits, Searcher};

/// Largest table, in MiB.
const MOST_HASH: u64 = 65_536;
/// Table by default, in MiB.
const HASH: u64 = 64;
/// Variants that are played.
const VARIANTS: [&str; 1] = ["english"];
/// Endgame-table probes for the choice of a move: a few milliseconds.
const PROBES: u64 = 10_000;

/// The engine with its memory, and the values of its parameters.
pub(super) struct HubPlayer {
    threads: u64,
    hash: u64,
    /// Paths as they were set; empty for what the program contains.
    evaluation: String,
    tables: String,
    weights: Evaluation,
    side: Option<&'static TableFile<'static>>,
    searcher: Searcher<Position, Evaluation, Tablebase<'static>>,
}

impl Default for HubPlayer {
    fn default() -> HubPlayer {
        let weights = Evaluation::default();
        HubPlayer {
            threads: 1,
            hash: HASH,
            evaluation: String::new(),
            tables: String::new(),
            searcher: Searcher::new(weights.clone()).with_knowledge(Tablebase::with_embedded(None)),
            weights,
            side: None,
        }
    }
}

impl HubPlayer {
    /// The parameters with their values.
    pub(super) fn parameters(&self) -> [Parameter; 5] {
        let parameter = |name, value: &str, kind| Parameter { name, value: value.to_owned(), kind };
        [
            parameter("variant", VARIANTS[0], ParameterKind::OneOf(&VARIANTS)),
            parameter("threads", &self.threads.to_string(), ParameterKind::Number(1, MOST_THREADS as u64)),
            parameter("hash", &self.hash.to_string(), ParameterKind::Number(1, MOST_HASH)),
            parameter("evaluation", &self.evaluation, ParameterKind::Text),
            parameter("tables", &self.tables, ParameterKind::Text),
        ]
    }

    /// Sets a parameter, and empties the memory. An empty file name stands for what the program contains.
    ///
    /// # Errors
    /// There is no such parameter, or it cannot have this value; nothing has changed then.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match name {
            "variant" if VARIANTS.contains(&value) => {}
            "variant" => bail!("variant: found {value:?}, expected {}", VARIANTS.join(" or ")),
            "threads" => self.threads = number(name, value, MOST_THREADS as u64)?,
            "hash" => self.hash = number(name, value, MOST_HASH)?,
            "evaluation" => {
                self.weights = weights(value)?;
                value.clone_into(&mut self.evaluation);
            }
            "tables" => {
                self.side = side(value)?;
                value.clone_into(&mut self.tables);
            }
            other => bail!("found parameter {other:?}, expected variant, threads, hash, evaluation or tables"),
        }
        self.forget();
        Ok(())
    }

    /// Empties the memory.
    pub(super) fn forget(&mut self) {
        let threads = usize::try_from(self.threads).ok().and_then(NonZero::new).unwrap_or(NonZero::<usize>::MIN);
        let bytes = usize::try_from(self.hash).unwrap_or(usize::MAX).saturating_mul(MIB);
        self.searcher = Searcher::new(self.weights.clone())
            .with_table_limit(bytes)
            .with_threads(threads)
            .with_knowledge(Tablebase::with_embedded(self.side));
    }

    /// Returns a move and the answer that it expects, as far as there are any. Writes each finished iteration.
    ///
    /// # Errors
    /// An iteration cannot be written.
    pub(super) fn think(
        &mut self,
        history: &History<Position>,
        level: Level,
        control: &Control,
        write: &mut dyn FnMut(Answer) -> io::Result<()>,
    ) -> io::Result<(Option<Move>, Option<Move>)> {
        let purpose = control.purpose();
        if purpose != Purpose::Analyze
            && let Some(best) = self.known(history)
        {
            return Ok((Some(best), None));
        }
        let time = if purpose == Purpose::Analyze { None } else { MoveTime::of(level) };
        let (depth, nodes) = if purpose == Purpose::Think { (level.depth, level.nodes) } else { (None, None) };
        let limits = Limits { depth, nodes, ..Limits::default() };
        let began = Instant::now();
        let mut watch = Watch { control, time, began, write, failed: None };
        let report = match time {
            Some(time) if purpose == Purpose::Think && time.share < time.most => {
                let clock = (Clock::Wall(began), Duration::ZERO);
                watch.time = None;
                let mut manager = TimeManager::new(MoveDemand::new(time.share), time.most, clock, &mut watch);
                let limits = Limits { time: manager.limits().time, ..limits };
                self.searcher.search(history, limits, &mut manager)
            }
            _ => self.searcher.search(history, limits, &mut watch),
        };
        match watch.failed {
            Some(error) => Err(error),
            None => Ok((report.best, report.principal_variation.get(1).copied())),
        }
    }

    /// The only legal move, or one by the endgame tables.
    fn known(&self, history: &History<Position>) -> Option<Move> {
        match *history.position().legal_moves() {
            [only] => Some(only),
            _ => {
                let tables = Tablebase::with_embedded(self.side);
                tables.choose(history, &Evaluation::default(), PROBES).ok().map(|choice| choice.mv)
            }
        }
    }
}

fn number(name: &str, value: &str, most: u64) -> Result<u64> {
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    number.with_context(|| format!("{name}: found {value:?}, expected a number from 1 to {most}"))
}

fn weights(path: &str) -> Result<Evaluation> {
    if path.is_empty() {
        return Ok(Evaluation::default());
    }
    let bytes = read_at_most(Path::new(path), MOST_EVALUATION).with_context(|| format!("cannot read {path:?}"))?;
    Evaluation::read(&bytes).with_context(|| format!("cannot use {path:?}"))
}

/// Opens a file of endgame tables, which stays open as long as the program runs.
fn side(path: &str) -> Result<Option<&'static TableFile<'static>>> {
    if path.is_empty() {
        return Ok(None);
    }
    let context = || format!("cannot use {path:?}");
    let file: &'static SideFile = Box::leak(Box::new(SideFile::map(Path::new(path)).with_context(context)?));
    Ok(Some(Box::leak(Box::new(file.tables().with_context(context)?))))
}
