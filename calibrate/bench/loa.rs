//! How fast and how strong is Lines of Action?

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kingline::clock::Clock;
use kingline::evaluate::loa::Evaluation;
use kingline::game::{Game, perft};
use kingline::loa::Position;

use super::Figure;
use crate::matches::{self, loa::LoaPlayer};
use crate::program;
use crate::progress::Progress;

/// Seconds per move of the `loa` program.
const FULL_TIME: f64 = 0.35;

/// The start and five middle-game positions of self-play.
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
    let measured = format!("{leaves} leaves, {:.0} M per CPU second", speed / 1e6);
    Figure::new(name, measured, &format!("{expected}, at least 40 M"), leaves == expected && speed >= 40e6)
}

pub(super) fn speed() -> Figure {
    let positions = POSITIONS.iter().filter_map(|text| text.parse::<Position<8>>().ok());
    let (speed, slowest) = super::speed_on(positions, &Evaluation::default(), Duration::from_secs(1));
    super::speed_figure("search, 8x8 Lines of Action, start and five middle games", speed, slowest, 2e6)
}

/// What time is worth: the engine against itself with a tenth of the time, 200 games.
pub(super) fn tenth() -> Figure {
    let full = LoaPlayer::with_seconds(FULL_TIME);
    let tenth = LoaPlayer::with_seconds(FULL_TIME / 10.0);
    let openings = matches::loa::openings::<8>(4, 100, 10);
    let tally = matches::play_match(&openings, 2, "a tenth of the time", |color, opening, game| {
        matches::loa::play(&full, &tenth, color, opening, game)
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

/// Games of `loa` with itself, at its default time, that nobody watches: the end of input is there. By wall time.
pub(super) fn automatic() -> Result<Figure> {
    const GAMES: usize = 10;
    let program = program::sibling("loa")?;
    let cannot = || format!("cannot run {}", program.display());
    let mut progress = Progress::new("automatic", GAMES);
    let (mut longest, mut ended) = (Duration::ZERO, 0);
    for _ in 0..GAMES {
        let mut command = Command::new(&program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().with_context(cannot)?;
        if let Some(mut pipe) = child.stdin.take() {
            pipe.write_all(b"auto black\n").with_context(cannot)?;
        }
        let output = child.wait_with_output().with_context(cannot)?;
        longest = longest.max(start.elapsed());
        let text = String::from_utf8_lossy(&output.stdout);
        ended += usize::from(text.contains(" wins.") || text.contains("Tie game."));
        progress.step("");
    }
    Ok(Figure::new(
        &format!("`loa`, both sides automatic, nobody watching, {GAMES} games"),
        format!("{ended} ended, the longest took {:.2} s of wall time", longest.as_secs_f64()),
        "at most 3 s",
        ended == GAMES && longest <= Duration::from_secs(3),
    ))
}
