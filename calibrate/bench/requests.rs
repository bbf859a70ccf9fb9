//! Answers of `loa6` on a busy machine, with a new process for each request, as a driver runs it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kingline::figures::Figure;
use kingline::game::{Color, Game, random_opening};
use kingline::loa::Position;
use kingline::protocol::request::{Request, read_answer};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::program;
use crate::progress::Progress;
use kingline::terminal::in_thousands;

const POSITIONS: usize = 1_000;
/// The driver's limit (§2).
const LIMIT: Duration = Duration::from_secs(3);

/// Requests moves in random positions while twice as many processes as cores are busy. No answer may be late or
/// illegal.
pub(super) fn on_a_loaded_machine() -> Result<Vec<Figure>> {
    let loa6 = program::sibling("loa6")?;
    let _load = Load::new(2 * available_parallelism().context("cannot count the cores")?.get())?;
    let mut rng = StdRng::seed_from_u64(17);
    let mut progress = Progress::new("requests", POSITIONS);
    let (mut late, mut illegal, mut most) = (0, 0, Duration::ZERO);
    for _ in 0..POSITIONS {
        let position = random_position(&mut rng);
        let start = Instant::now();
        let request = Request::Move { turn: 1, position }.to_string();
        let answer = program::run_with_input(&loa6, &[], Path::new("."), &request)?.stdout;
        let took = start.elapsed();
        most = most.max(took);
        late += usize::from(took >= LIMIT);
        illegal += usize::from(read_answer(&answer, &position).is_err());
        progress.step(&format!("{late} late, {illegal} illegal"));
    }
    let name =
        format!("{} random requests to `loa6`, twice as many busy processes as cores", in_thousands(POSITIONS as u64));
    let measured = format!("{late} late, {illegal} illegal; the longest {:.2} s", most.as_secs_f64());
    Ok(vec![Figure::new(name, measured).against("0 late (3 s of wall time), 0 illegal", late + illegal == 0)])
}

/// Returns a position with Black to move after at most 40 random plies from the start, in a game that is not over.
fn random_position(rng: &mut StdRng) -> Position<6> {
    loop {
        let plies = rng.random_range(0..=40u32) as usize;
        let opening = random_opening::<Position<6>>(plies, |moves| rng.random_range(0..moves));
        let position = opening.map(|opening| opening.history.position());
        if let Some(position) = position.filter(|position| position.turn() == Color::Black) {
            return position;
        }
    }
}

/// Busy processes. They are killed when dropped, and end by themselves when this process does.
struct Load(Vec<Child>);

impl Load {
    fn new(count: usize) -> Result<Load> {
        let mut load = Load(Vec::new());
        for _ in 0..count {
            let busy = "exec 2>&-; while kill -0 $PPID; do :; done";
            let child = Command::new("sh").args(["-c", busy]).stdin(Stdio::null()).spawn();
            load.0.push(child.context("cannot start a busy process")?);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
