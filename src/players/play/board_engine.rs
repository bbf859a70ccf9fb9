//! The checkers engine as board programs drive it: its settings, its memory, and a search within limits.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::arguments::MOST_THREADS;
use super::params::{FEWEST_MOVES_TO_GO, MIB, MOST_EVALUATION, USUAL_MOVES};
use super::side_file::SideFile;
use super::time_manager::{MoveDemand, TimeManager};
use crate::files::read_at_most;
use kingline::checkers::{Move, Position};
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Game, History, ParseError};
use kingline::knowledge::tablebase::{TableFile, TableMove, Tablebase};
use kingline::search::{Limits, Observer, Report, Searcher};

/// Largest transposition table, in MiB.
const MOST_HASH: u64 = 65_536;
/// Transposition table by default, in MiB.
const HASH: u64 = 64;
/// Time that a board program may take to pass on a move.
const MARGIN: Duration = Duration::from_millis(30);
/// Part of the clock that is kept, beside the margin, if more moves must be made with it.
const KEPT_PART: u32 = 3;
/// Endgame-table probes for the choice of a move: a few milliseconds.
const PROBES: u64 = 10_000;

/// Settings of the engine.
#[derive(Clone)]
pub struct EngineSettings {
    /// Threads of the search.
    pub threads: NonZero<usize>,
    /// Largest size of the transposition table, in MiB; at most 65,536.
    pub hash: u64,
    evaluation: Evaluation,
    tables: Option<&'static TableFile<'static>>,
    /// Paths as they were set; empty for what the program contains.
    paths: [String; 2],
}

/// A setting that a board program can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Threads of the search.
    Threads,
    /// Largest size of the transposition table, in MiB.
    Hash,
    /// File with the weights of the evaluation; empty for those in the program.
    Evaluation,
    /// File of endgame tables, which stays open as long as the program runs; empty for those in the program.
    Tables,
}

impl Default for EngineSettings {
    /// One thread, 64 MiB, and the weights and tables in the program.
    fn default() -> EngineSettings {
        let (evaluation, paths) = (Evaluation::default(), Default::default());
        EngineSettings { threads: NonZero::<usize>::MIN, hash: HASH, evaluation, tables: None, paths }
    }
}

impl Setting {
    /// Largest value of a number; `None` for a file.
    pub(crate) fn most(self) -> Option<u64> {
        match self {
            Setting::Threads => Some(MOST_THREADS as u64),
            Setting::Hash => Some(MOST_HASH),
            Setting::Evaluation | Setting::Tables => None,
        }
    }
}

/// Reads a number of this range.
///
/// # Errors
/// The text is not such a number.
pub fn number(text: &str, range: RangeInclusive<u64>) -> Result<u64, ParseError> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| ParseError::new(text, format!("a number from {} to {}", range.start(), range.end())))
}

impl EngineSettings {
    /// Value of a setting.
    pub fn value(&self, setting: Setting) -> String {
        match setting {
            Setting::Threads => self.threads.to_string(),
            Setting::Hash => self.hash.to_string(),
            Setting::Evaluation => self.paths[0].clone(),
            Setting::Tables => self.paths[1].clone(),
        }
    }

    /// Changes a setting.
    ///
    /// # Errors
    /// A number is out of range ([`ParseError`]), or a file cannot be used; nothing has changed then.
    pub fn set(&mut self, setting: Setting, value: &str) -> Result<()> {
        let number = setting.most().map(|most| number(value, 1..=most)).transpose()?.unwrap_or_default();
        match setting {
            Setting::Threads => {
                self.threads = usize::try_from(number).ok().and_then(NonZero::new).unwrap_or(self.threads);
            }
            Setting::Hash => self.hash = number,
            Setting::Evaluation => {
                self.evaluation = if value.is_empty() {
                    Evaluation::default()
                } else {
                    let bytes = read_at_most(Path::new(value), MOST_EVALUATION);
                    let bytes = bytes.with_context(|| format!("cannot read {value:?}"))?;
                    Evaluation::read(&bytes).with_context(|| format!("cannot use {value:?}"))?
                };
                value.clone_into(&mut self.paths[0]);
            }
            Setting::Tables => {
                self.tables = if value.is_empty() {
                    None
                } else {
                    let context = || format!("cannot use {value:?}");
                    let file: &'static SideFile =
                        Box::leak(Box::new(SideFile::map(Path::new(value)).with_context(context)?));
                    Some(Box::leak(Box::new(file.tables().with_context(context)?)))
                };
                value.clone_into(&mut self.paths[1]);
            }
        }
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

/// Time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// Time that the move gets if the position is neither quiet nor critical.
    pub share: Duration,
    /// Time after which the move must have been made; if it equals the share, this is used whole.
    pub most: Duration,
}

impl MoveTime {
    /// This time, used whole, less what the program needs to pass on the move.
    pub fn exact(time: Duration) -> MoveTime {
        let time = within(time);
        MoveTime { share: time, most: time }
    }

    /// This time on average, and at most half as much again.
    pub fn about(time: Duration) -> MoveTime {
        MoveTime { share: time, most: within(time.saturating_add(time / 2)) }
    }

    /// Part of the time left on a clock for this number of moves, or for a whole game. The increment is added to the
    /// clock before the move.
    pub fn on_clock(left: Duration, increment: Duration, moves: Option<u32>) -> MoveTime {
        let clock = left.saturating_add(increment);
        let most = within(clock);
        let usual = USUAL_MOVES.max(FEWEST_MOVES_TO_GO);
        let moves = moves.map_or(usual, |moves| moves.min(usual)).max(1);
        let share = (left / moves).saturating_add(increment).min(most);
        let most = if moves > 1 { (most - most / KEPT_PART).max(share) } else { most };
        MoveTime { share, most }
    }
}

/// The time less the margin.
fn within(time: Duration) -> Duration {
    time.saturating_sub(MARGIN.min(time / 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn on_clock(left: f64, increment: f64, moves: Option<u32>) -> MoveTime {
        let [left, increment] = [left, increment].map(Duration::from_secs_f64);
        MoveTime::on_clock(left, increment, moves)
    }

    #[test]
    fn a_clock_is_never_overstepped() {
        for left in [0.0, 0.001, 0.02, 0.5, 60.0, 7200.0] {
            for increment in [0.0, 0.1, 5.0] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let MoveTime { share, most } = on_clock(left, increment, moves);
                    let clock = Duration::from_secs_f64(left + increment);
                    assert!(share <= most && most <= clock, "{left} {increment} {moves:?}: {share:?}, {most:?}");
                    assert!(clock.is_zero() || most < clock);
                }
            }
        }
    }

    #[test]
    fn time_is_shared_among_the_moves() {
        assert_eq!(on_clock(22.0, 0.0, None).share, SECOND);
        assert_eq!(on_clock(20.0, 0.0, Some(10)).share, 2 * SECOND);
        assert_eq!(on_clock(22.0, 1.0, None).share, 2 * SECOND);
        assert!(on_clock(20.0, 0.0, Some(1)).share > 19 * SECOND, "the last move before the next control");
    }

    #[test]
    fn a_time_for_the_move_is_used_whole_or_on_average() {
        let exact = MoveTime::exact(SECOND);
        assert_eq!((exact.share, exact.most), (Duration::from_millis(970), Duration::from_millis(970)));
        let about = MoveTime::about(SECOND);
        assert_eq!((about.share, about.most), (SECOND, Duration::from_millis(1470)));
        for time in [MoveTime::exact(Duration::MAX), MoveTime::about(Duration::MAX)] {
            assert!(time.share > SECOND && time.most > SECOND);
        }
    }
}
