//! `calibrate match`: games between two players, in this process or programs, to measure their strength.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `checkers`, `loa` | how does a player of each game choose its moves |
//! | `compare` | is a learned evaluation better than another |
//! | `json` | how are players read from the command line |
//! | `help` | how does `--help` describe them |
//! | `programs` | how does another program play |
//! | `runner` | how are several games played at once, and when does a match end |
//! | `record` | how does an interrupted match continue |
//! | `tally` | what are the results |
//! | `pairs` | what do pairs of games say about the difference in strength |
//! | `sprt` | do they suffice for a verdict |
//! | `report` | what is printed |

pub(crate) mod checkers;
pub(crate) mod compare;
mod help;
mod json;
pub(crate) mod loa;
mod pairs;
mod programs;
mod record;
mod report;
mod runner;
mod sprt;
mod tally;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use kingline::checkers::Position;
use kingline::evaluate;
use kingline::game::{Color, Evaluator, Game, Searched};
use kingline::knowledge::checksum;
use kingline::search::{Limits, Searcher};
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::files::{FileKind, check_target};
use kingline_players::game_name::GameName;
use kingline_players::terminal::{stderr_line, stdout_json, stdout_line};
use serde_json::{Map, Value, json};

use crate::openings::{self, Level, Openings};
use crate::threads::Threads;
pub(crate) use json::{FromJson, change, player};
use kingline_players::exit::BadInput;
use kingline_players::journal::Run;
#[cfg(test)]
pub(crate) use pairs::expected_share;
pub(crate) use record::MatchRecord;
pub(crate) use report::MatchReport;
pub(crate) use runner::{Match, play_match};
pub(crate) use sprt::{EloPair, Sprt};
pub(crate) use tally::PlayedGame;
use tally::Tally;

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
    #[arg(long, value_name = "MEN", value_parser = men)]
    level: Option<f64>,
    /// Number of games played at once. Each measures the CPU time of its own thread and programs; 1 for players with
    /// several threads, which use wall time.
    #[arg(long, value_name = "N", default_value = "2")]
    threads: NonZeroUsize,
    /// End the match once a sequential test accepts that the first player is stronger by ELO0 (H0) or by ELO1 (H1).
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<EloPair>,
    /// Probability of accepting H1 although H0 is true, above 0 and below 0.5.
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = sprt::error_rate, requires = "sprt")]
    alpha: f64,
    /// Probability of accepting H0 although H1 is true, above 0 and below 0.5.
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = sprt::error_rate, requires = "sprt")]
    beta: f64,
    /// Write each game to FILE as a line of JSON. The same command continues an interrupted match from there.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
    /// Name of the match in the row that --figures writes.
    #[arg(long, value_name = "NAME", default_value = "points of the first player", requires = "figures")]
    figure: String,
}

impl MatchArguments {
    fn level(&self) -> Option<Level> {
        self.level.map(|men| Level { men, nodes: 20_000 })
    }

    /// Plays the match on these openings, with its record if there is one.
    fn play<G: Game + Sync>(
        &self,
        openings: &[G],
        play: impl Fn(Color, G, u64) -> Result<PlayedGame> + Sync,
    ) -> Result<Tally> {
        const RUN: Run = Run { name: "match", help: "name another file, or delete this one" };
        const RECORD: FileKind = FileKind {
            name: "the record of a match",
            is_start: |start| String::from_utf8_lossy(start).contains("\"journal\":\"match\""),
        };
        let record = match &self.record {
            None => None,
            Some(path) => {
                check_target(path, RECORD).with_context(|| BadInput::new("cannot record the match"))?;
                let openings = openings.iter().map(ToString::to_string).collect();
                Some(MatchRecord::open(path, RUN, &self.header()?, openings)?)
            }
        };
        Match { openings, threads: self.threads(), title: "match", sprt: self.sprt(), record }.play(play)
    }

    /// Returns what the games of this match depend on: the first line of its record.
    fn header(&self) -> Result<Map<String, Value>> {
        let fields = [
            ("journal", json!("match")),
            ("game", json!(self.game.word())),
            ("first", described(&self.first)?),
            ("second", described(&self.second)?),
            ("seed", json!(self.seed)),
            ("level", json!(self.level)),
            ("engine", json!(engine(self.game))),
        ];
        Ok(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn threads(&self) -> Threads {
        Threads { count: self.threads.get() }
    }

    fn sprt(&self) -> Option<Sprt> {
        let &MatchArguments { sprt, alpha, beta, .. } = self;
        sprt.map(|elo| Sprt { elo, alpha, beta })
    }
}

/// Returns the nodes of a fixed search, which change with the search and the evaluation.
pub(crate) fn engine(game: GameName) -> u64 {
    match game {
        GameName::Checkers => {
            nodes(kingline::checkers::Position::start(), evaluate::checkers::Evaluation::default(), 11)
        }
        GameName::Loa => nodes(kingline::loa::Position::<8>::start(), evaluate::loa::Evaluation::default(), 6),
        GameName::Loa6 => nodes(kingline::loa::Position::<6>::start(), evaluate::loa::Evaluation::default(), 8),
    }
}

fn nodes<G: Searched, E: Evaluator<G>>(start: G, evaluation: E, depth: i16) -> u64 {
    Searcher::new(evaluation).search(start, Limits::depth(depth), &mut ()).nodes
}

/// Returns a player's JSON, in which a checksum stands beside the name of each file.
///
/// # Errors
/// Fails if a file cannot be read.
fn described(player: &str) -> Result<Value> {
    let mut player: Value = serde_json::from_str(player)?;
    for name in ["program", "evaluation"] {
        if let Some(path) = player.get(name).and_then(Value::as_str) {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
            player[name] = json!({ "path": path, "checksum": format!("{:016x}", checksum(&bytes)) });
        }
    }
    Ok(player)
}

/// Plays the match and prints the result.
///
/// # Errors
/// Fails if a player cannot be read, a program crashes or makes an illegal move, the record is that of another match,
/// or a file or standard output cannot be written.
pub(crate) fn run(arguments: &MatchArguments) -> Result<()> {
    let tally = match arguments.game {
        GameName::Checkers => play_checkers(arguments)?,
        GameName::Loa => play_loa::<8>(arguments)?,
        GameName::Loa6 => play_loa::<6>(arguments)?,
    };
    let report = MatchReport { tally, sprt: arguments.sprt() };
    if arguments.json {
        stdout_json(report.to_json()?)?;
    } else {
        stdout_line(&report)?;
    }
    let figure = Figure::new(&*arguments.figure, report.in_words());
    arguments.figures.record(Topic::Strength, [figure])
}

fn play_checkers(arguments: &MatchArguments) -> Result<Tally> {
    let &MatchArguments { openings: count, seed, .. } = arguments;
    let [mut first, mut second]: [checkers::CheckersPlayer; 2] = players(arguments)?;
    let has_program = [&mut first, &mut second].into_iter().any(|player| player.program().is_some());
    ensure!(
        !(has_program && (first.has_threads() || second.has_threads())),
        BadInput::new("found threads and a program, expected both players in this process")
    );
    let openings = match arguments.level() {
        None => openings::openings(openings::SHARP, count, seed),
        Some(level) => {
            let mut list = Openings::new(openings::SHARP, seed);
            let more = || (0..BATCH).filter_map(|_| list.draw()).collect();
            let scores = |opening: Position, nodes| {
                [&first, &second].map(|player| checkers::score(player, opening, nodes)).to_vec()
            };
            level.choose(count, arguments.threads(), more, scores)?
        }
    };
    arguments.play(&openings, |color, opening, game| checkers::play([&first, &second], color, opening, game))
}

fn play_loa<const N: usize>(arguments: &MatchArguments) -> Result<Tally> {
    let &MatchArguments { openings: count, seed, .. } = arguments;
    let [first, second]: [loa::LoaPlayer<N>; 2] = players(arguments)?;
    let openings = match arguments.level() {
        None => loa::openings::<N>(LOA_PLIES, count, seed),
        Some(level) => {
            let mut batch = 0;
            let more = || {
                batch += 1;
                loa::openings::<N>(LOA_PLIES, batch * BATCH, seed).split_off((batch - 1) * BATCH)
            };
            let scores = |opening, nodes| [&first, &second].map(|player| loa::score(player, opening, nodes)).to_vec();
            level.choose(count, arguments.threads(), more, scores)?
        }
    };
    arguments.play(&openings, |color, opening, game| loa::play([&first, &second], color, opening, game))
}

/// Number of random plies in an opening of Lines of Action: enough for variety, too few to decide a game.
pub(crate) const LOA_PLIES: usize = 4;

/// Number of openings that are searched at once.
const BATCH: usize = 64;

/// Reads both players of a match.
fn players<P: FromJson>(arguments: &MatchArguments) -> Result<[P; 2]> {
    let mut players: [P; 2] = [json::player(&arguments.first)?, json::player(&arguments.second)?];
    let has_program = players.iter_mut().any(|player| player.program().is_some());
    if let Some(warning) = programs::WARNING.filter(|_| has_program) {
        stderr_line(format_args!("warning: {warning}"));
    }
    Ok(players)
}

/// Reads a number of men.
fn men(text: &str) -> std::result::Result<f64, String> {
    let men = text.parse().ok().filter(|&men: &f64| men > 0.0 && men <= 100.0);
    men.ok_or_else(|| "expected a number above 0, at most 100".to_owned())
}
