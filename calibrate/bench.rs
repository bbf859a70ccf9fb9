//! The engine's figures, each with its target, as a table.

mod budgets;
mod games;
mod loa;
mod requests;
mod solver;
mod tables;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use kingline::checkers::Position;
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Evaluator, Game, perft};
use kingline::score::Depth;
use kingline::search::{Limits, Params, Searcher};
use kingline::terminal::stdout_line;
pub(crate) use tables::probe_first;

use crate::child;

/// One figure of the table.
#[derive(Clone)]
pub(crate) struct Figure {
    name: String,
    measured: String,
    target: String,
    met: bool,
}

impl Figure {
    fn new(name: &str, measured: String, target: &str, met: bool) -> Figure {
        Figure { name: name.to_owned(), measured, target: target.to_owned(), met }
    }
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Part {
    /// Memory by budget. First, since the largest child so far counts, and a child begins as a copy of
    /// this process.
    Memory,
    /// Leaves a second, of each game.
    Perft,
    /// Nodes a second, in each game.
    Speed,
    /// Exec to exit of a turn without a choice.
    Startup,
    /// Random positions at small budgets, from outside.
    Budgets,
    /// Whole games against the reference by files.
    Reference,
    /// Both sides of `loa` automatic, 60 moves.
    Automatic,
    /// Positions of 6x6 Lines of Action decided within a second.
    Solver,
    /// Endgame tables: a probe, the first one of a process, the choice of a turn, and a turn by files.
    Tables,
    /// The default frugality against 0; up to an hour.
    Frugality,
    /// Lines of Action against itself at a tenth of the time; up to half an hour.
    Tenth,
    /// `loa6` on a busy machine, by the wall clock; up to 35 minutes.
    Requests,
}

/// All parts but the longest ones.
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

/// Start and five positions of the middle game, in PDN.
const POSITIONS: [&str; 6] = [
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "W:W18,21,22,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,9,10,12,16",
    "B:W17,21,22,24,25,27,29,30,32:B1,2,4,5,6,8,11,12,15",
    "W:W13,19,22,26,27,28,30,31:B2,3,4,7,8,10,12,14",
    "B:W13,18,21,26,28,32:B3,4,7,11,12,20",
    "W:WK6,19,23,27,30:BK29,4,10,12,20",
];

/// Measures the parts in their own order, printing the table as it grows. `side`: a file of endgame tables.
pub(crate) fn run(parts: &[Part], side: Option<&Path>) -> Result<()> {
    let mut parts = parts.to_vec();
    parts.sort();
    stdout_line("| figure | measured | target | met |\n| --- | --- | --- | --- |")?;
    for part in parts {
        let figures = match part {
            Part::Perft => [vec![perft_speed()], loa::perft_speed()].concat(),
            Part::Speed => vec![speed(), loa::speed()],
            Part::Memory => budgets::memory()?,
            Part::Startup => vec![startup()?],
            Part::Budgets => budgets::keeping()?,
            Part::Reference => games::against_reference()?,
            Part::Automatic => vec![loa::automatic()?],
            Part::Solver => vec![solver::decided()],
            Part::Tables => tables::cost(side)?,
            Part::Frugality => games::frugality(),
            Part::Tenth => vec![loa::tenth()],
            Part::Requests => requests::on_a_loaded_machine()?,
        };
        for Figure { name, measured, target, met } in figures {
            stdout_line(format_args!("| {name} | {measured} | {target} | {} |", if met { "yes" } else { "**no**" }))?;
        }
    }
    Ok(())
}

fn perft_speed() -> Figure {
    let begin = Clock::Thread.now();
    let leaves = perft(Position::start(), 11);
    let speed = leaves as f64 / (Clock::Thread.now() - begin).as_secs_f64();
    let measured = format!("{leaves} leaves, {:.0} M a CPU second", speed / 1e6);
    Figure::new("perft 11 from the start", measured, "85242128, at least 60 M", leaves == 85_242_128 && speed >= 60e6)
}

fn speed() -> Figure {
    let (speed, slowest) = search_speed(Duration::from_secs(1));
    speed_figure("search, start and five middle games", speed, slowest, 5e6)
}

fn speed_figure(name: &str, speed: f64, slowest: f64, least: f64) -> Figure {
    let measured = format!("{:.1} M nodes a CPU second (the slowest {:.1} M)", speed / 1e6, slowest / 1e6);
    Figure::new(name, measured, &format!("at least {:.0} M", least / 1e6), speed >= least)
}

/// Nodes a CPU second of checkers over all the positions, and on the slowest, with at least this
/// time for each.
pub(crate) fn search_speed(each: Duration) -> (f64, f64) {
    speed_on(positions(), Evaluation::default(), each)
}

/// The same of any game.
fn speed_on<G: Game, E: Evaluator<G> + Copy>(
    positions: impl Iterator<Item = G>,
    evaluator: E,
    each: Duration,
) -> (f64, f64) {
    let (mut all, mut time, mut slowest) = (0, Duration::ZERO, f64::INFINITY);
    for position in positions {
        let (mut nodes, begin) = (0, Clock::Thread.now());
        while Clock::Thread.now() - begin < each {
            nodes += Searcher::new(evaluator).search(position, Limits::nodes(2_000_000), &mut ()).nodes;
        }
        let took = Clock::Thread.now() - begin;
        slowest = slowest.min(nodes as f64 / took.as_secs_f64());
        all += nodes;
        time += took;
    }
    (all as f64 / time.as_secs_f64(), slowest)
}

/// Nodes and CPU time to this depth from each of the positions.
pub(crate) fn to_depth(depth: Depth, params: Params) -> Vec<(Position, u64, Duration)> {
    let search = |position: Position| {
        let begin = Clock::Thread.now();
        let mut searcher = Searcher::new(Evaluation::default()).with_params(params);
        let nodes = searcher.search(position, Limits::depth(depth), &mut ()).nodes;
        (position, nodes, Clock::Thread.now() - begin)
    };
    positions().map(search).collect()
}

fn positions() -> impl Iterator<Item = Position> {
    POSITIONS.iter().filter_map(|text| text.parse().ok())
}

fn startup() -> Result<Figure> {
    const REPEATS: usize = 101;
    let folder = budgets::Folder::new("startup")?;
    let homework = child::program("homework")?;
    let one_move: Position = "B:W18,20:B15".parse()?;
    folder.ask("SINGLE", &one_move, 100.0)?;
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        times.push(child::run(&homework, &[], folder.path())?.cpu);
    }
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let (median, most) = (ms(times[REPEATS / 2]), ms(times[REPEATS - 1]));
    let measured = format!("{median:.2} ms CPU (median of {REPEATS}; the longest {most:.2})");
    Ok(Figure::new("exec to exit with one legal move, warm cache", measured, "at most 2 ms", median <= 2.0))
}
