//! How does a command record what it measures?

use std::path::PathBuf;

use anyhow::Result;
use clap::builder::{PathBufValueParser, TypedValueParser};

use super::command::this_command;
use super::row::{Figure, Row, Topic};
use super::rows::Rows;

/// The option of every command that measures.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct FiguresOption {
    /// Also record in FILE what was measured: a row for each figure, with this command, the machine and the date.
    /// `calibrate figures FILE` prints a page of such rows. A command that fails leaves none, `bench` those of the parts
    /// before.
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(checked))]
    figures: Option<PathBuf>,
}

impl FiguresOption {
    /// Records what this process has measured by its own command line, if that is asked for.
    ///
    /// # Errors
    /// The file cannot be written, or was damaged meanwhile; it stays as it was.
    pub fn record(&self, topic: Topic, figures: impl IntoIterator<Item = Figure>) -> Result<()> {
        self.record_by(&this_command(), topic, figures)
    }

    /// Likewise, what is measured by another command, of which this process has done the work too.
    ///
    /// # Errors
    /// See [`FiguresOption::record`].
    pub fn record_by(&self, command: &str, topic: Topic, figures: impl IntoIterator<Item = Figure>) -> Result<()> {
        let Some(path) = &self.figures else { return Ok(()) };
        Rows::record_in(path, figures.into_iter().map(|figure| Row::here(topic, figure, command)))
    }
}

/// The path of a file that rows can be added to: better to know before an hour of measuring than after.
fn checked(path: PathBuf) -> Result<PathBuf, String> {
    match Rows::read_or_new(&path) {
        Ok(_) => Ok(path),
        Err(error) => Err(format!("{error:#}")),
    }
}
