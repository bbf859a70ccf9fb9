//! Asks agents for single moves, and plays games with them.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};

use super::drawn::Question;
use super::mark::{ExamPart, Grade, Mark};
use super::marking::{Answered, AnsweredGame, AnsweredMove};
use super::questions::{Asked, Exam, ExamGame, GradingRules, Opponent};
use super::store::ExamStore;
use crate::intake::agent::Agent;
use crate::record::EndReason;
use crate::referee::Player;
use crate::referee::players::{Contestant, PreparationObserver, TurnFilesPlayer, play_for_evidence, prepare};
use crate::sandbox::Workspace;
use crate::stop::StopFlag;
use crate::threads::spread;
use kingline::checkers::Route;
use kingline::game::{Color, Game};

/// An observer of what runs during a grading; its methods are called on any thread.
pub(crate) trait GradingObserver: PreparationObserver {
    /// Called before an agent is asked a question: `move 3`, `game 2`.
    fn asking(&self, agent: &str, question: &str);
    /// Called when it has answered, or the referee failed.
    fn asked(&self, agent: &str, question: &str);
}

struct Examiner<'a> {
    workspace: Workspace<'a>,
    rules: &'a GradingRules,
    exam: &'a Exam,
    /// Opponents of the questions that are asked, by their index.
    opponents: BTreeMap<usize, Contestant>,
}

/// An agent that takes the exam; `None` if the exam was stopped before it was prepared.
type Examinee = Option<Result<Contestant>>;

/// Gives all agents the same exam, continuing from the state of `store`, which saves each answer before it counts. Passes
/// every mark to `watch` with its agent's number, in any order, but marks for saved answers first. Once `stop` is set, the
/// remaining steps are left for later.
///
/// # Errors
/// The opponent cannot be prepared, or an answer cannot be saved. Any other failure of the referee is recorded in the
/// grade or mark.
#[allow(clippy::too_many_arguments, reason = "each is one of a kind")]
pub(crate) fn grade(
    workspace: Workspace,
    rules: &GradingRules,
    exam: &Exam,
    agents: &[Agent],
    store: &mut ExamStore,
    stop: &StopFlag,
    watch: &mut dyn FnMut(usize, &Mark),
    observer: &dyn GradingObserver,
) -> Result<Vec<Grade>> {
    let examiner = Examiner::new(workspace, rules, exam, observer)?;
    let examinees = examiner.prepared(agents, stop, observer)?;
    let ready: Vec<(usize, &Contestant)> = (0..)
        .zip(&examinees)
        .filter_map(|(number, examinee)| Some((number, examinee.as_ref()?.as_ref().ok()?)))
        .collect();
    // Marks of each agent, by the index of the question.
    let mut marks: Vec<BTreeMap<usize, Mark>> = vec![BTreeMap::new(); agents.len()];
    for &(number, _) in &ready {
        for &question in exam.asked() {
            if let Some(mark) = exam.mark(question, store.answers(&agents[number])) {
                watch(number, &mark);
                marks[number].insert(question, mark);
            }
        }
    }
    // Each round asks for one more game of the thresholds that are not decided.
    while !stop.is_requested() {
        let mut open = Vec::new();
        for &(number, contestant) in &ready {
            let unmarked = exam.asked().iter().filter(|question| !marks[number].contains_key(question));
            let answers = store.answers(&agents[number]);
            open.extend(
                unmarked.filter_map(|&question| Some((number, contestant, question, exam.next(question, answers)?))),
            );
        }
        if open.is_empty() {
            break;
        }
        let ask = |&(number, contestant, question, index): &(usize, &Contestant, usize, usize)| {
            let (agent, question) = (&*agents[number].name, exam.short_name(question));
            observer.asking(agent, &question);
            let answer = examiner.ask(number, contestant, index);
            observer.asked(agent, &question);
            answer
        };
        spread(&open, rules.jobs.get(), stop, ask, |&(number, _, question, index), answer| {
            let mark = match answer {
                // The stop flag interrupted this step.
                Err(_) if stop.is_requested() => return Ok(()),
                Err(error) => Some(exam.failed(question, &error)),
                Ok(answer) => {
                    store.add(&agents[number], index, answer)?;
                    exam.mark(question, store.answers(&agents[number]))
                }
            };
            mark.iter().for_each(|mark| watch(number, mark));
            marks[number].extend(mark.map(|mark| (question, mark)));
            anyhow::Ok(())
        })?;
    }
    let grades = agents.iter().zip(examinees).zip(marks);
    Ok(grades.map(|((agent, examinee), marks)| examiner.grade(agent, examinee, marks)).collect())
}

impl<'a> Examiner<'a> {
    fn new(
        workspace: Workspace<'a>,
        rules: &'a GradingRules,
        exam: &'a Exam,
        observer: &dyn PreparationObserver,
    ) -> Result<Examiner<'a>> {
        let thresholds = exam.asked().iter().map(|&question| exam.part(question));
        let thresholds = thresholds.filter(|(part, _)| *part == ExamPart::Threshold).map(|(_, index)| index + 1);
        let mut opponents = BTreeMap::new();
        for index in std::iter::once(0).chain(thresholds) {
            let Opponent { agent, is_reference } = rules.opponents[index].clone();
            opponents.insert(
                index,
                match is_reference {
                    true => Contestant::new(agent, workspace.kept)?,
                    false => prepare(workspace, &rules.league, agent, observer)?,
                },
            );
        }
        Ok(Examiner { workspace, rules, exam, opponents })
    }

    /// Prepares all agents, several at a time; returns them in the order of `agents`.
    fn prepared(&self, agents: &[Agent], stop: &StopFlag, observer: &dyn PreparationObserver) -> Result<Vec<Examinee>> {
        let mut examinees: Vec<Examinee> = agents.iter().map(|_| None).collect();
        let numbers: Vec<usize> = (0..agents.len()).collect();
        let work = |&number: &usize| {
            // Threads do not share working directories.
            let folder = self.workspace.folder.join(format!("{number}-ready"));
            fs::create_dir(&folder)?;
            let workspace = Workspace { folder: &folder, ..self.workspace };
            prepare(workspace, &self.rules.league, agents[number].clone(), observer)
        };
        spread(&numbers, self.rules.jobs.get(), stop, work, |&number, prepared| {
            // The stop flag interrupts a preparation.
            examinees[number] = Some(prepared).filter(|prepared| prepared.is_ok() || !stop.is_requested());
            anyhow::Ok(())
        })?;
        Ok(examinees)
    }

    /// Asks the agent for a move or plays a game with it. `number` is the agent's number among all examinees and names
    /// its folders.
    fn ask(&self, number: usize, agent: &Contestant, index: usize) -> Result<Answered> {
        let asked = self.exam.asked_by(index).context("no such question")?;
        // Threads do not share working directories.
        let folder = self.workspace.folder.join(format!("{number}-{index}"));
        fs::create_dir(&folder)?;
        let workspace = Workspace { folder: &folder, ..self.workspace };
        let answer = match asked {
            Asked::Move(question) => self.single_move(workspace, agent, question),
            Asked::Game(game) => self.game(workspace, agent, game),
        };
        // A class creates many such folders; one that cannot be removed disappears with its parent folder.
        let _ = fs::remove_dir_all(&folder);
        answer
    }

    fn single_move(&self, workspace: Workspace, agent: &Contestant, question: &Question) -> Result<Answered> {
        let request = &question.request;
        let side = request.position.turn();
        let league = &self.rules.league;
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

    fn game(&self, workspace: Workspace, agent: &Contestant, game: &ExamGame) -> Result<Answered> {
        let ExamGame { side, budget, opponent_budget, seed, .. } = *game;
        let opponent = self.opponent(game)?;
        let (contestants, budgets) = match side {
            Color::Black => ([agent, &opponent], [budget, opponent_budget]),
            Color::White => ([&opponent, agent], [opponent_budget, budget]),
        };
        let league = &self.rules.league;
        let (record, [black, white]) = play_for_evidence(workspace, league, contestants, budgets.map(Some), seed);
        if let EndReason::Failed(failure) = &record.verdict.reason {
            bail!("{failure}");
        }
        let evidence = if side == Color::Black { black } else { white };
        Ok(Answered::Game(Box::new(AnsweredGame { record, evidence })))
    }

    /// The opponent in a game. The reference agent gets `--seed`, and, if the course sets a cost, `--cost` and the clock's
    /// step.
    fn opponent(&self, game: &ExamGame) -> Result<Contestant> {
        let opponent = self.opponents.get(&game.opponent).context("the opponent is not prepared")?.clone();
        if !self.rules.opponents[game.opponent].is_reference {
            return Ok(opponent);
        }
        let mut arguments = vec!["--seed".into(), game.seed.to_string().into()];
        if let Some(cost) = self.rules.course.reference_cost {
            let step = self.rules.league.clock.resolution.as_secs_f64();
            arguments.extend(["--cost".into(), cost.to_string().into(), "--step".into(), step.to_string().into()]);
        }
        Ok(opponent.with_arguments(arguments))
    }

    fn grade(&self, agent: &Agent, examinee: Examinee, marks: BTreeMap<usize, Mark>) -> Grade {
        let marks: Vec<Mark> = marks.into_values().collect();
        let (notes, failed) = match examinee {
            Some(Ok(contestant)) => (contestant.remarks().cloned().collect(), None),
            Some(Err(error)) => (Vec::new(), Some(format!("{error:#}"))),
            None => (Vec::new(), None),
        };
        Grade {
            agent: agent.name.clone(),
            hash: agent.hash.clone(),
            reference: self.rules.opponents[0].agent.name.clone(),
            seed: self.exam.seed,
            tier: self.rules.league.measurement(self.workspace.sandbox),
            points: marks.iter().map(|mark| mark.points).sum(),
            of: self.exam.of(),
            steps: self.exam.steps(),
            is_finished: marks.len() == self.exam.steps(),
            notes,
            failed,
            marks,
        }
    }
}
