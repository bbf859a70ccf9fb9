//! An agent on its way through the exam: prepared, questioned and marked.

use std::collections::BTreeMap;
use std::fs;

use super::answered::Answered;
use super::examiner::Examiner;
use super::{Grade, Mark, UnfinishedExam};
use crate::intake::agent::Agent;
use crate::referee::players::{Contestant, PreparationObserver, prepare};
use crate::sandbox::Workspace;
use crate::stop::StopFlag;
use crate::threads::spread;

/// An agent that takes the exam.
pub(super) struct Examinee<'a> {
    pub(super) agent: &'a Agent,
    pub(super) state: ExamineeState,
    /// Answers so far, by their index.
    answers: BTreeMap<usize, Answered>,
    /// Marks so far, by the index of the question.
    pub(super) marks: BTreeMap<usize, Mark>,
}

/// Outcome of preparing an examinee.
pub(super) enum ExamineeState {
    /// The exam was stopped before the agent was prepared.
    Waiting,
    Ready(Box<Contestant>),
    /// The referee failed to prepare the agent.
    Failed(anyhow::Error),
}

impl<'a> Examinee<'a> {
    /// Prepares all agents, several at a time; returns them in the order of `agents`.
    pub(super) fn prepared(
        workspace: Workspace,
        examiner: &Examiner,
        agents: &'a [Agent],
        stop: &StopFlag,
        observer: &dyn PreparationObserver,
    ) -> anyhow::Result<Vec<Examinee<'a>>> {
        let rules = &examiner.terms.rules;
        let waiting =
            |agent| Examinee { agent, state: ExamineeState::Waiting, answers: BTreeMap::new(), marks: BTreeMap::new() };
        let mut examinees: Vec<Examinee> = agents.iter().map(waiting).collect();
        let numbers: Vec<usize> = (0..agents.len()).collect();
        let work = |&number: &usize| {
            // Threads do not share working directories.
            let folder = workspace.folder.join(format!("{number}-ready"));
            fs::create_dir(&folder)?;
            let workspace = Workspace { folder: &folder, ..workspace };
            prepare(workspace, &rules.league, agents[number].clone(), observer)
        };
        spread(&numbers, rules.jobs.get(), stop, work, |&number, prepared| {
            examinees[number].state = match prepared {
                Ok(contestant) => ExamineeState::Ready(Box::new(contestant)),
                // The stop flag interrupted the preparation.
                Err(_) if stop.is_requested() => ExamineeState::Waiting,
                Err(error) => ExamineeState::Failed(error),
            };
            anyhow::Ok(())
        })?;
        Ok(examinees)
    }

    /// The contestant, if the agent can be questioned.
    pub(super) fn contestant(&self) -> Option<&Contestant> {
        match &self.state {
            ExamineeState::Ready(contestant) => Some(contestant),
            ExamineeState::Waiting | ExamineeState::Failed(_) => None,
        }
    }

    /// Marks the saved answers.
    pub(super) fn mark_kept(&mut self, examiner: &Examiner, exam: &UnfinishedExam, mut watch: impl FnMut(&Mark)) {
        if self.contestant().is_none() {
            return;
        }
        self.answers = exam.answers(self.agent);
        for &question in examiner.terms.exam.asked() {
            if let Some(mark) = examiner.terms.exam.mark(question, &self.answers) {
                watch(&mark);
                self.marks.insert(question, mark);
            }
        }
    }

    /// The unmarked questions, each with the index of the answer that it needs next; empty if the agent cannot be
    /// questioned.
    pub(super) fn open(&self, examiner: &Examiner) -> impl Iterator<Item = (usize, usize)> {
        let exam = &examiner.terms.exam;
        let asked = self.contestant().map(|_| exam.asked()).into_iter().flatten();
        let unmarked = asked.filter(|question| !self.marks.contains_key(question));
        unmarked.filter_map(|&question| Some((question, exam.next(question, &self.answers)?)))
    }

    /// Marks a question by the answers so far and this one; `None` if it needs another one.
    pub(super) fn mark(&self, examiner: &Examiner, question: usize, index: usize, answer: &Answered) -> Option<Mark> {
        let exam = &examiner.terms.exam;
        let before = self.answers.range(exam.answers_to(question));
        let mut answers: BTreeMap<usize, Answered> = before.map(|(&index, answer)| (index, answer.clone())).collect();
        answers.insert(index, answer.clone());
        exam.mark(question, &answers)
    }

    /// Adds an answer.
    pub(super) fn add(&mut self, index: usize, answer: Answered) {
        self.answers.insert(index, answer);
    }

    /// The grade, computed from the marks so far.
    pub(super) fn grade(self, workspace: Workspace, examiner: &Examiner) -> Grade {
        let (exam, marks) = (&examiner.terms.exam, self.marks.into_values().collect::<Vec<Mark>>());
        let (notes, failed) = match self.state {
            ExamineeState::Ready(contestant) => (contestant.remarks().cloned().collect(), None),
            ExamineeState::Failed(error) => (Vec::new(), Some(format!("{error:#}"))),
            ExamineeState::Waiting => (Vec::new(), None),
        };
        Grade {
            agent: self.agent.name.clone(),
            hash: self.agent.hash.clone(),
            reference: examiner.terms.rules.opponent.agent().name.clone(),
            seed: examiner.terms.seed,
            tier: examiner.terms.rules.league.measurement(workspace.sandbox),
            points: marks.iter().map(|mark| mark.points).sum(),
            of: exam.of(),
            steps: exam.steps(),
            is_finished: marks.len() == exam.steps(),
            notes,
            failed,
            marks,
        }
    }
}
