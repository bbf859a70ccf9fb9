//! Terms of a grading: first the rules, then the exam that a seed determines.

use std::num::NonZeroUsize;

use super::{Course, Exam, Question};
use crate::intake::agent::Agent;
use crate::league::League;

/// The opponent in the games of an exam.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// This library's own reference agent. It gets a seed for each game, so that a grading can be repeated.
    Reference {
        /// The agent.
        agent: Agent,
        /// CPU seconds that it uses per game; `None`: as few as possible.
        cost: Option<f64>,
    },
    /// Another agent, run without options.
    Other(Agent),
}

impl Opponent {
    /// The agent, reference or not.
    pub fn agent(&self) -> &Agent {
        match self {
            Opponent::Reference { agent, .. } | Opponent::Other(agent) => agent,
        }
    }
}

/// The terms of a grading, except the seed.
#[derive(Clone, Debug)]
pub struct GradingRules {
    /// Moves, games and points.
    pub course: Course,
    /// Rules, clock, and random turns before the games; the exam sets the time for each game.
    pub league: League,
    /// Positions to ask about; `None`: the seed determines them.
    pub positions: Option<Vec<Question>>,
    /// The opponent in the games.
    pub opponent: Opponent,
    /// The opponents of the course's thresholds, in their order.
    pub thresholds: Vec<Opponent>,
    /// Number of moves and games that run concurrently.
    pub jobs: NonZeroUsize,
}

/// The terms of a grading.
#[derive(Clone, Debug)]
pub struct GradingTerms {
    /// The rules.
    pub rules: GradingRules,
    /// The positions and games.
    pub exam: Exam,
    /// The seed that determined the exam.
    pub seed: u64,
}

impl GradingRules {
    /// The terms with the exam that this seed determines.
    pub fn with_seed(self, seed: u64) -> GradingTerms {
        let exam = Exam::new(seed, &self.course, self.positions.as_deref());
        GradingTerms { rules: self, exam, seed }
    }
}

/// The seed of a new exam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seed {
    /// Given by the user: a different seed means a different exam.
    Given(u64),
    /// Chosen at random: an exam that continues keeps its first seed.
    Drawn(u64),
}

impl Seed {
    /// The number.
    pub fn value(self) -> u64 {
        match self {
            Seed::Given(seed) | Seed::Drawn(seed) => seed,
        }
    }
}
