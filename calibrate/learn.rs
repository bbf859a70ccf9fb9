//! The offline side of evaluations: from no data to weights.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | what learning asks of a game |
//! | `packing` | what packed positions say |
//! | `record` | what is kept of a position |
//! | `file` | how records are kept in files |
//! | `selfplay` | how the engine plays with itself |
//! | `positions` | what there is in files of games, and what of it is to be learned from |
//! | `judge` | how well an evaluation tells results that it has not seen |
//! | `samples` | which positions teach |
//! | `fit` | how an evaluation is learned |
//! | `zero` | what learning begins with |
//! | `round` | all of it, one after the other |

mod file;
mod fit;
mod game;
mod judge;
mod packing;
mod positions;
mod record;
mod round;
mod samples;
mod selfplay;
mod zero;

use std::str::FromStr;

use anyhow::Result;
use packing::Packing;

/// The commands of this room. Help texts stand on each Arguments type.
#[derive(clap::Subcommand)]
pub(crate) enum LearnCommand {
    Round(round::RoundArguments),
    Fit(fit::FitArguments),
    Selfplay(selfplay::SelfplayArguments),
    Positions(positions::PositionsArguments),
    Judge(judge::JudgeArguments),
}

/// Runs a command.
///
/// # Errors
/// See those of the commands.
pub(crate) fn run(command: &LearnCommand) -> Result<()> {
    match command {
        LearnCommand::Round(arguments) => round::run(arguments),
        LearnCommand::Fit(arguments) => fit::run(arguments),
        LearnCommand::Selfplay(arguments) => selfplay::run(arguments),
        LearnCommand::Positions(arguments) => positions::run(arguments),
        LearnCommand::Judge(arguments) => judge::run(arguments),
    }
}

/// The games that evaluations are learned for.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum GameName {
    /// American checkers.
    Checkers,
    /// Lines of Action, 8x8.
    Loa,
    /// Lines of Action, 6x6.
    Loa6,
}

impl GameName {
    /// How its positions are kept.
    pub(crate) fn packing(self) -> &'static Packing {
        match self {
            GameName::Checkers => &packing::CHECKERS,
            GameName::Loa => &packing::LOA,
            GameName::Loa6 => &packing::LOA6,
        }
    }
}

/// One of several parts of the same work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    /// From 1.
    pub(crate) number: u32,
    pub(crate) of: u32,
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
            _ => Err(format!("found \"{text}\", expected K/N with K from 1 to N, like 3/8")),
        }
    }
}

/// A number for each game of each seed, far from those of its neighbors: SplitMix64, S. Vigna, <https://prng.di.unimi.it/splitmix64.c>.
pub(crate) fn mix(seed: u64, game: u32) -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(game).wrapping_add(1) << 20);
    state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}
