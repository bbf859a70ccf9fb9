//! Marks answers: points, and the explanation of lost ones.

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
    record: Option<GameRecord>,
}

impl Exam {
    /// Marks an answer, or records why there is none.
    pub(super) fn mark(&self, index: usize, answer: Result<&Answered, &anyhow::Error>) -> Mark {
        let (part, index) = self.part(index);
        let marked = answer.map_err(|error| format!("{error:#}")).and_then(|answer| match answer {
            Answered::Move(answer) => Ok(self.mark_move(index, answer)),
            Answered::Game(game) => self.mark_game(index, &game.record).map_err(|error| format!("{error:#}")),
        });
        let (marked, failed) = match marked {
            Ok(marked) => (marked, None),
            Err(error) => (Marked { result: format!("not graded: {error}"), ..Marked::default() }, Some(error)),
        };
        let Marked { points, result, lost, fault, notes, spent, peak, record } = marked;
        let (number, title, of) = (index + 1, self.title(part, index), self.most_points(part));
        let fault = fault.map(|fault| fault.to_string());
        Mark { part, number, title, points, of, result, lost, fault, notes, spent, peak, record, failed }
    }

    /// The part that a step belongs to, and its index within that part.
    pub(super) fn part(&self, index: usize) -> (ExamPart, usize) {
        match index.checked_sub(self.questions.len()) {
            None => (ExamPart::Move, index),
            Some(game) => (ExamPart::Game, game),
        }
    }

    /// Points for a legal move, or for a won game.
    pub(super) fn most_points(&self, part: ExamPart) -> u32 {
        match part {
            ExamPart::Move => self.points_a_move,
            ExamPart::Game => self.points_a_game,
        }
    }

    pub(super) fn title(&self, part: ExamPart, index: usize) -> String {
        match part {
            ExamPart::Move => self.questions[index].name.clone(),
            ExamPart::Game => {
                let ExamGame { side, budget, .. } = self.games[index];
                format!("{side}, {} s", budget.as_secs_f64())
            }
        }
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
        Marked { points, result, lost, fault: kind, notes, spent, peak, record: None }
    }

    fn mark_game(&self, index: usize, record: &GameRecord) -> anyhow::Result<Marked> {
        let (side, most) = (self.games[index].side, self.points_a_game);
        let half_points = record.verdict.half_points(DrawRule::MoreTimeLeft).unwrap_or_default();
        let points = half_points[side.index()] * (most / 2);
        let (mut spent, mut notes, mut peak) = (Spent::default(), Vec::new(), None);
        for turn in record.turns.iter().filter(|turn| turn.side == side) {
            spent += turn.spent;
            peak = turn.peak.map(|own| own.max_of(peak.unwrap_or_default())).or(peak);
            for note in &turn.notes {
                if !notes.contains(note) {
                    notes.push(note.clone());
                }
            }
        }
        let fault = match &record.verdict.reason {
            EndReason::Fault(fault) if fault.side == side => Some(fault.kind),
            _ => None,
        };
        let lost = if points < most { Some(explained(record, side)?) } else { None };
        Ok(Marked {
            points,
            result: result(record, side),
            lost,
            fault,
            notes,
            spent,
            peak,
            record: Some(record.clone()),
        })
    }
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
fn explained(record: &GameRecord, side: Color) -> anyhow::Result<Finding> {
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
            let expected = "a won game, or a drawn one with more time left than the opponent";
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
