//! How good is the engine, in numbers? A table of measurements, each with its target.

mod agent_dir;
mod automatic;
mod budgets;
mod checkers;
mod games;
mod loa;
mod requests;
mod solved_games;
mod solver;
mod tables;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
pub(crate) use checkers::{search_speed, to_depth};
use clap::ValueEnum;
use kingline::clock::Clock;
use kingline::figures::{Figure, FiguresOption, Target, Topic, command_line};
use kingline::game::{Evaluator, Game, perft};
use kingline::search::{Limits, Searcher};
use kingline::terminal::stdout_line;
pub(crate) use tables::probe_first;

use crate::tables::in_thousands;

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Part {
    /// Memory by budget. Measured first: the largest child so far counts, and a child starts as a copy of this process.
    Memory,
    /// Perft leaves per second, in each game.
    Perft,
    /// Search nodes per second, in each game.
    Speed,
    /// Exec to exit of a turn with one legal move.
    Startup,
    /// Random positions at small budgets, measured from outside.
    Budgets,
    /// Whole games against the reference, by files.
    Reference,
    /// Games of `loa` with both sides automatic, at its default time and after `seed`.
    Automatic,
    /// The share of 6x6 Lines of Action positions solved within a second.
    Solver,
    /// Endgame tables: a probe, the first probe of a process, the choice of a move, and a turn by files.
    Tables,
    /// The default frugality against frugality 0; up to an hour.
    Frugality,
    /// Lines of Action at full time against a tenth of it; up to half an hour.
    Tenth,
    /// `loa6` on a busy machine, by wall time; up to 35 minutes.
    Requests,
    /// `loa6` as first player, 3,000 games; about half an hour.
    FirstPlayer,
    /// `loa6` as second player after first moves that lose, 500 games; about five minutes.
    SecondPlayer,
}

/// All parts but the longest.
pub(crate) const USUAL: [Part; 9] = [
    Part::Memory,
    Part::Perft,
    Part::Speed,
    Part::Startup,
    Part::Budgets,
    Part::Reference,
    Part::Automatic,
    Part::Solver,
    Part::Tables,
];

impl Part {
    fn topic(self) -> Topic {
        match self {
            Part::Perft | Part::Speed => Topic::Search,
            Part::Memory | Part::Startup | Part::Budgets | Part::Automatic => Topic::Budgets,
            Part::Reference | Part::Frugality | Part::Tenth => Topic::Strength,
            Part::Solver | Part::Requests | Part::FirstPlayer | Part::SecondPlayer => Topic::SmallLoa,
            Part::Tables => Topic::EndgameTables,
        }
    }

    /// What to type to measure this part alone, with this file of endgame tables.
    fn command(self, side: Option<&Path>) -> String {
        let name = self.to_possible_value().map_or(String::new(), |part| part.get_name().to_owned());
        let mut words = vec!["bench".to_owned(), name];
        if let (Part::Tables, Some(side)) = (self, side) {
            words.extend(["--side-file".to_owned(), side.display().to_string()]);
        }
        command_line("calibrate", &words)
    }
}

/// Measures the parts in the order of [`Part`], prints each row when it is known, and records it. `side`: a file of
/// endgame tables.
///
/// # Errors
/// A program cannot be run, standard output cannot be written, or the file of figures.
pub(crate) fn run(parts: &[Part], side: Option<&Path>, records: &FiguresOption) -> Result<()> {
    let mut parts = parts.to_vec();
    parts.sort();
    stdout_line("| figure | measured | target | met |\n| --- | --- | --- | --- |")?;
    for part in parts {
        let figures = match part {
            Part::Perft => [vec![checkers::perft_speed()], loa::perft_speed()].concat(),
            Part::Speed => vec![checkers::speed(), loa::speed()],
            Part::Memory => budgets::memory()?,
            Part::Startup => vec![checkers::startup()?],
            Part::Budgets => budgets::keeping()?,
            Part::Reference => games::against_reference()?,
            Part::Automatic => automatic::games()?,
            Part::Solver => vec![solver::decided()],
            Part::Tables => tables::cost(side)?,
            Part::Frugality => games::frugality(),
            Part::Tenth => vec![loa::tenth()],
            Part::FirstPlayer => solved_games::as_first_player()?,
            Part::SecondPlayer => solved_games::as_second_player()?,
            Part::Requests => requests::on_a_loaded_machine()?,
        };
        for Figure { name, measured, target } in &figures {
            let (target, met) = match target {
                Some(Target { text, met: true }) => (text.as_str(), "yes"),
                Some(Target { text, met: false }) => (text.as_str(), "**no**"),
                None => ("", ""),
            };
            stdout_line(format_args!("| {name} | {measured} | {target} | {met} |"))?;
        }
        // Part by part: hours of measuring are not lost when a later part fails.
        records.record_by(&part.command(side), part.topic(), figures)?;
    }
    Ok(())
}

/// Leaves of perft in a CPU second; the number of leaves must be right.
fn perft_figure<G: Game>(game: &str, depth: usize, expected: u64, least: f64) -> Figure {
    let begin = Clock::Thread.now();
    let leaves = perft(G::start(), depth);
    let speed = leaves as f64 / (Clock::Thread.now() - begin).as_secs_f64();
    let name = format!("perft {depth} of {game} ({} leaves)", in_thousands(expected));
    let wrong =
        if leaves == expected { String::new() } else { format!("; {} leaves, which is wrong", in_thousands(leaves)) };
    let measured = format!("{:.0} M leaves a CPU second{wrong}", speed / 1e6);
    Figure::new(name, measured).against(format!("at least {:.0} M", least / 1e6), leaves == expected && speed >= least)
}

fn speed_figure(name: &str, speed: f64, slowest: f64, least: f64) -> Figure {
    let measured = format!("{:.1} M nodes a CPU second, the slowest {:.1} M", speed / 1e6, slowest / 1e6);
    Figure::new(name, measured).against(format!("at least {:.0} M", least / 1e6), speed >= least)
}

/// Nodes per CPU second over all the positions, and on the slowest, with at least this time for each.
fn speed_on<G: Game, E: Evaluator<G> + Clone>(
    positions: impl Iterator<Item = G>,
    evaluator: &E,
    each: Duration,
) -> (f64, f64) {
    let (mut all, mut time, mut slowest) = (0, Duration::ZERO, f64::INFINITY);
    for position in positions {
        let (mut nodes, begin) = (0, Clock::Thread.now());
        while Clock::Thread.now() - begin < each {
            nodes += Searcher::new(evaluator.clone()).search(position, Limits::nodes(2_000_000), &mut ()).nodes;
        }
        let took = Clock::Thread.now() - begin;
        slowest = slowest.min(nodes as f64 / took.as_secs_f64());
        all += nodes;
        time += took;
    }
    (all as f64 / time.as_secs_f64(), slowest)
}
