//! Capabilities of the terminal behind an output stream.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};

use kingline::draw::Paint;

/// Capabilities of the terminal behind an output stream, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// True if drawings can be redrawn in place, on a terminal whose cursor can be moved.
    pub is_live: bool,
    /// Use of colors.
    pub paint: Paint,
}

impl Screen {
    /// Returns the capabilities of this process's standard output.
    pub fn of_stdout() -> Screen {
        Screen::here(&io::stdout())
    }

    /// Returns the capabilities of this process's standard error.
    pub(crate) fn of_stderr() -> Screen {
        Screen::here(&io::stderr())
    }

    fn here(stream: &impl IsTerminal) -> Screen {
        let value = env::var_os;
        let screen = Screen::of(stream.is_terminal(), value("TERM").as_deref(), value("NO_COLOR").as_deref());
        if screen.paint == Paint::Colored && !understands_colors() {
            return Screen { paint: Paint::Plain, ..screen };
        }
        screen
    }

    /// `term` and `no_color` are values of environment variables. NO_COLOR turns off only colors (no-color.org). A
    /// terminal called `dumb` has neither colors nor cursor movement.
    fn of(is_terminal: bool, term: Option<&OsStr>, no_color: Option<&OsStr>) -> Screen {
        let is_live = is_terminal && term.is_none_or(|name| name != "dumb");
        let is_colored = is_live && no_color.is_none_or(OsStr::is_empty);
        Screen { is_live, paint: if is_colored { Paint::Colored } else { Paint::Plain } }
    }
}

/// Makes a Windows console understand the escape sequences of colors. Returns true if it does.
#[cfg(windows)]
fn understands_colors() -> bool {
    anstyle_query::windows::enable_ansi_colors() == Some(true)
}

#[cfg(not(windows))]
fn understands_colors() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_live_with_or_without_colors() {
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
