//! Progress bars, and the use of colors on standard output.

use indicatif::{ProgressBar, ProgressStyle};

use kingline::draw::Paint;
use kingline::terminal::Screen;

/// Returns a progress bar on standard error, visible if that is a terminal; `template` is an indicatif template.
pub(super) fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Returns whether standard output may be colored.
pub(super) fn paint() -> Paint {
    Screen::of_stdout().paint
}
