//! Capabilities of standard output.

use indicatif::{ProgressBar, ProgressStyle};
use std::ffi::OsStr;
use std::io::{self, IsTerminal};

use kingline::draw::Paint;

/// Capabilities of standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Screen {
    /// True if drawings can be redrawn in place, on a terminal whose cursor can be moved.
    pub(super) is_live: bool,
    /// Use of colors.
    pub(super) paint: Paint,
}

impl Screen {
    /// Returns the capabilities of this process's standard output.
    pub(super) fn here() -> Screen {
        let value = std::env::var_os;
        Screen::of(io::stdout().is_terminal(), value("TERM").as_deref(), value("NO_COLOR").as_deref())
    }

    /// `term` and `no_color` are values of environment variables. NO_COLOR turns off only colors (no-color.org). A
    /// terminal called `dumb` has neither colors nor cursor movement.
    fn of(is_terminal: bool, term: Option<&OsStr>, no_color: Option<&OsStr>) -> Screen {
        let is_live = is_terminal && term.is_none_or(|name| name != "dumb");
        let is_colored = is_live && no_color.is_none_or(OsStr::is_empty);
        Screen { is_live, paint: if is_colored { Paint::Colored } else { Paint::Plain } }
    }
}

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
    Screen::here().paint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_live_on_a_terminal_with_or_without_colors() {
        use Paint::{Colored, Plain};
        for (is_terminal, term, no_color, is_live, paint) in [
            (true, Some("xterm"), None, true, Colored),
            (true, None, None, true, Colored),
            (true, Some("xterm"), Some(""), true, Colored),
            (true, Some("xterm"), Some("1"), true, Plain),
            (true, None, Some("0"), true, Plain),
            (true, Some("dumb"), None, false, Plain),
            (true, Some("dumb"), Some("1"), false, Plain),
            (false, Some("xterm"), None, false, Plain),
            (false, Some("xterm"), Some("1"), false, Plain),
        ] {
            let screen = Screen::of(is_terminal, term.map(OsStr::new), no_color.map(OsStr::new));
            assert_eq!(screen, Screen { is_live, paint }, "{is_terminal} {term:?} {no_color:?}");
        }
    }
}
