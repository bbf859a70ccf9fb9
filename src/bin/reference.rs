//! `reference`: the plain minimax that agents are graded against, by the same files as `homework`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kingline::play::reference::{self, Cost};
use kingline::terminal::stderr_line;

/// Reads input.txt, searches to a fixed depth, writes output.txt.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Parser)]
#[command(name = "reference", version)]
struct Arguments {
    /// Breaks ties between equal moves; equal seeds play equally. By default the time of day.
    #[arg(long)]
    seed: Option<u64>,
    /// Spends CPU time, by searching on: about this much in a whole game, and a twentieth of it on a single move. The
    /// moves stay the same. The course's own reference agent took 5 to 8 s a game; without --cost this one takes hardly
    /// any.
    ///
    /// Of a short budget it spends less, and nothing of the last half second. In a game playdata.txt keeps what earlier
    /// turns have spent: without that file every turn takes as much as the first one.
    #[arg(long, value_name = "SECONDS")]
    cost: Option<Cost>,
    /// Where input.txt is, and output.txt is to be.
    #[arg(default_value = ".")]
    directory: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match reference::take_turn(&arguments.directory, arguments.seed, arguments.cost) {
        Ok(warnings) => {
            warnings.iter().for_each(|warning| stderr_line(format_args!("warning: {warning}")));
            ExitCode::SUCCESS
        }
        Err(error) => {
            stderr_line(format_args!("reference: {error}"));
            error.exit_code()
        }
    }
}
