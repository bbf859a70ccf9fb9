//! Requests single moves, plays games, and marks the answers.

use std::fs;

use serde::{Deserialize, Serialize};

use super::{ExamGame, ExamPart, GradingTerms, Mark, Opponent};
use crate::exam::check::{Finding, ShownBoard};
use crate::league::DrawRule;
use crate::league::clock_rules::Spent;
use crate::record::replay::Replay;
use crate::record::{EndReason, Fault, FaultKind, GameRecord};
use crate::referee::players::{Contestant, PreparationObserver, TurnFilesPlayer, play, prepare};
use crate::referee::{NoObserver, Player};
use crate::sandbox::{Peak, Workspace};
use kingline::checkers::{Position, Route};
use kingline::game::{Color, Game};

/// Questions all agents in an exam and marks their answers.
pub(super) struct Examiner<'a> {
    pub(super) terms: &'a GradingTerms,
    opponent: Contestant,
}

/// An answer as saved: everything that its mark depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answered {
    /// A single move.
    Move(AnsweredMove),
    /// A finished game.
    Game(Box<GameRecord>),
}

/// An answer to a single move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AnsweredMove {
    /// The move, if it is legal.
    route: Option<String>,
    /// The agent's fault, if the move is not legal.
    fault: Option<Fault>,
    notes: Vec<String>,
    spent: Spent,
    /// Peak use of resources; `None` in files from earlier versions.
    #[serde(default)]
    peak: Option<Peak>,
}

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

impl Examiner<'_> {
    /// Prepares the opponent.
    ///
    /// # Errors
    /// The opponent cannot be prepared.
    pub(super) fn new<'a>(
        workspace: Workspace,
        terms: &'a GradingTerms,
        observer: &dyn PreparationObserver,
    ) -> anyhow::Result<Examiner<'a>> {
        let opponent = match &terms.rules.opponent {
            Opponent::Reference { agent, .. } => Contestant::new(agent.clone(), workspace.kept)?,
            Opponent::Other(agent) => prepare(workspace, &terms.rules.league, agent.clone(), observer)?,
        };
        Ok(Examiner { terms, opponent })
    }

    /// Number of moves and games.
    pub(super) fn steps(&self) -> usize {
        self.terms.exam.steps()
    }

    /// Asks the agent for a move or plays a game with it. Single moves have the lowest indexes. `number` is the agent's
    /// number among all examinees and names its folders.
    ///
    /// # Errors
    /// The referee itself fails.
    pub(super) fn ask(
        &self,
        workspace: Workspace,
        number: usize,
        agent: &Contestant,
        index: usize,
    ) -> anyhow::Result<Answered> {
        let (part, index) = self.part(index);
        // Threads do not share working directories.
        let folder = workspace.folder.join(format!("{number}-{part:?}-{}", index + 1));
        fs::create_dir(&folder)?;
        let workspace = Workspace { folder: &folder, ..workspace };
        let answer = match part {
            ExamPart::Move => self.single_move(workspace, agent, index),
            ExamPart::Game => self.game(workspace, agent, index),
        };
        // A class creates many such folders; one that cannot be removed disappears with its parent folder.
        let _ = fs::remove_dir_all(&folder);
        answer
    }

    /// Marks an answer, or records why there is none.
    pub(super) fn mark(&self, index: usize, answer: Result<&Answered, &anyhow::Error>) -> Mark {
        let (part, index) = self.part(index);
        let marked = answer.map_err(|error| format!("{error:#}")).and_then(|answer| match answer {
            Answered::Move(answer) => Ok(self.mark_move(index, answer)),
            Answered::Game(record) => self.mark_game(index, record).map_err(|error| format!("{error:#}")),
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
    fn part(&self, index: usize) -> (ExamPart, usize) {
        match index.checked_sub(self.terms.exam.questions.len()) {
            None => (ExamPart::Move, index),
            Some(game) => (ExamPart::Game, game),
        }
    }

    /// Points for a legal move, or for a won game.
    fn most_points(&self, part: ExamPart) -> u32 {
        match part {
            ExamPart::Move => self.terms.exam.points_a_move,
            ExamPart::Game => self.terms.exam.points_a_game,
        }
    }

    fn title(&self, part: ExamPart, index: usize) -> String {
        match part {
            ExamPart::Move => self.terms.exam.questions[index].name.clone(),
            ExamPart::Game => {
                let ExamGame { side, budget, .. } = self.terms.exam.games[index];
                format!("{side}, {} s", budget.as_secs_f64())
            }
        }
    }

    fn single_move(&self, workspace: Workspace, agent: &Contestant, index: usize) -> anyhow::Result<Answered> {
        let request = &self.terms.exam.questions[index].request;
        let side = request.position.turn();
        let league = &self.terms.rules.league;
        let cell = workspace.cell(Color::Black, &league.limits, agent)?;
        let mut player = TurnFilesPlayer::new(agent, league, cell);
        player.begin(side)?;
        let answer = player.turn(request.mode, request.position, request.left)?;
        let (route, fault) = match answer.mv {
            Ok(mv) => (Some(Route::of(&request.position, mv).to_string()), None),
            Err(violation) => (None, Some(violation.by(side, 1))),
        };
        let (notes, spent, peak) = (answer.notes, answer.spent, Some(answer.peak));
        Ok(Answered::Move(AnsweredMove { route, fault, notes, spent, peak }))
    }

    fn mark_move(&self, index: usize, answer: &AnsweredMove) -> Marked {
        let request = &self.terms.exam.questions[index].request;
        let AnsweredMove { route, fault, notes, spent, peak } = answer.clone();
        let kind = fault.as_ref().map(|fault| fault.kind);
        let (points, result, lost) = match fault.map(|fault| fault.violation()) {
            None => (self.terms.exam.points_a_move, route.unwrap_or_default(), None),
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

    fn game(&self, workspace: Workspace, agent: &Contestant, index: usize) -> anyhow::Result<Answered> {
        let ExamGame { side, budget, seed } = self.terms.exam.games[index];
        let opponent = self.opponent(seed);
        let contestants = if side == Color::Black { [agent, &opponent] } else { [&opponent, agent] };
        let budgets = [Some(budget); 2];
        let record = play(workspace, &self.terms.rules.league, contestants, budgets, seed, &mut NoObserver);
        match &record.verdict.reason {
            EndReason::Failed(failure) => anyhow::bail!("{failure}"),
            _ => Ok(Answered::Game(Box::new(record))),
        }
    }

    /// The opponent in a game with this seed. The reference agent gets `--seed`, and, if the course sets a
    /// cost, `--cost` and the clock's step.
    fn opponent(&self, seed: u64) -> Contestant {
        let opponent = self.opponent.clone();
        match self.terms.rules.opponent {
            Opponent::Other(_) => opponent,
            Opponent::Reference { cost, .. } => {
                let step = self.terms.rules.league.clock.resolution.as_secs_f64().to_string();
                let cost = cost.map(|cost| ["--cost".into(), cost.to_string().into(), "--step".into(), step.into()]);
                let seed = ["--seed".into(), seed.to_string().into()];
                opponent.with_arguments(seed.into_iter().chain(cost.into_iter().flatten()).collect())
            }
        }
    }

    fn mark_game(&self, index: usize, record: &GameRecord) -> anyhow::Result<Marked> {
        let (side, most) = (self.terms.exam.games[index].side, self.terms.exam.points_a_game);
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
