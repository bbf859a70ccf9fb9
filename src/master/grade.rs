//! How many of the hundred points does an agent get (§3)? Single moves, and games against the reference agent: ten and nine
//! of them, unless a course says otherwise.
//!
//! A single move that is legal, well formed and in time is worth one point, a won game ten. A drawn game goes to the
//! side with more time left; if both have the same, in steps of the clock (0.01 s), each gets half.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `course` | how a course grades: the terms as data |
//! | `exam` | which positions and games an agent is graded by |
//! | `questions` | which positions a seed gives |
//! | `sitting` | how one move or game is asked for and marked |
//! | `unfinished` | what is kept of an exam that is not finished, or of a class |
//! | `report` | what the student reads |
//! | `class` | what the staff read of a class |
//! | `gradebook` | how a spreadsheet gets the points of a class |

mod class;
mod course;
mod exam;
mod gradebook;
mod questions;
mod report;
mod sitting;
mod unfinished;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;

use anyhow::Context;
use serde::Serialize;

pub use class::{ClassGrades, NotGraded, summary};
pub use course::{Course, CourseGame, CourseMoves, CourseSide};
pub use exam::{BUDGETS, Exam, ExamGame, Question};
pub use gradebook::gradebook;
pub use report::markdown;
pub use unfinished::{NotAnExam, SeedSource, UnfinishedExam};

use super::agent::Agent;
use super::check::Finding;
use super::clock_rules::Spent;
use super::league::League;
use super::players::{Contestant, Workspace, prepare};
use super::record::GameRecord;
use super::sandbox::Peak;
use super::stop::StopFlag;
use super::threads::spread;
use sitting::{OpponentOptions, Sitting};

/// What the agent plays against.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// This library's own reference agent; each game gives it a seed, so that a grading can be repeated.
    Reference {
        /// Where it is.
        agent: Agent,
        /// CPU seconds that a game costs it; `None`: as few as it needs.
        cost: Option<f64>,
    },
    /// Another agent, as it is.
    Other(Agent),
}

/// The terms of a grading.
#[derive(Clone, Debug)]
pub struct GradingTerms {
    /// Rules, clock, and random turns before the games; their budgets are those of the exam.
    pub league: League,
    /// The positions and games.
    pub exam: Exam,
    /// The time for each single move, where all have the same.
    pub seconds_a_move: Option<f64>,
    /// Whether the positions were given, not drawn from the seed.
    pub positions_given: bool,
    /// What it plays against.
    pub opponent: Opponent,
    /// That of the exam.
    pub seed: u64,
    /// Moves and games at the same time.
    pub jobs: NonZeroUsize,
}

/// The result of a grading.
#[derive(Clone, Debug, Serialize)]
pub struct Grade {
    /// The agent's name.
    pub agent: String,
    /// Of its files; see [`Agent::hash`].
    pub hash: String,
    /// The opponent's name.
    pub reference: String,
    /// Gave the positions, if no folder did, the random turns before the games, and what the opponent drew.
    pub seed: u64,
    /// How CPU time was measured.
    pub tier: String,
    /// The points.
    pub points: u32,
    /// The points that there were.
    pub of: u32,
    /// The moves and games of the exam.
    pub steps: usize,
    /// Whether all moves and games were asked for; otherwise the exam was stopped, and goes on later.
    pub is_finished: bool,
    /// What was odd about the agent's `calibrate`.
    pub notes: Vec<String>,
    /// Why it was not asked at all: the referee itself failed.
    pub failed: Option<String>,
    /// The single moves, then the games, as far as they were asked for.
    pub marks: Vec<Mark>,
}

/// A single move or a game, and its points.
#[derive(Clone, Debug, Serialize)]
pub struct Mark {
    /// What was asked.
    pub part: ExamPart,
    /// From 1, in its part.
    pub number: usize,
    /// The name of the position; side and budget of the game.
    pub title: String,
    /// The points it brought.
    pub points: u32,
    /// The points it could have brought.
    pub of: u32,
    /// How it went, in a line.
    pub result: String,
    /// Why points were lost.
    pub lost: Option<Finding>,
    /// The agent's fault, if it was one.
    pub fault: Option<String>,
    /// What is odd, but cost nothing.
    pub notes: Vec<String>,
    /// The agent's time, of all turns.
    pub spent: Spent,
    /// What it used at most in a turn.
    pub peak: Option<Peak>,
    /// The game.
    pub record: Option<GameRecord>,
    /// Why it could not be graded: the referee itself failed.
    pub failed: Option<String>,
}

/// A part of the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExamPart {
    /// Single moves.
    Move,
    /// Games.
    Game,
}

impl Grade {
    /// The points of a part.
    pub fn points_of(&self, part: ExamPart) -> u32 {
        self.marks.iter().filter(|mark| mark.part == part).map(|mark| mark.points).sum()
    }
}

/// Grades agents, all by the same exam, from where `exam` is; each answer is kept there before it counts. `watch` sees every
/// mark as it is given, with the number of the agent, in any order, and those of before at once. When `stop` is set, what
/// is not answered yet is left for later.
///
/// # Errors
/// The opponent cannot be made ready, or an answer cannot be kept. Any other failure of the referee is in its grade or mark.
pub fn grade(
    workspace: Workspace,
    terms: &GradingTerms,
    agents: &[Agent],
    exam: &mut UnfinishedExam,
    stop: &StopFlag,
    watch: &mut dyn FnMut(usize, &Mark),
) -> anyhow::Result<Vec<Grade>> {
    let (opponent, options) = opponent(workspace, terms)?;
    let contestants = made_ready(workspace, terms, agents, stop)?;
    let sittings: Vec<Option<Sitting>> = (0..)
        .zip(&contestants)
        .map(|(number, contestant)| {
            let agent = contestant.as_ref()?.as_ref().ok()?;
            Some(Sitting {
                league: &terms.league,
                exam: &terms.exam,
                agent,
                opponent: opponent.clone(),
                options,
                number,
            })
        })
        .collect();
    let mut marks: Vec<BTreeMap<usize, Mark>> = Vec::new();
    for ((number, agent), sitting) in (0..).zip(agents).zip(&sittings) {
        let Some(sitting) = sitting else {
            marks.push(BTreeMap::new());
            continue;
        };
        let known = exam.answers(agent).into_iter().filter(|&(index, _)| index < sitting.len());
        let known = known.map(|(index, answer)| (index, sitting.mark(index, Ok(&answer))));
        marks.push(known.inspect(|(_, mark)| watch(number, mark)).collect());
    }
    let mut open: Vec<(usize, usize)> = Vec::new();
    for ((number, sitting), marks) in sittings.iter().enumerate().zip(&marks) {
        let steps = 0..sitting.as_ref().map_or(0, Sitting::len);
        open.extend(steps.filter(|index| !marks.contains_key(index)).map(|index| (number, index)));
    }
    let seated = |number: usize| sittings[number].as_ref().context("an agent that is not ready");
    let work = |&(number, index): &(usize, usize)| seated(number)?.ask(workspace, index);
    spread(&open, terms.jobs.get(), stop, work, |&(number, index), answer| {
        match &answer {
            // It was given up because of the flag.
            Err(_) if stop.is_requested() => return Ok(()),
            Err(_) => {}
            Ok(answer) => exam.add(&agents[number], index, answer)?,
        }
        let mark = seated(number)?.mark(index, answer.as_ref());
        watch(number, &mark);
        marks[number].insert(index, mark);
        anyhow::Ok(())
    })?;
    let graded = agents.iter().zip(&contestants).zip(marks).map(|((agent, contestant), marks)| {
        let ready = contestant.as_ref().and_then(|contestant| contestant.as_ref().ok());
        let failed = contestant.as_ref().and_then(|contestant| contestant.as_ref().err());
        let marks: Vec<Mark> = marks.into_values().collect();
        Grade {
            agent: agent.name.clone(),
            hash: agent.hash.clone(),
            reference: opponent.agent().name.clone(),
            seed: terms.seed,
            tier: workspace.sandbox.measurement(),
            points: marks.iter().map(|mark| mark.points).sum(),
            of: terms.exam.of(),
            steps: terms.exam.steps(),
            is_finished: marks.len() == terms.exam.steps(),
            notes: ready.map_or_else(Vec::new, |contestant| contestant.notes().to_vec()),
            failed: failed.map(|error| format!("{error:#}")),
            marks,
        }
    });
    Ok(graded.collect())
}

/// The opponent, and the options that it is run with.
fn opponent(workspace: Workspace, terms: &GradingTerms) -> anyhow::Result<(Contestant, OpponentOptions)> {
    Ok(match &terms.opponent {
        Opponent::Reference { agent, cost } => {
            (Contestant::new(agent.clone(), workspace.kept)?, OpponentOptions::SeedAndCost(*cost))
        }
        Opponent::Other(agent) => (prepare(workspace, &terms.league, agent.clone())?, OpponentOptions::Nothing),
    })
}

/// A contestant, or why the referee could not make one; `None`: it was stopped before.
type MadeReady = Option<anyhow::Result<Contestant>>;

/// Builds and calibrates all agents.
fn made_ready(
    workspace: Workspace,
    terms: &GradingTerms,
    agents: &[Agent],
    stop: &StopFlag,
) -> anyhow::Result<Vec<MadeReady>> {
    let mut ready: Vec<MadeReady> = agents.iter().map(|_| None).collect();
    let numbers: Vec<usize> = (0..agents.len()).collect();
    let work = |&number: &usize| {
        // Threads do not share working directories.
        let folder = workspace.folder.join(format!("{number}-ready"));
        fs::create_dir(&folder)?;
        prepare(Workspace { folder: &folder, ..workspace }, &terms.league, agents[number].clone())
    };
    spread(&numbers, terms.jobs.get(), stop, work, |&number, contestant| {
        if !(contestant.is_err() && stop.is_requested()) {
            ready[number] = Some(contestant);
        }
        anyhow::Ok(())
    })?;
    Ok(ready)
}
