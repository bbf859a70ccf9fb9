//! Answers of `loa6` on a busy machine, with a new process for each request, as a driver runs it.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kingline::game::{Color, Game, random_opening};
use kingline::loa::Position;
use kingline_players::figures::Figure;
use kingline_players::protocol::request::{Request, read_answer};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::program;
use crate::progress::Progress;
use crate::threads::Threads;
use kingline_players::terminal::in_thousands;

const POSITIONS: usize = 1_000;
/// Busy processes for each core.
pub(super) const BUSY: usize = 20;
/// The driver's limit (§2).
pub(super) const LIMIT: Duration = Duration::from_secs(3);

/// Requests moves in random positions, one at a time for each core, while each core has [`BUSY`] busy processes. No
/// answer may be late or illegal.
pub(super) fn on_a_loaded_machine() -> Result<Vec<Figure>> {
    let loa6 = program::sibling("loa6")?;
    let cores = Threads::new(None);
    let _load = Load::new(BUSY * cores.count)?;
    let mut rng = StdRng::seed_from_u64(17);
    let positions: Vec<_> = (0..POSITIONS).map(|_| random_position(&mut rng)).collect();
    let progress = Mutex::new(Progress::new("requests", POSITIONS));
    let answered = cores.map(&positions, |position| {
        let start = Instant::now();
        let answer = answer(&loa6, position)?;
        let took = start.elapsed();
        progress.lock().unwrap_or_else(PoisonError::into_inner).step("");
        Ok((took, read_answer(&answer, position).is_ok()))
    })?;
    let late = answered.iter().filter(|(took, _)| *took >= LIMIT).count();
    let illegal = answered.iter().filter(|(_, is_legal)| !is_legal).count();
    let most = answered.iter().map(|&(took, _)| took).max().unwrap_or_default();
    let requests = in_thousands(POSITIONS as u64);
    let name = format!("{requests} random requests to `loa6`, one at a time and {BUSY} busy processes for each core");
    let measured = format!("{late} late, {illegal} illegal; the longest {:.2} s", most.as_secs_f64());
    Ok(vec![Figure::new(name, measured).against("0 late (3 s of wall time), 0 illegal", late + illegal == 0)])
}

/// The answer of a new process to a request for a move.
fn answer(loa6: &Path, position: &Position<6>) -> Result<String> {
    let mut child = Command::new(loa6)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", loa6.display()))?;
    let request = Request::Move { turn: 1, position: *position }.to_string();
    // Dropped at the end of the statement, so that the request ends.
    child.stdin.take().context("no input")?.write_all(request.as_bytes()).context("cannot write the request")?;
    let output = child.wait_with_output().context("cannot read the answer")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
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
pub(super) struct Load(Vec<Child>);

impl Load {
    /// Starts so many processes.
    pub(super) fn new(count: usize) -> Result<Load> {
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
