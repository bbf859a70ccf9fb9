//! Grades, and marks of single moves and games.

use std::collections::BTreeMap;

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

    /// Key of the mark's fault, without the board: equal faults have equal keys.
    pub(crate) fn explanation(&self) -> Option<String> {
        let lost = self.lost.iter().map(|lost| format!("{}\n{}\n{}", lost.wrong, where_it_failed(lost), lost.expected));
        let all: Vec<String> = self.failed.iter().chain(&self.notes).cloned().chain(lost).collect();
        (!all.is_empty()).then(|| all.join("\n"))
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

/// A mark with something to explain, or games to show.
pub(crate) struct ExplainedMark<'a> {
    pub(crate) mark: &'a Mark,
    /// Number of the earlier mark of its part that has the same explanation.
    pub(crate) same_as: Option<usize>,
    /// Numbers of the later ones.
    pub(crate) same_in: Vec<usize>,
}

impl ExplainedMark<'_> {
    /// Where else the explanation holds, as a sentence: `The same in moves 2 to 10.`; empty if nowhere.
    pub(crate) fn elsewhere(&self) -> String {
        let word = self.mark.part.word();
        match (self.same_as, &self.same_in[..]) {
            (Some(number), _) => format!("The same as in {word} {number}."),
            (None, []) => String::new(),
            (None, [number]) => format!("The same in {word} {number}."),
            (None, numbers) => format!("The same in {word}s {}.", ranges(numbers)),
        }
    }
}

/// The marks of a part that need explaining, equal explanations once; games have their place in any case.
pub(crate) fn explained_marks<'a>(marks: &[&'a Mark]) -> Vec<ExplainedMark<'a>> {
    let mut shown: Vec<ExplainedMark> = Vec::new();
    let mut first = BTreeMap::new();
    for &mark in marks {
        let explanation = mark.explanation();
        if explanation.is_none() && mark.records.is_empty() {
            continue;
        }
        let place = explanation.map(|explanation| *first.entry(explanation).or_insert(shown.len()));
        let same_as = place.filter(|&place| place < shown.len());
        if let Some(place) = same_as {
            shown[place].same_in.push(mark.number);
        }
        if same_as.is_none() || !mark.records.is_empty() {
            let same_as = same_as.map(|place| shown[place].mark.number);
            shown.push(ExplainedMark { mark, same_as, same_in: Vec::new() });
        }
    }
    shown
}

/// Numbers in words: `2 to 10`, `2, 3 and 5 to 7`.
fn ranges(numbers: &[usize]) -> String {
    let runs: Vec<String> = numbers
        .chunk_by(|one, next| one + 1 == *next)
        .flat_map(|run| match run {
            [first, _, .., last] => vec![format!("{first} to {last}")],
            few => few.iter().map(ToString::to_string).collect(),
        })
        .collect();
    match &runs[..] {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        runs => runs.concat(),
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

/// The places of a stack trace, if there is one: its message often has the board. Otherwise, all that was read.
fn where_it_failed(lost: &Finding) -> String {
    let is_place = |line: &&str| ["File \"", "at "].iter().any(|start| line.trim_start().starts_with(start));
    let places: Vec<&str> = lost.read.lines().filter(is_place).collect();
    if places.is_empty() { lost.read.clone() } else { places.join("\n") }
}

impl Grade {
    /// Points won in a part.
    pub fn points_of(&self, part: ExamPart) -> u32 {
        self.marks.iter().filter(|mark| mark.part == part).map(|mark| mark.points).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_explanations_are_given_once() {
        let mark = |number, read: &str| Mark {
            part: ExamPart::Move,
            number,
            title: String::new(),
            points: 0,
            of: 1,
            result: String::new(),
            lost: (!read.is_empty()).then(|| Finding::plain("", read, "a turn")),
            fault: None,
            notes: Vec::new(),
            spent: Spent::default(),
            peak: None,
            records: Vec::new(),
            failed: None,
        };
        let trace =
            |line, board: &str| format!("exit code 1; stderr:\n  File \"homework.py\", line {line}\nLost: {board}");
        let reads = [trace(3, "b.b"), String::new(), trace(3, "w.w"), "no".into(), trace(4, "b.b"), "no".into()];
        let mut marks: Vec<Mark> = (1..).zip(&reads).map(|(number, read)| mark(number, read)).collect();
        marks.extend((7..10).map(|number| mark(number, &reads[0])));
        let shown = explained_marks(&marks.iter().collect::<Vec<&Mark>>());
        let shown: Vec<(usize, String)> = shown.iter().map(|shown| (shown.mark.number, shown.elsewhere())).collect();
        let expected = [(1, "The same in moves 3 and 7 to 9."), (4, "The same in move 6."), (5, "")];
        assert_eq!(shown, expected.map(|(number, words)| (number, words.to_owned())));
        assert_eq!(ranges(&[2, 3, 5, 6, 7]), "2, 3 and 5 to 7");
    }
}
