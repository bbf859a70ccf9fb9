//! How many of the hundred points does an agent get (§3)? Ten single moves, and nine games against the reference agent.
//!
//! A single move that is legal, well formed and in time is worth one point, a won game ten. A drawn game goes to the
//! side with more time left; if both have the same, in steps of the clock (0.01 s), each gets five.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `exam` | which positions and budgets an agent is graded by |
//! | `questions` | which positions a seed gives |
//! | `sitting` | how one move or game is asked for and marked |
//! | `unfinished` | what is kept of an exam that is not finished |
//! | `report` | what the student reads |

mod exam;
mod questions;
mod report;
mod sitting;
mod unfinished;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::Serialize;

pub use exam::{Exam, Question};
pub use report::markdown;
pub use unfinished::{NotAnExam, SeedSource, UnfinishedExam};

use super::agent::Agent;
use super::check::Finding;
use super::clock_rules::Spent;
use super::league::League;
use super::players::{Contestant, Workspace, prepare};
use super::record::GameRecord;
use super::stop::StopFlag;
use super::threads::spread;
use sitting::Sitting;

/// What the agent plays against.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// This library's own reference agent; each game gives it a seed, so that a grading can be repeated.
    Reference(Agent),
    /// Another agent, as it is.
    Other(Agent),
}

/// The terms of a grading.
#[derive(Clone, Debug)]
pub struct GradingTerms {
    /// Rules, clock, and random turns before the games; their budgets are those of the exam.
    pub league: League,
    /// The positions and budgets.
    pub exam: Exam,
    /// Whether the positions were given, not drawn from the seed.
    pub positions_given: bool,
    /// What it plays against.
    pub opponent: Opponent,
    /// That of the exam.
    pub seed: u64,
    /// Moves and games at the same time.
    pub jobs: NonZeroUsize,
}

/// The result of a grading.
#[derive(Clone, Debug, Serialize)]
pub struct Grade {
    /// The agent's name.
    pub agent: String,
    /// Of its files; see [`Agent::hash`].
    pub hash: String,
    /// The opponent's name.
    pub reference: String,
    /// Gave the positions, if no folder did, the random turns before the games, and what the opponent drew.
    pub seed: u64,
    /// How CPU time was measured.
    pub tier: String,
    /// Out of [`Grade::OF`].
    pub points: u32,
    /// Whether all moves and games were asked for; otherwise the exam was stopped, and goes on later.
    pub is_finished: bool,
    /// What was odd about the agent's `calibrate`.
    pub notes: Vec<String>,
    /// The single moves, then the games, as far as they were asked for.
    pub marks: Vec<Mark>,
}

/// A single move or a game, and its points.
#[derive(Clone, Debug, Serialize)]
pub struct Mark {
    /// What was asked.
    pub part: ExamPart,
    /// From 1, in its part.
    pub number: usize,
    /// The name of the position; side and budget of the game.
    pub title: String,
    /// The points it brought.
    pub points: u32,
    /// The points it could have brought.
    pub of: u32,
    /// How it went, in a line.
    pub result: String,
    /// Why points were lost.
    pub lost: Option<Finding>,
    /// What is odd, but cost nothing.
    pub notes: Vec<String>,
    /// The agent's time, of all turns.
    pub spent: Spent,
    /// The game.
    pub record: Option<GameRecord>,
    /// Why it could not be graded: the referee itself failed.
    pub failed: Option<String>,
}

/// A part of the hundred points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExamPart {
    /// Single moves, a point each.
    Move,
    /// Games, ten points each.
    Game,
}

impl Grade {
    /// The most points there are.
    pub const OF: u32 = 100;
    /// The single moves and games of an exam.
    pub const STEPS: usize = Exam::QUESTIONS + Exam::GAMES;

    /// The points of a part.
    pub fn points_of(&self, part: ExamPart) -> u32 {
        self.marks.iter().filter(|mark| mark.part == part).map(|mark| mark.points).sum()
    }
}

/// Grades an agent, from where `exam` is; each answer is kept there before it counts. `watch` sees every mark as it is
/// given, in any order, and those of before at once. When `stop` is set, what is not answered yet is left for later.
///
/// # Errors
/// The referee itself fails before the first move, or an answer cannot be kept. A later failure is in its mark.
pub fn grade(
    workspace: Workspace,
    terms: &GradingTerms,
    agent: Agent,
    exam: &mut UnfinishedExam,
    stop: &StopFlag,
    watch: &mut dyn FnMut(&Mark),
) -> anyhow::Result<Grade> {
    let league = &terms.league;
    let contestant = &prepare(workspace, league, agent)?;
    let (opponent, seeded) = match &terms.opponent {
        Opponent::Reference(agent) => (Contestant::new(agent.clone(), workspace.kept)?, true),
        Opponent::Other(agent) => (prepare(workspace, league, agent.clone())?, false),
    };
    let sitting = Sitting { league, exam: &terms.exam, agent: contestant, opponent, seeded };
    let mut marks = BTreeMap::new();
    for (&index, answer) in exam.answers().range(..sitting.len()) {
        let mark = sitting.mark(index, Ok(answer));
        watch(&mark);
        marks.insert(index, mark);
    }
    let indexes: Vec<usize> = (0..sitting.len()).filter(|index| !marks.contains_key(index)).collect();
    let work = |&index: &usize| sitting.ask(workspace, index);
    spread(&indexes, terms.jobs.get(), stop, work, |&index, answer| {
        match &answer {
            // It was given up because of the flag.
            Err(_) if stop.is_requested() => return Ok(()),
            Err(_) => {}
            Ok(answer) => exam.add(index, answer)?,
        }
        let mark = sitting.mark(index, answer.as_ref());
        watch(&mark);
        marks.insert(index, mark);
        anyhow::Ok(())
    })?;
    let is_finished = marks.len() == sitting.len();
    let marks: Vec<Mark> = marks.into_values().collect();
    Ok(Grade {
        agent: contestant.agent().name.clone(),
        hash: contestant.agent().hash.clone(),
        reference: sitting.opponent.agent().name.clone(),
        seed: terms.seed,
        tier: workspace.sandbox.measurement(),
        points: marks.iter().map(|mark| mark.points).sum(),
        is_finished,
        notes: contestant.notes().to_vec(),
        marks,
    })
}
