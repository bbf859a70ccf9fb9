//! Lines of a file that stores an exam.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::Seed;
use super::answered::Answered;
use super::stored_terms::{Change, StoredTerms};
use crate::hash::short_hash;
use crate::intake::agent::Agent;

/// Answers of each agent, by the index of the move or game.
pub(super) type Answers = BTreeMap<AgentKey, BTreeMap<usize, Answered>>;

/// Identity of an agent in the file: a hash of its name and files, in hexadecimal.
pub(super) type AgentKey = String;

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExamLine {
    /// First line: terms and seed of the exam.
    Exam { terms: StoredTerms, seed: u64 },
    /// Name of a submission that was in the class.
    Submission(String),
    /// Options of the command line that led to the terms; the last of these lines counts.
    Options(Vec<String>),
    /// An agent's answer to a move or game, by its index.
    Answer(AgentKey, usize, Answered),
    /// Earlier answers of an agent that no longer count, by their indexes.
    SetAside(AgentKey, Vec<usize>),
}

/// The complete lines of a file.
#[derive(Default)]
pub(super) struct KeptLines {
    /// Terms and seed; `None` if the file is empty.
    pub(super) exam: Option<(StoredTerms, u64)>,
    /// Names in the order in which they came.
    pub(super) submissions: Vec<String>,
    pub(super) options: Vec<String>,
    pub(super) answers: Answers,
    /// Length of these lines in bytes.
    pub(super) length: u64,
}

impl KeptLines {
    pub(super) fn parse(bytes: &[u8]) -> Result<KeptLines> {
        let mut kept = KeptLines::default();
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            if !line.ends_with(b"\n") {
                break;
            }
            let expected =
                if number == 1 { "the first line of an exam" } else { "an answer, or the name of a submission" };
            let parsed: ExamLine =
                serde_json::from_slice(line).with_context(|| format!("line {number}: expected {expected}"))?;
            match (parsed, &kept.exam) {
                (ExamLine::Exam { terms, seed }, None) => kept.exam = Some((terms, seed)),
                (ExamLine::Submission(name), Some(_)) => kept.submissions.push(name),
                (ExamLine::Options(options), Some(_)) => kept.options = options,
                (ExamLine::Answer(agent, index, answer), Some(_)) => {
                    kept.answers.entry(agent).or_default().insert(index, answer);
                }
                (ExamLine::SetAside(agent, indexes), Some(_)) => {
                    kept.answers.entry(agent).or_default().retain(|index, _| !indexes.contains(index));
                }
                _ => bail!("line {number}: expected {expected}"),
            }
            kept.length += line.len() as u64;
        }
        Ok(kept)
    }

    /// How these terms and this seed differ from those of the file.
    pub(super) fn changes(&self, terms: &StoredTerms, seed: Seed) -> Vec<Change> {
        let Some((old, old_seed)) = &self.exam else { return Vec::new() };
        let seed = match seed {
            Seed::Given(seed) if seed != *old_seed => Some(Change::new("seed", old_seed, &seed)),
            _ => None,
        };
        seed.into_iter().chain(old.changes(terms)).collect()
    }
}

/// The identity of an agent.
pub(super) fn key(agent: &Agent) -> AgentKey {
    short_hash(format!("{} {}", agent.hash, agent.name))
}
