//! Learns evaluations, from self-play games to weights.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | what does learning need to know about a game |
//! | `game_name` | which games does the command line accept |
//! | `packing` | how are positions packed |
//! | `view` | how does the network of a game see them |
//! | `record` | what does the record of a position contain |
//! | `file` | how are records kept in files |
//! | `seed` | which seed does each game have |
//! | `selfplay` | how does the engine play with itself |
//! | `relabel` | how do positions get scores of longer searches |
//! | `positions` | what do game files contain, and which of their positions are kept |
//! | `chances` | how many points does a score promise |
//! | `judge` | how well does an evaluation predict unseen results |
//! | `samples` | which positions are learned from |
//! | `fit` | how is an evaluation learned |
//! | `zero` | which weights does learning start from |
//! | `round` | how do the steps work together |

mod chances;
mod file;
mod fit;
mod game;
mod game_name;
mod judge;
mod packing;
mod positions;
mod record;
mod relabel;
mod round;
mod samples;
mod seed;
mod selfplay;
mod view;
mod zero;

use std::path::Path;

use anyhow::Result;

pub(crate) use game::Learned;
pub(crate) use record::Record;
pub(crate) use seed::game_seed;

/// Learning commands. The help texts are on the Arguments types.
#[derive(clap::Subcommand)]
pub(crate) enum LearnCommand {
    Round(round::RoundArguments),
    Fit(fit::FitArguments),
    Selfplay(selfplay::SelfplayArguments),
    Relabel(relabel::RelabelArguments),
    Positions(positions::PositionsArguments),
    Judge(judge::JudgeArguments),
    Chances(chances::ChancesArguments),
}

/// Runs a command.
///
/// # Errors
/// Fails as the command does.
pub(crate) fn run(command: &LearnCommand) -> Result<()> {
    match command {
        LearnCommand::Round(arguments) => round::run(arguments),
        LearnCommand::Fit(arguments) => fit::run(arguments),
        LearnCommand::Selfplay(arguments) => selfplay::run(arguments),
        LearnCommand::Relabel(arguments) => relabel::run(arguments),
        LearnCommand::Positions(arguments) => positions::run(arguments),
        LearnCommand::Judge(arguments) => judge::run(arguments),
        LearnCommand::Chances(arguments) => chances::run(arguments),
    }
}

/// Reads the records of a game file.
///
/// # Errors
/// Fails if it cannot be read or contains another game.
pub(crate) fn game_records<G: Learned>(path: &Path) -> Result<Vec<Record>> {
    Ok(file::read(path, G::PACKING)?.records)
}
