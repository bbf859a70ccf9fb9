//! Requests single moves and plays games.

use std::fs;

use super::answered::{Answered, AnsweredGame, AnsweredMove};
use super::{ExamGame, ExamPart, GradingTerms, Opponent};
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
        let (part, index) = self.terms.exam.part(index);
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
        let (notes, spent, peak, evidence) =
            (answer.notes, answer.spent, Some(answer.peak), player.into_evidence().map(Box::new));
        Ok(Answered::Move(AnsweredMove { route, fault, notes, spent, peak, evidence }))
    }

    fn game(&self, workspace: Workspace, agent: &Contestant, index: usize) -> anyhow::Result<Answered> {
        let ExamGame { side, budget, seed } = self.terms.exam.games[index];
        let opponent = self.opponent(seed);
        let contestants = if side == Color::Black { [agent, &opponent] } else { [&opponent, agent] };
        let budgets = [Some(budget); 2];
        let (record, evidence) = play_for_evidence(workspace, &self.terms.rules.league, contestants, budgets, seed);
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
}
