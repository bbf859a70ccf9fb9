//! Arguments of `reference`.

use std::path::PathBuf;

use clap::Parser;

use crate::help::GuidePage;
use crate::play::reference::Cost;

/// Plays one turn of checkers by plain minimax of depth 4, with the same files as `homework`.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Debug, Parser)]
#[command(name = "reference", version, after_help = GuidePage::Turns.line())]
pub struct ReferenceArguments {
    /// Seed for breaking ties between equal moves: the same seed gives the same moves. Default: the time of day.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// CPU seconds to spend on a whole game, by repeated searches; above 0, at most 10000. Default: hardly any.
    ///
    /// A single move takes a twentieth of it. The moves do not change. The course's own reference agent took 5 to 8 s a
    /// game. With little time left it spends less, and it leaves the last half second untouched. In a game,
    /// playdata.txt records the time of earlier turns; without that file, every turn takes as much as the first one.
    #[arg(long, value_name = "SECONDS")]
    pub cost: Option<Cost>,
    /// Folder with input.txt and output.txt.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub directory: PathBuf,
}
