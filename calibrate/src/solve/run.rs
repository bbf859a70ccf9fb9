//! Several threads that work on one or several proofs, within a budget of nodes.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use anyhow::{Result, anyhow};
use kingline::game::Canonical;
use kingline_players::threads::Threads;

use super::goal::{Claim, State};
use super::graph::Graph;
use super::notes::Notes;
use super::store::Store;
use super::work::{Evaluated, Task, Worker};

/// Longest time between two readings of the clock for the next write or the next line of progress.
const LOOK: Duration = Duration::from_millis(200);

/// Means of a proof.
pub(super) struct Solver<'a> {
    pub(super) store: &'a Store,
    pub(super) threads: Threads,
    /// Memory for the solver tables of all threads and the table of deep searches together.
    pub(super) bytes: usize,
    /// Time between two writes of the store to disk.
    pub(super) save: Duration,
    /// Nodes of an attempt at a reply in the first plan.
    pub(super) budget: u64,
}

/// State shared by the threads.
struct Shared<'a, G> {
    proofs: Vec<(Claim, Graph<'a, G>)>,
    /// Proof that gets the next task.
    turn: usize,
    /// First error of any thread.
    error: Option<anyhow::Error>,
    /// Nodes left of the budget.
    left: u64,
    notes: &'a mut Notes,
}

impl Solver<'_> {
    /// Returns the memory for the table of deep searches.
    pub(super) fn plan_bytes(&self) -> usize {
        self.bytes / 4
    }

    /// Works on a proof of each of these claims, until one is proved, all have failed, or this number of nodes is
    /// exceeded. Returns the state of each decided one.
    pub(super) fn attempt<G: Evaluated>(
        &self,
        start: &G,
        claims: &[Claim],
        nodes: u64,
        notes: &mut Notes,
    ) -> Result<Vec<(Claim, State)>> {
        let proofs = claims.iter().map(|&claim| (claim, Graph::new(self.store, start, claim))).collect();
        let shared = Shared { proofs, turn: 0, error: None, left: nodes, notes };
        let (shared, changed) = (Mutex::new(shared), Condvar::new());
        let run = || {
            let bytes = (self.bytes - self.plan_bytes()) / self.threads.count;
            let worker = Worker::new(self.store, bytes);
            work(&shared, &changed, worker);
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.count {
                scope.spawn(run);
            }
            // A task may take minutes.
            scope.spawn(|| self.watch(&shared, &changed));
            run();
        });
        let shared = shared.into_inner().map_err(|_| anyhow!("a thread panicked"))?;
        if let Some(error) = shared.error {
            // The facts found before it are kept.
            self.store.save()?;
            return Err(error);
        }
        self.store.save_every(self.save)?;
        Ok(shared.proofs.iter().filter_map(|(claim, proof)| Some((*claim, proof.result()?))).collect())
    }

    /// Saves the store and shows the progress from time to time, until the work ends.
    fn watch<G: Canonical>(&self, shared: &Mutex<Shared<'_, G>>, changed: &Condvar) {
        let Ok(mut locked) = shared.lock() else { return };
        while !locked.is_over() {
            locked.error = self.store.save_every(self.save).err();
            locked.show(self.store);
            let Ok((woken, _)) = changed.wait_timeout(locked, LOOK) else { return };
            locked = woken;
        }
    }
}

impl<G: Canonical> Shared<'_, G> {
    /// True if a claim is proved, all have failed, the budget is spent, or there was an error.
    fn is_over(&self) -> bool {
        let mut results = self.proofs.iter().map(|(_, proof)| proof.result());
        let is_decided = results.clone().any(|result| result == Some(State::Proved)) || results.all(|it| it.is_some());
        is_decided || self.left == 0 || self.error.is_some()
    }

    /// Returns the next task, with its proof and its node; the proofs take turns.
    fn next(&mut self) -> Option<(usize, usize, Task<G>)> {
        for _ in 0..self.proofs.len() {
            let place = self.turn;
            self.turn = (self.turn + 1) % self.proofs.len();
            if let Some((id, task)) = self.proofs[place].1.next() {
                return Some((place, id, task));
            }
        }
        None
    }

    fn show(&mut self, store: &Store) {
        let proofs = &self.proofs;
        self.notes.show(store, || {
            let standings = proofs.iter().map(|(_, proof)| proof.standing());
            standings.max_by(|one, other| one.share().total_cmp(&other.share()))
        });
    }
}

/// Works on tasks until the work ends.
fn work<G: Evaluated>(shared: &Mutex<Shared<'_, G>>, changed: &Condvar, mut worker: Worker<'_, G>) {
    let Ok(mut locked) = shared.lock() else { return };
    while !locked.is_over() {
        let Some((place, id, task)) = locked.next() else {
            if locked.is_over() {
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
        let nodes = worker.take_nodes();
        locked.proofs[place].1.report(id, found);
        locked.left = locked.left.saturating_sub(nodes);
        locked.notes.count(nodes);
        changed.notify_all();
    }
    changed.notify_all();
}
