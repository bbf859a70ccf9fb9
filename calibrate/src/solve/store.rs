//! Facts found by this run and earlier ones.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, RwLock};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use kingline::game::{Canonical, Outcome};

use super::fact::{Fact, Facts};
use super::node::Aim;
use super::store_file::StoreFile;

/// Facts about positions, by form. Threads share the store. The next [`save`](Store::save) writes new
/// facts to disk.
pub(super) struct Store {
    facts: RwLock<HashMap<u128, Facts>>,
    /// Number of positions known to be lost.
    lost_positions: AtomicUsize,
    unsaved: Mutex<Vec<(u128, Fact)>>,
    file: Mutex<StoreFile>,
    /// Time of the last save to disk, or of the opening.
    saved: Mutex<Instant>,
}

impl Store {
    /// Opens the store in a file, or creates a new one.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or is not a store of this game.
    pub(super) fn open<G: Canonical>(path: &Path) -> Result<Store> {
        let (file, known) = StoreFile::open(path, G::NAME)?;
        let mut facts: HashMap<u128, Facts> = HashMap::with_capacity(known.len());
        for (form, fact) in known {
            facts.entry(form).or_default().add(fact);
        }
        let lost_positions = facts.values().filter(|facts| facts.lost.is_some()).count().into();
        let (facts, file, saved) = (RwLock::new(facts), Mutex::new(file), Mutex::new(Instant::now()));
        Ok(Store { facts, lost_positions, unsaved: Mutex::default(), file, saved })
    }

    /// Returns all facts about a form.
    pub(super) fn facts(&self, form: u128) -> Facts {
        self.facts.read().ok().and_then(|facts| facts.get(&form).copied()).unwrap_or_default()
    }

    /// Returns the largest number of plies in which a form's side to move loses, if known.
    pub(super) fn lost(&self, form: u128) -> Option<u16> {
        self.facts(form).lost
    }

    /// True if a form's side to move is known not to reach this aim.
    pub(super) fn misses(&self, form: u128, aim: Aim) -> bool {
        let facts = self.facts(form);
        facts.lost.is_some() || facts.not_won && aim == Aim::Win
    }

    /// Number of positions known to be lost.
    pub(super) fn lost_positions(&self) -> usize {
        self.lost_positions.load(Relaxed)
    }

    /// Adds a fact.
    pub(super) fn add(&self, form: u128, fact: Fact) {
        if let (Ok(mut facts), Ok(mut unsaved)) = (self.facts.write(), self.unsaved.lock()) {
            let known = facts.entry(form).or_default();
            let is_new = known.lost.is_none() && matches!(fact, Fact::Lost(_));
            self.lost_positions.fetch_add(is_new.into(), Relaxed);
            known.add(fact);
            unsaved.push((form, fact));
        }
    }

    /// Saves the facts to disk if the last save is at least this long ago.
    ///
    /// # Errors
    /// See [`save`](Store::save).
    pub(super) fn save_every(&self, interval: Duration) -> Result<()> {
        let is_due = self.saved.lock().is_ok_and(|saved| saved.elapsed() >= interval);
        if is_due { self.save() } else { Ok(()) }
    }

    /// Writes the facts added since the last save to disk.
    ///
    /// # Errors
    /// Fails if the file cannot be written. The unwritten facts are kept for the next save.
    pub(super) fn save(&self) -> Result<()> {
        let lock = || anyhow!("a thread panicked");
        // Locked first, so that batches are written in order. Other threads go on while the disk is busy.
        let mut file = self.file.lock().map_err(|_| lock())?;
        *self.saved.lock().map_err(|_| lock())? = Instant::now();
        let facts = std::mem::take(&mut *self.unsaved.lock().map_err(|_| lock())?);
        let written = file.append(&facts);
        if written.is_err() {
            self.unsaved.lock().map_err(|_| lock())?.splice(..0, facts);
        }
        written
    }

    /// Returns the largest number of plies in which the side to move wins, at once or by a move to a position known to
    /// be lost.
    pub(super) fn won<G: Canonical>(&self, position: &G) -> Option<u16> {
        let us = position.turn();
        let mut least: Option<u16> = None;
        for mv in position.legal_moves() {
            let after = position.play(mv);
            match after.outcome() {
                Some(Outcome::Win(winner)) if winner == us => return Some(1),
                Some(_) => {}
                None => {
                    let plies = self.lost(after.form()).map(|plies| plies + 1);
                    least = [least, plies].into_iter().flatten().min();
                }
            }
        }
        least
    }

    /// True if the side to move is known to reach this aim.
    pub(super) fn reaches<G: Canonical>(&self, position: &G, aim: Aim) -> bool {
        let us = position.turn();
        match (position.outcome(), aim) {
            (Some(outcome), Aim::Win) => outcome == Outcome::Win(us),
            (Some(outcome), Aim::Hold) => outcome != Outcome::Win(!us),
            (None, Aim::Win) => self.won(position).is_some(),
            (None, Aim::Hold) => {
                let mut after = position.legal_moves().into_iter().map(|mv| position.play(mv));
                after.any(|after| match after.outcome() {
                    None => self.misses(after.form(), Aim::Win),
                    Some(outcome) => outcome != Outcome::Win(!us),
                })
            }
        }
    }

    /// Returns the fact that after all moves in a position the other side reaches this aim, if that follows from the
    /// facts about the positions after them; `None` otherwise.
    pub(super) fn by_replies<G: Canonical>(&self, position: &G, aim: Aim) -> Option<Fact> {
        match aim {
            Aim::Win => self.lost_by_replies(position).map(Fact::Lost),
            Aim::Hold => {
                let mut after = position.legal_moves().into_iter().map(|mv| position.play(mv));
                after.all(|after| self.reaches(&after, aim)).then_some(Fact::NotWon)
            }
        }
    }

    /// Returns the largest number of plies in which the side to move loses, if that follows from the facts about the
    /// positions after its moves; `None` otherwise.
    fn lost_by_replies<G: Canonical>(&self, position: &G) -> Option<u16> {
        let them = !position.turn();
        let mut most = 0;
        for mv in position.legal_moves() {
            let after = position.play(mv);
            most = most.max(
                1 + match after.outcome() {
                    Some(Outcome::Win(winner)) if winner == them => 0,
                    Some(_) => return None,
                    None => self.won(&after)?,
                },
            );
        }
        Some(most)
    }
}
