//! `calibrate tune`: numbers of search and time management, tuned by games between slightly different players.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `numbers` | which numbers are tuned, and within which bounds |
//! | `spsa` | what does the result of a pair of games say about them |
//! | `run` | how are the games played, and how does an interrupted run continue |

mod numbers;
mod run;
mod spsa;

use std::fmt;
use std::path::PathBuf;

use anyhow::Result;
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stdout_json, stdout_line};
use serde_json::{Map, Value, json};

use crate::matches::checkers::CheckersPlayer;
use crate::matches::loa::LoaPlayer;
use crate::matches::{EloPair, MatchReport};
use crate::options::{ThreadsOption, help_end};
use numbers::Number;

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
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = rate)]
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
    if arguments.json { stdout_json(report.to_json()) } else { stdout_line(report) }
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| rate > 0.0 && rate <= 1.0);
    rate.ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}

struct TuneReport {
    numbers: Vec<Number>,
    values: Vec<f64>,
    pairs: u32,
    player: Value,
    /// Match of the tuned player against the one of the beginning.
    test: Option<MatchReport>,
}

impl fmt::Display for TuneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, value) in self.numbers.iter().zip(&self.values) {
            writeln!(f, "{}: {} to {}", number.name, number.begin, number.rounded(*value))?;
        }
        writeln!(f, "after {} pairs of games", self.pairs)?;
        write!(f, "{}", self.player)?;
        self.test.iter().try_for_each(|test| write!(f, "\nagainst the beginning:\n{test}"))
    }
}

impl TuneReport {
    fn to_json(&self) -> Value {
        let numbers = self.numbers.iter().zip(&self.values).map(|(number, value)| {
            (number.name.clone(), json!({ "begin": number.begin, "end": number.rounded(*value) }))
        });
        json!({
            "numbers": Map::from_iter(numbers),
            "pairs": self.pairs,
            "player": self.player,
            "match": self.test,
        })
    }
}
