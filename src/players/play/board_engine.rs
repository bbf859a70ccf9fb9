//! The checkers engine as board programs drive it: its settings, its memory, and a search within limits.
//!
//! `move_time` decides how long a move may take.

mod move_time;

use std::num::NonZero;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

pub use move_time::MoveTime;

use super::params::{MIB, MOST_EVALUATION};
use super::side_file::SideFile;
use super::time_manager::{MoveDemand, TimeManager};
use crate::files::read_at_most;
use kingline::checkers::{Move, Position};
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Game, History};
use kingline::knowledge::tablebase::{TableFile, TableMove, Tablebase};
use kingline::search::{Limits, Observer, Report, Searcher};

/// Largest transposition table, in MiB.
pub const MOST_HASH: u64 = 65_536;
/// Transposition table by default, in MiB.
const HASH: u64 = 64;
/// Endgame-table probes for the choice of a move: a few milliseconds.
const PROBES: u64 = 10_000;

/// Settings of the engine.
#[derive(Clone)]
pub struct EngineSettings {
    /// Threads of the search.
    pub threads: NonZero<usize>,
    /// Largest size of the transposition table, in MiB; at most [`MOST_HASH`].
    pub hash: u64,
    evaluation: Evaluation,
    tables: Option<&'static TableFile<'static>>,
}

impl Default for EngineSettings {
    /// One thread, 64 MiB, and the weights and tables in the program.
    fn default() -> EngineSettings {
        EngineSettings { threads: NonZero::<usize>::MIN, hash: HASH, evaluation: Evaluation::default(), tables: None }
    }
}

impl EngineSettings {
    /// Reads the weights of the evaluation from a file; an empty path stands for those in the program.
    ///
    /// # Errors
    /// The file cannot be read, or has no such weights; nothing has changed then.
    pub(crate) fn set_evaluation(&mut self, path: &str) -> Result<()> {
        self.evaluation = if path.is_empty() {
            Evaluation::default()
        } else {
            let bytes =
                read_at_most(Path::new(path), MOST_EVALUATION).with_context(|| format!("cannot read {path:?}"))?;
            Evaluation::read(&bytes).with_context(|| format!("cannot use {path:?}"))?
        };
        Ok(())
    }

    /// Opens a file of endgame tables, which stays open as long as the program runs. An empty path stands for the tables
    /// in the program.
    ///
    /// # Errors
    /// The file cannot be read, or has no tables; nothing has changed then.
    pub fn set_tables(&mut self, path: &str) -> Result<()> {
        self.tables = if path.is_empty() {
            None
        } else {
            let context = || format!("cannot use {path:?}");
            let file: &'static SideFile = Box::leak(Box::new(SideFile::map(Path::new(path)).with_context(context)?));
            Some(Box::leak(Box::new(file.tables().with_context(context)?)))
        };
        Ok(())
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// The endgame tables: those of the file, and those in the program.
    pub fn tablebase(&self) -> Tablebase<'static> {
        Tablebase::with_embedded(self.tables)
    }
}

/// The engine with its memory.
pub struct BoardEngine {
    settings: EngineSettings,
    searcher: Searcher<Position, Evaluation, Tablebase<'static>>,
}

impl Default for BoardEngine {
    fn default() -> BoardEngine {
        BoardEngine::new(EngineSettings::default())
    }
}

impl BoardEngine {
    /// Creates an engine with an empty memory.
    pub fn new(settings: EngineSettings) -> BoardEngine {
        let bytes = usize::try_from(settings.hash).unwrap_or(usize::MAX).saturating_mul(MIB);
        let searcher = Searcher::new(settings.evaluation.clone())
            .with_table_limit(bytes)
            .with_table_reserved()
            .with_threads(settings.threads)
            .with_knowledge(settings.tablebase());
        BoardEngine { settings, searcher }
    }

    /// The settings.
    pub fn settings(&self) -> &EngineSettings {
        &self.settings
    }

    /// Empties the memory.
    pub fn forget(&mut self) {
        *self = BoardEngine::new(self.settings.clone());
    }

    /// The move, if exactly one is legal.
    pub fn only_move(&self, history: &History<Position>) -> Option<Move> {
        match *history.position().legal_moves() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The best move by the endgame tables, if these know the position.
    pub fn tabled(&self, history: &History<Position>) -> Option<TableMove> {
        self.settings.tablebase().choose(history, &self.settings.evaluation, PROBES).ok()
    }

    /// Searches a position within `limits`, and within the time for the move if there is one, counted from the instant
    /// beside it.
    pub fn search(
        &mut self,
        history: &History<Position>,
        limits: Limits,
        time: Option<(MoveTime, Instant)>,
        observer: &mut impl Observer<Position>,
    ) -> Report<Position> {
        let Some((MoveTime { share, most }, began)) = time else {
            return self.searcher.search(history, limits, observer);
        };
        let clock = Clock::Wall(began);
        if share < most {
            let mut manager = TimeManager::new(MoveDemand::new(share), most, (clock, Duration::ZERO), observer);
            let limits = Limits { time: manager.limits().time, ..limits };
            self.searcher.search(history, limits, &mut manager)
        } else {
            let limits = Limits { time: Limits::until(clock, most).time, ..limits };
            self.searcher.search(history, limits, observer)
        }
    }
}
