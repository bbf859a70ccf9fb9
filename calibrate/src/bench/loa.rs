//! Speed and strength of Lines of Action.

use std::time::Duration;

use anyhow::Result;
use kingline::evaluate::loa::Evaluation;
use kingline::loa::Position;
use kingline_players::figures::Figure;

use super::speed::{perft_figure, speed_figure, speed_on};
use crate::matches::loa::LoaPlayer;
use crate::matches::{Match, Player};
use crate::threads::Threads;

/// Seconds per move of the `loa` program.
const FULL_TIME: f64 = 0.35;

/// Start position and five middle-game positions from self-play.
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
        perft_figure::<Position<8>>("8x8 Lines of Action", 5, 55_963_132, 40e6),
        perft_figure::<Position<6>>("6x6 Lines of Action", 6, 96_288_700, 40e6),
    ]
}

pub(super) fn speed() -> Figure {
    let (speed, slowest) = speed_on(positions(), &Evaluation::default(), Duration::from_secs(1));
    speed_figure("search of 8x8 Lines of Action, start and five middle games", speed, slowest, 2e6)
}

pub(super) fn positions() -> impl Iterator<Item = Position<8>> {
    POSITIONS.iter().filter_map(|text| text.parse().ok())
}

/// Plays 200 games of the engine against itself with a tenth of the time.
pub(super) fn tenth() -> Result<Figure> {
    let full = LoaPlayer::<8>::with_seconds(FULL_TIME);
    let tenth = LoaPlayer::<8>::with_seconds(FULL_TIME / 10.0);
    let openings = LoaPlayer::<8>::openings_of_match(100, 10);
    let threads = Threads { count: 2 };
    let the_match = Match { openings: &openings, threads, title: "a tenth of the time", sprt: None, record: None };
    let report = the_match.between([&full, &tenth])?;
    let name = format!("200 games of 8x8 Lines of Action at {FULL_TIME} s a move against a tenth of that");
    Ok(Figure::new(name, report.in_words()).against("at least 85 %", report.points >= 0.85))
}
