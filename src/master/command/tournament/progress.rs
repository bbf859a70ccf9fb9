//! Display of a tournament's progress.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::super::running::RunningDisplay;
use super::super::screen::progress_bar;
use crate::record::{EndReason, GameRecord};
use crate::tournament::schedule::PlannedGame;
use crate::tournament::{TournamentObserver, UnplayedGames};
use kingline_players::terminal::{escaped, stderr_line};

/// Time between lines if there is no terminal.
const EVERY: Duration = Duration::from_secs(30);

/// A display of progress on standard error: a bar on a terminal, otherwise an occasional line.
pub(super) struct ProgressDisplay {
    what: &'static str,
    bar: Option<ProgressBar>,
    start: Instant,
    last_line: Instant,
    done: usize,
    total: usize,
    /// Games that do not show who plays better.
    pub(super) unplayed: UnplayedGames,
}

impl ProgressDisplay {
    pub(super) fn new(what: &'static str) -> ProgressDisplay {
        let now = Instant::now();
        let bar = stderr().is_terminal().then(|| {
            let bar = progress_bar(0, "{bar:30} {pos}/{len} {prefix}, {per_sec}{left}  {msg}");
            bar.with_prefix(what)
        });
        ProgressDisplay { what, bar, start: now, last_line: now, done: 0, total: 0, unplayed: UnplayedGames::default() }
    }

    /// A display of agents that are prepared, in the same bar.
    pub(super) fn of_preparation(&self) -> RunningDisplay {
        self.bar.as_ref().map_or_else(RunningDisplay::alone, RunningDisplay::of)
    }

    /// Prints a line, above the bar if there is one.
    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| stderr_line(text)),
            None => stderr_line(text),
        }
    }

    fn sum(&self) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let an_hour = self.done as f64 / seconds.max(1e-3) * 3600.0;
        format!("{} of {} {} in {seconds:.1} s, {an_hour:.0} per hour", self.done, self.total, self.what)
    }
}

impl TournamentObserver for ProgressDisplay {
    fn begin(&mut self, games: usize) {
        if let Some(bar) = &self.bar {
            if self.total == 0 {
                // Preparing agents takes no part of the time of a game.
                bar.reset_elapsed();
            }
            bar.set_length((self.total + games) as u64);
        }
        self.total += games;
    }

    fn ended(&mut self, _: &PlannedGame, record: &GameRecord) {
        let [black, white] = record.names.each_ref().map(|name| escaped(name));
        if let EndReason::Failed(failure) = &record.verdict.reason {
            self.line(&format!("master: {black} against {white} failed: {failure}"));
        }
        self.unplayed.add_record(record);
        self.done += 1;
        match &self.bar {
            Some(bar) => {
                bar.set_message(format!("last: {black} - {white}"));
                bar.inc(1);
            }
            None if self.last_line.elapsed() > EVERY => {
                self.last_line = Instant::now();
                stderr_line(self.sum());
            }
            None => {}
        }
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.done > 0 {
            stderr_line(self.sum());
        }
    }
}
