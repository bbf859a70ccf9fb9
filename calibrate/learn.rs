//! The offline side of evaluations: from no data to weights.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | what learning asks of a game |
//! | `record` | what is kept of a position |
//! | `file` | how records are kept in files |
//! | `selfplay` | how the engine plays with itself |
//! | `samples` | which positions teach |
//! | `fit` | how an evaluation is learned |

mod file;
pub(crate) mod fit;
mod game;
mod record;
mod samples;
pub(crate) mod selfplay;

use std::str::FromStr;

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
