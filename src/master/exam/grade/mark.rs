//! Grades, and marks of single moves and games.

use serde::Serialize;

use crate::exam::check::Finding;
use crate::league::clock_rules::Spent;
use crate::record::GameRecord;
use crate::sandbox::Peak;

/// The result of grading an agent.
#[derive(Clone, Debug, Serialize)]
pub struct Grade {
    /// The agent's name.
    pub agent: String,
    /// Hash of its files; see [`Agent::hash`](crate::intake::agent::Agent::hash).
    pub hash: String,
    /// The opponent's name.
    pub reference: String,
    /// Seed for the positions (unless a folder supplies them), the random turns before the games, and the opponent's
    /// choices.
    pub seed: u64,
    /// Method of measuring CPU time.
    pub tier: String,
    /// Points won.
    pub points: u32,
    /// Maximum number of points.
    pub of: u32,
    /// Number of moves and games in the exam.
    pub steps: usize,
    /// True if all moves and games are marked; otherwise the exam was stopped and can continue later.
    pub is_finished: bool,
    /// Oddities of the agent's `calibrate`.
    pub notes: Vec<String>,
    /// The referee's failure, if the agent could not be questioned at all.
    pub failed: Option<String>,
    /// Marks so far: the single moves, then the games.
    pub marks: Vec<Mark>,
}

/// A single move or a game, and its points.
#[derive(Clone, Debug, Serialize)]
pub struct Mark {
    /// Kind of question: a single move or a game.
    pub part: ExamPart,
    /// 1-based number within its part.
    pub number: usize,
    /// Name of the position, or side and time of the game.
    pub title: String,
    /// Points won.
    pub points: u32,
    /// Maximum number of points.
    pub of: u32,
    /// One-line result.
    pub result: String,
    /// Explanation of lost points.
    pub lost: Option<Finding>,
    /// The agent's fault, if any.
    pub fault: Option<String>,
    /// Oddities that did not cost points.
    pub notes: Vec<String>,
    /// The agent's time over all turns.
    pub spent: Spent,
    /// Peak use of resources in a single turn.
    pub peak: Option<Peak>,
    /// Record of the game.
    pub record: Option<GameRecord>,
    /// The referee's failure, if the step could not be graded.
    pub failed: Option<String>,
}

/// A part of the exam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExamPart {
    /// Single moves.
    Move,
    /// Games.
    Game,
}

impl ExamPart {
    /// Its word in the names of questions: `move`.
    pub fn word(self) -> &'static str {
        match self {
            ExamPart::Move => "move",
            ExamPart::Game => "game",
        }
    }
}

impl Mark {
    /// Name of the question, as in the columns of a gradebook: `move 3: 03 three jumps`, `game 2: White, 9 s`.
    pub fn name(&self) -> String {
        question_name(self.part, self.number, &self.title)
    }
}

/// Name of a question in all tables.
pub(super) fn question_name(part: ExamPart, number: usize, title: &str) -> String {
    format!("{} {number}: {title}", part.word())
}

impl Grade {
    /// Points won in a part.
    pub fn points_of(&self, part: ExamPart) -> u32 {
        self.marks.iter().filter(|mark| mark.part == part).map(|mark| mark.points).sum()
    }
}
