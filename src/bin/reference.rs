//! `reference`: the plain minimax that agents are graded against, by the same files as `homework`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kingline::play::reference;
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
    /// Where input.txt is, and output.txt is to be.
    #[arg(default_value = ".")]
    directory: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match reference::take_turn(&arguments.directory, arguments.seed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("reference: {error}"));
            error.exit_code()
        }
    }
}
