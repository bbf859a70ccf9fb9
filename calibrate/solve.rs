//! `calibrate solve`: proves which player wins a small game, and verifies the complete strategy.
//!
//! One side, the winner, tries to prove that it wins; the other side is the defender. An outer tree decides what to
//! examine next. At the defender's turn, the proof-number solver tries to prove the position lost. At the winner's
//! turn, a search chooses the best move. Where that takes too long, a plan made of deep searches divides the work among
//! several such trees. Proofs are written to a store move by move, so that nothing is proved twice.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `goal` | which positions are to be proved, and for which player |
//! | `prove` | how are they proved one after another |
//! | `report` | what is proved about a position |
//! | `notes` | how far is a run |
//! | `decide` | how many nodes do trees and plans get, and in which order |
//! | `plan` | how is a hard position divided into easier ones |
//! | `tree` | what is the next task, and is the start proved; its costs and its growth |
//! | `node` | what is known about a position of the tree, and what will its proof cost |
//! | `task` | what does a thread do, and what are the results |
//! | `work` | how is a position scored or proved |
//! | `read_out` | which positions does a proof rest on |
//! | `evaluated` | which games can be solved, and which evaluations guide the work |
//! | `fact` | what can be known about a position |
//! | `store` | what did this run and earlier ones find out |
//! | `store_file` | how is the store kept on disk |
//! | `merge` | how do several stores become one |
//! | `run` | how do several threads work on one tree |
//! | `strategy` | which positions does the winner need, or the side that does not lose |
//! | `cut` | which of them suffice, if a solver does the rest |
//! | `longest` | what is the longest game of a strategy |
//! | `verify` | is a strategy correct, by the rules alone |
//! | `walk` | what happens if a player plays against every reply |
//! | `verify_cut` | does `loa6` win or hold with a cut strategy |

mod cut;
mod decide;
mod evaluated;
mod fact;
mod goal;
mod longest;
mod merge;
mod node;
mod notes;
#[cfg(test)]
mod oracle;
mod plan;
mod prove;
mod read_out;
mod report;
mod run;
mod store;
mod store_file;
mod strategy;
mod task;
#[cfg(test)]
mod tests;
mod tree;
mod verify;
mod verify_cut;
mod walk;
mod work;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use kingline::figures::{Basis, Figure, FiguresOption, Topic};
use kingline::files;
use kingline::game::Canonical;
use kingline::help::GuidePage;
use kingline::knowledge::solved::Strategy;
use kingline::loa::Position;
use kingline::terminal::stdout_line;

use crate::bad_input::BadInput;
use crate::help::help_end;
use crate::shard::Shard;
use crate::threads::Threads;
use goal::{Goal, Winner};
use kingline::terminal::in_thousands;
use node::Aim;

/// Proves which player wins a small Lines of Action game, verifies the strategy, or cuts it for `loa6`.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Solved))]
pub(crate) struct SolveArguments {
    /// Number of columns and rows of the board, 4 to 6.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(4..=6))]
    board: u8,
    /// Moves from the start, like `b1-b3`: prove who wins after them. Repeat the option for one strategy that covers
    /// several positions. Default: no moves, to prove that the first player wins from the start.
    #[arg(long, value_name = "MOVES")]
    after: Vec<String>,
    /// Player that should win. If that is not the side to move, every reply is proved in turn. Give it once for all
    /// positions or once for each --after. Default: the side to move; with --verify, either player.
    #[arg(long, value_enum, value_name = "WINNER")]
    winner: Vec<Winner>,
    /// Result that --winner should reach. Give it once for all positions or once for each --after.
    #[arg(long, value_enum, value_name = "AIM", default_value = "win")]
    aim: Vec<Aim>,
    /// File that stores what was proved. Run the same command again to continue an interrupted proof.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["verify", "cut"])]
    store: Option<PathBuf>,
    /// Write the complete strategy to FILE.
    #[arg(long, value_name = "FILE", requires = "store", group = "whole")]
    strategy: Option<PathBuf>,
    /// Prove only part K of N of the replies, counted from 1, to share the work among machines. Each needs a store of
    /// its own; --merge puts them together.
    #[arg(long, value_name = "K/N", requires = "store", conflicts_with_all = ["strategy", "merge"])]
    shard: Option<Shard>,
    /// Add what these stores contain to the one of --store. All are left as they are, except that of --store.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "store", conflicts_with_all = ["after", "winner", "aim", "strategy"])]
    merge: Vec<PathBuf>,
    /// Seconds between two lines of progress, if standard error is not a terminal.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    progress: u32,
    /// Seconds between two writes to the store.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    save: u32,
    /// Number of threads. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory for the tables of the solver and of deep searches, in MiB. Each thread takes up to 64 MiB more.
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Verify the complete strategy in FILE by the rules alone: every position, against every reply. A cut strategy is
    /// verified together with the solver of `loa6`, which plays the rest.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["store", "cut"])]
    verify: Option<PathBuf>,
    /// Write the longest game of the verified strategy to FILE, as SGF.
    #[arg(long, value_name = "FILE", requires = "verify")]
    longest: Option<PathBuf>,
    /// Write to --output the part of the complete strategy in FILE that `loa6` needs: the positions with at least
    /// --plies plies, and others in which its solver does not find the win.
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with = "store", group = "whole")]
    cut: Option<PathBuf>,
    /// Let --cut always keep positions in which the loser can hold out for N plies or more.
    #[arg(long, value_name = "N", default_value_t = 15, requires = "output")]
    plies: u8,
    /// File that --cut writes. With --strategy, the complete strategy is cut at once.
    #[arg(long, value_name = "FILE", requires = "whole")]
    output: Option<PathBuf>,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Proves who wins, merges stores, or verifies or cuts a strategy.
///
/// # Errors
/// Fails if a file cannot be read or written, the expected player does not win, or a strategy is wrong.
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
    arguments.figures.record_on(&[Basis::Loa6], Topic::SmallLoa, figures)
}

fn of_board<const N: usize>(arguments: &SolveArguments) -> Result<Vec<Figure>> {
    if let Some(path) = &arguments.verify {
        return Ok(vec![verify_whole::<N>(arguments, &open(path, &read(path)?)?, &goals(arguments, Winner::Either)?)?]);
    }
    ensure!(arguments.output.is_none() || N == 6, "only the 6x6 strategy can be cut, for `loa6`");
    let store = arguments.store.as_deref().context("--store is required")?;
    if !arguments.merge.is_empty() {
        return Ok(vec![merge::run::<Position<N>>(&arguments.merge, store)?]);
    }
    let goals = goals::<Position<N>>(arguments, Winner::Mover)?;
    prove::run(arguments, store, &goals)
}

fn verify_whole<const N: usize>(
    arguments: &SolveArguments,
    strategy: &Strategy<'_, Position<N>>,
    goals: &[Goal<Position<N>>],
) -> Result<Figure> {
    let figure = verify::run(strategy, goals, Threads::new(arguments.threads))?;
    if let Some(path) = &arguments.longest {
        files::write_whole(path, longest::game(strategy, goals[0].start)?.to_string().as_bytes())?;
    }
    Ok(figure)
}

/// Verifies a complete strategy, or a cut one together with the solver of `loa6`.
fn verify_6x6(arguments: &SolveArguments, path: &Path) -> Result<Figure> {
    let (bytes, goals) = (read(path)?, goals(arguments, Winner::Either)?);
    let strategy = open(path, &bytes)?;
    if strategy.fewest_plies() == 0 {
        return verify_whole(arguments, &strategy, &goals);
    }
    ensure!(arguments.longest.is_none(), "found a cut strategy, expected a complete one for --longest");
    let starts = goal::turns_of_winner(&goals, &strategy);
    verify_cut::run(&strategy, &starts, Threads::new(arguments.threads))
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
    let (bytes, goals) = (read(path)?, goals(arguments, Winner::Either)?);
    let whole = open(path, &bytes)?;
    let cut = cut::cut(&whole, &goals, arguments.plies, Threads::new(arguments.threads))?;
    files::write_whole(output, &cut)?;
    let bytes = format!("{} bytes", in_thousands(cut.len() as u64));
    stdout_line(format_args!("{}: {bytes}", output.display()))?;
    Ok(Figure::new("what `loa6` needs of the whole strategy", bytes))
}

fn open<'a, G: Canonical>(path: &Path, bytes: &'a [u8]) -> Result<Strategy<'a, G>> {
    Strategy::open(bytes).with_context(|| path.display().to_string())
}

/// Returns the position after each --after, or the start if there is none, with its --winner.
fn goals<G: Canonical>(arguments: &SolveArguments, by_default: Winner) -> Result<Vec<Goal<G>>> {
    let SolveArguments { after, winner, aim, .. } = arguments;
    let position = |line: &String| {
        let mut position = G::start();
        for text in line.split_whitespace() {
            position = position.play(position.parse_move(text)?);
        }
        ensure!(position.ending().is_none(), "the game is over after \"{line}\"");
        Ok(position)
    };
    let starts: Vec<G> =
        if after.is_empty() { vec![G::start()] } else { after.iter().map(position).collect::<Result<_>>()? };
    let winners = each("--winner", winner, by_default, starts.len())?;
    let aims = each("--aim", aim, Aim::Win, starts.len())?;
    // Without --winner, --verify and --cut accept whatever either player reaches.
    if !winner.is_empty() && winners.iter().zip(&aims).any(|both| both == (&Winner::Either, &Aim::Hold)) {
        return Err(
            BadInput::new("found --aim hold for either player, expected --winner mover, first or second").into()
        );
    }
    let wanted = winners.into_iter().zip(aims);
    Ok(starts.into_iter().zip(wanted).map(|(start, (winner, aim))| Goal { aim, ..Goal::new(start, winner) }).collect())
}

/// Returns the values of an option that is given once for all of `count` positions, or once for each.
fn each<T: Copy>(option: &str, given: &[T], by_default: T, count: usize) -> Result<Vec<T>> {
    match given {
        [] => Ok(vec![by_default; count]),
        &[one] => Ok(vec![one; count]),
        each if each.len() == count => Ok(each.to_vec()),
        each => {
            let found = format!("found {option} {} times, expected it once or as often as --after", each.len());
            Err(BadInput::new(found).into())
        }
    }
}

/// Reads a file of any length; complete strategies exceed the limit for other files.
fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
