//! Two threads against one: wall time to a depth, and nodes a second.

use std::num::NonZero;
use std::time::{Duration, Instant};

use kingline::checkers;
use kingline::evaluate;
use kingline::game::{Evaluator, Searched};
use kingline::loa;
use kingline::search::{Limits, Searcher};
use kingline_players::figures::Figure;

use crate::matches;
use crate::openings::{self, SHARP};
use crate::progress::Progress;

/// Searches of each position by each number of threads.
const REPEATS: usize = 3;
/// Random openings beside the positions of the bench.
const OPENINGS: usize = 14;
/// Wall time in which one thread finds the depth to compare at.
const FIND: Duration = Duration::from_millis(1500);
const TWO: NonZero<usize> = NonZero::new(2).expect("not 0");

/// Searches of one position to one depth.
struct Compared {
    /// Wall seconds of one thread and of two, the median of the repeats.
    seconds: [f64; 2],
    /// Nodes, the median of the repeats.
    nodes: [f64; 2],
    /// Nodes a second.
    speeds: [f64; 2],
}

pub(super) fn against_one() -> Vec<Figure> {
    let checkers = super::checkers::positions().chain(openings::openings(SHARP, OPENINGS, 8));
    let loa = super::loa::positions().chain(matches::loa::openings::<8>(16, 8).take(OPENINGS));
    [
        figures::<checkers::Position, _>("checkers", checkers.collect(), &evaluate::checkers::Evaluation::default()),
        figures::<loa::Position<8>, _>("Lines of Action", loa.collect(), &evaluate::loa::Evaluation::default()),
    ]
    .concat()
}

fn figures<G: Searched, E: Evaluator<G> + Clone>(game: &str, positions: Vec<G>, evaluator: &E) -> Vec<Figure> {
    let mut progress = Progress::new(game, positions.len());
    let mut all = Vec::new();
    for position in positions {
        all.push(compare(position, evaluator));
        progress.step("");
    }
    drop(progress);
    let total = |threads: usize| all.iter().map(|compared: &Compared| compared.seconds[threads]).sum::<f64>();
    let mut ratios: Vec<f64> = all.iter().map(|compared| compared.seconds[1] / compared.seconds[0]).collect();
    let mut nodes: Vec<f64> = all.iter().map(|compared| compared.nodes[1] / compared.nodes[0]).collect();
    let mut faster: Vec<f64> = all.iter().map(|compared| compared.speeds[1] / compared.speeds[0]).collect();
    let (share, median) = (total(1) / total(0), middle(&mut ratios));
    let (visited, speed) = (middle(&mut nodes), middle(&mut faster));
    let count = all.len();
    let measured =
        format!("{share:.2} of {:.1} s in all, median {median:.2}, with {visited:.2} of the nodes", total(0));
    vec![
        Figure::new(format!("two threads to the depth of one, {count} positions of {game}"), measured)
            .against("at most 0.65 in all", share <= 0.65),
        Figure::new(format!("nodes a second of two threads in {game}"), format!("{speed:.2} of one, median"))
            .against("at least 1.7", speed >= 1.7),
    ]
}

fn compare<G: Searched, E: Evaluator<G> + Clone>(position: G, evaluator: &E) -> Compared {
    let search = |threads, limits| {
        let mut searcher = Searcher::new(evaluator.clone()).with_threads(threads);
        let begin = Instant::now();
        let report = searcher.search(position, limits, &mut ());
        (report.depth, report.nodes, begin.elapsed().as_secs_f64())
    };
    let (depth, ..) = search(NonZero::<usize>::MIN, Limits::time(FIND));
    let limits = Limits::depth(depth.0.max(1));
    let [mut seconds, mut visited, mut speeds] = [const { [const { Vec::new() }; 2] }; 3];
    for _ in 0..REPEATS {
        for (place, threads) in [NonZero::<usize>::MIN, TWO].into_iter().enumerate() {
            let (_, nodes, took) = search(threads, limits);
            seconds[place].push(took);
            visited[place].push(nodes as f64);
            speeds[place].push(nodes as f64 / took);
        }
    }
    let [seconds, nodes, speeds] = [seconds, visited, speeds].map(|lists| lists.map(|mut list| middle(&mut list)));
    Compared { seconds, nodes, speeds }
}

/// Median; the upper one of an even number.
fn middle(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
