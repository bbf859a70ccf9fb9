//! An agent on its way through the exam: prepared, questioned and marked.

use std::collections::BTreeMap;
use std::fs;

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
    /// Marks so far, by the index of the move or game.
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
        let waiting = |agent| Examinee { agent, state: ExamineeState::Waiting, marks: BTreeMap::new() };
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
        for (index, answer) in exam.answers(self.agent) {
            if examiner.terms.exam.asked().contains(&index) {
                let mark = examiner.terms.exam.mark(index, Ok(&answer));
                watch(&mark);
                self.marks.insert(index, mark);
            }
        }
    }

    /// Indexes of the unmarked moves and games; empty if the agent cannot be questioned.
    pub(super) fn open(&self, examiner: &Examiner) -> impl Iterator<Item = usize> {
        let asked = self.contestant().map(|_| examiner.terms.exam.asked());
        asked.into_iter().flatten().copied().filter(|index| !self.marks.contains_key(index))
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
