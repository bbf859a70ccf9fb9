//! Speed of move generation and of the search, with one thread and with two.

use std::num::NonZero;
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::Result;
use kingline::clock::Clock;
use kingline::game::{Evaluator, Game, Searched, perft};
use kingline::search::{Limits, Params, Searcher};
use kingline::{checkers, evaluate, loa};
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::help::GuidePage;
use kingline_players::progress::Progress;
use kingline_players::terminal::{in_thousands, stdout_line};

use crate::matches;
use crate::openings::{self, SHARP};
use crate::options::help_end;

/// Start position of checkers and five middle-game positions, in PDN.
pub(super) const CHECKERS: [&str; 6] = [
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "W:W18,21,22,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,9,10,12,16",
    "B:W17,21,22,24,25,27,29,30,32:B1,2,4,5,6,8,11,12,15",
    "W:W13,19,22,26,27,28,30,31:B2,3,4,7,8,10,12,14",
    "B:W13,18,21,26,28,32:B3,4,7,11,12,20",
    "W:WK6,19,23,27,30:BK29,4,10,12,20",
];
/// Start position of Lines of Action and five middle-game positions from self-play.
const LOA: [&str; 6] = [
    "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- black",
    "bbbbb-b-/---w-w-w/w------/w-w-----/-------w/-------b/w------w/-bw-bbb- black",
    "---bb-b-/w------w/-w---wb-/w-b-----/----w--w/w-b--wbw/w-b-b--w/-b-b---- black",
    "---bb---/wbw-w---/-b---b-b/---w---w/--w----w/--------/b--w----/-b--bbb- black",
    "-bbbb---/-w--w---/--w----b/w-------/--w-bwbw/--w--b-w/--------/-w----bb black",
    "--w-bb-w/wb----bw/-b-b----/----w-bw/-w------/b-------/--------/bb-b-ww- black",
];

fn positions<G: Game + FromStr>(texts: [&str; 6]) -> impl Iterator<Item = G> {
    texts.into_iter().filter_map(|text| text.parse().ok())
}

pub(super) fn perft_figures() -> Vec<Figure> {
    vec![
        perft_figure::<checkers::Position>("checkers", 11, 85_242_128, 60e6),
        perft_figure::<loa::Position<8>>("8x8 Lines of Action", 5, 55_963_132, 40e6),
        perft_figure::<loa::Position<6>>("6x6 Lines of Action", 6, 96_288_700, 40e6),
    ]
}

/// Returns the perft leaves per CPU second. The target requires the correct number of leaves.
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

pub(super) fn search_figures() -> Vec<Figure> {
    let figure = |game: &str, (speed, slowest): (f64, f64), least: f64| {
        let measured = format!("{:.1} M nodes a CPU second, the slowest {:.1} M", speed / 1e6, slowest / 1e6);
        Figure::new(format!("search of {game}, start and five middle games"), measured)
            .against(format!("at least {:.0} M", least / 1e6), speed >= least)
    };
    let each = Duration::from_secs(1);
    let of_loa = speed_on(positions::<loa::Position<8>>(LOA), &evaluate::loa::Evaluation::default(), each);
    vec![figure("checkers", search_speed(each), 4e6), figure("8x8 Lines of Action", of_loa, 2e6)]
}

/// Returns the nodes of checkers per CPU second over all positions and on the slowest one. Searches each for at least
/// `each`.
pub(crate) fn search_speed(each: Duration) -> (f64, f64) {
    speed_on(positions::<checkers::Position>(CHECKERS), &evaluate::checkers::Evaluation::default(), each)
}

fn speed_on<G: Searched, E: Evaluator<G> + Clone>(
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

/// Reports the nodes and CPU time of searches to a fixed depth, from the start and middle-game positions of checkers.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Figures))]
pub(crate) struct DepthArguments {
    /// Depth of the search, in plies.
    depth: i16,
    /// Search parameters to change, as JSON.
    #[arg(default_value = "{}", value_parser = params)]
    params: Params,
    #[command(flatten)]
    figures: FiguresOption,
}

fn params(text: &str) -> Result<Params, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}; expected parameters like {{\"prob_cut\": null}}"))
}

/// Prints a line for each position, and the total.
pub(crate) fn to_depth(arguments: &DepthArguments) -> Result<()> {
    let &DepthArguments { depth, params, ref figures } = arguments;
    let (mut all, mut seconds) = (0, 0.0);
    for position in positions::<checkers::Position>(CHECKERS) {
        let begin = Clock::Thread.now();
        let mut searcher = Searcher::new(evaluate::checkers::Evaluation::default()).with_params(params);
        let nodes = searcher.search(position, Limits::depth(depth), &mut ()).nodes;
        let took = (Clock::Thread.now() - begin).as_secs_f64();
        stdout_line(format_args!("{nodes:>12} nodes {took:>8.3} s  {position}"))?;
        all += nodes;
        seconds += took;
    }
    stdout_line(format_args!("{all:>12} nodes {seconds:>8.3} s  in all"))?;
    let name = format!("start and five middle games of checkers to depth {depth}");
    let measured = format!("{} nodes, {seconds:.3} s of CPU time in all", in_thousands(all));
    figures.record(Topic::Search, [Figure::new(name, measured)])
}

/// Searches of each position by each number of threads.
const REPEATS: usize = 3;
/// Random openings beside the positions of the bench.
const OPENINGS: usize = 14;
/// Wall time in which one thread finds the depth to compare at.
const FIND: Duration = Duration::from_millis(1500);
const TWO: NonZero<usize> = NonZero::new(2).expect("not 0");

/// Searches of one position to one depth, by one thread and by two: the medians of the repeats.
struct Compared {
    /// Wall seconds.
    seconds: [f64; 2],
    nodes: [f64; 2],
    /// Nodes a second.
    speeds: [f64; 2],
}

/// Measures the wall time of two threads against one, to the depth that one reaches, and their nodes a second.
pub(super) fn threads_against_one() -> Vec<Figure> {
    let checkers = positions(CHECKERS).chain(openings::openings(SHARP, OPENINGS, 8));
    let loa = positions(LOA).chain(matches::loa::openings::<8>(16, 8).take(OPENINGS));
    [
        compare_all::<checkers::Position, _>(
            "checkers",
            checkers.collect(),
            &evaluate::checkers::Evaluation::default(),
        ),
        compare_all::<loa::Position<8>, _>("Lines of Action", loa.collect(), &evaluate::loa::Evaluation::default()),
    ]
    .concat()
}

fn compare_all<G: Searched, E: Evaluator<G> + Clone>(game: &str, positions: Vec<G>, evaluator: &E) -> Vec<Figure> {
    let mut progress = Progress::new(game, positions.len());
    let mut all = Vec::new();
    for position in positions {
        all.push(compare(position, evaluator));
        progress.step("");
    }
    drop(progress);
    let total = |threads: usize| all.iter().map(|compared: &Compared| compared.seconds[threads]).sum::<f64>();
    let ratio = |of: fn(&Compared) -> [f64; 2]| middle(all.iter().map(of).map(|[one, two]| two / one).collect());
    let [median, visited, speed] =
        [ratio(|compared| compared.seconds), ratio(|compared| compared.nodes), ratio(|compared| compared.speeds)];
    let (count, share) = (all.len(), total(1) / total(0));
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
    let [seconds, nodes, speeds] = [seconds, visited, speeds].map(|lists| lists.map(middle));
    Compared { seconds, nodes, speeds }
}

/// Median; the upper one of an even number.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
