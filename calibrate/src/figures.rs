//! `calibrate figures`: the page of measured figures.

mod page;
mod rows;

use std::path::PathBuf;

use anyhow::Result;
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;

use crate::help::help_end;

/// Prints the page of recorded figures, in Markdown.
///
/// `bench`, `depth`, `tables`, `endings`, `solve`, `match` and `judge` record figures with --figures, and so do
/// `master` commands. If a figure was measured several times, the last row counts.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Figures))]
pub(crate) struct FiguresArguments {
    /// File with the rows that `--figures FILE` writes, one JSON object per line.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Prints the page in Markdown.
///
/// # Errors
/// Fails if the file cannot be read. A [`LineError`](kingline::game::LineError) names the line and what is wrong with
/// it.
pub(crate) fn run(arguments: &FiguresArguments) -> Result<()> {
    stdout_line(page::page(&rows::read(&arguments.file)?)?.trim_end())
}
