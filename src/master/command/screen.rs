//! Progress bars, which name what is running: builds, `calibrate`, and questions of an exam; and the use of colors.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::exam::GradingObserver;
use crate::record::on_a_line;
use crate::referee::players::PreparationObserver;
use kingline::draw::Paint;
use kingline_players::progress::{MINUTE, Progress, TICK};
use kingline_players::terminal::{Screen, escaped, stderr_line};

/// Returns a progress bar on standard error, in the form of an indicatif template: see [`Progress::with_template`].
pub(super) fn progress_bar(length: u64, template: &str) -> Progress {
    Progress::with_template(length, template, MINUTE)
}

pub(super) fn paint() -> Paint {
    Screen::of_stdout().paint
}

/// A display of what is running: builds, `calibrate` and questions of an exam, as the message of a progress bar on a
/// terminal. Elsewhere, each `calibrate` has a line.
#[derive(Debug)]
pub(super) struct Running {
    bar: ProgressBar,
    names: Mutex<Vec<String>>,
    is_on_terminal: bool,
}

impl Running {
    pub(super) fn of(bar: &ProgressBar) -> Running {
        Running { bar: bar.clone(), names: Mutex::default(), is_on_terminal: stderr().is_terminal() }
    }

    pub(super) fn alone() -> Running {
        let bar = progress_bar(0, "{spinner} {elapsed}: {wide_msg}");
        bar.finish_and_clear();
        Running::of(&bar)
    }

    pub(super) fn begin(&self, name: String) {
        self.show(|names| names.push(name));
    }

    pub(super) fn end(&self, name: &str) {
        self.show(|names| drop(names.iter().position(|other| other == name).map(|place| names.remove(place))));
    }

    fn show(&self, change: impl FnOnce(&mut Vec<String>)) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let were_none = names.is_empty();
        change(&mut names);
        // A bar without steps has nothing else to show.
        match (self.bar.length(), were_none, names.is_empty()) {
            (Some(0), false, true) => self.bar.finish_and_clear(),
            (Some(0), true, false) => {
                // A cleared bar is shown again, with the time from now.
                self.bar.reset();
                self.bar.enable_steady_tick(TICK);
            }
            _ => {}
        }
        self.bar.set_message(escaped(&names.join(", ")));
    }
}

fn line(agent: &str, limit: Duration) -> String {
    format!("calibrating {agent}, up to {} s", limit.as_secs())
}

impl PreparationObserver for Running {
    fn calibrating(&self, agent: &str, limit: Duration) {
        match self.is_on_terminal {
            true => self.begin(line(agent, limit)),
            false => stderr_line(escaped(&line(agent, limit))),
        }
    }

    fn calibrated(&self, agent: &str, limit: Duration) {
        self.end(&line(agent, limit));
    }

    fn noted(&self, agent: &str, note: &str) {
        let line = format!("master: {}: {}", escaped(agent), escaped(&on_a_line(note)));
        self.bar.suspend(|| stderr_line(line));
    }
}

impl GradingObserver for Running {
    fn asking(&self, agent: &str, question: &str) {
        self.begin(format!("{agent}: {question}"));
    }

    fn asked(&self, agent: &str, question: &str) {
        self.end(&format!("{agent}: {question}"));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.bar.set_message("");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_names_what_is_running_not_what_ended() {
        let running = Running::of(&ProgressBar::hidden());
        for (name, begins, shown) in [
            ("ada: game 1", true, "ada: game 1"),
            ("b\tob: move 2", true, "ada: game 1, b\\tob: move 2"),
            ("ada: game 1", false, "b\\tob: move 2"),
            ("nobody", false, "b\\tob: move 2"),
            ("b\tob: move 2", false, ""),
        ] {
            match begins {
                true => running.begin(name.to_owned()),
                false => running.end(name),
            }
            assert_eq!(running.bar.message(), shown);
        }
    }
}
