//! Words for people: results on standard output, troubles on standard error.

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};

use anyhow::Result;

use crate::master::board::Paint;

/// Prints a line of a result.
///
/// # Errors
/// Standard output cannot be written; see [`is_unread`].
pub(super) fn say(line: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Prints a line on standard error, if anybody is there to read it.
pub(super) fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether this error only says that nobody reads the results any more.
pub(super) fn is_unread(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// Colours on a terminal alone, and not where somebody has asked for none (no-color.org).
pub(super) fn paint() -> Paint {
    let asked_for_none = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !asked_for_none { Paint::Colored } else { Paint::Plain }
}
