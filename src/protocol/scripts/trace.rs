use crate::terminal::stderr_line;

/// Whether all input and output of programs is shown on standard error (§1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// It is.
    On,
    /// It is not.
    Off,
}

/// Where a line goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Sent,
    Received,
    Error,
}

impl Trace {
    /// Shows a line of the program that has this number, from 0.
    pub(super) fn show(self, number: usize, way: Direction, line: &str) {
        if self == Trace::Off {
            return;
        }
        let mark = match way {
            Direction::Sent => "<",
            Direction::Received => ">",
            Direction::Error => "E>",
        };
        stderr_line(format_args!("[{}]{mark} {}", number + 1, line.trim_end_matches(['\r', '\n'])));
    }
}
