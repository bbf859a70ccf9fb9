//! `calibrate wins`: positions of Lines of Action with a proved win, to measure the solver and the player.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `lines` | what does a file of positions contain |
//! | `find` | how are positions found in games |
//! | `solve` | how many does the solver decide, and with how many nodes |
//! | `play` | how many does the player win |

mod find;
mod lines;
mod play;
mod solve;

use std::path::PathBuf;

use anyhow::Result;
use kingline_players::figures::FiguresOption;
use kingline_players::help::GuidePage;

use crate::help::help_end;

/// Positions of Lines of Action with a proved win: finds them in games, and measures the solver and the player with them.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Loa))]
pub(crate) struct WinsArguments {
    #[command(subcommand)]
    command: WinsCommand,
}

#[derive(clap::Subcommand)]
enum WinsCommand {
    Find(find::FindArguments),
    #[command(after_help = help_end(GuidePage::Loa))]
    /// Proves each position with an empty memory, and prints how many are decided and the nodes visited.
    Solve {
        #[command(flatten)]
        positions: PositionsArguments,
        /// Nodes for each position.
        #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
        nodes: u64,
        #[command(flatten)]
        figures: FiguresOption,
    },
    #[command(after_help = help_end(GuidePage::Loa))]
    /// Plays each position out, the player of `loa` against itself, and prints how many the winner wins.
    Play {
        #[command(flatten)]
        positions: PositionsArguments,
        /// CPU seconds for each move.
        #[arg(long, value_name = "SECONDS", default_value_t = 0.1)]
        seconds: f64,
        #[command(flatten)]
        figures: FiguresOption,
    },
}

/// Positions to measure with.
#[derive(clap::Args)]
struct PositionsArguments {
    /// File of positions, as written by `calibrate wins find`; of 8x8, of 6x6, or of both.
    file: PathBuf,
    /// Number of threads. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Runs the command.
///
/// # Errors
/// Fails if a file cannot be read or written, or a line of it is wrong.
pub(crate) fn run(arguments: &WinsArguments) -> Result<()> {
    match &arguments.command {
        WinsCommand::Find(arguments) => find::run(arguments),
        WinsCommand::Solve { positions, nodes, figures } => solve::run(positions, *nodes, figures),
        WinsCommand::Play { positions, seconds, figures } => play::run(positions, *seconds, figures),
    }
}
