//! `reference`: the plain minimax that agents are graded against, by the same files as `homework`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kingline::help::GuidePage;
use kingline::play::reference::{self, Cost};
use kingline::terminal::stderr_line;

/// Plays one turn of checkers by plain minimax of depth 4, by the same files as `homework`.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Parser)]
#[command(name = "reference", version, after_help = GuidePage::Turns.line())]
struct Arguments {
    /// Seed that breaks ties between equal moves: equal seeds give equal moves. Default: the time of day.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// CPU seconds to spend in a whole game, by searching again; above 0, at most 10000. Default: hardly any.
    ///
    /// A single move takes a twentieth of it. The moves stay the same. The course's own reference agent took 5 to 8 s a
    /// game. If little time is left it spends less, and nothing of the last half second. In a game playdata.txt keeps what
    /// earlier turns have spent; without that file every turn takes as much as the first one.
    #[arg(long, value_name = "SECONDS")]
    cost: Option<Cost>,
    /// The folder of input.txt, where output.txt is written.
    #[arg(value_name = "FOLDER", default_value = ".")]
    directory: PathBuf,
}

fn main() -> ExitCode {
    #[cfg(feature = "manual")]
    if let Some(code) = kingline::manual::write_if_asked::<Arguments>() {
        return code;
    }
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
