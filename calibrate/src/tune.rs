//! `calibrate tune`: numbers of search and time management, tuned by games between slightly different players.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `numbers` | which numbers are tuned, and within which bounds |
//! | `spsa` | what does the result of a pair of games say about them |
//! | `run` | how are the games played, and how does an interrupted run continue |

mod numbers;
pub(crate) mod run;
mod spsa;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound::{Excluded, Included};
use std::path::PathBuf;

use anyhow::Result;
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stdout_json, stdout_line};
use serde::Serialize;
use serde_json::Value;

use crate::matches::checkers::CheckersPlayer;
use crate::matches::loa::LoaPlayer;
use crate::matches::{EloPair, MatchReport};
use crate::options::{ThreadsOption, help_end, number};

const NUMBERS: &str = r#"The file of numbers is a JSON object. Its names are those of a player of `calibrate match`, with dots:
  {
    "params.prob_cut.margin": {"min": 0, "max": 100, "step": 8},
    "params.late_move_reduction.divisor": {"begin": 2.5, "min": 0.5, "max": 5, "step": 0.3}
  }
  begin  Value to begin with. Default: the player's.
  min, max  Bounds of the value.
  step   Distance of the two players from the current value in the last games; larger in the first ones. It should cost
         a few percent of the points. For a whole number, at least 1.
In checkers, `frugality` and all numbers in `params` have names; in Lines of Action, `settings.solver` and all numbers in
`settings.search`.

Method: simultaneous perturbation stochastic approximation (Spall 1998), as in fishtest. In each pair of games, two
players meet whose numbers differ from the current values by a step up or down, at random; then all numbers move toward
the winner. Games start from the openings of `calibrate match`. With nodes, the same command gives the same numbers on
any machine and any number of threads.

FOLDER receives `games.jsonl`, the results so far; `numbers.svg`, a plot of the numbers; and `match.jsonl`, the games of
the final match between the tuned numbers (first player) and those of the beginning. The same command continues an
interrupted run. A folder of other numbers, other options or another engine is refused, unless --anew is given."#;

/// Tunes numbers of search and time management by games between slightly different players.
#[derive(clap::Args)]
#[command(after_long_help = format!("{NUMBERS}\n\n{}", help_end(GuidePage::Learning)))]
pub(crate) struct TuneArguments {
    /// Game to play.
    #[arg(value_enum)]
    game: GameName,
    /// JSON file with the numbers to tune, their bounds and steps. --help describes it.
    #[arg(value_name = "NUMBERS")]
    numbers: PathBuf,
    /// Folder for the results so far and the plot.
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Player whose numbers are tuned, as JSON, with its time or nodes. `calibrate match --help` describes the fields.
    #[arg(long, value_name = "PLAYER", default_value = "{\"nodes\": 1000}")]
    player: String,
    /// Number of pairs of games.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pairs: u32,
    /// Part of its step by which a number moves when a player wins both games at the end, above 0, at most 1.
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = number(Excluded(0.0), Included(1.0)))]
    rate: f64,
    /// Test of the final match, in Elo for the tuned numbers.
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", allow_hyphen_values = true)]
    sprt: EloPair,
    /// Largest number of openings in the final match; 0 for no match.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    openings: usize,
    /// Seed for the games and the steps.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsOption,
    /// Delete the results of an earlier run in FOLDER and begin anew.
    #[arg(long)]
    anew: bool,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &TuneArguments) -> Result<()> {
    let report = match arguments.game {
        GameName::Checkers => run::tune::<CheckersPlayer>(arguments)?,
        GameName::Loa => run::tune::<LoaPlayer<8>>(arguments)?,
        GameName::Loa6 => run::tune::<LoaPlayer<6>>(arguments)?,
    };
    if arguments.json { stdout_json(serde_json::to_value(report)?) } else { stdout_line(report) }
}

/// Tuned numbers: the output of `calibrate tune --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Tuned"))]
pub(crate) struct TuneReport {
    /// The numbers by their path in the player's JSON.
    numbers: BTreeMap<String, TunedNumber>,
    /// Pairs of games.
    pairs: u32,
    /// The tuned player, as `calibrate match` reads it.
    #[cfg_attr(feature = "schemas", schemars(with = "serde_json::Map<String, Value>"))]
    player: Value,
    /// Match of the tuned player against the one of the beginning; null without.
    #[serde(rename = "match")]
    test: Option<MatchReport>,
}

/// A tuned number.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct TunedNumber {
    /// Value at the beginning.
    begin: f64,
    /// Final value.
    end: f64,
}

impl fmt::Display for TuneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, TunedNumber { begin, end }) in &self.numbers {
            writeln!(f, "{name}: {begin} to {end}")?;
        }
        writeln!(f, "after {} pairs of games", self.pairs)?;
        write!(f, "{}", self.player)?;
        self.test.iter().try_for_each(|test| write!(f, "\nagainst the beginning:\n{test}"))
    }
}
