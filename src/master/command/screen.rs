//! Progress bars, and the use of colors on standard output.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use kingline::draw::Paint;
use kingline_players::terminal::{Screen, duration};

/// Returns a progress bar on standard error, visible if that is a terminal; `template` is an indicatif template, in which
/// `{left}` stands for an estimate of the time left.
pub(super) fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        // indicatif's own estimate starts at 0 and can reach millions of years.
        let left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let missing = state.len().unwrap_or_default().saturating_sub(state.pos());
            let _ = text.write_str(&time_left(mean(state.elapsed(), state.pos()).map(|mean| mean * missing as f64)));
        };
        bar.set_style(style.with_key("left", left));
    }
    tick(&bar);
    bar
}

/// Draws a visible bar again and again, so that its clock runs.
pub(super) fn tick(bar: &ProgressBar) {
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
}

/// Seconds that a step takes if so many took this time; `None` if none is done.
pub(super) fn mean(time: Duration, steps: u64) -> Option<f64> {
    (steps > 0).then(|| time.as_secs_f64() / steps as f64)
}

/// An estimate as the end of a sentence: `, about 40 s left`; empty if there is none, or nothing is left.
pub(super) fn time_left(seconds: Option<f64>) -> String {
    let seconds = seconds.filter(|&seconds| seconds > 0.0);
    seconds.map_or_else(String::new, |seconds| format!(", about {} left", duration(seconds.max(1.0))))
}

/// Returns whether standard output may be colored.
pub(super) fn paint() -> Paint {
    Screen::of_stdout().paint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_an_estimate_from_what_is_done_or_none() {
        for (elapsed, done, missing, words) in [
            (1e9, 0, 5.0, ""),
            (60.0, 4, 0.0, ""),
            (0.001, 4, 5.0, ", about 1 s left"),
            (60.0, 4, 2.0, ", about 30 s left"),
            (60.0, 1, 19.0, ", about 19 min left"),
        ] {
            let mean = mean(Duration::from_secs_f64(elapsed), done);
            assert_eq!(time_left(mean.map(|mean| mean * missing)), words);
        }
    }
}
