//! How is one move or game asked for, and how is the answer marked?

use std::fs;

use serde::{Deserialize, Serialize};

use super::{Exam, ExamGame, ExamPart, Mark};
use crate::checkers::{Position, Route};
use crate::game::{Color, Game};
use crate::master::check::{Finding, ShownBoard};
use crate::master::clock_rules::Spent;
use crate::master::league::{DrawRule, League};
use crate::master::players::{Contestant, TurnFilesPlayer, Workspace, play};
use crate::master::record::{EndReason, Fault, FaultKind, GameRecord};
use crate::master::referee::{NoObserver, Player};
use crate::master::replay::Replay;
use crate::master::sandbox::Peak;

/// An agent that is graded.
pub(super) struct Sitting<'a> {
    pub(super) league: &'a League,
    pub(super) exam: &'a Exam,
    pub(super) agent: &'a Contestant,
    pub(super) opponent: Contestant,
    /// What the opponent is run with.
    pub(super) options: OpponentOptions,
    /// That of the agent among all that are graded, for its folders.
    pub(super) number: usize,
}

/// The options that an opponent is run with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OpponentOptions {
    /// The options of the reference agent: `--seed`, and `--cost` where a game has a price in seconds.
    SeedAndCost(Option<f64>),
    /// None.
    Nothing,
}

/// What the agent did, as it is kept: all that its mark depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answered {
    /// A single move.
    Move(AnsweredMove),
    /// A game that ended.
    Game(Box<GameRecord>),
}

/// An answer to a single move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AnsweredMove {
    /// The move, if it is right.
    route: Option<String>,
    /// What is wrong with it.
    fault: Option<Fault>,
    notes: Vec<String>,
    spent: Spent,
    /// What it had at most; `None`: an exam of before this was kept.
    #[serde(default)]
    peak: Option<Peak>,
}

/// What a single move or a game came to; see [`Mark`].
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

impl Sitting<'_> {
    /// The number of moves and games.
    pub(super) fn len(&self) -> usize {
        self.exam.steps()
    }

    /// Asks for a move or plays a game; the moves have the first indexes.
    ///
    /// # Errors
    /// The referee itself fails.
    pub(super) fn ask(&self, workspace: Workspace, index: usize) -> anyhow::Result<Answered> {
        let (part, index) = self.part(index);
        // Threads do not share working directories.
        let folder = workspace.folder.join(format!("{}-{part:?}-{}", self.number, index + 1));
        fs::create_dir(&folder)?;
        let workspace = Workspace { folder: &folder, ..workspace };
        let answer = match part {
            ExamPart::Move => self.single_move(workspace, index),
            ExamPart::Game => self.game(workspace, index),
        };
        // A class has many of them; what cannot be removed goes with the folder above.
        let _ = fs::remove_dir_all(&folder);
        answer
    }

    /// Marks an answer, or says why there is none.
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

    /// The part of a move or game, and its index there.
    fn part(&self, index: usize) -> (ExamPart, usize) {
        match index.checked_sub(self.exam.questions.len()) {
            None => (ExamPart::Move, index),
            Some(game) => (ExamPart::Game, game),
        }
    }

    /// The points that a single move or a game can bring.
    fn most_points(&self, part: ExamPart) -> u32 {
        match part {
            ExamPart::Move => self.exam.points_a_move,
            ExamPart::Game => self.exam.points_a_game,
        }
    }

    fn title(&self, part: ExamPart, index: usize) -> String {
        match part {
            ExamPart::Move => self.exam.questions[index].name.clone(),
            ExamPart::Game => {
                let ExamGame { side, budget, .. } = self.exam.games[index];
                format!("{side}, {} s", budget.as_secs_f64())
            }
        }
    }

    fn single_move(&self, workspace: Workspace, index: usize) -> anyhow::Result<Answered> {
        let request = &self.exam.questions[index].request;
        let side = request.position.turn();
        let cell = workspace.cell(Color::Black, &self.league.limits, self.agent)?;
        let mut player = TurnFilesPlayer::new(self.agent, self.league, cell);
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
        let request = &self.exam.questions[index].request;
        let AnsweredMove { route, fault, notes, spent, peak } = answer.clone();
        let kind = fault.as_ref().map(|fault| fault.kind);
        let (points, result, lost) = match fault.map(|fault| fault.violation()) {
            None => (self.exam.points_a_move, route.unwrap_or_default(), None),
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

    fn game(&self, workspace: Workspace, index: usize) -> anyhow::Result<Answered> {
        let ExamGame { side, budget, seed } = self.exam.games[index];
        let opponent = self.opponent(seed);
        let contestants = if side == Color::Black { [self.agent, &opponent] } else { [&opponent, self.agent] };
        let budgets = [Some(budget); 2];
        let record = play(workspace, self.league, contestants, budgets, seed, &mut NoObserver);
        match &record.verdict.reason {
            EndReason::Failed { error } => anyhow::bail!("{error}"),
            _ => Ok(Answered::Game(Box::new(record))),
        }
    }

    fn opponent(&self, seed: u64) -> Contestant {
        let opponent = self.opponent.clone();
        match self.options {
            OpponentOptions::Nothing => opponent,
            OpponentOptions::SeedAndCost(cost) => {
                let cost = cost.map(|cost| ["--cost".into(), cost.to_string().into()]);
                let seed = ["--seed".into(), seed.to_string().into()];
                opponent.with_arguments(seed.into_iter().chain(cost.into_iter().flatten()).collect())
            }
        }
    }

    fn mark_game(&self, index: usize, record: &GameRecord) -> anyhow::Result<Marked> {
        let (side, most) = (self.exam.games[index].side, self.exam.points_a_game);
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

/// How a game went for one side, on one line.
fn result(record: &GameRecord, side: Color) -> String {
    let how = match record.verdict.winner {
        Some(winner) if winner == side => "won",
        Some(_) => "lost",
        None => "drawn",
    };
    let why = match &record.verdict.reason {
        EndReason::Fault(fault) if fault.side == side => format!(": {}", fault.kind),
        EndReason::Fault(fault) => format!(": {} of the opponent", fault.kind),
        EndReason::Drawn { draw, .. } => format!(": {draw}"),
        _ => String::new(),
    };
    format!("{how} in turn {}{why}; {}", record.turns.len(), clocks(record, side))
}

/// The time that both sides have left.
fn clocks(record: &GameRecord, side: Color) -> String {
    let left = |side: Color| record.left[side.index()].unwrap_or_default().as_secs_f64();
    format!("{:.3} s left, the opponent {:.3} s", left(side), left(!side))
}

/// Why a game was not won: the board at its end, and what happened.
fn explained(record: &GameRecord, side: Color) -> anyhow::Result<Finding> {
    let last = Some(ShownBoard::Checkers(Replay::<Position>::of(record)?.last()));
    Ok(match &record.verdict.reason {
        EndReason::Fault(fault) => {
            let before = record.turns.iter().rev().filter(|turn| turn.side == side).nth(1).and_then(|turn| turn.left);
            let left = before.or(record.budgets[side.index()]).unwrap_or_default().as_secs_f64();
            let asked = format!("turn {}, as {side}, with {left:.3} s left", fault.turn);
            Finding::new(asked, last, &fault.violation())
        }
        _ => {
            let asked = format!("the end of the game, as {side}");
            let expected = "a won game, or a drawn one with more time left than the opponent has";
            Finding { wrong: record.verdict.to_string(), ..Finding::plain(asked, clocks(record, side), expected) }
                .with(last)
        }
    })
}
