//! Options that several commands share.

use std::fmt::Display;

use anyhow::Result;
use kingline_players::terminal::{stdout_json, stdout_line};
use kingline_players::threads::Threads;
use serde::Serialize;

/// The option `--threads`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct ThreadsOption {
    /// Number of threads; the result does not depend on it. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsOption {
    pub(crate) fn threads(self) -> Threads {
        Threads::new(self.threads)
    }
}

/// The option `--json`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct JsonOption {
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

impl JsonOption {
    /// Prints a result as text or as JSON.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub(crate) fn print(self, result: &(impl Display + Serialize)) -> Result<()> {
        if self.json { stdout_json(serde_json::to_string(result)?) } else { stdout_line(result) }
    }
}
