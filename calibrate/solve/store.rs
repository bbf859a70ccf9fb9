//! What was found out before, by this run and earlier ones?

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, RwLock};

use anyhow::{Result, anyhow};
use kingline::game::{Canonical, Outcome};

use super::store_file::StoreFile;

/// What was found out of positions of the defender, by their forms. Threads share it; what is added goes to the disk
/// with the next [`save`](Store::save).
pub(super) struct Store {
    facts: RwLock<HashMap<u128, Facts>>,
    /// How many of them are known to be lost.
    lost_positions: AtomicUsize,
    unsaved: Mutex<Vec<(u128, Fact)>>,
    file: Mutex<StoreFile>,
}

/// One thing that was found out of a position whose side to move defends itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// It loses, in at most this many plies.
    Lost(u16),
    /// What a search thinks of the position, for the winner, in hundredths of the evaluation's unit.
    Score(i16),
    /// The solver could not decide it.
    Tried,
}

/// All that was found out of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub(super) lost: Option<u16>,
    pub(super) score: Option<i16>,
    pub(super) tried: bool,
}

impl Facts {
    fn add(&mut self, fact: Fact) {
        match fact {
            Fact::Lost(plies) => self.lost = Some(self.lost.map_or(plies, |known| known.min(plies))),
            Fact::Score(score) => self.score = Some(score),
            Fact::Tried => self.tried = true,
        }
    }
}

impl Store {
    /// The store in a file; a new one if there is none.
    ///
    /// # Errors
    /// The file cannot be read or written, or is something else.
    pub(super) fn open<G: Canonical>(path: &Path) -> Result<Store> {
        let (file, known) = StoreFile::open(path, G::NAME)?;
        let mut facts: HashMap<u128, Facts> = HashMap::with_capacity(known.len());
        for (form, fact) in known {
            facts.entry(form).or_default().add(fact);
        }
        let lost_positions = facts.values().filter(|facts| facts.lost.is_some()).count().into();
        Ok(Store { facts: RwLock::new(facts), lost_positions, unsaved: Mutex::default(), file: Mutex::new(file) })
    }

    /// All that is known of a form.
    pub(super) fn facts(&self, form: u128) -> Facts {
        self.facts.read().ok().and_then(|facts| facts.get(&form).copied()).unwrap_or_default()
    }

    /// In how many plies at most a form is lost for its side to move, if that is known.
    pub(super) fn lost(&self, form: u128) -> Option<u16> {
        self.facts(form).lost
    }

    /// Positions known to be lost.
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

    /// Writes to the disk what was added since the last time.
    ///
    /// # Errors
    /// The file cannot be written; what was not is kept for the next time.
    pub(super) fn save(&self) -> Result<()> {
        let lock = || anyhow!("a thread panicked");
        let mut unsaved = self.unsaved.lock().map_err(|_| lock())?;
        self.file.lock().map_err(|_| lock())?.append(&unsaved)?;
        unsaved.clear();
        Ok(())
    }

    /// In how many plies at most the side to move wins, as far as is known: at once, or by a move to a lost position.
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

    /// In how many plies at most the side to move loses, if that follows from what is known of the positions after its
    /// moves; `None`: it does not.
    pub(super) fn lost_by_replies<G: Canonical>(&self, position: &G) -> Option<u16> {
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
