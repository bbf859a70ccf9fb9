//! Input and usage errors, which end the program with exit code 2.

use std::fmt;

/// Error, or context of an error, caused by the user's input.
#[derive(Debug)]
pub(crate) struct BadInput(String);

impl BadInput {
    pub(crate) fn new(message: impl Into<String>) -> BadInput {
        BadInput(message.into())
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}
