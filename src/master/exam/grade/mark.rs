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
    /// Number of questions in the exam.
    pub steps: usize,
    /// True if all questions are marked; otherwise the exam was stopped and can continue later.
    pub is_finished: bool,
    /// Oddities of the agent's `calibrate`.
    pub notes: Vec<String>,
    /// The referee's failure, if the agent could not be questioned at all.
    pub failed: Option<String>,
    /// Marks so far: the single moves, the games, then the thresholds.
    pub marks: Vec<Mark>,
}

/// A question and its points.
#[derive(Clone, Debug, Serialize)]
pub struct Mark {
    /// Kind of question.
    pub part: ExamPart,
    /// 1-based number within its part.
    pub number: usize,
    /// Name of the position, side and time of the game, or opponent and times of the threshold.
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
    /// Record of the game, or of all games of a threshold.
    pub records: Vec<GameRecord>,
    /// The referee's failure, if the step could not be graded.
    pub failed: Option<String>,
}

/// A part of the exam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExamPart {
    /// Single moves.
    Move,
    /// Games against the opponent of the exam.
    Game,
    /// Scores to reach against other opponents.
    Threshold,
}

impl ExamPart {
    /// All parts, in order.
    pub const ALL: [ExamPart; 3] = [ExamPart::Move, ExamPart::Game, ExamPart::Threshold];

    /// Its word in the names of questions: `move`.
    pub fn word(self) -> &'static str {
        match self {
            ExamPart::Move => "move",
            ExamPart::Game => "game",
            ExamPart::Threshold => "threshold",
        }
    }

    /// Heading of its section in reports.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            ExamPart::Move => "Single moves",
            ExamPart::Game => "Games",
            ExamPart::Threshold => "Thresholds",
        }
    }
}

impl Mark {
    /// Name of the question, as in the columns of a gradebook: `move 3: 03 three jumps`, `game 2: White, 9 s`.
    pub fn name(&self) -> String {
        question_name(self.part, self.number, &self.title)
    }

    /// Name of the question as a heading.
    pub(crate) fn heading(&self) -> String {
        let name = self.name();
        name[..1].to_uppercase() + &name[1..]
    }

    /// Its games, each with a name for anchors: `game-2`, `threshold-1-game-2`.
    pub(crate) fn games(&self) -> impl Iterator<Item = (String, &GameRecord)> {
        let named = |(number, record)| (game_name(self.part, self.number, number), record);
        (1..).zip(&self.records).map(named)
    }

    /// Its games, each with a name for a file: `game-2.pdn`.
    pub(crate) fn saved_games(&self) -> impl Iterator<Item = (String, &GameRecord)> {
        self.games().map(|(name, record)| (saved(&name), record))
    }
}

/// Name of a game of a question.
pub(super) fn game_name(part: ExamPart, question: usize, game: usize) -> String {
    match part {
        ExamPart::Threshold => format!("{}-{question}-game-{game}", part.word()),
        ExamPart::Move | ExamPart::Game => format!("{}-{question}", part.word()),
    }
}

/// Name of the file of a game.
pub(super) fn saved(game: &str) -> String {
    format!("{game}.pdn")
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
