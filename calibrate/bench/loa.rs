//! Lines of Action: leaves, nodes, whole games.

use std::time::Duration;

use kingline::clock::Clock;
use kingline::game::{Game, History, perft};
use kingline::loa::{HandWritten, Position};
use kingline::player::Settings;
use kingline::search::{Limits, Searcher, Table, Unwatched};

use super::Figure;
use crate::arena::{self, loa::Player};

/// Seconds a move of the `loa` program.
const FULL_TIME: f64 = 0.35;

/// Start and five positions of the middle game of self-play.
const POSITIONS: [&str; 6] = [
    "-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- black",
    "bbbbb-b-/---w-w-w/w------w/w-w-----/-------w/-------b/w------w/-bw-bbb- black",
    "---bb-b-/w------w/-w---wb-/w-b-----/----w--w/w-b--wbw/w-b-b--w/-b-b---- black",
    "---bb---/wbw-w---/-b---b-b/---w---w/--w----w/--------/b--w----/-b--bbb- black",
    "-bbbb---/-w--w---/--w----b/w-------/--w-bwbw/--w--b-w/--------/-w----bb black",
    "--w-bb-w/wb----bw/-b-b----/----w-bw/-w------/b-------/--------/bb-b-ww- black",
];

pub(super) fn perft_speed() -> Vec<Figure> {
    vec![
        perft_figure::<8>("perft 5 of 8x8 Lines of Action", 5, 55_963_132),
        perft_figure::<6>("perft 6 of 6x6 Lines of Action", 6, 96_288_700),
    ]
}

fn perft_figure<const N: usize>(name: &str, depth: usize, expected: u64) -> Figure {
    let begin = Clock::Thread.now();
    let leaves = perft(Position::<N>::start(), depth);
    let speed = leaves as f64 / (Clock::Thread.now() - begin).as_secs_f64();
    let measured = format!("{leaves} leaves, {:.0} M a CPU second", speed / 1e6);
    Figure::new(name, measured, &format!("{expected}, at least 40 M"), leaves == expected && speed >= 40e6)
}

pub(super) fn speed() -> Figure {
    const EACH: Duration = Duration::from_secs(1);
    let (mut all, mut time, mut slowest) = (0, Duration::ZERO, f64::INFINITY);
    for position in POSITIONS.iter().filter_map(|text| text.parse::<Position<8>>().ok()) {
        let (mut nodes, begin) = (0, Clock::Thread.now());
        while Clock::Thread.now() - begin < EACH {
            let mut searcher =
                Searcher::new(HandWritten::default(), Settings::default().search, Table::with_limit(64 << 20));
            let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
            nodes += searcher.search(&History::new(position), limits, &mut Unwatched).nodes;
        }
        let took = Clock::Thread.now() - begin;
        slowest = slowest.min(nodes as f64 / took.as_secs_f64());
        all += nodes;
        time += took;
    }
    let speed = all as f64 / time.as_secs_f64();
    let measured = format!("{:.1} M nodes a CPU second (the slowest {:.1} M)", speed / 1e6, slowest / 1e6);
    Figure::new("search, 8x8 Lines of Action, start and five middle games", measured, "at least 2 M", speed >= 2e6)
}

/// The worth of time: the machine against itself with a tenth of it, 200 games.
pub(super) fn tenth() -> Figure {
    let full = Player::with_seconds(FULL_TIME);
    let tenth = Player::with_seconds(FULL_TIME / 10.0);
    let openings = arena::loa::openings::<8>(4, 100, 10);
    let tally = arena::match_up(&openings, 2, "a tenth of the time", |color, opening, game| {
        arena::loa::play(&full, &tenth, color, opening, game)
    });
    let measured = format!(
        "{:.1} % ± {:.1} (+{} ={} -{})",
        100.0 * tally.share(),
        100.0 * tally.error(),
        tally.wins,
        tally.draws,
        tally.losses
    );
    let name = format!("Lines of Action at {FULL_TIME} s a move against a tenth, 200 games");
    Figure::new(&name, measured, "at least 85 %", tally.share() >= 0.85)
}
