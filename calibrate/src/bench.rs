//! Measurements of the engine, each with its target.

mod budgets;
mod checkers;
mod games;
mod loa;
mod solved_games;
mod solver;
mod speed;
mod tables;
mod threads;

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use kingline_players::figures::{Figure, FiguresOption, Target, Topic, command};
use kingline_players::terminal::stdout_line;

pub(crate) use checkers::{search_speed, to_depth};

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
    /// Complete games against the reference with hardly any time, through files.
    TinyClocks,
    /// Share of 6x6 Lines of Action positions solved within a second.
    Solver,
    /// Endgame tables: a probe, the choice of a move, and a turn through files.
    Tables,
    /// Two threads against one, by the wall time to a depth, with both cores free; about four minutes.
    Threads,
    /// Default frugality against frugality 0; up to an hour.
    Frugality,
    /// Lines of Action at full time against a tenth of it; up to half an hour.
    Tenth,
    /// `loa6` as first player, 3,000 games; about half an hour.
    FirstPlayer,
    /// `loa6` as first player beside busy processes, 1,000 games; about half an hour.
    BusyPlayer,
    /// `loa6` as second player after losing first moves, 500 games; about five minutes.
    SecondPlayer,
}

/// All parts except the longest ones.
pub(crate) const USUAL: [Part; 9] = [
    Part::Memory,
    Part::Perft,
    Part::Speed,
    Part::Startup,
    Part::Budgets,
    Part::Reference,
    Part::TinyClocks,
    Part::Solver,
    Part::Tables,
];

impl Part {
    fn topic(self) -> Topic {
        match self {
            Part::Perft | Part::Speed | Part::Threads => Topic::Search,
            Part::Memory | Part::Startup | Part::Budgets => Topic::Budgets,
            Part::Reference | Part::TinyClocks | Part::Frugality | Part::Tenth => Topic::Strength,
            Part::Solver | Part::FirstPlayer | Part::BusyPlayer | Part::SecondPlayer => Topic::SmallLoa,
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
///
/// # Errors
/// Fails if a program cannot be run, or if standard output or the file of figures cannot be written.
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
            Part::TinyClocks => games::on_tiny_clocks()?,
            Part::Solver => vec![solver::decided()],
            Part::Tables => tables::cost(side)?,
            Part::Threads => threads::against_one(),
            Part::Frugality => games::frugality()?,
            Part::Tenth => vec![loa::tenth()?],
            Part::FirstPlayer => solved_games::as_first_player()?,
            Part::BusyPlayer => solved_games::beside_busy_processes()?,
            Part::SecondPlayer => solved_games::as_second_player()?,
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
