//! How are input and output of programs shown on the way (§1)?

/// Who is shown each line that goes in or out of a program.
#[derive(Clone, Copy, Debug)]
pub enum Trace {
    /// Nobody.
    Off,
    /// This function, by several threads: `[1]< sent`, `[1]> received`, `[1]E> error text`.
    To(fn(&str)),
}

/// Which way a line goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Sent,
    Received,
    Error,
}

impl Trace {
    /// Shows a line of the program with this number, from 0.
    pub(super) fn show(self, number: usize, flow: Flow, line: &str) {
        let Trace::To(show) = self else { return };
        let mark = match flow {
            Flow::Sent => "<",
            Flow::Received => ">",
            Flow::Error => "E>",
        };
        show(&format!("[{}]{mark} {}", number + 1, line.trim_end_matches(['\r', '\n'])));
    }
}
