use std::ffi::OsString;
use std::fs;

use super::{Exam, ExamPart, Mark};
use crate::checkers::{Position, Route};
use crate::game::{Color, Game};
use crate::master::agent::Agent;
use crate::master::check::{Finding, ShownBoard};
use crate::master::league::{DrawRule, League};
use crate::master::players::{Contestant, Fixture, TurnFilesPlayer, Workspace, play};
use crate::master::record::{EndReason, GameRecord, Spent};
use crate::master::referee::{NoObserver, Player, Violation};
use crate::master::replay::Replay;

/// An agent before its examiner.
pub(super) struct Sitting<'a> {
    pub(super) league: &'a League,
    pub(super) exam: &'a Exam,
    pub(super) agent: &'a Contestant,
    pub(super) opponent: Contestant,
    /// Whether the opponent takes `--seed N`.
    pub(super) seeded: bool,
    pub(super) seed: u64,
}

/// Points of a won game, by half points.
const POINTS_PER_HALF: u32 = 5;

impl Sitting<'_> {
    /// How many moves and games there are.
    pub(super) fn len(&self) -> usize {
        self.exam.questions.len() + self.exam.budgets.len()
    }

    /// Asks for a move or plays a game: the moves come first.
    pub(super) fn mark(&self, place: Workspace, index: usize) -> Mark {
        let (part, index) = match index.checked_sub(self.exam.questions.len()) {
            None => (ExamPart::Move, index),
            Some(game) => (ExamPart::Game, game),
        };
        let mut mark = Mark {
            part,
            number: index + 1,
            title: self.title(part, index),
            points: 0,
            of: if part == ExamPart::Move { 1 } else { 2 * POINTS_PER_HALF },
            result: String::new(),
            lost: None,
            notes: Vec::new(),
            spent: Spent::default(),
            record: None,
            failed: None,
        };
        // Threads do not share working directories.
        let folder = place.folder.join(format!("{part:?}-{}", mark.number));
        let done = fs::create_dir(&folder).map_err(Into::into).and_then(|()| {
            let place = Workspace { folder: &folder, ..place };
            if part == ExamPart::Move {
                self.single_move(place, index, &mut mark)
            } else {
                self.game(place, index, &mut mark)
            }
        });
        if let Err(error) = done {
            mark.result = format!("not graded: {error:#}");
            mark.failed = Some(format!("{error:#}"));
        }
        mark
    }

    fn title(&self, part: ExamPart, index: usize) -> String {
        match part {
            ExamPart::Move => self.exam.questions[index].name.clone(),
            ExamPart::Game => format!("{}, {} s", side(index), self.exam.budgets[index].as_secs_f64()),
        }
    }

    fn single_move(&self, place: Workspace, index: usize, mark: &mut Mark) -> anyhow::Result<()> {
        let request = &self.exam.questions[index].request;
        let mut player = TurnFilesPlayer::new(self.agent, self.league, place.cell(Color::Black)?);
        player.begin(request.position.turn())?;
        let answer = player.turn(request.mode, request.position, request.left)?;
        (mark.spent, mark.notes) = (answer.spent, answer.notes);
        match answer.mv {
            Ok(mv) => {
                mark.points = mark.of;
                mark.result = Route::of(&request.position, mv).to_string();
            }
            Err(wrong) => {
                let text = request.to_string();
                let asked: Vec<&str> = text.lines().take(3).collect();
                mark.result = wrong.kind.to_string();
                let asked = format!("{} s", asked.join(", "));
                mark.lost = Some(Finding::new(asked, Some(ShownBoard::Checkers(request.position)), &wrong));
            }
        }
        Ok(())
    }

    fn game(&self, place: Workspace, index: usize, mark: &mut Mark) -> anyhow::Result<()> {
        let (side, seed) = (side(index), self.seed.wrapping_add(index as u64));
        let opponent = self.opponent(seed)?;
        let contestants = if side == Color::Black { [self.agent, &opponent] } else { [&opponent, self.agent] };
        let fixture = Fixture { contestants, budgets: [Some(self.exam.budgets[index]); 2], seed };
        let record = play(place, self.league, &fixture, &mut NoObserver);
        if let EndReason::Failed { error } = &record.verdict.reason {
            anyhow::bail!("{error}");
        }
        let half_points = record.verdict.half_points(DrawRule::MoreTimeLeft).unwrap_or_default();
        mark.points = half_points[side.index()] * POINTS_PER_HALF;
        mark.result = result(&record, side);
        for turn in record.turns.iter().filter(|turn| turn.side == side) {
            mark.spent.cpu += turn.spent.cpu;
            mark.spent.wall += turn.spent.wall;
            let new = turn.notes.iter().filter(|note| !mark.notes.contains(note)).cloned().collect::<Vec<_>>();
            mark.notes.extend(new);
        }
        if mark.points < mark.of {
            mark.lost = Some(explained(&record, side)?);
        }
        mark.record = Some(record);
        Ok(())
    }

    fn opponent(&self, seed: u64) -> anyhow::Result<Contestant> {
        if !self.seeded {
            return Ok(self.opponent.clone());
        }
        let arguments = vec![OsString::from("--seed"), seed.to_string().into()];
        Contestant::new(Agent { arguments, ..self.opponent.agent().clone() })
    }
}

/// The agent's side in a game, counted from 0: it has the first move in five of nine (§3).
fn side(index: usize) -> Color {
    if index.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// How a game went for one side, in a line.
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

/// What both sides have left.
fn clocks(record: &GameRecord, side: Color) -> String {
    let left = |side: Color| record.left[side.index()].unwrap_or_default().as_secs_f64();
    format!("{:.3} s left, the opponent {:.3} s", left(side), left(!side))
}

/// Why a game is not won: the board at its end, and what happened.
fn explained(record: &GameRecord, side: Color) -> anyhow::Result<Finding> {
    let last = Some(ShownBoard::Checkers(Replay::<Position>::of(record)?.last()));
    Ok(match &record.verdict.reason {
        EndReason::Fault(fault) => {
            let before = record.turns.iter().rev().filter(|turn| turn.side == side).nth(1).and_then(|turn| turn.left);
            let left = before.or(record.budgets[side.index()]).unwrap_or_default().as_secs_f64();
            let asked = format!("turn {}, as {side}, with {left:.3} s left", fault.turn);
            let wrong = Violation { kind: fault.kind, read: fault.read.clone(), expected: fault.expected.clone() };
            Finding::new(asked, last, &wrong)
        }
        _ => {
            let asked = format!("the end of the game, as {side}");
            let expected = "a won game, or a drawn one with more time left than the opponent has";
            Finding { wrong: record.verdict.to_string(), ..Finding::plain(asked, clocks(record, side), expected) }
                .with(last)
        }
    })
}
