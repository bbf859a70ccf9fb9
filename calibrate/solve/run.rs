//! Several threads that work on the proof of one position.
//!
//! First there is an attempt by the tree alone, with a budget of nodes. If that does not decide the position, another
//! tree tries to prove that the other side does not lose. Then plans made of deep searches and of attempts at single
//! replies take over, one for each of the two. If all fail, the budget is raised.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use kingline::clock::Clock;
use kingline::game::Canonical;

use super::evaluated::Evaluated;
use super::goal::Goal;
use super::node::{Aim, Claim, State, Whose};
use super::notes::Notes;
use super::plan::Plan;
use super::report::{Report, Verdict};
use super::store::Store;
use super::task::Task;
use super::tree::Tree;
use super::work::Worker;
use crate::threads::Threads;

/// Factor by which the budget is raised.
const RAISE: u64 = 4;
/// Budget of the tree alone, as a multiple of the plan's. Where the tree would finish, a plan takes several times as
/// long.
const TREE_SHARE: u64 = 60;
/// The same for a tree that tries to prove a hold. A plan for a hold takes little longer than a tree that finishes.
const HOLD_SHARE: u64 = 10;
/// Longest time between two looks at the clock for the next write or the next line of progress.
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
    trees: Vec<(Claim, Tree<'a, G>)>,
    /// Tree that gets the next task.
    turn: usize,
    /// First error of any thread.
    error: Option<anyhow::Error>,
    /// Nodes left of the budget.
    left: u64,
    notes: &'a mut Notes,
}

impl Solver<'_> {
    /// Decides whether the goal's winner reaches its aim. If it turns out to lose, that is proved instead.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    pub(super) fn decide<G: Evaluated>(&self, goal: &Goal<G>, notes: &mut Notes) -> Result<Report<G>> {
        let (start, began) = (goal.start, Clock::Process.now());
        let asked = goal.whose();
        if let (Some(whose), Aim::Hold) = (asked, goal.aim) {
            return self.hold(&start, whose, notes);
        }
        let roles = asked.map_or(vec![Whose::Winner, Whose::Defender], |whose| vec![whose]);
        let mut states = self.settle(&start, &roles, notes)?;
        if let ([(whose, State::Lost)], Some(_)) = (&states[..], asked) {
            let mut other = self.settle(&start, &[whose.other()], notes)?;
            other.retain(|(_, state)| *state == State::Proved);
            states.extend(other);
        }
        self.store.save()?;
        let verdict = self.verdict(&start, &states)?;
        let cpu = Clock::Process.now() - began;
        Ok(Report { start, verdict, lost_positions: self.store.lost_positions(), cpu })
    }

    /// Works on the proof for each of these roles of the side to move, until one is proved or all have failed. Returns
    /// the state of each decided one.
    fn settle<G: Evaluated>(&self, start: &G, roles: &[Whose], notes: &mut Notes) -> Result<Vec<(Whose, State)>> {
        let wins: Vec<Claim> = roles.iter().map(|&whose| Claim { whose, aim: Aim::Win }).collect();
        let mut budget = self.budget;
        loop {
            let nodes = budget.saturating_mul(TREE_SHARE);
            let found = self.attempt(start, &wins, nodes, notes)?;
            let mut states: Vec<(Whose, State)> =
                found.into_iter().map(|(claim, state)| (claim.whose, state)).collect();
            if states.iter().any(|&(_, state)| state == State::Proved) {
                return Ok(states);
            }
            for &whose in roles {
                if states.iter().any(|&(decided, _)| decided == whose) {
                    continue;
                }
                let [win, hold] =
                    [(whose, Aim::Win), (whose.other(), Aim::Hold)].map(|(whose, aim)| Claim { whose, aim });
                if self.is_held(start, hold.whose, budget.saturating_mul(HOLD_SHARE), notes)? {
                    states.push((whose, State::NotWon));
                } else if Plan::new(self, notes, start, win, budget).succeeds(start)? {
                    return Ok(vec![(whose, State::Proved)]);
                } else if Plan::new(self, notes, start, hold, budget).succeeds(start)? {
                    states.push((whose, State::NotWon));
                }
            }
            if states.len() == roles.len() {
                return Ok(states);
            }
            budget = budget.saturating_mul(RAISE);
        }
    }

    /// Decides whether the player with this role loses, by a tree and a plan.
    fn hold<G: Evaluated>(&self, start: &G, whose: Whose, notes: &mut Notes) -> Result<Report<G>> {
        let began = Clock::Process.now();
        let claim = Claim { whose, aim: Aim::Hold };
        let mut budget = self.budget;
        let holds = loop {
            if let [(_, state)] = self.attempt(start, &[claim], budget.saturating_mul(HOLD_SHARE), notes)?[..] {
                break state == State::Proved;
            }
            if Plan::new(self, notes, start, claim, budget).succeeds(start)? {
                break true;
            }
            budget = budget.saturating_mul(RAISE);
        };
        self.store.save()?;
        // The proof may be that the player wins.
        let wins = match whose {
            Whose::Winner => self.store.reaches(start, Aim::Win),
            Whose::Defender => self.store.misses(start.form(), Aim::Hold),
        };
        let state = match (holds, wins) {
            (true, true) => (whose, State::Proved),
            (true, false) => (whose.other(), State::NotWon),
            (false, _) => (whose.other(), State::Proved),
        };
        let verdict = self.verdict(start, &[state])?;
        let cpu = Clock::Process.now() - began;
        Ok(Report { start: *start, verdict, lost_positions: self.store.lost_positions(), cpu })
    }

    /// True if a tree of this many nodes proves that the player with this role does not lose.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    pub(super) fn is_held<G: Evaluated>(&self, start: &G, whose: Whose, nodes: u64, notes: &mut Notes) -> Result<bool> {
        let claim = Claim { whose, aim: Aim::Hold };
        Ok(self.attempt(start, &[claim], nodes, notes)? == [(claim, State::Proved)])
    }

    /// Returns the memory for the table of deep searches.
    pub(super) fn plan_bytes(&self) -> usize {
        self.bytes / 4
    }

    fn verdict<G: Canonical>(&self, start: &G, states: &[(Whose, State)]) -> Result<Verdict> {
        let missing = "the store lacks the proof";
        let proved = states.iter().find(|(_, state)| *state == State::Proved);
        Ok(match (proved, states) {
            (Some((Whose::Winner, _)), _) => Verdict::Won(self.store.won(start).context(missing)?),
            (Some((Whose::Defender, _)), _) => Verdict::Lost(self.store.lost(start.form()).context(missing)?),
            (None, [(Whose::Winner, _)]) => Verdict::NotWon,
            (None, [(Whose::Defender, _)]) => Verdict::NotLost,
            (None, _) => Verdict::Neither,
        })
    }

    /// Works on a tree for each of these claims, until one is proved, all have failed, or this number of nodes is
    /// exceeded. Returns the state of each decided one.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    pub(super) fn attempt<G: Evaluated>(
        &self,
        start: &G,
        claims: &[Claim],
        nodes: u64,
        notes: &mut Notes,
    ) -> Result<Vec<(Claim, State)>> {
        let trees = claims.iter().map(|&claim| (claim, Tree::new(self.store, start, claim))).collect();
        let shared = Shared { trees, turn: 0, error: None, left: nodes, notes };
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
        Ok(shared.trees.iter().filter_map(|(claim, tree)| Some((*claim, tree.result()?))).collect())
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
    /// True if a tree is proved, all have failed, the budget is spent, or there was an error.
    fn is_over(&self) -> bool {
        let mut results = self.trees.iter().map(|(_, tree)| tree.result());
        let is_decided = results.clone().any(|result| result == Some(State::Proved)) || results.all(|it| it.is_some());
        is_decided || self.left == 0 || self.error.is_some()
    }

    /// Returns the next task, with its tree and its node; the trees take turns.
    fn next(&mut self) -> Option<(usize, usize, Task<G>)> {
        for _ in 0..self.trees.len() {
            let place = self.turn;
            self.turn = (self.turn + 1) % self.trees.len();
            if let Some((id, task)) = self.trees[place].1.next() {
                return Some((place, id, task));
            }
        }
        None
    }

    fn show(&mut self, store: &Store) {
        let trees = &self.trees;
        self.notes.show(store, || {
            let standings = trees.iter().map(|(_, tree)| tree.standing());
            standings.max_by(|one, other| one.share.total_cmp(&other.share)).unwrap_or_default()
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
        locked.trees[place].1.report(id, found);
        locked.left = locked.left.saturating_sub(nodes);
        locked.notes.count(nodes);
        changed.notify_all();
    }
    changed.notify_all();
}
