//! File that stores an unfinished exam, for one agent or a class.
//!
//! The file consists of JSON lines: the exam, then each answer as it arrives, with the agent that gave it. If the
//! program is stopped, the same command finds the file and continues. The first line has a hash of everything that
//! defines the exam, except a randomly chosen seed. The file of a single agent includes that hash in its name, so a
//! changed agent gets another file. A class has one file, named by the user; if an agent changes, its old answers no
//! longer count.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::examiner::Answered;
use super::{GradingRules, Opponent, Seed};
use crate::intake::agent::Agent;
use crate::lock::Lock;

/// Answers in an exam so far, and the file that stores them, if any.
#[derive(Debug)]
pub struct UnfinishedExam {
    kept: Option<KeptFile>,
    seed: u64,
    answers: Answers,
}

/// Answers of each agent, by the index of the move or game.
type Answers = BTreeMap<AgentKey, BTreeMap<usize, Answered>>;

/// Identity of an agent in the file: a hash of its name and files, in hexadecimal.
type AgentKey = String;

/// Maximum number of characters of the agent's name in the file name.
const LONGEST_NAME: usize = 40;

/// The open file, locked.
#[derive(Debug)]
struct KeptFile {
    path: PathBuf,
    file: File,
    _lock: Lock,
}

/// Error about a file that this program did not write for this exam: its path, the line, what was expected, and help.
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
    /// First line: identity and seed of the exam.
    Exam { identity: String, seed: u64 },
    /// An agent's answer to a move or game, by its index.
    Answer(AgentKey, usize, Answered),
}

impl UnfinishedExam {
    /// Begins an exam without a file.
    pub fn not_kept(seed: Seed) -> UnfinishedExam {
        UnfinishedExam { kept: None, seed: seed.value(), answers: Answers::new() }
    }

    /// Opens an agent's exam under these rules: continues the one stored in `folder`, or begins a new one with `seed`.
    ///
    /// # Errors
    /// Another process has the file open, this program did not write it, or it cannot be read or written.
    pub fn of_agent(
        folder: &Path,
        agent: &Agent,
        rules: &GradingRules,
        seed: Seed,
        tier: &str,
    ) -> Result<UnfinishedExam> {
        let identity = identity(Some(agent), rules, seed, tier)?;
        // The agent's name alone may reach the maximum length of a file name.
        let name: String = agent.name.chars().take(LONGEST_NAME).collect();
        UnfinishedExam::open(folder.join(format!("{name}-{}.part", &identity[..12])), identity, seed)
    }

    /// Opens a class's exam under these rules: continues the one stored in this file, or begins a new one with `seed`.
    ///
    /// # Errors
    /// Another process has the file open, this program did not write it, it has other rules, or it cannot be read or
    /// written.
    pub fn of_class(path: &Path, rules: &GradingRules, seed: Seed, tier: &str) -> Result<UnfinishedExam> {
        UnfinishedExam::open(path.to_owned(), identity(None, rules, seed, tier)?, seed)
    }

    fn open(path: PathBuf, identity: String, seed: Seed) -> Result<UnfinishedExam> {
        let shown = path.display().to_string();
        let Some(lock) = Lock::take(&path).with_context(|| format!("cannot write {shown}"))? else {
            bail!("{shown}: another process has this exam open");
        };
        let bytes = fs::read(&path).with_context(|| format!("cannot read {shown}"))?;
        let kept = KeptLines::parse(&bytes, &identity);
        let kept =
            kept.map_err(|error| NotAnExam(format!("{shown}: {error:#}; help: delete it to start a new exam")))?;
        let open = || -> io::Result<File> {
            let mut file = File::options().write(true).open(&path)?;
            // A killed program may leave an incomplete last line.
            file.set_len(kept.length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().with_context(|| format!("cannot write {shown}"))?;
        let mut exam = UnfinishedExam {
            kept: Some(KeptFile { path, file, _lock: lock }),
            seed: kept.seed.unwrap_or(seed.value()),
            answers: kept.answers,
        };
        if kept.seed.is_none() {
            exam.write(&ExamLine::Exam { identity, seed: exam.seed })?;
        }
        Ok(exam)
    }

    /// The seed that the exam began with.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Number of moves and games that an agent has answered.
    pub fn done(&self, agent: &Agent) -> usize {
        self.answers.get(&key(agent)).map_or(0, BTreeMap::len)
    }

    /// The file that stores the exam.
    pub fn path(&self) -> Option<&Path> {
        self.kept.as_ref().map(|kept| &*kept.path)
    }

    /// An agent's answers, by the index of the move or game.
    pub(super) fn answers(&self, agent: &Agent) -> BTreeMap<usize, Answered> {
        self.answers.get(&key(agent)).cloned().unwrap_or_default()
    }

    /// Adds an agent's answer; once this returns, the answer survives a power failure.
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
            .with_context(|| format!("cannot write {}; earlier answers are safe", path.display()))
    }

    /// Removes the file. Must be called only after everything is graded and printed.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn finish(self) -> Result<()> {
        self.kept.map_or(Ok(()), |kept| {
            fs::remove_file(&kept.path).with_context(|| format!("cannot delete {}", kept.path.display()))
        })
    }
}

/// The complete lines of a file.
#[derive(Default)]
struct KeptLines {
    /// `None` if the file is empty.
    seed: Option<u64>,
    answers: Answers,
    /// Length of these lines in bytes.
    length: u64,
}

impl KeptLines {
    fn parse(bytes: &[u8], identity: &str) -> Result<KeptLines> {
        let mut kept = KeptLines::default();
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            if !line.ends_with(b"\n") {
                break;
            }
            let expected = if number == 1 { "the first line of an exam on these terms" } else { "an exam answer" };
            let parsed: ExamLine =
                serde_json::from_slice(line).with_context(|| format!("line {number}: expected {expected}"))?;
            match (parsed, kept.seed) {
                (ExamLine::Exam { identity: found, seed }, None) if found == identity => kept.seed = Some(seed),
                (ExamLine::Answer(agent, index, answer), Some(_)) => {
                    kept.answers.entry(agent).or_default().insert(index, answer);
                }
                _ => bail!("line {number}: expected {expected}"),
            }
            kept.length += line.len() as u64;
        }
        Ok(kept)
    }
}

fn key(agent: &Agent) -> AgentKey {
    let hash = Sha256::digest(format!("{} {}", agent.hash, agent.name));
    hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of everything that defines an exam, in hexadecimal. A randomly chosen seed is left out: the file stores it.
fn identity(agent: Option<&Agent>, rules: &GradingRules, seed: Seed, tier: &str) -> Result<String> {
    let GradingRules { course, league, positions, opponent, .. } = rules;
    let kind = match opponent {
        Opponent::Reference { cost, .. } => format!("reference {cost:?}"),
        Opponent::Other(_) => "other".to_owned(),
    };
    let given = positions.as_ref().map(|questions| {
        questions.iter().map(|question| (question.name.clone(), question.request.to_string())).collect::<Vec<_>>()
    });
    let questions = positions.as_ref().map_or(course.moves.count, Vec::len);
    let all = serde_json::to_vec(&(
        (env!("CARGO_PKG_VERSION"), tier),
        agent.map(|agent| (&agent.name, &agent.hash)),
        (kind, &opponent.agent().name, &opponent.agent().hash),
        league,
        match seed {
            Seed::Given(seed) => Some(seed),
            Seed::Drawn(_) => None,
        },
        course.games.iter().map(|game| (game.side.color(), game.budget())).collect::<Vec<_>>(),
        (course.moves.points, course.points_a_game),
        (questions, course.moves.seconds, given),
    ))?;
    Ok(Sha256::digest(all).iter().map(|byte| format!("{byte:02x}")).collect())
}
