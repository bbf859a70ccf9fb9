//! Learns evaluations, from self-play games to weights.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | how does learning see a game's positions and its network |
//! | `record` | what does the record of a position contain |
//! | `file`, `reader` | how are records written to files, and read back, even from damaged ones |
//! | `selfplay` | how does the engine play with itself |
//! | `relabel` | how do positions get scores of longer searches |
//! | `positions`, `census` | which positions are kept, and what do game files contain |
//! | `loss` | how far are predictions from results |
//! | `chances` | how many points does a score promise |
//! | `judge` | how well does an evaluation predict unseen results |
//! | `fit` | how is an evaluation learned |
//! | `round` | how do the steps work together |

pub(crate) mod census;
pub(crate) mod chances;
mod file;
mod fit;
mod game;
pub(crate) mod judge;
mod loss;
mod positions;
mod reader;
mod record;
mod relabel;
pub(crate) mod round;
mod selfplay;

use std::path::Path;

use anyhow::Result;

pub(crate) use game::{Learned, game_seed};
pub(crate) use record::Record;

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

pub(crate) fn run(command: &LearnCommand) -> Result<()> {
    match command {
        LearnCommand::Round(arguments) => round::run(arguments),
        LearnCommand::Fit(arguments) => fit::learn(arguments).map(drop),
        LearnCommand::Selfplay(arguments) => selfplay::run(arguments),
        LearnCommand::Relabel(arguments) => relabel::run(arguments),
        LearnCommand::Positions(arguments) => positions::run(arguments),
        LearnCommand::Judge(arguments) => judge::run(arguments),
        LearnCommand::Chances(arguments) => chances::run(arguments),
    }
}

pub(crate) fn game_records<G: Learned>(path: &Path) -> Result<Vec<Record>> {
    Ok(reader::read(path, G::VIEW)?.records)
}
