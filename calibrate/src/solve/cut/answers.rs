//! Answers of the solver of `loa6`, in a journal from which an interrupted cut continues.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use kingline::game::{Canonical, Game};
use kingline::loa::Position;
use kingline::search::Limits;
use kingline_players::play::solved::proved_choice;
use serde_json::{Map, json};

use crate::solve::node::Aim;
use crate::solve::walk::Taken;
use kingline_players::journal::{Journal, Run};

const RUN: Run = Run { name: "cut", help: "move it away, or name another file with --output" };
/// Number of answers in a row: about a second of work.
const ROW: usize = 1 << 12;

/// Answers so far. The solver is called only once for each form.
pub(in crate::solve) struct Answers {
    path: PathBuf,
    /// Most nodes of the solver for an answer.
    nodes: u64,
    kept: Mutex<Kept>,
    /// Number of answers in a row of the journal.
    row: usize,
}

struct Kept {
    /// By form; `None` if the solver finds no win.
    known: HashMap<u128, Option<Won>>,
    journal: Journal,
    /// Answers that are not in the journal yet.
    new: Vec<Answer>,
}

/// Winning move of the solver.
#[derive(Clone, Copy)]
struct Won {
    /// Form of the position after it.
    after: u128,
    nodes: u64,
}

/// Answer in the journal: the form, and for a win the form after the move and the solver's nodes.
type Answer = ([u64; 2], Option<([u64; 2], u64)>);

impl Answers {
    /// Opens the journal of the cut that is written to `output`, or begins one. The solver gets `nodes` nodes.
    ///
    /// # Errors
    /// Fails if the journal cannot be read or written, is in use by another run, or belongs to something else.
    pub(in crate::solve) fn open(output: &Path, nodes: u64) -> Result<Answers> {
        let path = PathBuf::from(format!("{}.journal", output.display()));
        let version = env!("CARGO_PKG_VERSION");
        let header = json!({ "journal": "cut", "version": version, "nodes": nodes });
        let header: Map<_, _> = serde_json::from_value(header)?;
        let (journal, rows) = Journal::open::<Vec<Answer>>(&path, RUN, &header)?;
        let won = |(after, nodes)| Won { after: joined(after), nodes };
        let known = rows.into_iter().flatten().map(|(form, answer)| (joined(form), answer.map(won))).collect();
        Ok(Answers { path, nodes, kept: Mutex::new(Kept { known, journal, new: Vec::new() }), row: ROW })
    }

    /// Number of known answers.
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
        kept.new.push((split(form), won.map(|Won { after, nodes }| (split(after), nodes))));
        if kept.new.len() >= self.row {
            let row = std::mem::take(&mut kept.new);
            kept.journal.add(&row)?;
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

/// Returns the high and the low half, since JSON numbers have 64 bits.
fn split(form: u128) -> [u64; 2] {
    [(form >> 64) as u64, form as u64]
}

fn joined([high, low]: [u64; 2]) -> u128 {
    u128::from(high) << 64 | u128::from(low)
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
        let answers = Answers { row: 2, ..Answers::open(&output, 250_000).unwrap() };
        assert!(answers.get(&level).unwrap().is_none());
        let taken = answers.get(&won).unwrap().unwrap();
        drop(answers);
        let answers = Answers::open(&output, 250_000).unwrap();
        assert_eq!(answers.count(), 2);
        let again = answers.get(&won).unwrap().unwrap();
        assert_eq!((again.aim, again.after.form(), again.nodes), (Aim::Win, taken.after.form(), taken.nodes));
        answers.remove().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
