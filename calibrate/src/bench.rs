//! Measurements of the engine, each with its target.

mod agent;
mod loa6;
mod speed;
mod tables;

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use kingline_players::figures::{Figure, FiguresOption, Target, Topic, command};
use kingline_players::terminal::stdout_line;

pub(crate) use speed::{DepthArguments, search_speed, to_depth};

/// Parts that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Part {
    /// Peak memory by budget. Measured first, since the system reports only the largest child so far, and a child
    /// starts as a copy of this process.
    Memory,
    /// Perft leaves per second, in each game.
    Perft,
    /// Search nodes per second, in each game.
    Speed,
    /// CPU time of a turn with one legal move, from exec to exit.
    Startup,
    /// Random positions at small budgets, measured from outside the process.
    Budgets,
    /// Complete games against the reference, through files.
    Reference,
    /// Endgame tables: a probe, the choice of a move, and a turn through files.
    Tables,
    /// Two threads against one, by the wall time to a depth, with both cores free; about four minutes.
    Threads,
    /// Default frugality against frugality 0; up to an hour.
    Frugality,
    /// `loa6` as first player, 3,000 games; about half an hour.
    FirstPlayer,
    /// `loa6` as first player beside busy processes, 1,000 games; about half an hour.
    BusyPlayer,
    /// `loa6` as second player after losing first moves, 500 games; about five minutes.
    SecondPlayer,
}

/// All parts except the longest ones.
pub(crate) const USUAL: [Part; 7] =
    [Part::Memory, Part::Perft, Part::Speed, Part::Startup, Part::Budgets, Part::Reference, Part::Tables];

impl Part {
    fn topic(self) -> Topic {
        match self {
            Part::Perft | Part::Speed | Part::Threads => Topic::Search,
            Part::Memory | Part::Startup | Part::Budgets => Topic::Budgets,
            Part::Reference | Part::Frugality => Topic::Strength,
            Part::FirstPlayer | Part::BusyPlayer | Part::SecondPlayer => Topic::SmallLoa,
            Part::Tables => Topic::EndgameTables,
        }
    }

    /// Returns the command that measures this part alone, with the endgame table file `side`.
    fn command(self, side: Option<&Path>) -> Vec<String> {
        let name = self.to_possible_value().map_or(String::new(), |part| part.get_name().to_owned());
        let mut words = vec!["bench".to_owned(), name];
        if let (Part::Tables, Some(side)) = (self, side) {
            words.extend(["--side-file".to_owned(), side.display().to_string()]);
        }
        command("calibrate", words)
    }
}

/// Measures the parts in the order of [`Part`]. Prints and records each row as soon as it is measured. `side` is an
/// endgame table file.
pub(crate) fn run(parts: &[Part], side: Option<&Path>, records: &FiguresOption) -> Result<()> {
    let mut parts = parts.to_vec();
    parts.sort();
    stdout_line("| figure | measured | target | met |\n| --- | --- | --- | --- |")?;
    for part in parts {
        let figures = match part {
            Part::Perft => speed::perft_figures(),
            Part::Speed => speed::search_figures(),
            Part::Memory => agent::memory()?,
            Part::Startup => vec![agent::startup()?],
            Part::Budgets => agent::budgets()?,
            Part::Reference => agent::against_reference()?,
            Part::Tables => tables::cost(side)?,
            Part::Threads => speed::threads_against_one(),
            Part::Frugality => agent::frugality()?,
            Part::FirstPlayer => loa6::as_first_player()?,
            Part::BusyPlayer => loa6::beside_busy_processes()?,
            Part::SecondPlayer => loa6::as_second_player()?,
        };
        for Figure { name, measured, target } in &figures {
            let (target, met) = match target {
                Some(Target { text, met: true }) => (text.as_str(), "yes"),
                Some(Target { text, met: false }) => (text.as_str(), "**no**"),
                None => ("", ""),
            };
            stdout_line(format_args!("| {name} | {measured} | {target} | {met} |"))?;
        }
        // Records part by part, so that a later failure does not lose hours of measurements.
        records.record_by(&part.command(side), part.topic(), figures)?;
    }
    Ok(())
}
