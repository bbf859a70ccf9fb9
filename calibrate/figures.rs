//! `calibrate figures`: what has been measured, as a page.

use std::path::PathBuf;

use anyhow::Result;
use kingline::figures::Rows;
use kingline::help::GuidePage;
use kingline::terminal::stdout_line;

use crate::help_end;

/// Prints the page of figures that other commands have recorded, in Markdown.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Figures))]
pub(crate) struct FiguresArguments {
    /// File of rows as `--figures FILE` leaves them, a JSON object a line.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Prints the page, in Markdown.
///
/// # Errors
/// The file cannot be read, or a [`LineError`](kingline::game::LineError) says what is wrong in which line.
pub(crate) fn run(arguments: &FiguresArguments) -> Result<()> {
    stdout_line(Rows::read(&arguments.file)?.page().trim_end())
}
