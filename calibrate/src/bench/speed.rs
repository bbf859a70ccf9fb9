//! Speed figures: perft leaves and search nodes per CPU second.

use std::time::Duration;

use kingline::clock::Clock;
use kingline::game::{Evaluator, Game, Searched, perft};
use kingline::search::{Limits, Searcher};
use kingline_players::figures::Figure;

use kingline_players::terminal::in_thousands;

/// Returns the perft leaves per CPU second. The target requires the correct number of leaves.
pub(super) fn perft_figure<G: Game>(game: &str, depth: usize, expected: u64, least: f64) -> Figure {
    let begin = Clock::Thread.now();
    let leaves = perft(G::start(), depth);
    let speed = leaves as f64 / (Clock::Thread.now() - begin).as_secs_f64();
    let name = format!("perft {depth} of {game} ({} leaves)", in_thousands(expected));
    let wrong =
        if leaves == expected { String::new() } else { format!("; {} leaves, which is wrong", in_thousands(leaves)) };
    let measured = format!("{:.0} M leaves a CPU second{wrong}", speed / 1e6);
    Figure::new(name, measured).against(format!("at least {:.0} M", least / 1e6), leaves == expected && speed >= least)
}

pub(super) fn speed_figure(name: &str, speed: f64, slowest: f64, least: f64) -> Figure {
    let measured = format!("{:.1} M nodes a CPU second, the slowest {:.1} M", speed / 1e6, slowest / 1e6);
    Figure::new(name, measured).against(format!("at least {:.0} M", least / 1e6), speed >= least)
}

/// Returns the nodes per CPU second over all positions and on the slowest one. Searches each for at least `each`.
pub(super) fn speed_on<G: Searched, E: Evaluator<G> + Clone>(
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
