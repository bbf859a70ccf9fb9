//! Requests single moves and plays games.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context;

use super::answered::{Answered, AnsweredGame, AnsweredMove};
use super::exam::Asked;
use super::{ExamGame, ExamPart, GradingTerms, Opponent, Question};
use crate::record::EndReason;
use crate::referee::Player;
use crate::referee::players::{Contestant, PreparationObserver, TurnFilesPlayer, play_for_evidence, prepare};
use crate::sandbox::Workspace;
use kingline::checkers::Route;
use kingline::game::{Color, Game};

/// Questions all agents in an exam.
pub(super) struct Examiner<'a> {
    pub(super) terms: &'a GradingTerms,
    opponent: Contestant,
    /// Opponents of the thresholds that are asked, by the threshold's index.
    others: BTreeMap<usize, Contestant>,
}

impl Examiner<'_> {
    /// Prepares the opponents.
    ///
    /// # Errors
    /// An opponent cannot be prepared.
    pub(super) fn new<'a>(
        workspace: Workspace,
        terms: &'a GradingTerms,
        observer: &dyn PreparationObserver,
    ) -> anyhow::Result<Examiner<'a>> {
        let GradingTerms { rules, exam, .. } = terms;
        let prepared = |opponent: &Opponent| match opponent {
            Opponent::Reference { agent, .. } => Contestant::new(agent.clone(), workspace.kept),
            Opponent::Other(agent) => prepare(workspace, &rules.league, agent.clone(), observer),
        };
        let opponent = prepared(&rules.opponent)?;
        let mut others = BTreeMap::new();
        for (part, index) in exam.asked().iter().map(|&question| exam.part(question)) {
            if part == ExamPart::Threshold {
                others.insert(index, prepared(&rules.thresholds[index])?);
            }
        }
        Ok(Examiner { terms, opponent, others })
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
        let asked = self.terms.exam.asked_by(index).context("no such question")?;
        // Threads do not share working directories.
        let folder = workspace.folder.join(format!("{number}-{index}"));
        fs::create_dir(&folder)?;
        let workspace = Workspace { folder: &folder, ..workspace };
        let rules = &self.terms.rules;
        let answer = match asked {
            Asked::Move(question) => self.single_move(workspace, agent, question),
            Asked::Game(game) => self.game(workspace, agent, (&rules.opponent, &self.opponent), game),
            Asked::Bout(threshold, game) => {
                let opponent = self.others.get(&threshold).context("the opponent is not prepared")?;
                self.game(workspace, agent, (&rules.thresholds[threshold], opponent), game)
            }
        };
        // A class creates many such folders; one that cannot be removed disappears with its parent folder.
        let _ = fs::remove_dir_all(&folder);
        answer
    }

    fn single_move(&self, workspace: Workspace, agent: &Contestant, question: &Question) -> anyhow::Result<Answered> {
        let request = &question.request;
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
        let (notes, spent, peak, evidence) =
            (answer.notes, answer.spent, Some(answer.peak), player.into_evidence().map(Box::new));
        Ok(Answered::Move(AnsweredMove { route, fault, notes, spent, peak, evidence }))
    }

    fn game(
        &self,
        workspace: Workspace,
        agent: &Contestant,
        (kind, opponent): (&Opponent, &Contestant),
        game: &ExamGame,
    ) -> anyhow::Result<Answered> {
        let ExamGame { side, budget, opponent_budget, seed } = *game;
        let opponent = self.seeded(kind, opponent, seed);
        let (contestants, budgets) = match side {
            Color::Black => ([agent, &opponent], [budget, opponent_budget]),
            Color::White => ([&opponent, agent], [opponent_budget, budget]),
        };
        let league = &self.terms.rules.league;
        let (record, evidence) = play_for_evidence(workspace, league, contestants, budgets.map(Some), seed);
        match &record.verdict.reason {
            EndReason::Failed(failure) => anyhow::bail!("{failure}"),
            _ => {
                let [black, white] = evidence;
                let evidence = if side == Color::Black { black } else { white };
                Ok(Answered::Game(Box::new(AnsweredGame { record, evidence })))
            }
        }
    }

    /// The opponent in a game with this seed. The reference agent gets `--seed`, and, if the course sets a
    /// cost, `--cost` and the clock's step.
    fn seeded(&self, kind: &Opponent, opponent: &Contestant, seed: u64) -> Contestant {
        let opponent = opponent.clone();
        match kind {
            Opponent::Other(_) => opponent,
            Opponent::Reference { cost, .. } => {
                let step = self.terms.rules.league.clock.resolution.as_secs_f64().to_string();
                let cost = cost.map(|cost| ["--cost".into(), cost.to_string().into(), "--step".into(), step.into()]);
                let seed = ["--seed".into(), seed.to_string().into()];
                opponent.with_arguments(seed.into_iter().chain(cost.into_iter().flatten()).collect())
            }
        }
    }
}
