//! A progress bar on a terminal; elsewhere nothing.

use std::io::IsTerminal;

use kingline::terminal::stderr_text;

pub(crate) struct Progress {
    title: String,
    done: usize,
    total: usize,
    live: bool,
}

impl Progress {
    pub(crate) fn new(title: &str, total: usize) -> Progress {
        let progress = Progress { title: title.to_owned(), done: 0, total, live: std::io::stderr().is_terminal() };
        progress.draw("");
        progress
    }

    /// One more is done; `note` is shown behind the bar.
    pub(crate) fn step(&mut self, note: &str) {
        self.advance(1, note);
    }

    /// So many more are done.
    pub(crate) fn advance(&mut self, more: usize, note: &str) {
        self.done += more;
        self.draw(note);
    }

    fn draw(&self, note: &str) {
        const WIDTH: usize = 24;
        if !self.live {
            return;
        }
        let filled = WIDTH * self.done / self.total.max(1);
        let bar = "#".repeat(filled) + &".".repeat(WIDTH - filled.min(WIDTH));
        stderr_text(format_args!("\r\x1b[K{} [{bar}] {}/{} {note}", self.title, self.done, self.total));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.live {
            stderr_text("\r\x1b[K");
        }
    }
}
