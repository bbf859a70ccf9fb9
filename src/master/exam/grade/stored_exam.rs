//! The exam of a class as its store has it, to be read but not continued.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};

use super::answered::Answered;
use super::exam_lines::{Answers, KeptLines, key};
use super::{Exam, NotAnExam};
use crate::intake::agent::Agent;
use crate::league::League;
use kingline_players::files::read_bytes;

/// The exam in a class's store, with all answers.
pub struct StoredExam {
    /// The questions.
    pub exam: Exam,
    /// Rules of the games, and limits.
    pub league: League,
    /// The seed that determined the exam.
    pub seed: u64,
    /// Method of measuring CPU time.
    pub tier: String,
    /// Options that led to these terms, as words of a command line.
    pub options: Vec<String>,
    answers: Answers,
}

impl StoredExam {
    /// Reads a store, which may be in use.
    ///
    /// # Errors
    /// It cannot be read, or has no exam.
    pub fn read(path: &Path) -> Result<StoredExam> {
        let bytes = read_bytes(path).with_context(|| format!("cannot read {}", path.display()))?;
        let read = || -> Result<StoredExam> {
            let kept = KeptLines::parse(&bytes)?;
            let (terms, seed) = kept.exam.context("an empty file, expected the store of a class")?;
            let (course, positions) = terms.course()?;
            let exam = Exam::new(seed, &course, positions.as_deref());
            let (league, tier) = (terms.league()?, terms.measurement()?);
            Ok(StoredExam { exam, league, seed, tier, options: kept.options, answers: kept.answers })
        };
        read().map_err(|error| NotAnExam::new(format!("{}: {error:#}", path.display())).into())
    }

    /// An agent's answers with its present files, by their index.
    pub(super) fn answers(&self, agent: &Agent) -> BTreeMap<usize, Answered> {
        self.answers.get(&key(agent)).cloned().unwrap_or_default()
    }
}

impl fmt::Debug for StoredExam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredExam").field("exam", &self.exam).field("seed", &self.seed).finish_non_exhaustive()
    }
}
