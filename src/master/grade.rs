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
//! | `report` | what the student reads |

mod exam;
mod questions;
mod report;
mod sitting;

use std::convert::Infallible;
use std::num::NonZeroUsize;

use serde::Serialize;

pub use exam::{Exam, Question};
pub use report::markdown;

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
    /// What was odd about the agent's `calibrate`.
    pub notes: Vec<String>,
    /// The single moves, then the games.
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

    /// The points of a part.
    pub fn points_of(&self, part: ExamPart) -> u32 {
        self.marks.iter().filter(|mark| mark.part == part).map(|mark| mark.points).sum()
    }
}

/// Grades an agent; `watch` sees every mark as it is given, in any order.
///
/// # Errors
/// The referee itself fails before the first move. A later failure is in its mark.
pub fn grade(
    workspace: Workspace,
    terms: &GradingTerms,
    agent: Agent,
    watch: &(dyn Fn(&Mark) + Sync),
) -> anyhow::Result<Grade> {
    let league = &terms.league;
    let contestant = &prepare(workspace, league, agent)?;
    let (opponent, seeded) = match &terms.opponent {
        Opponent::Reference(agent) => (Contestant::new(agent.clone(), workspace.kept)?, true),
        Opponent::Other(agent) => (prepare(workspace, league, agent.clone())?, false),
    };
    let sitting = Sitting { league, exam: &terms.exam, agent: contestant, opponent, seeded };
    let work = |&index: &usize| {
        let mark = sitting.mark(workspace, index);
        watch(&mark);
        mark
    };
    let (indexes, mut marks): (Vec<usize>, Vec<(usize, Mark)>) = ((0..sitting.len()).collect(), Vec::new());
    let keep = |&index: &usize, mark| {
        marks.push((index, mark));
        Ok::<(), Infallible>(())
    };
    let Ok(()) = spread(&indexes, terms.jobs.get(), &StopFlag::default(), work, keep);
    marks.sort_by_key(|&(index, _)| index);
    let marks: Vec<Mark> = marks.into_iter().map(|(_, mark)| mark).collect();
    Ok(Grade {
        agent: contestant.agent().name.clone(),
        hash: contestant.agent().hash.clone(),
        reference: sitting.opponent.agent().name.clone(),
        seed: terms.seed,
        tier: workspace.sandbox.measurement(),
        points: marks.iter().map(|mark| mark.points).sum(),
        notes: contestant.notes().to_vec(),
        marks,
    })
}
