//! Facts about positions, found by this run and earlier ones, in memory and in a file.
//!
//! A store file is a [batch file](crate::batch_file) with the title `kingline solve 1 loa6`. A record has 20 bytes,
//! little-endian: the form (16), the kind of fact (2: 0 lost, 1 score, 2 tried, 3 not won), its value (2: plies or score).

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, RwLock};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use kingline::game::{Canonical, Outcome};
use kingline_players::figures::Figure;
use kingline_players::terminal::{in_thousands, stdout_line};

use super::goal::Aim;
use crate::batch_file::{BatchFile, Format};

/// Bytes of a fact in a file.
const RECORD: usize = 20;
/// Largest number of facts in a batch of a merged store.
const BATCH: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// The side to move loses in at most this many plies.
    Lost(u16),
    /// The side to move does not win: the other side can at least go on without end.
    NotWon,
    /// Search score for the side that is not to move, in hundredths of the evaluation's unit.
    Score(i16),
    /// The solver tried the position without deciding it.
    Tried,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub(super) lost: Option<u16>,
    pub(super) not_won: bool,
    pub(super) score: Option<i16>,
    pub(super) tried: bool,
}

impl Fact {
    fn record(self, form: u128) -> [u8; RECORD] {
        let (kind, value) = match self {
            Fact::Lost(plies) => (0u16, plies.to_le_bytes()),
            Fact::Score(score) => (1, score.to_le_bytes()),
            Fact::Tried => (2, [0; 2]),
            Fact::NotWon => (3, [0; 2]),
        };
        let mut bytes = [0; RECORD];
        bytes[..16].copy_from_slice(&form.to_le_bytes());
        bytes[16..18].copy_from_slice(&kind.to_le_bytes());
        bytes[18..].copy_from_slice(&value);
        bytes
    }

    /// Returns the form and the fact of a record; `None` if its kind is unknown.
    fn of_record(bytes: &[u8]) -> Option<(u128, Fact)> {
        let (form, rest) = bytes.split_first_chunk()?;
        let &[kind, 0, low, high] = rest else { return None };
        let fact = match kind {
            0 => Fact::Lost(u16::from_le_bytes([low, high])),
            1 => Fact::Score(i16::from_le_bytes([low, high])),
            2 => Fact::Tried,
            3 => Fact::NotWon,
            _ => return None,
        };
        Some((u128::from_le_bytes(*form), fact))
    }
}

impl Facts {
    fn each(self) -> impl Iterator<Item = Fact> {
        let Facts { lost, not_won, score, tried } = self;
        let [not_won, tried] =
            [(not_won, Fact::NotWon), (tried, Fact::Tried)].map(|(is_so, fact)| is_so.then_some(fact));
        [lost.map(Fact::Lost), not_won, score.map(Fact::Score), tried].into_iter().flatten()
    }

    /// Keeps the shorter of two distances to a loss.
    fn add(&mut self, fact: Fact) {
        match fact {
            Fact::Lost(plies) => self.lost = Some(self.lost.map_or(plies, |known| known.min(plies))),
            Fact::NotWon => self.not_won = true,
            Fact::Score(score) => self.score = Some(score),
            Fact::Tried => self.tried = true,
        }
    }
}

/// Facts about positions, by form. Threads share the store. The next [`save`](Store::save) writes new
/// facts to disk.
pub(super) struct Store {
    facts: RwLock<HashMap<u128, Facts>>,
    lost_positions: AtomicUsize,
    unsaved: Mutex<Vec<(u128, Fact)>>,
    file: Mutex<BatchFile>,
    /// Time of the last save to disk, or of the opening.
    saved: Mutex<Instant>,
}

impl Store {
    /// Opens the store in a file, or creates a new one.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or is not a store of this game.
    pub(super) fn open<G: Canonical>(path: &Path) -> Result<Store> {
        let mut facts: HashMap<u128, Facts> = HashMap::new();
        let file = BatchFile::open(path, format::<G>(), |records| {
            each_fact(&records, |form, fact| facts.entry(form).or_default().add(fact))
        })?;
        let lost_positions = facts.values().filter(|facts| facts.lost.is_some()).count().into();
        let (facts, file, saved) = (RwLock::new(facts), Mutex::new(file), Mutex::new(Instant::now()));
        Ok(Store { facts, lost_positions, unsaved: Mutex::default(), file, saved })
    }

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

    pub(super) fn lost_positions(&self) -> usize {
        self.lost_positions.load(Relaxed)
    }

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
        let records: Vec<u8> = facts.iter().flat_map(|&(form, fact)| fact.record(form)).collect();
        let written = file.append(&records);
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
        lost_after_replies(position, |after| self.won(after))
    }
}

/// Returns the largest number of plies in which the side to move loses, if `won` returns that in which the other side wins
/// after each of its moves that do not end the game.
pub(super) fn lost_after_replies<G: Canonical>(position: &G, mut won: impl FnMut(&G) -> Option<u16>) -> Option<u16> {
    let mut most = 0;
    for mv in position.legal_moves() {
        let after = position.play(mv);
        let plies = match after.outcome() {
            Some(Outcome::Win(winner)) if winner == after.turn() => 0,
            Some(_) => return None,
            None => won(&after)?,
        };
        most = most.max(plies + 1);
    }
    Some(most)
}

/// Adds the facts in `parts` to the store `whole`, which is created if there is none. Each fact is kept once, and of two
/// distances to a loss the shorter one. Returns the figure.
///
/// # Errors
/// Fails if a file cannot be read or written, is damaged, or is not a store of this game. The store is then unchanged.
pub(super) fn merge<G: Canonical>(parts: &[PathBuf], whole: &Path) -> Result<Figure> {
    // By form, so that the same facts give the same file.
    let (mut facts, mut found): (BTreeMap<u128, Facts>, u64) = (BTreeMap::new(), 0);
    let mut add = |records: Vec<u8>| {
        found += (records.len() / RECORD) as u64;
        each_fact(&records, |form, fact| facts.entry(form).or_default().add(fact))
    };
    // Open during the merge, so that no other run writes to it.
    let mut before = 0;
    let locked = BatchFile::open(whole, format::<G>(), |records| {
        before += (records.len() / RECORD) as u64;
        add(records)
    })?;
    for part in parts {
        format::<G>().read(part, &mut add)?;
    }
    let lost = facts.values().filter(|facts| facts.lost.is_some()).count() as u64;
    let kept: Vec<[u8; RECORD]> =
        facts.iter().flat_map(|(&form, facts)| facts.each().map(move |fact| fact.record(form))).collect();
    locked.replace(kept.chunks(BATCH).map(<[_]>::concat))?;
    let [before, found, kept, lost] = [before, found, kept.len() as u64, lost].map(in_thousands);
    let measured = format!("{kept} facts kept of {found}, {before} of them known before; {lost} lost positions");
    stdout_line(format_args!("{}: {measured}", whole.display()))?;
    Ok(Figure::new("stores merged", measured))
}

fn format<G: Canonical>() -> Format {
    Format { title: format!("kingline solve 1 {}", G::NAME), record: RECORD, is_replaceable: false }
}

fn each_fact(records: &[u8], mut add: impl FnMut(u128, Fact)) -> Result<()> {
    for record in records.chunks_exact(RECORD) {
        let (form, fact) = Fact::of_record(record).context("found a fact of unknown kind, expected 0 to 3")?;
        add(form, fact);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_round_trip() {
        let facts = [(7, Fact::Lost(49)), (u128::MAX, Fact::Score(-300)), (0, Fact::Tried), (1, Fact::NotWon)];
        for (form, fact) in facts {
            assert_eq!(Fact::of_record(&fact.record(form)), Some((form, fact)));
        }
        assert_eq!(Fact::of_record(&[9; RECORD]), None);
    }
}
