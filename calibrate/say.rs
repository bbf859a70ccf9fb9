//! Words for people: results on standard output, troubles on standard error.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anyhow::Result;

/// Prints a line of a result.
///
/// # Errors
/// Standard output cannot be written; see [`is_unread`].
pub(crate) fn say(line: impl Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Prints a line on standard error, if anybody is there to read it.
pub(crate) fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether this error only says that nobody reads the results any more.
pub(crate) fn is_unread(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
