//! `calibrate solve`: proves which player wins a small game, and verifies the complete strategy.
//!
//! One side, the winner, tries to prove that it wins, or that it goes on without end; the other side is the defender. A
//! graph decides what to examine next. At the defender's turn, the proof-number solver tries to prove the position lost. At
//! the winner's turn, a search chooses the best move. Where that takes too long, a plan made of deep searches divides the
//! work among several such graphs. Proofs are written to a store move by move, so that nothing is proved twice.

mod arguments;
mod cut;
mod decide;
mod goal;
mod graph;
mod notes;
mod plan;
mod prove;
mod run;
mod store;
mod strategy;
#[cfg(test)]
mod tests;
mod verify;
mod walk;
mod work;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use kingline::game::Canonical;
use kingline::knowledge::solved::Strategy;
use kingline::loa::Position;
use kingline_players::figures::{Figure, Topic};
use kingline_players::files;
use kingline_players::play::solved::SOLVER_NODES;
use kingline_players::terminal::{in_thousands, stdout_line};

use arguments::CutFor;
use cut::{Answers, Cut};

use goal::{Goal, Winner};

pub(crate) use arguments::SolveArguments;

/// Default of --nodes with --verify.
const NODES_OF_PROOF: u64 = 3_000_000;

/// Proves who wins, merges stores, or verifies or cuts a strategy.
pub(crate) fn run(arguments: &SolveArguments) -> Result<()> {
    let figures = match arguments.board {
        4 => of_board::<4>(arguments)?,
        5 => of_board::<5>(arguments)?,
        _ => match (&arguments.verify, &arguments.cut, &arguments.output) {
            (Some(path), _, _) => vec![verify_6x6(arguments, path)?],
            (_, Some(path), Some(output)) => vec![cut_6x6(arguments, path, output)?],
            _ => prove_6x6(arguments)?,
        },
    };
    arguments.figures.record(Topic::SmallLoa, figures)
}

fn of_board<const N: usize>(arguments: &SolveArguments) -> Result<Vec<Figure>> {
    if let Some(path) = &arguments.verify {
        return Ok(vec![verify_whole::<N>(arguments, &open(path, &read(path)?)?, &arguments.goals(Winner::Either)?)?]);
    }
    ensure!(arguments.output.is_none() || N == 6, "only the 6x6 strategy can be cut, for `loa6`");
    let store = arguments.store.as_deref().context("--store is required")?;
    if !arguments.merge.is_empty() {
        return Ok(vec![store::merge::<Position<N>>(&arguments.merge, store)?]);
    }
    let goals = arguments.goals::<Position<N>>(Winner::Mover)?;
    prove::run(arguments, store, &goals)
}

fn verify_whole<const N: usize>(
    arguments: &SolveArguments,
    strategy: &Strategy<'_, Position<N>>,
    goals: &[Goal<Position<N>>],
) -> Result<Figure> {
    let figure = verify::run(strategy, goals, arguments.threads.threads())?;
    if let Some(path) = &arguments.longest {
        files::write_whole(path, strategy::longest_game(strategy, goals[0].start)?.to_string().as_bytes())?;
    }
    Ok(figure)
}

/// Verifies a complete strategy, or a cut one together with the solver of `loa6`.
fn verify_6x6(arguments: &SolveArguments, path: &Path) -> Result<Figure> {
    let (bytes, goals) = (read(path)?, arguments.goals(Winner::Either)?);
    let strategy = open(path, &bytes)?;
    if strategy.fewest_plies() == 0 {
        return verify_whole(arguments, &strategy, &goals);
    }
    ensure!(arguments.longest.is_none(), "found a cut strategy, expected a complete one for --longest");
    if goals.iter().all(|goal| strategy.plies(goal.start.form()).is_some()) {
        let nodes = arguments.nodes.unwrap_or(NODES_OF_PROOF);
        return verify::closed(&strategy, &goals, nodes, arguments.threads.threads(), arguments.status());
    }
    let starts = goal::turns_of_winner(&goals, &strategy);
    let nodes = arguments.nodes.unwrap_or(SOLVER_NODES);
    verify::with_solver(&strategy, &starts, nodes, arguments.threads.threads(), arguments.status())
}

/// Proves the goals, and also cuts the strategy if requested.
fn prove_6x6(arguments: &SolveArguments) -> Result<Vec<Figure>> {
    let mut figures = of_board::<6>(arguments)?;
    if let (Some(whole), Some(output)) = (&arguments.strategy, &arguments.output) {
        figures.push(cut_6x6(arguments, whole, output)?);
    }
    Ok(figures)
}

fn cut_6x6(arguments: &SolveArguments, path: &Path, output: &Path) -> Result<Figure> {
    let bytes = read(path)?;
    let whole = open(path, &bytes)?;
    let (length, name) = match arguments.cut_for {
        CutFor::Winner => (cut_for_winner(arguments, &whole, output)?, "what `loa6` needs of the whole strategy"),
        CutFor::Loser => {
            let part = cut::for_loser(&whole, arguments.plies);
            files::write_whole(output, &part)?;
            (part.len(), "what `loa6` needs to hold out longest")
        }
    };
    let bytes = format!("{} bytes", in_thousands(length as u64));
    stdout_line(format_args!("{}: {bytes}", output.display()))?;
    Ok(Figure::new(name, bytes))
}

/// Cuts a strategy for the winner, with a journal of the solver's answers beside `output`. Returns the number of bytes
/// written.
fn cut_for_winner(arguments: &SolveArguments, whole: &Strategy<'_, Position<6>>, output: &Path) -> Result<usize> {
    let goals = arguments.goals(Winner::Either)?;
    let threads = arguments.threads.threads();
    let is_whole = whole.fewest_plies() == 0;
    let nodes = arguments.nodes.unwrap_or(SOLVER_NODES);
    let (answers, mut status) = (Answers::open(output, nodes)?, arguments.status());
    if answers.count() > 0 {
        let known = in_thousands(answers.count() as u64);
        status.note(&format!("{known} answers of the solver known from an earlier run"));
    }
    let (part, played) = if is_whole {
        let cut = Cut { whole, goals: &goals, fewest: arguments.plies, threads };
        (cut.part(&answers, &mut status)?, None)
    } else {
        let starts = goal::turns_of_winner(&goals, whole);
        let (part, played) = cut::extended(whole, &starts, &answers, threads, &mut status)?;
        (part, Some(played))
    };
    drop(status);
    played.map_or(Ok(()), stdout_line)?;
    files::write_whole(output, &part)?;
    answers.remove()?;
    Ok(part.len())
}

fn open<'a, G: Canonical>(path: &Path, bytes: &'a [u8]) -> Result<Strategy<'a, G>> {
    Strategy::open(bytes).with_context(|| path.display().to_string())
}

/// Reads a file of any length; complete strategies exceed the limit for other files.
fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
