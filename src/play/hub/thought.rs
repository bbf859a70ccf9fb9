//! The end of a search from outside, and its reports.

use std::io;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::checkers::Position;
use crate::play::board_engine::MoveTime;
use crate::protocol::hub::{Answer, Purpose};
use crate::search::{Observer, Report};

/// Wishes of the board program about the search in progress.
pub(super) struct Control {
    purpose: Purpose,
    wishes: Mutex<Wishes>,
    changed: Condvar,
}

#[derive(Clone, Copy)]
struct Wishes {
    /// The search shall end.
    end: bool,
    /// Nobody waits for the move.
    no_move: bool,
    /// Since then the search is on its own clock.
    on_clock: Option<Instant>,
}

impl Control {
    pub(super) fn new(purpose: Purpose) -> Control {
        let on_clock = (purpose == Purpose::Think).then(Instant::now);
        Control {
            purpose,
            wishes: Mutex::new(Wishes { end: false, no_move: false, on_clock }),
            changed: Condvar::new(),
        }
    }

    pub(super) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Ends the search.
    pub(super) fn stop(&self) {
        self.change(|wishes| wishes.end = true);
    }

    /// No more wishes will come: a search without a clock of its own ends.
    pub(super) fn finish(&self) {
        self.change(|wishes| wishes.end |= wishes.on_clock.is_none());
    }

    /// The expected move was made: the clock runs.
    pub(super) fn hit(&self) {
        if self.purpose == Purpose::Ponder {
            self.change(|wishes| wishes.on_clock = wishes.on_clock.or(Some(Instant::now())));
        }
    }

    /// Nobody waits for the move, so the search ends.
    pub(super) fn drop_move(&self) {
        self.change(|wishes| (wishes.no_move, wishes.end) = (true, true));
    }

    pub(super) fn is_move_wanted(&self) -> bool {
        !self.wishes().no_move
    }

    /// Waits until a move may be made: at once on the own clock, else when the search shall end.
    pub(super) fn wait_for_end(&self) {
        let waits = |wishes: &mut Wishes| !wishes.end && wishes.on_clock.is_none();
        drop(self.changed.wait_while(self.wishes(), waits).unwrap_or_else(PoisonError::into_inner));
    }

    fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Wishes)) {
        change(&mut self.wishes());
        self.changed.notify_all();
    }
}

/// Observer of a search by a board program.
pub(super) struct Watch<'a> {
    pub(super) control: &'a Control,
    /// Time for the move from the start of the own clock, if the search began on the opponent's.
    pub(super) time: Option<MoveTime>,
    pub(super) began: Instant,
    pub(super) write: &'a mut dyn FnMut(Answer) -> io::Result<()>,
    /// First error of `write`, which ends the search.
    pub(super) failed: Option<io::Error>,
}

impl Observer<Position> for Watch<'_> {
    fn poll(&mut self) -> ControlFlow<()> {
        let wishes = *self.control.wishes();
        let is_late = wishes.on_clock.zip(self.time).is_some_and(|(since, time)| since.elapsed() >= time.share);
        if wishes.end || is_late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn iteration(&mut self, report: &Report<Position>) -> ControlFlow<()> {
        let took: Duration = self.began.elapsed();
        match (self.write)(Answer::Info(report.clone(), took)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
