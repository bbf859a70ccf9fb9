//! Speed of move generation and search in checkers, and the shortest turn.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use kingline::checkers::Position;
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::score::Depth;
use kingline::search::{Limits, Params, Searcher};
use kingline_players::figures::Figure;

use super::speed::{perft_figure, speed_figure, speed_on};
use crate::agent_dir::AgentDir;
use crate::program;
use crate::spread::Spread;

/// Start position and five middle-game positions, in PDN.
pub(super) const POSITIONS: [&str; 6] = [
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "W:W18,21,22,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,9,10,12,16",
    "B:W17,21,22,24,25,27,29,30,32:B1,2,4,5,6,8,11,12,15",
    "W:W13,19,22,26,27,28,30,31:B2,3,4,7,8,10,12,14",
    "B:W13,18,21,26,28,32:B3,4,7,11,12,20",
    "W:WK6,19,23,27,30:BK29,4,10,12,20",
];

pub(super) fn perft_speed() -> Figure {
    perft_figure::<Position>("checkers", 11, 85_242_128, 60e6)
}

pub(super) fn speed() -> Figure {
    let (speed, slowest) = search_speed(Duration::from_secs(1));
    speed_figure("search of checkers, start and five middle games", speed, slowest, 4e6)
}

/// Returns the nodes per CPU second over all positions and on the slowest one. Searches each for at least `each`.
pub(crate) fn search_speed(each: Duration) -> (f64, f64) {
    speed_on(positions(), &Evaluation::default(), each)
}

/// Searches each position to this depth. Returns the nodes and the CPU time.
pub(crate) fn to_depth(depth: Depth, params: Params) -> Vec<(Position, u64, Duration)> {
    let search = |position: Position| {
        let begin = Clock::Thread.now();
        let mut searcher = Searcher::new(Evaluation::default()).with_params(params);
        let nodes = searcher.search(position, Limits::depth(depth.0), &mut ()).nodes;
        (position, nodes, Clock::Thread.now() - begin)
    };
    positions().map(search).collect()
}

pub(super) fn positions() -> impl Iterator<Item = Position> {
    POSITIONS.iter().filter_map(|text| text.parse().ok())
}

/// Measures a turn with one legal move from outside the process, beside a program that does nothing.
pub(super) fn startup() -> Result<Figure> {
    const REPEATS: usize = 101;
    const MOST: f64 = 0.25;
    let folder = AgentDir::new("startup")?;
    let homework = program::sibling("homework")?;
    let one_move: Position = "B:W18,20:B15".parse()?;
    folder.ask("SINGLE", &one_move, 100.0)?;
    let (mut times, mut above) = (Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        let nothing = program::run(Path::new("true"), &[], folder.path())?.cpu;
        let turn = program::run(&homework, &[], folder.path())?.cpu;
        times.push(turn);
        above.push(turn.saturating_sub(nothing));
    }
    let median = |times| Spread::of(times).percent(50).as_secs_f64() * 1000.0;
    let (median, above) = (median(times), median(above));
    let measured = format!("{median:.2} ms CPU, {above:.2} more than `true`, medians of {REPEATS} pairs");
    let target = format!("at most {MOST} ms more than `true`");
    Ok(Figure::new("exec to exit with one legal move, warm cache", measured).against(target, above <= MOST))
}
