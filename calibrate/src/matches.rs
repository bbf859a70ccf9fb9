//! `calibrate match`: games between two players, in this process or programs, to measure their strength.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `player` | what is a player, and how do two of them play a game |
//! | `checkers`, `loa` | how does a player of each game choose its moves |
//! | `help` | how does `--help` describe players |
//! | `programs`, `process` | how does another program play |
//! | `runner` | how are several games played at once, when does a match end, how does an interrupted one continue |
//! | `tally` | what are the results |
//! | `sprt` | what do pairs of games say about the difference in strength |

pub(crate) mod checkers;
mod help;
pub(crate) mod loa;
mod player;
mod process;
mod programs;
pub(crate) mod runner;
mod sprt;
mod tally;

use std::num::NonZeroUsize;
use std::ops::Bound::{Excluded, Included};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kingline::knowledge::checksum;
use kingline_players::exit::BadInput;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::files::{FileKind, check_target};
use kingline_players::game_name::GameName;
use kingline_players::journal::Run;
use kingline_players::terminal::stderr_line;
use kingline_players::threads::Threads;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::openings::Level;
use crate::options::{JsonOption, number};
use checkers::CheckersPlayer;
use loa::LoaPlayer;
pub(crate) use player::{Player, change, player, shortest};
pub(crate) use runner::{Match, MatchRecord};
#[cfg(test)]
pub(crate) use sprt::expected_share;
pub(crate) use sprt::{EloPair, Sprt};
pub(crate) use tally::{MatchReport, Tally};

/// Plays games between two players, and reports which one is stronger.
///
/// A player plays in this process, or is another program, such as an earlier build of `homework` or `loa`.
#[derive(clap::Args)]
#[command(after_long_help = help::text())]
pub(crate) struct MatchArguments {
    /// First player as JSON, like '{"nodes": 20000, "params": {"prob_cut": null}}'. --help describes the fields.
    first: String,
    /// Second player as JSON.
    second: String,
    /// Game to play.
    #[arg(long, value_enum, default_value_t = GameName::Checkers)]
    game: GameName,
    /// Number of openings; with --sprt, their maximum. Each is played twice, with colors exchanged.
    #[arg(long, value_name = "N", default_value_t = 50)]
    openings: usize,
    /// Seed for the openings. The same seed gives the same openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play only openings in which each player's own search of 20,000 nodes finds neither side more than MEN ahead.
    #[arg(long, value_name = "MEN", value_parser = number(Excluded(0.0), Included(100.0)))]
    level: Option<f64>,
    /// Number of games played at once. Each measures the CPU time of its own thread and programs; 1 for players with
    /// several threads, which use wall time.
    #[arg(long, value_name = "N", default_value = "2")]
    threads: NonZeroUsize,
    /// End the match once a sequential test accepts that the first player is stronger by ELO0 (H0) or by ELO1 (H1).
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<EloPair>,
    /// Probability of accepting H1 although H0 is true, above 0 and below 0.5.
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = number(Excluded(0.0), Excluded(0.5)), requires = "sprt")]
    alpha: f64,
    /// Probability of accepting H0 although H1 is true, above 0 and below 0.5.
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = number(Excluded(0.0), Excluded(0.5)), requires = "sprt")]
    beta: f64,
    /// Write each game to FILE as a line of JSON. The same command continues an interrupted match from there.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    figures: FiguresOption,
    /// Name of the match in the row that --figures writes.
    #[arg(long, value_name = "NAME", default_value = "points of the first player", requires = "figures")]
    figure: String,
}

/// The header of the record of a match: everything that its games depend on.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct MatchHeader {
    /// Kind of the file: `match`.
    journal: &'static str,
    game: GameName,
    /// The first player, as `calibrate match --help` describes players.
    first: Map<String, Value>,
    /// The second player.
    second: Map<String, Value>,
    /// Seed of the openings.
    seed: u64,
    /// Largest lead in an opening, in men; null: openings are not chosen.
    level: Option<f64>,
    /// Nodes of a fixed search.
    engine: u64,
}

impl MatchArguments {
    /// Returns the record of this match.
    fn record<P: Player>(&self, path: &Path, openings: &[P::Position]) -> Result<MatchRecord> {
        const RUN: Run = Run { name: "match", help: "name another file, or delete this one" };
        const RECORD: FileKind = FileKind {
            name: "the record of a match",
            is_start: |start| String::from_utf8_lossy(start).contains("\"journal\":\"match\""),
        };
        check_target(path, RECORD).with_context(|| BadInput::new("cannot record the match"))?;
        let header = MatchHeader {
            journal: "match",
            game: self.game,
            first: described(&self.first)?,
            second: described(&self.second)?,
            seed: self.seed,
            level: self.level,
            engine: P::engine(),
        };
        MatchRecord::open(path, RUN, &header, openings)
    }
}

/// Returns a player's JSON, in which a checksum stands beside the name of each file.
fn described(player: &str) -> Result<Map<String, Value>> {
    let mut player: Map<String, Value> = serde_json::from_str(player)?;
    for name in ["program", "evaluation"] {
        if let Some(path) = player.get(name).and_then(Value::as_str) {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
            let described = json!({ "path": path, "checksum": format!("{:016x}", checksum(&bytes)) });
            player.insert(name.to_owned(), described);
        }
    }
    Ok(player)
}

pub(crate) fn run(arguments: &MatchArguments) -> Result<()> {
    let report = match arguments.game {
        GameName::Checkers => play::<CheckersPlayer>(arguments)?,
        GameName::Loa => play::<LoaPlayer<8>>(arguments)?,
        GameName::Loa6 => play::<LoaPlayer<6>>(arguments)?,
    };
    arguments.json.print(&report)?;
    let figure = Figure::new(&*arguments.figure, report.in_words());
    arguments.figures.record(Topic::Strength, [figure])
}

fn play<P: Player>(arguments: &MatchArguments) -> Result<MatchReport> {
    let &MatchArguments { openings: count, seed, threads, sprt, alpha, beta, .. } = arguments;
    let threads = Threads { count: threads.get() };
    let mut players: [P; 2] = [player(&arguments.first)?, player(&arguments.second)?];
    let has_program = players.iter_mut().any(|player| player.program().is_some());
    if let Some(warning) = process::WARNING.filter(|_| has_program) {
        stderr_line(format_args!("warning: {warning}"));
    }
    let players = players.each_ref();
    let openings = match arguments.level {
        None => P::openings_of_match(count, seed),
        Some(men) => {
            let scores = |opening, nodes| players.map(|player| player.score(opening, nodes)).to_vec();
            Level { men, nodes: 20_000 }.choose(count, threads, P::openings(seed), scores)?
        }
    };
    let record = arguments.record.as_ref().map(|path| arguments.record::<P>(path, &openings)).transpose()?;
    let sprt = sprt.map(|elo| Sprt { elo, alpha, beta });
    Match { openings: &openings, threads, title: "match", sprt, record }.between(players)
}
