//! Answers of the solver of `loa6`, in a journal from which an interrupted cut continues.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use kingline::game::{Canonical, Game};
use kingline::loa::Position;
use kingline::search::Limits;
use kingline_players::play::solved::proved_choice;

use crate::bad_input::BadInput;
use crate::batch_file::{BatchFile, Format, OtherFile};
use crate::solve::node::Aim;
use crate::solve::walk::Taken;
use kingline_players::journal::{Journal, Run};

/// Number of answers in a batch: about a second of work.
const BATCH: usize = 1 << 12;
/// Bytes of an answer in the journal: the form, then for a win the form after the move, the solver's nodes, and 1.
const RECORD: usize = 41;

/// Answers so far. The solver is called only once for each form.
pub(in crate::solve) struct Answers {
    path: PathBuf,
    /// Most nodes of the solver for an answer.
    nodes: u64,
    kept: Mutex<Kept>,
    /// Number of answers in a batch of the journal.
    batch: usize,
}

struct Kept {
    /// By form; `None` if the solver finds no win.
    known: HashMap<u128, Option<Won>>,
    journal: BatchFile,
    /// Records that are not in the journal yet.
    new: Vec<u8>,
}

/// Winning move of the solver.
#[derive(Clone, Copy)]
struct Won {
    /// Form of the position after it.
    after: u128,
    nodes: u64,
}

impl Answers {
    /// Opens the journal of the cut that is written to `output`, or begins one. The solver gets `nodes` nodes.
    ///
    /// # Errors
    /// Fails if the journal cannot be read or written, is in use by another run, or belongs to something else.
    pub(in crate::solve) fn open(output: &Path, nodes: u64) -> Result<Answers> {
        let path = PathBuf::from(format!("{}.journal", output.display()));
        let title = format!("kingline cut 1 {nodes} nodes");
        let mut known = HashMap::new();
        let opened = BatchFile::open(&path, Format { title, record: RECORD, is_replaceable: false }, |records| {
            known.extend(records.chunks_exact(RECORD).filter_map(answer));
            Ok(())
        });
        let other = "expected the journal of a cut; help: move it away, or name another file with --output";
        let journal = opened.map_err(|error| match error.is::<OtherFile>() {
            true => error.context(BadInput::new(format!("{}: {other}", path.display()))),
            false => error,
        })?;
        Ok(Answers { path, nodes, kept: Mutex::new(Kept { known, journal, new: Vec::new() }), batch: BATCH })
    }

    pub(in crate::solve) fn count(&self) -> usize {
        self.kept().known.len()
    }

    /// Returns the solver's move in a position; `None` if it finds no win.
    ///
    /// # Errors
    /// Fails if the journal cannot be written.
    pub(in crate::solve) fn get(&self, position: &Position<6>) -> Result<Option<Taken<Position<6>>>> {
        let form = position.form();
        let known = self.kept().known.get(&form).copied();
        let won = match known {
            Some(won) => won,
            None => self.ask(position, form)?,
        };
        let Some(Won { after, nodes }) = won else { return Ok(None) };
        let after = Position::of_form(after, !position.turn()).context("found a form without a position")?;
        Ok(Some(Taken { aim: Aim::Win, after, nodes }))
    }

    /// Calls the solver.
    fn ask(&self, position: &Position<6>, form: u128) -> Result<Option<Won>> {
        let choice = proved_choice(position, Limits::nodes(self.nodes));
        let won = choice.map(|choice| Won { after: position.play(choice.best).form(), nodes: choice.why.nodes() });
        let mut kept = self.kept();
        kept.known.insert(form, won);
        kept.new.extend(record(form, won));
        if kept.new.len() >= self.batch * RECORD {
            let batch = std::mem::take(&mut kept.new);
            kept.journal.append(&batch)?;
        }
        Ok(won)
    }

    /// Removes the journal.
    ///
    /// # Errors
    /// Fails if it cannot be removed.
    pub(in crate::solve) fn remove(self) -> Result<()> {
        let Answers { path, kept, .. } = self;
        drop(kept);
        std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record(form: u128, won: Option<Won>) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..16].copy_from_slice(&form.to_le_bytes());
    if let Some(Won { after, nodes }) = won {
        bytes[16..32].copy_from_slice(&after.to_le_bytes());
        bytes[32..40].copy_from_slice(&nodes.to_le_bytes());
        bytes[40] = 1;
    }
    bytes
}

fn answer(record: &[u8]) -> Option<(u128, Option<Won>)> {
    let (form, rest) = record.split_first_chunk()?;
    let (after, rest) = rest.split_first_chunk()?;
    let (nodes, rest) = rest.split_first_chunk()?;
    let won = Won { after: u128::from_le_bytes(*after), nodes: u64::from_le_bytes(*nodes) };
    Some((u128::from_le_bytes(*form), (rest == [1]).then_some(won)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_run_leaves_its_answers() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("part");
        let level: Position<6> = "-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black".parse().unwrap();
        let won: Position<6> = "--bbb-/--w---/-b---b/ww-bbw/w----w/-b---w black".parse().unwrap();
        let answers = Answers { batch: 2, ..Answers::open(&output, 250_000).unwrap() };
        assert!(answers.get(&level).unwrap().is_none());
        let taken = answers.get(&won).unwrap().unwrap();
        drop(answers);
        assert!(Answers::open(&output, 20_000).err().unwrap().is::<BadInput>(), "another number of nodes");
        let answers = Answers::open(&output, 250_000).unwrap();
        assert_eq!(answers.count(), 2);
        let again = answers.get(&won).unwrap().unwrap();
        assert_eq!((again.aim, again.after.form(), again.nodes), (Aim::Win, taken.after.form(), taken.nodes));
        answers.remove().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
