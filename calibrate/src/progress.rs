//! Progress on standard error: drawn in place on a terminal, and as a line from time to time in a log.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use kingline_players::terminal::{duration, stderr_line, stderr_text};

/// Progress bar with throughput and an estimate of the time left. It disappears when dropped.
pub(crate) struct Progress {
    title: String,
    done: usize,
    /// Number of items that earlier runs have done.
    earlier: usize,
    total: usize,
    start: Instant,
    is_terminal: bool,
}

impl Progress {
    /// Draws a bar for `total` items.
    pub(crate) fn new(title: &str, total: usize) -> Progress {
        let (start, is_terminal) = (Instant::now(), std::io::stderr().is_terminal());
        let progress = Progress { title: title.to_owned(), done: 0, earlier: 0, total, start, is_terminal };
        progress.draw("");
        progress
    }

    /// Counts items that earlier runs have done. They do not count for the speed.
    pub(crate) fn skip(&mut self, earlier: usize) {
        self.earlier += earlier;
        self.draw("");
    }

    /// Counts one more item as done, and shows `note` after the bar.
    pub(crate) fn step(&mut self, note: &str) {
        self.advance(1, note);
    }

    /// Counts `more` items as done.
    pub(crate) fn advance(&mut self, more: usize, note: &str) {
        self.done += more;
        self.draw(note);
    }

    fn draw(&self, note: &str) {
        if self.is_terminal {
            let done = [self.earlier, self.done];
            let text = line(&self.title, done, self.total, self.start.elapsed().as_secs_f64(), note);
            stderr_text(format_args!("\r\x1b[K{text}"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal {
            stderr_text("\r\x1b[K");
        }
    }
}

/// Status line for work without a known end. It disappears when dropped.
pub(crate) struct Status {
    shown: Option<Instant>,
    start: Instant,
    is_terminal: bool,
    /// Time between two lines where standard error is no terminal; `None` for no lines.
    every: Option<Duration>,
}

/// Shortest time between two updates of a status on a terminal.
const EVERY: Duration = Duration::from_millis(200);

impl Status {
    /// Returns a status that shows nothing yet, and nothing at all if standard error is no terminal.
    pub(crate) fn new() -> Status {
        Status { shown: None, start: Instant::now(), is_terminal: std::io::stderr().is_terminal(), every: None }
    }

    /// Returns a status that writes a line every so often if standard error is no terminal.
    pub(crate) fn logged(every: Duration) -> Status {
        Status { every: Some(every), ..Status::new() }
    }

    /// True if the last update is long enough ago.
    pub(crate) fn is_due(&self) -> bool {
        match (self.is_terminal, self.every) {
            (true, _) => self.shown.is_none_or(|shown| shown.elapsed() >= EVERY),
            (false, Some(every)) => self.shown.unwrap_or(self.start).elapsed() >= every,
            (false, None) => false,
        }
    }

    /// Shows this text with the time since the start, unless the last update was too recent.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String) {
        if self.is_due() {
            self.shown = Some(Instant::now());
            let took = duration(self.start.elapsed().as_secs_f64());
            let text = text();
            match self.is_terminal {
                true => stderr_text(format_args!("\r\x1b[K{took}: {text}")),
                false => stderr_line(format_args!("{took}: {text}")),
            }
        }
    }

    /// Writes a line that stays.
    pub(crate) fn note(&mut self, text: &str) {
        if self.is_terminal {
            stderr_text("\r\x1b[K");
        }
        let took = duration(self.start.elapsed().as_secs_f64());
        stderr_line(format_args!("{took}: {text}"));
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        if self.is_terminal && self.shown.is_some() {
            stderr_text("\r\x1b[K");
        }
    }
}

/// Returns the bar as text, `seconds` after its start. `earlier` items were done before it.
fn line(title: &str, [earlier, new]: [usize; 2], total: usize, seconds: f64, note: &str) -> String {
    const WIDTH: usize = 24;
    let done = earlier + new;
    let filled = (WIDTH * done / total.max(1)).min(WIDTH);
    let bar = "#".repeat(filled) + &".".repeat(WIDTH - filled);
    let mut text = format!("{title} [{bar}] {done}/{total}");
    if new > 0 && seconds > 0.0 {
        let speed = new as f64 / seconds;
        let left = total.saturating_sub(done) as f64 / speed;
        text += &format!(", {} a second, {} left", rounded(speed), duration(left));
    }
    if !note.is_empty() {
        text += &format!(", {note}");
    }
    text
}

/// Formats numbers below 10 with one decimal place, larger ones with none.
fn rounded(number: f64) -> String {
    if number < 10.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gets_a_line_from_time_to_time() {
        let of = |is_terminal, every| Status { shown: None, start: Instant::now(), is_terminal, every };
        let minute = Some(Duration::from_secs(60));
        assert!(of(true, minute).is_due() && of(true, None).is_due());
        assert!(!of(false, minute).is_due() && !of(false, None).is_due());
        let mut status = of(false, Some(Duration::from_millis(30)));
        for _ in 0..2 {
            assert!(!status.is_due());
            std::thread::sleep(Duration::from_millis(31));
            assert!(status.is_due());
            status.show(String::new);
        }
    }

    #[test]
    fn the_bar_has_throughput_and_time_left() {
        assert_eq!(line("match", [0, 0], 8, 0.5, ""), "match [........................] 0/8");
        assert_eq!(
            line("match", [0, 2], 8, 4.0, "+1 =0 -1"),
            "match [######..................] 2/8, 0.5 a second, 12 s left, +1 =0 -1"
        );
        assert_eq!(line("match", [2, 2], 8, 4.0, ""), "match [############............] 4/8, 0.5 a second, 8 s left");
        assert_eq!(line("x", [0, 8], 8, 0.01, ""), "x [########################] 8/8, 800 a second, 0 s left");
        assert_eq!([99.0, 300.0, 9000.0, 72_000.0].map(duration), ["99 s", "5 min", "2.5 h", "20 h"]);
    }
}
