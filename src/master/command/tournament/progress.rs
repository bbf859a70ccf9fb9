//! Display of a tournament's progress.

use std::time::Instant;

use super::super::screen::{RunningDisplay, progress_bar};
use crate::record::{EndReason, GameRecord};
use crate::tournament::schedule::PlannedGame;
use crate::tournament::{TournamentObserver, UnplayedGames};
use kingline_players::progress::Progress;
use kingline_players::terminal::{escaped, stderr_line};

/// A display of progress on standard error.
pub(super) struct ProgressDisplay {
    what: &'static str,
    bar: Progress,
    start: Instant,
    done: usize,
    total: usize,
    /// Games that do not show who plays better.
    pub(super) unplayed: UnplayedGames,
}

impl ProgressDisplay {
    pub(super) fn new(what: &'static str) -> ProgressDisplay {
        let bar = progress_bar(0, "{bar:30} {pos}/{len} {prefix}{speed}{left}  {msg}");
        bar.set_prefix(what);
        ProgressDisplay { what, bar, start: Instant::now(), done: 0, total: 0, unplayed: UnplayedGames::default() }
    }

    /// A display of agents that are prepared, in the same bar.
    pub(super) fn of_preparation(&self) -> RunningDisplay {
        RunningDisplay::of(&self.bar)
    }

    fn sum(&self) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let an_hour = self.done as f64 / seconds.max(1e-3) * 3600.0;
        format!("{} of {} {} in {seconds:.1} s, {an_hour:.0} per hour", self.done, self.total, self.what)
    }
}

impl TournamentObserver for ProgressDisplay {
    fn begin(&mut self, games: usize) {
        if self.total == 0 {
            // Preparing agents takes no part of the time of a game.
            self.bar.reset_elapsed();
        }
        self.bar.set_length((self.total + games) as u64);
        self.total += games;
    }

    fn ended(&mut self, _: &PlannedGame, record: &GameRecord) {
        let [black, white] = record.names.each_ref().map(|name| escaped(name));
        if let EndReason::Failed(failure) = &record.verdict.reason {
            self.bar.suspend(|| stderr_line(format_args!("master: {black} against {white} failed: {failure}")));
        }
        self.unplayed.add_record(record);
        self.done += 1;
        self.bar.set_message(format!("last: {black} - {white}"));
        self.bar.inc(1);
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if self.done > 0 {
            stderr_line(self.sum());
        }
    }
}
