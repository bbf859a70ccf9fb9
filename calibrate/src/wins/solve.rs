//! `calibrate wins solve`: how many positions does the solver decide, and with how many nodes?

use anyhow::{Result, ensure};
use kingline::clock::Clock;
use kingline::evaluate::loa::Evaluation;
use kingline::score::Score;
use kingline::search::{Limits, Prover};
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::terminal::{in_thousands, stdout_line};

use super::PositionsArguments;
use super::lines::{self, Win, Won};
use crate::threads::Threads;

/// Size of the solver's table, in bytes.
const TABLE: usize = 256 << 20;

/// Result of a position.
struct Solved {
    won: bool,
    lost: bool,
    nodes: u64,
    seconds: f64,
}

/// Solves all positions, prints and records the result.
///
/// # Errors
/// Fails if the file cannot be read or is wrong, or the solver proves a loss.
pub(super) fn run(arguments: &PositionsArguments, nodes: u64, figures: &FiguresOption) -> Result<()> {
    let positions = lines::read(&arguments.file)?;
    let solved = Threads::new(arguments.threads).map(&positions, |won| {
        Ok(match won {
            Won::Large(win) => solve(win, nodes),
            Won::Small(win) => solve(win, nodes),
        })
    })?;
    let won = solved.iter().filter(|solved| solved.won).count();
    let lost = solved.iter().filter(|solved| solved.lost).count();
    let visited: u64 = solved.iter().map(|solved| solved.nodes).sum();
    let seconds: f64 = solved.iter().map(|solved| solved.seconds).sum();
    let (count, visited) = (positions.len(), in_thousands(visited));
    let measured = format!("{won} of {count} won, {visited} nodes in all, {seconds:.1} CPU s");
    stdout_line(&measured)?;
    ensure!(lost == 0, "{lost} positions were proved lost: the file or the solver is wrong");
    let name = format!("{count} positions with a proved win, within {} nodes each", in_thousands(nodes));
    figures.record(Topic::SmallLoa, [Figure::new(name, measured)])
}

fn solve<const N: usize>(win: &Win<N>, nodes: u64) -> Solved {
    let began = Clock::Thread.now();
    let mut prover = Prover::new(Evaluation::<N>::default()).with_table_limit(TABLE);
    let proof = prover.prove(win.position, Limits::nodes(nodes), &mut ());
    let seconds = (Clock::Thread.now() - began).as_secs_f64();
    let is = |of: fn(Score) -> bool| proof.score.is_some_and(of);
    Solved { won: is(Score::is_win), lost: is(Score::is_loss), nodes: proof.nodes, seconds }
}
