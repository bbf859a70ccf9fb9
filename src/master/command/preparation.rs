//! Display of agents whose `calibrate` is running.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;

use super::screen::progress_bar;
use crate::referee::players::PreparationObserver;
use kingline::terminal::{escaped, stderr_line};

/// A display of agents whose `calibrate` is running: the message of a progress bar on a terminal, otherwise a line for
/// each.
#[derive(Debug)]
pub(super) struct PreparationDisplay {
    /// Only on a terminal.
    bar: Option<ProgressBar>,
    running: Mutex<Vec<String>>,
}

impl PreparationDisplay {
    /// Uses the message of this bar on a terminal.
    pub(super) fn of(bar: &ProgressBar) -> PreparationDisplay {
        let bar = stderr().is_terminal().then(|| bar.clone());
        PreparationDisplay { bar, running: Mutex::default() }
    }

    /// Uses a bar of its own.
    pub(super) fn alone() -> PreparationDisplay {
        PreparationDisplay::of(&progress_bar(0, "{spinner} {msg}"))
    }

    fn show(&self, change: impl FnOnce(&mut Vec<String>)) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut running);
        if let Some(bar) = &self.bar {
            bar.set_message(running.join("; "));
        }
    }
}

fn line(agent: &str, limit: Duration) -> String {
    format!("calibrating {}, up to {} s", escaped(agent), limit.as_secs())
}

impl PreparationObserver for PreparationDisplay {
    fn calibrating(&self, agent: &str, limit: Duration) {
        let line = line(agent, limit);
        match self.bar {
            Some(_) => self.show(|running| running.push(line)),
            None => stderr_line(line),
        }
    }

    fn calibrated(&self, agent: &str) {
        let own = format!("calibrating {}, ", escaped(agent));
        self.show(|running| {
            if let Some(place) = running.iter().position(|line| line.starts_with(&own)) {
                running.remove(place);
            }
        });
    }

    fn noted(&self, agent: &str, note: &str) {
        let line = format!("master: {}: {}", escaped(agent), escaped(note));
        match &self.bar {
            Some(bar) => bar.suspend(|| stderr_line(line)),
            None => stderr_line(line),
        }
    }
}

impl Drop for PreparationDisplay {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.set_message("");
        }
    }
}
