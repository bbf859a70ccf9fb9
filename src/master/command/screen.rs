//! Progress bars, and the use of colors on standard output.

use kingline::draw::Paint;
use kingline_players::progress::{MINUTE, Progress};
use kingline_players::terminal::Screen;

/// Returns a progress bar on standard error, in the form of an indicatif template: see [`Progress::with_template`].
pub(super) fn progress_bar(length: u64, template: &str) -> Progress {
    Progress::with_template(length, template, MINUTE)
}

/// Returns whether standard output may be colored.
pub(super) fn paint() -> Paint {
    Screen::of_stdout().paint
}
