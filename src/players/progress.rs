//! Progress on standard error: drawn in place on a terminal, elsewhere as a line a minute.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};

use crate::terminal::{duration, stderr_line};

/// Time between two lines where standard error is no terminal.
pub const MINUTE: Duration = Duration::from_secs(60);
/// Time between two updates on a terminal.
pub const TICK: Duration = Duration::from_millis(200);

/// A bar, or another text that shows how far some work is. It disappears when it is dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Number of steps that earlier runs have done. They do not count for the speed.
    earlier: Arc<AtomicU64>,
}

impl Progress {
    /// Shows a bar for `total` steps, with their speed and an estimate of the time left.
    pub fn new(title: &str, total: usize) -> Progress {
        let progress =
            Progress::with_template(total as u64, "{prefix} [{bar:24}] {pos}/{len}{speed}{left}{msg}", MINUTE);
        progress.set_prefix(title.to_owned());
        progress
    }

    /// Shows `total` steps by an indicatif template, in which `{speed}` and `{left}` stand for the speed and an estimate of
    /// the time left. Where standard error is no terminal, writes a line every so often.
    pub fn with_template(total: u64, template: &str, every: Duration) -> Progress {
        let earlier = Arc::new(AtomicU64::new(0));
        let is_terminal = io::stderr().is_terminal();
        let target = match is_terminal {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::term_like_with_hz(Box::new(Log::new(every)), 1),
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        // A line of a log does not turn.
        let template = if is_terminal { template } else { template.trim_start_matches("{spinner} ") };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let (of_speed, of_left) = (Arc::clone(&earlier), Arc::clone(&earlier));
            // indicatif's own estimate starts at 0 and can reach millions of years.
            let speed = move |state: &ProgressState, text: &mut dyn Write| {
                let _ = text.write_str(&speed(mean(state.elapsed(), new(state, &of_speed))));
            };
            let left = move |state: &ProgressState, text: &mut dyn Write| {
                let missing = state.len().unwrap_or_default().saturating_sub(state.pos());
                let mean = mean(state.elapsed(), new(state, &of_left));
                let _ = text.write_str(&time_left(mean.map(|mean| mean * missing as f64)));
            };
            bar.set_style(style.with_key("speed", speed).with_key("left", left).progress_chars("##."));
        }
        bar.enable_steady_tick(if is_terminal { TICK } else { every.min(MINUTE) / 4 });
        Progress { bar, earlier }
    }

    /// Counts steps that earlier runs have done.
    pub fn skip(&mut self, earlier: usize) {
        self.earlier.fetch_add(earlier as u64, Relaxed);
        self.bar.inc(earlier as u64);
    }

    /// Counts one more step as done, and shows `note` after the bar.
    pub fn step(&mut self, note: &str) {
        self.advance(1, note);
    }

    /// Counts `more` steps as done.
    pub fn advance(&mut self, more: usize, note: &str) {
        if !note.is_empty() {
            self.bar.set_message(format!(", {note}"));
        }
        self.bar.inc(more as u64);
    }
}

impl Deref for Progress {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A status line for work without a known end. It disappears when it is dropped.
#[derive(Debug)]
pub struct Status {
    progress: Progress,
    shown: Option<Instant>,
}

impl Status {
    /// Shows nothing yet.
    #[expect(clippy::new_without_default, reason = "a status that begins to show itself is no default")]
    pub fn new() -> Status {
        Status::logged(MINUTE)
    }

    /// Writes a line every so often where standard error is no terminal.
    pub fn logged(every: Duration) -> Status {
        Status { progress: Progress::with_template(0, "{msg}", every), shown: None }
    }

    /// True if the last text is old enough for another.
    pub fn is_due(&self) -> bool {
        self.shown.is_none_or(|shown| shown.elapsed() >= TICK)
    }

    /// Shows this text with the time since the start, unless the last one is too recent.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        if self.is_due() {
            self.shown = Some(Instant::now());
            let text = self.timed(&text());
            self.progress.set_message(text);
        }
    }

    /// Writes a line that stays.
    pub fn note(&mut self, text: &str) {
        // The bar is locked while it is hidden.
        let line = self.timed(text);
        self.progress.suspend(|| stderr_line(line));
    }

    fn timed(&self, text: &str) -> String {
        format!("{}: {text}", duration(self.progress.elapsed().as_secs_f64()))
    }
}

/// Number of steps done by this run.
fn new(state: &ProgressState, earlier: &AtomicU64) -> u64 {
    state.pos().saturating_sub(earlier.load(Relaxed))
}

/// Seconds that a step takes if so many took this time; `None` if none is done.
pub fn mean(time: Duration, steps: u64) -> Option<f64> {
    (steps > 0).then(|| time.as_secs_f64() / steps as f64)
}

/// The speed as the end of a sentence: `, 0.5 a second`; empty if no step is done.
fn speed(mean: Option<f64>) -> String {
    match mean.filter(|&mean| mean > 0.0).map(|mean| 1.0 / mean) {
        None => String::new(),
        Some(speed) if speed < 0.1 => format!(", {:.0} an hour", 3600.0 * speed),
        Some(speed) if speed < 10.0 => format!(", {speed:.1} a second"),
        Some(speed) => format!(", {speed:.0} a second"),
    }
}

/// An estimate as the end of a sentence: `, about 40 s left`; empty if there is none, or nothing is left.
pub fn time_left(seconds: Option<f64>) -> String {
    let seconds = seconds.filter(|&seconds| seconds > 0.0);
    seconds.map_or_else(String::new, |seconds| format!(", about {} left", duration(seconds.max(1.0))))
}

/// A terminal of which only a line from time to time is written: what would be drawn then.
#[derive(Debug)]
struct Log {
    every: Duration,
    drawn: Mutex<Drawn>,
}

#[derive(Debug)]
struct Drawn {
    line: String,
    /// Time of the last written line, or of the start.
    last: Instant,
}

impl Log {
    fn new(every: Duration) -> Log {
        Log { every, drawn: Mutex::new(Drawn { line: String::new(), last: Instant::now() }) }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Drawn) -> T) -> T {
        change(&mut self.drawn.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The drawn line, if it is time for one.
    fn due(&self) -> Option<String> {
        self.change(|drawn| {
            let line = std::mem::take(&mut drawn.line);
            let is_due = drawn.last.elapsed() >= self.every && !line.trim().is_empty();
            is_due.then(|| {
                drawn.last = Instant::now();
                line.trim().to_owned()
            })
        })
    }
}

impl TermLike for Log {
    fn width(&self) -> u16 {
        160
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.change(|drawn| drawn.line += text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.change(|drawn| drawn.line.clear());
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        self.due().into_iter().for_each(stderr_line);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_and_time_left_are_estimates_from_what_is_done_or_none() {
        for (elapsed, done, missing, expected) in [
            (1e9, 0, 5.0, ["", ""]),
            (60.0, 4, 0.0, [", 240 an hour", ""]),
            (0.001, 4, 5.0, [", 4000 a second", ", about 1 s left"]),
            (4.0, 2, 6.0, [", 0.5 a second", ", about 12 s left"]),
            (60.0, 1, 19.0, [", 60 an hour", ", about 19 min left"]),
        ] {
            let mean = mean(Duration::from_secs_f64(elapsed), done);
            assert_eq!([speed(mean), time_left(mean.map(|mean| mean * missing))], expected);
        }
    }

    #[test]
    fn a_log_gets_a_line_from_time_to_time() {
        let log = Log::new(Duration::from_millis(30));
        for _ in 0..2 {
            log.write_str("match [##..] 2/4  ").unwrap();
            assert_eq!(log.due(), None);
            std::thread::sleep(Duration::from_millis(31));
            assert_eq!(log.due(), None, "nothing is drawn");
            log.write_str("match [##..] 2/4  ").unwrap();
            assert_eq!(log.due().as_deref(), Some("match [##..] 2/4"));
        }
    }
}
