//! What is kept of an exam that is not finished, or of a class?
//!
//! A file of JSON lines: the exam, then every answer as it is given, with the agent that gave it. Whatever ends the program,
//! the same command finds it and goes on from there. The first line has a hash of all that makes the exam what it is, apart
//! from a seed that was drawn. An agent alone has a file with a name of its own, in which that hash is too: one that changed
//! has another file. A class has the file that was asked for; of an agent that changed the old answers do not count.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::sitting::Answered;
use super::{GradingTerms, Opponent};
use crate::master::agent::Agent;
use crate::master::store::Lock;

/// The answers of an exam so far, and the file that keeps them, if there is one.
#[derive(Debug)]
pub struct UnfinishedExam {
    kept: Option<KeptFile>,
    seed: Option<u64>,
    answers: BTreeMap<AgentKey, BTreeMap<usize, Answered>>,
}

/// An agent in the file: a hash of its name and files, in hexadecimal.
type AgentKey = String;

/// Characters of an agent's name in that of the file.
const LONGEST_NAME: usize = 40;

/// A file that is being written; locked meanwhile.
#[derive(Debug)]
struct KeptFile {
    path: PathBuf,
    file: File,
    _lock: Lock,
}

/// A file that is not what this program wrote: where it is, what was expected, and the way out.
#[derive(Debug)]
pub struct NotAnExam(String);

impl fmt::Display for NotAnExam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAnExam {}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ExamLine {
    /// The first: which exam it is, and its seed.
    Exam { identity: String, seed: u64 },
    /// Of an agent a move or a game, by its index.
    Answer(AgentKey, usize, Answered),
}

/// Where the seed of an exam comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedSource {
    /// It was asked for.
    Asked,
    /// It was drawn: an exam that goes on has that of its beginning.
    Drawn,
}

impl UnfinishedExam {
    /// An exam that is not kept.
    pub fn not_kept() -> UnfinishedExam {
        UnfinishedExam { kept: None, seed: None, answers: BTreeMap::new() }
    }

    /// The exam of an agent on these terms: as far as it was kept in `folder`, or from the start.
    ///
    /// # Errors
    /// Another process is at it, the file is not what this program wrote, or it cannot be read or written.
    pub fn of_agent(
        folder: &Path,
        agent: &Agent,
        terms: &GradingTerms,
        source: SeedSource,
        tier: &str,
    ) -> Result<UnfinishedExam> {
        let identity = identity(Some(agent), terms, source, tier)?;
        // Names of files have a limit, and that of the agent may reach it.
        let name: String = agent.name.chars().take(LONGEST_NAME).collect();
        UnfinishedExam::open(folder.join(format!("{name}-{}.part", &identity[..12])), identity, terms)
    }

    /// The exam of a class on these terms: as far as it was kept in this file, or from the start.
    ///
    /// # Errors
    /// Another process is at it, the file is not what this program wrote or is of other terms, or it cannot be read or
    /// written.
    pub fn of_class(path: &Path, terms: &GradingTerms, source: SeedSource, tier: &str) -> Result<UnfinishedExam> {
        UnfinishedExam::open(path.to_owned(), identity(None, terms, source, tier)?, terms)
    }

    fn open(path: PathBuf, identity: String, terms: &GradingTerms) -> Result<UnfinishedExam> {
        let shown = path.display().to_string();
        let Some(lock) = Lock::take(&path).with_context(|| format!("cannot write {shown}"))? else {
            bail!("{shown}: another process is at this exam");
        };
        let bytes = fs::read(&path).with_context(|| format!("cannot read {shown}"))?;
        let mut exam = UnfinishedExam::not_kept();
        let whole = exam.read(&bytes, &identity);
        let whole = whole.map_err(|error| NotAnExam(format!("{shown}: {error:#}; delete it to begin anew")))?;
        let open = || -> io::Result<File> {
            let mut file = File::options().write(true).open(&path)?;
            // What a killed program left of its last line.
            file.set_len(whole)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().with_context(|| format!("cannot write {shown}"))?;
        exam.kept = Some(KeptFile { path, file, _lock: lock });
        if exam.seed.is_none() {
            exam.write(&ExamLine::Exam { identity, seed: terms.seed })?;
            exam.seed = Some(terms.seed);
        }
        Ok(exam)
    }

    /// Reads the whole lines of a file; returns their length.
    fn read(&mut self, bytes: &[u8], identity: &str) -> Result<u64> {
        let mut whole = 0;
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            if !line.ends_with(b"\n") {
                break;
            }
            let expected =
                if number == 1 { "the first line of an exam on these terms" } else { "an answer of an exam" };
            let parsed: ExamLine =
                serde_json::from_slice(line).with_context(|| format!("line {number}: expected {expected}"))?;
            match (parsed, self.seed) {
                (ExamLine::Exam { identity: found, seed }, None) if found == identity => self.seed = Some(seed),
                (ExamLine::Answer(agent, index, answer), Some(_)) => {
                    self.answers.entry(agent).or_default().insert(index, answer);
                }
                _ => bail!("line {number}: expected {expected}"),
            }
            whole += line.len() as u64;
        }
        Ok(whole)
    }

    /// The seed with which it was begun; `None`: it is not kept.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// How many moves and games of an agent are done.
    pub fn done(&self, agent: &Agent) -> usize {
        self.answers.get(&key(agent)).map_or(0, BTreeMap::len)
    }

    /// Where it is kept.
    pub fn path(&self) -> Option<&Path> {
        self.kept.as_ref().map(|kept| &*kept.path)
    }

    /// The answers of an agent that are known, by their indexes.
    pub(super) fn answers(&self, agent: &Agent) -> BTreeMap<usize, Answered> {
        self.answers.get(&key(agent)).cloned().unwrap_or_default()
    }

    /// Keeps an answer of an agent, also through a power cut.
    pub(super) fn add(&mut self, agent: &Agent, index: usize, answer: &Answered) -> Result<()> {
        self.write(&ExamLine::Answer(key(agent), index, answer.clone()))?;
        self.answers.entry(key(agent)).or_default().insert(index, answer.clone());
        Ok(())
    }

    fn write(&mut self, line: &ExamLine) -> Result<()> {
        let Some(KeptFile { path, file, .. }) = &mut self.kept else { return Ok(()) };
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        file.write_all(&bytes)
            .and_then(|()| file.sync_data())
            .with_context(|| format!("cannot write {}; what was answered before is safe", path.display()))
    }

    /// All is graded and printed: removes the file.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn finish(self) -> Result<()> {
        self.kept.map_or(Ok(()), |kept| {
            fs::remove_file(&kept.path).with_context(|| format!("cannot delete {}", kept.path.display()))
        })
    }
}

fn key(agent: &Agent) -> AgentKey {
    let hash = Sha256::digest(format!("{} {}", agent.hash, agent.name));
    hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 over all that makes an exam what it is, in hexadecimal. Of a seed that was drawn nothing depends: it is kept.
fn identity(agent: Option<&Agent>, terms: &GradingTerms, source: SeedSource, tier: &str) -> Result<String> {
    let (kind, opponent) = match &terms.opponent {
        Opponent::Reference { agent, cost } => (format!("reference {cost:?}"), agent),
        Opponent::Other(agent) => ("other".to_owned(), agent),
    };
    let questions = terms.positions_given.then(|| {
        let questions = terms.exam.questions.iter();
        questions.map(|question| (question.name.clone(), question.request.to_string())).collect::<Vec<_>>()
    });
    let all = serde_json::to_vec(&(
        (env!("CARGO_PKG_VERSION"), tier),
        agent.map(|agent| (&agent.name, &agent.hash)),
        (kind, &opponent.name, &opponent.hash),
        &terms.league,
        (source == SeedSource::Asked).then_some(terms.seed),
        terms.exam.games.iter().map(|game| (game.side, game.budget)).collect::<Vec<_>>(),
        (terms.exam.points_a_move, terms.exam.points_a_game),
        (terms.exam.questions.len(), terms.seconds_a_move, questions),
    ))?;
    Ok(Sha256::digest(all).iter().map(|byte| format!("{byte:02x}")).collect())
}
