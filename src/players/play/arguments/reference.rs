//! Arguments of `reference`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;

use crate::help::GuidePage;
use crate::play::reference::Cost;
use kingline::game::ParseError;

/// Plays one turn of checkers by plain minimax of depth 4, with the same files as `homework`.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Debug, Parser)]
#[command(name = "reference", version, after_help = GuidePage::Turns.line())]
pub struct ReferenceArguments {
    /// Seed for the choice among moves that are nearly the best: the same seed gives the same moves. Default: the time of
    /// day, for a choice among the best.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// CPU seconds to spend on a whole game, by repeated searches; above 0, at most 10000. Default: hardly any.
    ///
    /// A single move takes a twentieth of it. The moves do not change. The course's own reference agent took 5 to 8 s a
    /// game. With little time left it spends less, and it leaves the last half second untouched. In a game,
    /// playdata.txt records the time of earlier turns; without that file, every turn takes as much as the first one.
    #[arg(long, value_name = "SECONDS")]
    cost: Option<Cost>,
    /// Step of the referee's clock, which counts only whole steps of each turn; at most 1. With --cost, turns then take
    /// whole steps. Default: the clock counts everything.
    #[arg(long, value_name = "SECONDS", value_parser = step)]
    step: Option<Duration>,
    /// Folder with input.txt and output.txt.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub directory: PathBuf,
}

impl ReferenceArguments {
    /// CPU time to spend on a game, as the referee's clock counts it.
    pub fn cost(&self) -> Option<Cost> {
        self.cost.map(|cost| cost.in_steps(self.step.unwrap_or_default()))
    }
}

fn step(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| (0.0..=1.0).contains(&seconds));
    let wrong = || ParseError::new(text, "seconds, a number from 0 to 1").to_string();
    seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
}
