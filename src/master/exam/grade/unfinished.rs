//! File that stores an unfinished exam, for one agent or a class.
//!
//! The file consists of JSON lines: the exam, then the names of the submissions, and each answer as it arrives, with the
//! agent that gave it. If the program is stopped, the same command finds the file and continues. The first line has the
//! terms of the exam and its seed. The name of a single agent's file includes a hash of the terms, so a changed agent
//! gets another file. A class has one file, named by the user; if an agent changes, its old answers no longer count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::answered::Answered;
use super::exam_lines::{Answers, ExamLine, KeptLines, key};
use super::stored_terms::{self, StoredTerms};
use super::{Exam, GradingRules, Seed};
use crate::hash::short_hash;
use crate::intake::agent::Agent;
use kingline_players::files::Lock;

/// Answers in an exam so far, and the file that stores them, if any.
#[derive(Debug)]
pub struct UnfinishedExam {
    kept: Option<KeptFile>,
    seed: u64,
    answers: Answers,
    /// Names of all submissions that were ever in the class, in the order in which they came.
    submissions: Vec<String>,
    /// Options that led to the terms.
    options: Vec<String>,
}

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

impl NotAnExam {
    pub(super) fn new(what: String) -> NotAnExam {
        NotAnExam(what)
    }
}

impl fmt::Display for NotAnExam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAnExam {}

impl UnfinishedExam {
    /// Begins an exam without a file.
    pub fn not_kept(seed: Seed) -> UnfinishedExam {
        UnfinishedExam {
            kept: None,
            seed: seed.value(),
            answers: Answers::new(),
            submissions: Vec::new(),
            options: Vec::new(),
        }
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
        let terms = StoredTerms::of(Some(agent), rules, tier)?;
        let hash = match seed {
            Seed::Given(seed) => format!("{seed} {}", terms.hash()?),
            Seed::Drawn(_) => terms.hash()?,
        };
        // The agent's name alone may reach the maximum length of a file name.
        let name: String = agent.name.chars().take(LONGEST_NAME).collect();
        UnfinishedExam::open(folder.join(format!("{name}-{}.part", short_hash(hash))), terms, seed)
    }

    /// Opens a class's exam under these rules: continues the one stored in this file, or begins a new one with `seed`.
    /// A seed drawn at random gives way to that of the file.
    ///
    /// # Errors
    /// Another process has the file open, this program did not write it, it has other rules or another seed, or it
    /// cannot be read or written.
    pub fn of_class(path: &Path, rules: &GradingRules, seed: Seed, tier: &str) -> Result<UnfinishedExam> {
        UnfinishedExam::open(path.to_owned(), StoredTerms::of(None, rules, tier)?, seed)
    }

    fn open(path: PathBuf, terms: StoredTerms, seed: Seed) -> Result<UnfinishedExam> {
        let shown = path.display().to_string();
        let Some(lock) = Lock::take(&path).with_context(|| format!("cannot write {shown}"))? else {
            bail!("{shown}: another process has this exam open");
        };
        let bytes = fs::read(&path).with_context(|| format!("cannot read {shown}"))?;
        let kept = KeptLines::parse(&bytes);
        let kept =
            kept.map_err(|error| NotAnExam(format!("{shown}: {error:#}; help: move it away to start a new exam")))?;
        let changes = kept.changes(&terms, seed);
        if !changes.is_empty() {
            let changes = stored_terms::listed(&changes);
            let help = "--store FILE keeps the new exam in another file; --regrade without --only sets this one aside and starts anew";
            return Err(NotAnExam(format!("{shown}: an exam on other terms: {changes}; help: {help}")).into());
        }
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
            seed: kept.exam.as_ref().map_or(seed.value(), |&(_, seed)| seed),
            answers: kept.answers,
            submissions: kept.submissions,
            options: kept.options,
        };
        if kept.exam.is_none() {
            exam.write(&ExamLine::Exam { terms, seed: exam.seed })?;
        }
        Ok(exam)
    }

    /// The seed that the exam began with.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Notes which submissions the class has, and returns those that it had earlier, sorted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn withdrawn(&mut self, names: &BTreeSet<String>) -> Result<Vec<String>> {
        let known: BTreeSet<String> = self.submissions.iter().cloned().collect();
        for name in names.difference(&known) {
            self.write(&ExamLine::Submission(name.clone()))?;
            self.submissions.push(name.clone());
        }
        Ok(known.difference(names).cloned().collect())
    }

    /// Names of all submissions that were ever in the class, in the order in which they came.
    pub fn submissions(&self) -> &[String] {
        &self.submissions
    }

    /// Notes which options led to the terms, as words of a command line, so that a question can be asked again.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn note_options(&mut self, options: Vec<String>) -> Result<()> {
        if self.options != options {
            self.write(&ExamLine::Options(options.clone()))?;
            self.options = options;
        }
        Ok(())
    }

    /// Number of questions that an agent's answers decide.
    pub fn done(&self, agent: &Agent, exam: &Exam) -> usize {
        self.answers.get(&key(agent)).map_or(0, |answers| exam.decided(answers))
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

    /// Makes the answers of these agents to the questions that are asked count no longer.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_aside(&mut self, agents: &[Agent], exam: &Exam) -> Result<()> {
        let asked: Vec<usize> = exam.asked().iter().flat_map(|&question| exam.answers_to(question)).collect();
        for agent in agents {
            self.write(&ExamLine::SetAside(key(agent), asked.clone()))?;
            self.answers.entry(key(agent)).or_default().retain(|index, _| !asked.contains(index));
        }
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
