//! Store of an exam: its terms, and each answer as it arrives, so that a stopped exam can continue.
//!
//! The file is a journal whose header has the terms and the seed. Its rows are the names of the submissions, and the
//! answers, each with the agent that gave it. The same command finds the file and continues. The name of a single
//! agent's file includes a hash of the terms, so a changed agent gets another file. A class has one file, named by the
//! user; if an agent changes, its old answers no longer count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::course::Course;
use super::drawn::Question;
use super::marking::Answered;
use super::questions::{Exam, GradingRules};
use crate::hash::short_hash;
use crate::intake::agent::Agent;
use kingline_players::exit::BadInput;
use kingline_players::journal::{Difference, Journal, Run};
use kingline_players::protocol::turn_files::TurnRequest;

/// Answers in an exam so far, and the file that stores them, if any.
#[derive(Debug)]
pub(crate) struct ExamStore {
    /// `None` if nothing is kept, or the file is only read.
    journal: Option<Journal>,
    pub(crate) seed: u64,
    /// Options that led to the terms, as words of a command line.
    pub(crate) options: Vec<String>,
    /// Names of all submissions that were ever in the class, in the order in which they came.
    pub(crate) submissions: Vec<String>,
    answers: BTreeMap<AgentKey, Answers>,
}

/// Answers of an agent, by their index.
type Answers = BTreeMap<usize, Answered>;

/// Identity of an agent in the file: a hash of its name and files, in hexadecimal.
type AgentKey = String;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seed {
    /// Given by the user: a different seed means a different exam.
    Given(u64),
    /// Chosen at random: an exam that continues keeps its first seed.
    Drawn(u64),
}

/// Header of the file: everything that would make it another exam.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Terms {
    version: String,
    /// Method that measures CPU time.
    pub(crate) measurement: String,
    /// Name and hash of the only agent; `None` for a class.
    agent: Option<(String, String)>,
    /// Without its name. Opponents have their names in place of their paths.
    pub(crate) course: Course,
    /// Names and texts of the positions, if they were given.
    positions: Option<Vec<(String, String)>>,
    opponents: Vec<StoredOpponent>,
    pub(crate) seed: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredOpponent {
    name: String,
    files: String,
    is_reference: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Row {
    /// Name of a submission that was in the class.
    Submission(String),
    /// Options of the command line that led to the terms; the last of these rows counts.
    Options(Vec<String>),
    /// An agent's answer to a move or game, by its index.
    Answer(AgentKey, usize, Answered),
    /// Earlier answers of an agent that no longer count, by their indexes.
    SetAside(AgentKey, Vec<usize>),
}

const RUN: Run = Run { name: "grading", help: "move it away to start a new exam" };
/// Maximum number of characters of the agent's name in the file name.
const LONGEST_NAME: usize = 40;
const LONGEST_VALUE: usize = 40;
const MOST_CHANGES: usize = 6;

impl Seed {
    fn value(self) -> u64 {
        match self {
            Seed::Given(seed) | Seed::Drawn(seed) => seed,
        }
    }
}

impl Terms {
    fn new(agent: Option<&Agent>, rules: &GradingRules, seed: u64, tier: &str) -> Terms {
        let mut course = Course { name: String::new(), ..rules.course.clone() };
        for (threshold, opponent) in course.thresholds.iter_mut().zip(&rules.opponents[1..]) {
            threshold.opponent = opponent.agent.name.clone().into();
        }
        let text = |question: &Question| (question.name.clone(), question.request.to_string());
        let opponents = rules.opponents.iter().map(|opponent| StoredOpponent {
            name: opponent.agent.name.clone(),
            files: opponent.agent.hash.clone(),
            is_reference: opponent.is_reference,
        });
        Terms {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            measurement: tier.to_owned(),
            agent: agent.map(|agent| (agent.name.clone(), agent.hash.clone())),
            course,
            positions: rules.positions.as_ref().map(|questions| questions.iter().map(text).collect()),
            opponents: opponents.collect(),
            seed,
        }
    }

    pub(crate) fn exam(&self) -> Result<Exam> {
        let question = |(name, text): &(String, String)| -> Result<Question> {
            Ok(Question { name: name.clone(), request: TurnRequest::parse(text).context("positions")? })
        };
        let positions = self.positions.as_ref().map(|all| all.iter().map(question).collect::<Result<Vec<_>>>());
        Ok(Exam::new(self.seed, &self.course, positions.transpose()?.as_deref()))
    }

    /// Fails if these are not the terms that a file has.
    fn check(&self, found: &Value) -> Result<()> {
        // Numbers are compared as they read back.
        let wanted = serde_json::from_slice(&serde_json::to_vec(self)?)?;
        let all = Difference::all(found, &wanted);
        let short = |value: &str| match value.chars().count() {
            count if count <= LONGEST_VALUE => value.to_owned(),
            _ => value.chars().take(LONGEST_VALUE).chain("...".chars()).collect(),
        };
        let change = |Difference { name, found, wanted }: &Difference| {
            format!("{name}: {}, now {}", short(found), short(wanted))
        };
        let mut changes: Vec<String> = all.iter().take(MOST_CHANGES).map(change).collect();
        if let more @ 1.. = all.len().saturating_sub(MOST_CHANGES) {
            changes.push(format!("and {more} more"));
        }
        if !changes.is_empty() {
            let help = "--store FILE keeps the new exam in another file; --regrade without --only sets this one aside and starts anew";
            bail!("{}; help: {help}", changes.join("; "));
        }
        Ok(())
    }
}

impl ExamStore {
    pub(crate) fn not_kept(seed: Seed) -> ExamStore {
        let (options, submissions, answers) = (Vec::new(), Vec::new(), BTreeMap::new());
        ExamStore { journal: None, seed: seed.value(), options, submissions, answers }
    }

    /// Opens an agent's exam under these rules: continues the one stored in `folder`, or begins a new one with `seed`.
    pub(crate) fn of_agent(
        folder: &Path,
        agent: &Agent,
        rules: &GradingRules,
        seed: Seed,
        tier: &str,
    ) -> Result<ExamStore> {
        let named = match seed {
            Seed::Given(seed) => Some(seed),
            Seed::Drawn(_) => None,
        };
        let hash = short_hash(serde_json::to_vec(&(named, Terms::new(Some(agent), rules, 0, tier)))?);
        // The agent's name alone may reach the maximum length of a file name.
        let name: String = agent.name.chars().take(LONGEST_NAME).collect();
        ExamStore::open(&folder.join(format!("{name}-{hash}.part")), Some(agent), rules, seed, tier)
    }

    /// Opens an exam under these rules: of a class or, without a file of its own, of an agent. Continues the one stored in
    /// this file, or begins a new one with `seed`. A seed drawn at random gives way to that of the file.
    pub(crate) fn open(
        path: &Path,
        agent: Option<&Agent>,
        rules: &GradingRules,
        seed: Seed,
        tier: &str,
    ) -> Result<ExamStore> {
        let mut store = ExamStore::not_kept(seed);
        let kept_seed = &mut store.seed;
        let header = |found: Option<&Value>| {
            if found.is_some_and(|found| found["course"].is_null()) {
                bail!("its first line is not that of an exam; help: {}", RUN.help);
            }
            if let (Seed::Drawn(_), Some(drawn)) = (seed, found.and_then(|found| found["seed"].as_u64())) {
                *kept_seed = drawn;
            }
            let terms = Terms::new(agent, rules, *kept_seed, tier);
            found.map_or(Ok(()), |found| terms.check(found))?;
            Ok(serde_json::to_value(terms)?)
        };
        let mut rows = Vec::new();
        let journal = Journal::open_with(path, RUN, header, |row: Row, _| {
            rows.push(row);
            Ok(())
        })?;
        rows.into_iter().for_each(|row| store.take(row));
        Ok(ExamStore { journal: Some(journal), ..store })
    }

    /// Reads a store that may be in use, and its terms.
    pub(crate) fn read(path: &Path) -> Result<(ExamStore, Terms)> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut lines = (1..).zip(text.split_inclusive('\n').filter(|line| line.ends_with('\n')));
        let other = || BadInput::new(format!("{}: expected the store of a class", path.display()));
        let damaged = |number: usize| BadInput::new(format!("{}, line {number}: it is damaged", path.display()));
        let (_, first) = lines.next().with_context(other)?;
        let terms: Terms = serde_json::from_str(first).with_context(other)?;
        let mut store = ExamStore::not_kept(Seed::Given(terms.seed));
        for (number, line) in lines {
            store.take(serde_json::from_str(line).with_context(|| damaged(number))?);
        }
        Ok((store, terms))
    }

    fn take(&mut self, row: Row) {
        match row {
            Row::Submission(name) => self.submissions.push(name),
            Row::Options(options) => self.options = options,
            Row::Answer(agent, index, answer) => {
                self.answers.entry(agent).or_default().insert(index, answer);
            }
            Row::SetAside(agent, indexes) => {
                self.answers.entry(agent).or_default().retain(|index, _| !indexes.contains(index));
            }
        }
    }

    /// Adds a row; once this returns, it survives a power failure.
    fn add_row(&mut self, row: Row) -> Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.add(&row)?;
            journal.sync()?;
        }
        self.take(row);
        Ok(())
    }

    /// Notes which submissions the class has, and returns those that it had earlier, sorted.
    pub(crate) fn withdrawn(&mut self, names: &BTreeSet<String>) -> Result<Vec<String>> {
        let known: BTreeSet<String> = self.submissions.iter().cloned().collect();
        names.difference(&known).try_for_each(|name| self.add_row(Row::Submission(name.clone())))?;
        Ok(known.difference(names).cloned().collect())
    }

    /// Notes which options led to the terms, so that a question can be asked again.
    pub(crate) fn note_options(&mut self, options: Vec<String>) -> Result<()> {
        if self.options == options { Ok(()) } else { self.add_row(Row::Options(options)) }
    }

    /// Number of questions that an agent's answers decide.
    pub(crate) fn done(&self, agent: &Agent, exam: &Exam) -> usize {
        let answers = self.answers(agent);
        exam.asked().iter().filter(|&&question| exam.next(question, answers).is_none()).count()
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.journal.as_ref().map(Journal::path)
    }

    /// An agent's answers with its present files, by the index of the move or game.
    pub(crate) fn answers(&self, agent: &Agent) -> &BTreeMap<usize, Answered> {
        const NONE: &Answers = &Answers::new();
        self.answers.get(&key(agent)).unwrap_or(NONE)
    }

    pub(super) fn add(&mut self, agent: &Agent, index: usize, answer: Answered) -> Result<()> {
        self.add_row(Row::Answer(key(agent), index, answer))
    }

    /// Makes the answers of these agents to the questions that are asked count no longer.
    pub(crate) fn set_aside(&mut self, agents: &[Agent], exam: &Exam) -> Result<()> {
        let asked: Vec<usize> = exam.asked().iter().flat_map(|&question| exam.answers_to(question)).collect();
        agents.iter().try_for_each(|agent| self.add_row(Row::SetAside(key(agent), asked.clone())))
    }

    /// Removes the file. Must be called only after everything is graded and printed.
    pub(crate) fn finish(self) -> Result<()> {
        let path = self.path().map(Path::to_owned);
        path.map_or(Ok(()), |path| fs::remove_file(&path).with_context(|| format!("cannot delete {}", path.display())))
    }
}

fn key(agent: &Agent) -> AgentKey {
    short_hash(format!("{} {}", agent.hash, agent.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn changes_of_terms_name_the_old_and_the_new_value() {
        let terms = Terms {
            version: "1".to_owned(),
            measurement: "y".repeat(50),
            agent: None,
            course: Course::default(),
            positions: None,
            opponents: Vec::new(),
            seed: 5,
        };
        let same = serde_json::to_value(&terms).unwrap();
        terms.check(&same).unwrap();
        let mut found = same.clone();
        (found["course"]["moves"]["count"], found["seed"], found["measurement"]) = (json!(2), json!(6), json!("x"));
        let error = terms.check(&found).unwrap_err().to_string();
        for part in ["course.moves.count: 2, now 10; ", "seed: 6, now 5; ", &format!("now \"{}...", "y".repeat(39))] {
            assert!(error.contains(part), "{part}: {error}");
        }
        let error = terms.check(&json!({})).unwrap_err().to_string();
        assert!(error.contains("; and ") && error.contains(" more; help: --store FILE"), "{error}");
    }
}
