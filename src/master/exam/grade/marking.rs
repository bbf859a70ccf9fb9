//! Marks answers: points, and the explanation of lost ones.

use std::collections::BTreeMap;

use super::answered::{Answered, AnsweredMove};
use super::{Exam, ExamGame, ExamPart, Mark};
use crate::exam::check::{Finding, ShownBoard};
use crate::league::DrawRule;
use crate::league::clock_rules::Spent;
use crate::record::replay::Replay;
use crate::record::{EndReason, FaultKind, GameRecord};
use crate::sandbox::Peak;
use kingline::checkers::Position;
use kingline::game::Color;

/// The fields of a [`Mark`] that depend on the answer.
#[derive(Default)]
struct Marked {
    points: u32,
    result: String,
    lost: Option<Finding>,
    fault: Option<FaultKind>,
    notes: Vec<String>,
    spent: Spent,
    peak: Option<Peak>,
    records: Vec<GameRecord>,
}

impl Exam {
    /// Marks a question by an agent's answers; `None` if another answer is needed.
    pub(super) fn mark(&self, question: usize, answers: &BTreeMap<usize, Answered>) -> Option<Mark> {
        if self.next(question, answers).is_some() {
            return None;
        }
        let given: Vec<&Answered> = self.answers_to(question).map_while(|index| answers.get(&index)).collect();
        let (part, index) = self.part(question);
        let marked = match (part, &given[..]) {
            (ExamPart::Threshold, _) => self.mark_threshold(index, &given),
            (ExamPart::Move, [Answered::Move(answer)]) => Ok(self.mark_move(index, answer)),
            (ExamPart::Game, [Answered::Game(game)]) => self.mark_game(index, &game.record),
            _ => Err(anyhow::anyhow!("the file has an answer to another question")),
        };
        Some(match marked {
            Ok(marked) => self.finished(question, marked, None),
            Err(error) => self.failed(question, &error),
        })
    }

    /// Mark of a question to which there is no answer because of the referee.
    pub(super) fn failed(&self, question: usize, error: &anyhow::Error) -> Mark {
        let error = format!("{error:#}");
        self.finished(question, Marked { result: format!("not graded: {error}"), ..Marked::default() }, Some(error))
    }

    fn finished(&self, question: usize, marked: Marked, failed: Option<String>) -> Mark {
        let (part, index) = self.part(question);
        let Marked { points, result, lost, fault, notes, spent, peak, records } = marked;
        let (number, title, of) = (index + 1, self.title(question), self.most_points(question));
        let fault = fault.map(|fault| fault.to_string());
        Mark { part, number, title, points, of, result, lost, fault, notes, spent, peak, records, failed }
    }

    /// Index of the answer that a question needs next; `None` if its mark is decided.
    pub(super) fn next(&self, question: usize, answers: &BTreeMap<usize, Answered>) -> Option<usize> {
        let next = self.answers_to(question).find(|index| !answers.contains_key(index))?;
        if let (ExamPart::Threshold, index) = self.part(question) {
            let threshold = &self.thresholds[index];
            let given: Vec<&Answered> = self.answers_to(question).map_while(|index| answers.get(&index)).collect();
            let score = threshold.score(&given);
            let left = 2 * (threshold.games.len() - given.len()) as u32;
            if score >= threshold.needed || score + left < threshold.needed {
                return None;
            }
        }
        Some(next)
    }

    /// Number of questions that are asked and decided.
    pub(super) fn decided(&self, answers: &BTreeMap<usize, Answered>) -> usize {
        self.asked().iter().filter(|&&question| self.next(question, answers).is_none()).count()
    }

    fn mark_move(&self, index: usize, answer: &AnsweredMove) -> Marked {
        let request = &self.questions[index].request;
        let AnsweredMove { route, fault, notes, spent, peak, .. } = answer.clone();
        let kind = fault.as_ref().map(|fault| fault.kind);
        let (points, result, lost) = match fault.map(|fault| fault.violation()) {
            None => (self.points_a_move, route.unwrap_or_default(), None),
            Some(violation) => {
                let text = request.to_string();
                let asked: Vec<&str> = text.lines().take(3).collect();
                let asked = format!("{} s", asked.join(", "));
                let board = Some(ShownBoard::Checkers(request.position));
                (0, violation.kind.to_string(), Some(Finding::new(asked, board, &violation)))
            }
        };
        Marked { points, result, lost, fault: kind, notes, spent, peak, records: Vec::new() }
    }

    fn mark_game(&self, index: usize, record: &GameRecord) -> anyhow::Result<Marked> {
        let (game, most) = (&self.games[index], self.points_a_game);
        let points = game.halves(record) * (most / 2);
        let lost = if points < most { Some(explained(record, game)?) } else { None };
        Ok(Marked { points, lost, ..usage([(game, record)].into_iter()) })
    }

    fn mark_threshold(&self, index: usize, given: &[&Answered]) -> anyhow::Result<Marked> {
        let threshold = &self.thresholds[index];
        let played = || threshold.played(given);
        let (score, needed) = (threshold.score(given), threshold.needed);
        let last_not_won = (1..).zip(played()).filter(|(_, (game, record))| game.halves(record) < 2).last();
        let lost = match last_not_won {
            Some((number, (game, record))) if score < needed => {
                let lost = explained(record, game)?;
                Some(Finding { asked: format!("game {number}: {}", lost.asked), ..lost })
            }
            _ => None,
        };
        let points = if score >= needed { threshold.points } else { 0 };
        let all = usage(played());
        let (score, needed) = (f64::from(score) / 2.0, f64::from(needed) / 2.0);
        let games = format!("{} of {} games", all.records.len(), threshold.games.len());
        let result = format!("score {score}, needed {needed}, after {games}: {}", all.result);
        Ok(Marked { points, result, lost, ..all })
    }
}

/// Results of games, times and resources that an agent used in them, and its last fault.
fn usage<'a>(games: impl Iterator<Item = (&'a ExamGame, &'a GameRecord)>) -> Marked {
    let mut marked = Marked::default();
    let mut results = Vec::new();
    for (game, record) in games {
        let side = game.side;
        for turn in record.turns.iter().filter(|turn| turn.side == side) {
            marked.spent += turn.spent;
            marked.peak = turn.peak.map(|own| own.max_of(marked.peak.unwrap_or_default())).or(marked.peak);
            for note in &turn.notes {
                if !marked.notes.contains(note) {
                    marked.notes.push(note.clone());
                }
            }
        }
        if let EndReason::Fault(fault) = &record.verdict.reason
            && fault.side == side
        {
            marked.fault = Some(fault.kind);
        }
        results.push(result(record, side));
        marked.records.push(record.clone());
    }
    Marked { result: results.join("; "), ..marked }
}

/// The result of a game for one side, on one line.
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

/// Formats the time left to both sides.
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
fn explained(record: &GameRecord, game: &ExamGame) -> anyhow::Result<Finding> {
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
    use super::*;
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
}
