//! Grades, and marks of single moves and games.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::check::Finding;
use crate::league::clock_rules::Spent;
use crate::record::GameRecord;
use crate::sandbox::Peak;

/// The result of grading an agent: the output of `master grade AGENT --json`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Grade {
    /// The agent's name.
    pub(crate) agent: String,
    /// SHA-256 of its files, in hexadecimal digits.
    pub(crate) hash: String,
    /// The opponent's name.
    pub(crate) reference: String,
    /// Seed for the positions (unless a folder supplies them), the random turns before the games, and the opponent's
    /// choices.
    pub(crate) seed: u64,
    /// Method of measuring CPU time.
    pub(crate) tier: String,
    /// Points won.
    pub(crate) points: u32,
    /// Maximum number of points.
    pub(crate) of: u32,
    /// Number of questions in the exam.
    pub(crate) steps: usize,
    /// True if all questions are marked; otherwise the exam was stopped and can continue later.
    pub(crate) is_finished: bool,
    /// Oddities of the agent's `calibrate`.
    pub(crate) notes: Vec<String>,
    /// The referee's failure, if the agent could not be questioned at all.
    pub(crate) failed: Option<String>,
    /// Marks so far: the single moves, the games, then the thresholds.
    pub(crate) marks: Vec<Mark>,
}

/// A question and its points.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Mark {
    /// Kind of question.
    pub(crate) part: ExamPart,
    /// Number within its part, from 1.
    pub(crate) number: usize,
    /// Name of the position, side and time of the game, or opponent and times of the threshold.
    pub(crate) title: String,
    /// Points won.
    pub(crate) points: u32,
    /// Maximum number of points.
    pub(crate) of: u32,
    /// One-line result.
    pub(crate) result: String,
    /// Explanation of lost points.
    pub(crate) lost: Option<Finding>,
    /// The agent's fault, if any.
    pub(crate) fault: Option<String>,
    /// Oddities that did not cost points.
    pub(crate) notes: Vec<String>,
    /// The agent's time over all turns.
    pub(crate) spent: Spent,
    /// Peak use of resources in a single turn.
    pub(crate) peak: Option<Peak>,
    /// Record of the game, or of all games of a threshold.
    pub(crate) records: Vec<GameRecord>,
    /// The referee's failure, if the step could not be graded.
    pub(crate) failed: Option<String>,
}

/// State of a submission whose points are known.
const GRADED: &str = "graded";
const UNFINISHED: &str = "not finished";
const FAILED: &str = "not graded: the referee failed";

/// A part of the exam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(crate) enum ExamPart {
    /// Single moves.
    #[default]
    Move,
    /// Games against the opponent of the exam.
    Game,
    /// Scores to reach against other opponents.
    Threshold,
}

impl ExamPart {
    pub(crate) const ALL: [ExamPart; 3] = [ExamPart::Move, ExamPart::Game, ExamPart::Threshold];

    /// Its word in the names of questions: `move`.
    pub(crate) fn word(self) -> &'static str {
        self.into()
    }

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
    pub(crate) fn name(&self) -> String {
        question_name(self.part, self.number, &self.title)
    }

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
    /// Other questions with the same explanation, as a sentence: `The same in moves 2 to 10.`; empty if nowhere.
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

pub(super) fn game_name(part: ExamPart, question: usize, game: usize) -> String {
    match part {
        ExamPart::Threshold => format!("{}-{question}-game-{game}", part.word()),
        ExamPart::Move | ExamPart::Game => format!("{}-{question}", part.word()),
    }
}

pub(super) fn saved(game: &str) -> String {
    format!("{game}.pdn")
}

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
    /// Its status, as a gradebook shows it.
    pub(crate) fn state(&self) -> &'static str {
        if self.failed.is_some() || self.marks.iter().any(|mark| mark.failed.is_some()) {
            FAILED
        } else if self.is_finished {
            GRADED
        } else {
            UNFINISHED
        }
    }

    /// True if all of its points are known.
    pub(crate) fn is_known(&self) -> bool {
        self.state() == GRADED
    }

    pub(crate) fn cpu(&self) -> Duration {
        self.marks.iter().map(|mark| mark.spent.cpu).sum()
    }

    pub(crate) fn faults(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().filter_map(|mark| mark.fault.as_deref())
    }

    pub(crate) fn has_thresholds(&self) -> bool {
        self.marks.iter().any(|mark| mark.part == ExamPart::Threshold)
    }

    pub(crate) fn points_of(&self, part: ExamPart) -> u32 {
        self.marks.iter().filter(|mark| mark.part == part).map(|mark| mark.points).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_explanations_are_given_once() {
        let mark = |number, read: &str| Mark {
            number,
            of: 1,
            lost: (!read.is_empty()).then(|| Finding::plain("", read, "a turn")),
            ..Mark::default()
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
