//! Several threads that work on one tree.

use std::fmt;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use kingline::clock::Clock;
use kingline::game::{Canonical, Evaluator};

use super::store::Store;
use super::tree::Tree;
use super::work::Worker;
use crate::progress::Status;
use crate::threads::Threads;
use kingline::terminal::in_thousands;

/// Time between two writes of the store to disk.
const SAVE: Duration = Duration::from_secs(10);

/// Proof that the side to move wins.
#[derive(Debug)]
pub(super) struct Proved<G> {
    start: G,
    plies: u16,
    lost_positions: usize,
    cpu: Duration,
}

/// State shared by the threads.
struct Shared<'a, G> {
    tree: Tree<'a, G>,
    tasks: usize,
    saved: Instant,
    /// First error of any thread.
    error: Option<anyhow::Error>,
    status: Status,
}

/// Proves that the side to move in `start` wins.
///
/// # Errors
/// Fails if it does not win or the store cannot be written.
pub(super) fn prove<G: Canonical + Send + Sync, E: Evaluator<G> + Clone + Sync>(
    store: &Store,
    start: G,
    evaluator: &E,
    threads: Threads,
    bytes: usize,
) -> Result<Proved<G>> {
    let began = Clock::Process.now();
    let status = Status::new();
    let shared = Shared { tree: Tree::new(store, &start), tasks: 0, saved: Instant::now(), error: None, status };
    let (shared, changed) = (Mutex::new(shared), Condvar::new());
    let run = || work(store, &shared, &changed, Worker::new(store, evaluator.clone(), bytes / threads.count));
    std::thread::scope(|scope| {
        for _ in 1..threads.count {
            scope.spawn(run);
        }
        run();
    });
    let shared = shared.into_inner().map_err(|_| anyhow!("a thread panicked"))?;
    // Also saves the facts found before an error.
    store.save()?;
    if let Some(error) = shared.error {
        return Err(error);
    }
    drop(shared.status);
    if shared.tree.result() != Some(true) {
        bail!("found no win for the side to move, or only one that repeats a position: {start}");
    }
    let plies = store.won(&start).context("the store lacks the proof")?;
    let cpu = Clock::Process.now() - began;
    Ok(Proved { start, plies, lost_positions: store.lost_positions(), cpu })
}

/// Works on tasks until the start is decided or an error occurs.
fn work<G: Canonical, E: Evaluator<G> + Clone>(
    store: &Store,
    shared: &Mutex<Shared<'_, G>>,
    changed: &Condvar,
    mut worker: Worker<'_, G, E>,
) {
    let Ok(mut locked) = shared.lock() else { return };
    while locked.error.is_none() && locked.tree.result().is_none() {
        let Some((id, task)) = locked.tree.next() else {
            if locked.tree.result().is_some() {
                break;
            }
            let Ok(woken) = changed.wait(locked) else { return };
            locked = woken;
            continue;
        };
        drop(locked);
        let found = worker.run(&task);
        let Ok(again) = shared.lock() else { return };
        locked = again;
        locked.tree.report(id, found);
        locked.tasks += 1;
        note(store, &mut locked);
        changed.notify_all();
    }
    changed.notify_all();
}

/// Saves the store from time to time, and shows the progress of the proof.
fn note<G: Canonical>(store: &Store, shared: &mut Shared<'_, G>) {
    if shared.saved.elapsed() >= SAVE {
        shared.saved = Instant::now();
        if let Err(error) = store.save() {
            shared.error = Some(error);
        }
    }
    let Shared { tree, tasks, status, .. } = shared;
    status.show(|| {
        let standing = tree.standing();
        let proved = in_thousands(store.lost_positions() as u64);
        let share = 100.0 * standing.share;
        format!("{share:.1} % proved, {proved} lost positions known, {} open, {tasks} tasks done", standing.open)
    });
}

impl<G> Proved<G> {
    /// Describes the largest number of plies in the win, and the cost of the proof.
    pub(super) fn in_words(&self) -> String {
        let (known, cpu) = (in_thousands(self.lost_positions as u64), self.cpu.as_secs_f64());
        format!(
            "the side to move wins, in at most {} plies; {cpu:.0} s of CPU time, {known} lost positions known",
            self.plies
        )
    }
}

impl<G: fmt::Display> fmt::Display for Proved<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.start, self.in_words())
    }
}
