//! Progress on standard error, if that is a terminal.

use std::io::{self, IsTerminal};

use crate::terminal::stderr_text;

/// Count of positions, shown on a terminal until it is dropped.
pub(super) struct Progress {
    pub(super) done: usize,
    total: usize,
    is_terminal: bool,
}

impl Progress {
    pub(super) fn new(total: usize) -> Progress {
        Progress { done: 0, total, is_terminal: io::stderr().is_terminal() }
    }

    /// Shows that this many positions are done. Returns `true`: go on.
    pub(super) fn show(&mut self, done: usize) -> bool {
        self.done = done;
        if self.is_terminal {
            stderr_text(format_args!("\r\x1b[Kreviewing: {done} of {} positions", self.total));
        }
        true
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal {
            stderr_text("\r\x1b[K");
        }
    }
}
