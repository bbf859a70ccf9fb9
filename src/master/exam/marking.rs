//! Answers, as files keep them, and their marks: points, and the explanation of lost ones.

use std::collections::BTreeMap;

use anyhow::{Error, Result, anyhow};
use serde::{Deserialize, Serialize};

use super::mark::{ExamPart, Mark};
use super::questions::{Exam, ExamGame};
use crate::check::{Finding, ShownBoard};
use crate::league::DrawRule;
use crate::league::clock_rules::Spent;
use crate::record::{EndReason, Evidence, Fault, GameRecord, Replay};
use crate::sandbox::Peak;
use kingline::checkers::Position;
use kingline::game::Color;

/// An answer as saved: everything that its mark depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answered {
    Move(AnsweredMove),
    Game(Box<AnsweredGame>),
}

/// A finished game, with the evidence of the agent's last turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AnsweredGame {
    #[serde(flatten)]
    pub(crate) record: GameRecord,
    /// `None` if the agent had no turn.
    pub(crate) evidence: Option<Evidence>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AnsweredMove {
    /// The move, if it is legal.
    pub(crate) route: Option<String>,
    /// The agent's fault, if the move is not legal.
    pub(crate) fault: Option<Fault>,
    pub(crate) notes: Vec<String>,
    pub(crate) spent: Spent,
    pub(crate) peak: Option<Peak>,
    pub(crate) evidence: Option<Box<Evidence>>,
}

impl Answered {
    /// Files before and after the agent's last turn.
    pub(crate) fn evidence(&self) -> Option<&Evidence> {
        match self {
            Answered::Move(answer) => answer.evidence.as_deref(),
            Answered::Game(game) => game.evidence.as_ref(),
        }
    }
}

impl Exam {
    /// Marks a question by an agent's answers; `None` if another answer is needed.
    pub(crate) fn mark(&self, question: usize, answers: &BTreeMap<usize, Answered>) -> Option<Mark> {
        if self.next(question, answers).is_some() {
            return None;
        }
        let given = self.given(question, answers);
        let (part, index) = self.part(question);
        let mark = match (part, &given[..]) {
            (ExamPart::Threshold, _) => self.mark_threshold(index, &given),
            (ExamPart::Move, [Answered::Move(answer)]) => Ok(self.mark_move(index, answer)),
            (ExamPart::Game, [Answered::Game(game)]) => self.mark_game(index, &game.record),
            _ => Err(anyhow!("the file has an answer to another question")),
        };
        Some(mark.map_or_else(|error| self.failed(question, &error), |mark| self.titled(question, mark)))
    }

    /// Mark of a question to which there is no answer because of the referee.
    pub(super) fn failed(&self, question: usize, error: &Error) -> Mark {
        let error = format!("{error:#}");
        self.titled(question, Mark { result: format!("not graded: {error}"), failed: Some(error), ..Mark::default() })
    }

    fn titled(&self, question: usize, mark: Mark) -> Mark {
        let (part, index) = self.part(question);
        Mark { part, number: index + 1, title: self.title(question), of: self.most_points(question), ..mark }
    }

    fn given<'a>(&self, question: usize, answers: &'a BTreeMap<usize, Answered>) -> Vec<&'a Answered> {
        self.answers_to(question).map_while(|index| answers.get(&index)).collect()
    }

    /// Index of the answer that a question needs next; `None` if its mark is decided.
    pub(super) fn next(&self, question: usize, answers: &BTreeMap<usize, Answered>) -> Option<usize> {
        let next = self.answers_to(question).find(|index| !answers.contains_key(index))?;
        if let (ExamPart::Threshold, index) = self.part(question) {
            let given = self.given(question, answers);
            let (score, needed) = (self.score(index, &given), self.course.thresholds[index].needed_halves());
            let left = 2 * (self.thresholds[index].len() - given.len()) as u32;
            if score >= needed || score + left < needed {
                return None;
            }
        }
        Some(next)
    }

    fn mark_move(&self, index: usize, answer: &AnsweredMove) -> Mark {
        let request = &self.questions[index].request;
        let AnsweredMove { route, fault, notes, spent, peak, .. } = answer.clone();
        let mark = Mark { notes, spent, peak, ..Mark::default() };
        let Some(fault) = fault else {
            return Mark { points: self.course.moves.points, result: route.unwrap_or_default(), ..mark };
        };
        let text = request.to_string();
        let asked: Vec<&str> = text.lines().take(3).collect();
        let asked = format!("{} s", asked.join(", "));
        let lost = Finding::new(asked, Some(ShownBoard::Checkers(request.position)), &fault.violation());
        let kind = fault.kind.to_string();
        Mark { result: kind.clone(), lost: Some(lost), fault: Some(kind), ..mark }
    }

    fn mark_game(&self, index: usize, record: &GameRecord) -> Result<Mark> {
        let (game, most) = (&self.games[index], self.course.points_a_game);
        let points = game.halves(record) * (most / 2);
        let lost = if points < most { Some(explained(record, game)?) } else { None };
        Ok(Mark { points, lost, ..usage([(game, record)].into_iter()) })
    }

    fn mark_threshold(&self, index: usize, given: &[&Answered]) -> Result<Mark> {
        let (threshold, games) = (&self.course.thresholds[index], self.thresholds[index].len());
        let (score, needed) = (self.score(index, given), threshold.needed_halves());
        let last_not_won = (1..).zip(self.played(index, given)).filter(|(_, (game, record))| game.halves(record) < 2);
        let lost = match last_not_won.last() {
            Some((number, (game, record))) if score < needed => {
                let lost = explained(record, game)?;
                Some(Finding { asked: format!("game {number}: {}", lost.asked), ..lost })
            }
            _ => None,
        };
        let points = if score >= needed { threshold.points } else { 0 };
        let all = usage(self.played(index, given));
        let (score, needed, played) = (f64::from(score) / 2.0, f64::from(needed) / 2.0, all.records.len());
        let result = format!("score {score}, needed {needed}, after {played} of {games} games: {}", all.result);
        Ok(Mark { points, result, lost, ..all })
    }

    /// The games played of a threshold, in order.
    fn played<'a>(
        &'a self,
        threshold: usize,
        given: &[&'a Answered],
    ) -> impl Iterator<Item = (&'a ExamGame, &'a GameRecord)> {
        self.thresholds[threshold].iter().zip(given).filter_map(|(game, answer)| match answer {
            Answered::Game(answer) => Some((game, &answer.record)),
            Answered::Move(_) => None,
        })
    }

    fn score(&self, threshold: usize, given: &[&Answered]) -> u32 {
        self.played(threshold, given).map(|(game, record)| game.halves(record)).sum()
    }
}

impl ExamGame {
    fn draws(&self) -> DrawRule {
        if self.budget == self.opponent_budget { DrawRule::MoreTimeLeft } else { DrawRule::Halves }
    }

    pub(crate) fn halves(&self, record: &GameRecord) -> u32 {
        record.verdict.half_points(self.draws()).unwrap_or_default()[self.side.index()]
    }
}

/// Results of games, times and resources that an agent used in them, and its last fault.
fn usage<'a>(games: impl Iterator<Item = (&'a ExamGame, &'a GameRecord)>) -> Mark {
    let mut mark = Mark::default();
    let mut results = Vec::new();
    for (game, record) in games {
        let side = game.side;
        for turn in record.turns.iter().filter(|turn| turn.side == side) {
            mark.spent += turn.spent;
            mark.peak = turn.peak.map(|own| own.max_of(mark.peak.unwrap_or_default())).or(mark.peak);
            for note in &turn.notes {
                if !mark.notes.contains(note) {
                    mark.notes.push(note.clone());
                }
            }
        }
        if let EndReason::Fault(fault) = &record.verdict.reason
            && fault.side == side
        {
            mark.fault = Some(fault.kind.to_string());
        }
        results.push(result(record, side));
        mark.records.push(record.clone());
    }
    Mark { result: results.join("; "), ..mark }
}

fn result(record: &GameRecord, side: Color) -> String {
    let how = match record.verdict.winner {
        Some(winner) if winner == side => "won",
        Some(_) => "lost",
        None => "drawn",
    };
    let why = match &record.verdict.reason {
        EndReason::Fault(fault) if fault.side == side => format!(": {}", fault.kind),
        EndReason::Fault(fault) => format!(": {} (the opponent's fault)", fault.kind),
        EndReason::Drawn { draw, .. } => format!(": {draw}"),
        _ => String::new(),
    };
    format!("{how} in turn {}{why}; {}", record.turns.len(), clocks(record, side))
}

fn clocks(record: &GameRecord, side: Color) -> String {
    let left = |side: Color| record.left[side.index()].unwrap_or_default().as_secs_f64();
    format!("{:.3} s left, the opponent {:.3} s", left(side), left(!side))
}

/// Names the turns after which the final position was on the board, if it was there before: `; the same position after
/// turns 20, 24 and 28`.
fn repeated(replay: &Replay<Position>) -> String {
    let turns = replay.positions.iter().enumerate().filter(|(_, position)| **position == replay.last());
    let turns: Vec<String> = turns.map(|(turn, _)| turn.to_string()).collect();
    match &turns[..] {
        [earlier @ .., last] if !earlier.is_empty() => {
            format!("; the same position after turns {} and {last}", earlier.join(", "))
        }
        _ => String::new(),
    }
}

/// Explains a game that was not won: the last board, and how the game ended.
fn explained(record: &GameRecord, game: &ExamGame) -> Result<Finding> {
    let side = game.side;
    let replay = Replay::<Position>::of(record)?;
    let last = Some(ShownBoard::Checkers(replay.last()));
    Ok(match &record.verdict.reason {
        EndReason::Fault(fault) => {
            let before = record.turns.iter().rev().filter(|turn| turn.side == side).nth(1).and_then(|turn| turn.left);
            let left = before.or(record.budgets[side.index()]).unwrap_or_default().as_secs_f64();
            let asked = format!("turn {}, as {side}, with {left:.3} s left", fault.turn);
            Finding::new(asked, last, &fault.violation())
        }
        _ => {
            let asked = format!("the end of the game, as {side}");
            let expected = match game.draws() {
                DrawRule::MoreTimeLeft => "a won game, or a drawn one with more time left than the opponent",
                DrawRule::Halves | DrawRule::Nothing => "a won game",
            };
            let wrong = format!("{}{}", record.verdict, repeated(&replay));
            Finding { wrong, ..Finding::plain(asked, clocks(record, side), expected) }.with(last)
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::exam::Course;
    use crate::record::{Draw, GameVerdict};
    use kingline::game::Game;

    #[test]
    fn turns_that_repeat_are_named() {
        let mut positions = vec!["B:WK32:BK1".parse::<Position>().unwrap()];
        for mv in ["1-6", "32-28", "6-1", "28-32", "1-6", "32-28"] {
            let position = positions[positions.len() - 1];
            positions.push(position.play(position.parse_move(mv).unwrap()));
        }
        let mut replay = Replay { positions, moves: Vec::new() };
        assert_eq!(repeated(&replay), "; the same position after turns 2 and 6");
        replay.positions.truncate(3);
        assert_eq!(repeated(&replay), "");
    }

    #[test]
    fn a_drawn_game_counts_half_if_the_times_at_the_start_differ() {
        let drawn = EndReason::Drawn { draw: Draw::Repetition, more_time: Some(Color::Black) };
        let league = Course::default().league().unwrap();
        let mut record = GameRecord::failed(&league, Default::default(), 0, String::new(), anyhow!("replaced"));
        record.verdict = GameVerdict { winner: None, reason: drawn };
        let [one, other] = [1, 2].map(Duration::from_secs);
        for (side, opponent_budget, halves) in
            [(Color::Black, one, 2), (Color::White, one, 0), (Color::Black, other, 1), (Color::White, other, 1)]
        {
            let game = ExamGame { side, budget: one, opponent: 1, opponent_budget, seed: 0 };
            assert_eq!(game.halves(&record), halves, "{game:?}");
        }
    }
}
