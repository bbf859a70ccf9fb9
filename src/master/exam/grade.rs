//! Grades an agent, giving up to 100 points (§3) for ten single moves and nine games against the reference agent,
//! unless a course sets other terms.
//!
//! A single move that is legal, well formed and in time scores one point; a won game scores ten. A drawn game goes to
//! the side with more time left; if both have the same time left, in the clock's steps of 0.01 s, each gets half.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `course` | which moves, games and points does a course set? |
//! | `threshold` | which scores are to be reached against which opponents? |
//! | `terms` | which rules and which seed does an exam use? |
//! | `exam` | which positions and games make up the exam? |
//! | `questions` | which positions does a seed produce? |
//! | `examiner` | how is a move or game requested? |
//! | `answered` | what is saved of an answer? |
//! | `marking` | how many points is an answer worth, and why? |
//! | `examinee` | how does an agent get from its files to its grade? |
//! | `mark` | what is a grade, and what is a mark? |
//! | `stored_terms` | would a file's answers count on these terms? |
//! | `exam_lines` | which lines does the file of an exam have? |
//! | `unfinished` | how are answers saved, so that a stopped exam can continue? |
//! | `stored_exam` | how is the store of a class read? |
//! | `appeal` | what is known of one mark? |
//! | `report` | what does the student read? |
//! | `class` | what do the staff read about a class? |
//! | `results` | how do the points get into other autograders? |
//! | `by_question` | how many points did a class win with each question? |
//! | `pseudonyms` | under which names may others see the points of a class? |
//! | `gradebook` | how do the points of a class get into a spreadsheet? |

mod answered;
mod appeal;
mod by_question;
mod class;
mod course;
mod exam;
mod exam_lines;
mod examinee;
mod examiner;
mod gradebook;
mod mark;
mod marking;
mod pseudonyms;
mod questions;
mod report;
mod results;
mod stored_exam;
mod stored_terms;
mod terms;
mod threshold;
mod unfinished;

use anyhow::Context;

pub use appeal::Appeal;
pub use class::{ClassGrades, NotGraded, summary};
pub use course::{Course, CourseGame, CourseMoves, CourseSide};
pub use exam::{BUDGETS, Exam, ExamGame, questions_in};
pub use gradebook::gradebook;
pub use mark::{ExamPart, Grade, Mark};
pub(crate) use mark::{ExplainedMark, explained_marks};
pub use pseudonyms::{Pseudonyms, SECRET};
pub use questions::Question;
pub use report::markdown;
pub use results::{Results, ResultsFormat};
pub use stored_exam::StoredExam;
pub use terms::{GradingRules, GradingTerms, Opponent, Seed};
pub use threshold::{CourseThreshold, ExamThreshold, REFERENCE};
pub use unfinished::{NotAnExam, UnfinishedExam};

use crate::intake::agent::Agent;
use crate::referee::players::PreparationObserver;
use crate::sandbox::Workspace;
use crate::stop::StopFlag;
use crate::threads::spread;
use examinee::Examinee;
use examiner::Examiner;

/// An observer of what runs during a grading; its methods are called on any thread.
pub trait GradingObserver: PreparationObserver {
    /// Called before an agent is asked a question: `move 3`, `game 2`.
    fn asking(&self, agent: &str, question: &str);
    /// Called when it has answered, or the referee failed.
    fn asked(&self, agent: &str, question: &str);
}

/// Gives all agents the same exam, continuing from the state of `exam`, which saves each answer before it counts. Passes
/// every mark to `watch` with its agent's number, in any order, but marks for saved answers first. Once `stop` is set, the
/// remaining steps are left for later.
///
/// # Errors
/// The opponent cannot be prepared, or an answer cannot be saved. Any other failure of the referee is recorded in the
/// grade or mark.
pub fn grade(
    workspace: Workspace,
    terms: &GradingTerms,
    agents: &[Agent],
    exam: &mut UnfinishedExam,
    stop: &StopFlag,
    watch: &mut dyn FnMut(usize, &Mark),
    observer: &dyn GradingObserver,
) -> anyhow::Result<Vec<Grade>> {
    let examiner = Examiner::new(workspace, terms, observer)?;
    let mut examinees = Examinee::prepared(workspace, &examiner, agents, stop, observer)?;
    for (number, examinee) in examinees.iter_mut().enumerate() {
        examinee.mark_kept(&examiner, exam, |mark| watch(number, mark));
    }
    // Each round asks for one more game of the thresholds that are not decided.
    loop {
        let open: Vec<(usize, usize, usize)> = examinees
            .iter()
            .enumerate()
            .flat_map(|(number, examinee)| {
                examinee.open(&examiner).map(move |(question, index)| (number, question, index))
            })
            .collect();
        if open.is_empty() || stop.is_requested() {
            break;
        }
        let ask = |&(number, question, index): &(usize, usize, usize)| {
            let contestant = examinees[number].contestant().context("the agent is not prepared")?;
            let (agent, question) = (&*agents[number].name, terms.exam.short_name(question));
            observer.asking(agent, &question);
            let answer = examiner.ask(workspace, number, contestant, index);
            observer.asked(agent, &question);
            answer
        };
        let mut given = Vec::new();
        spread(&open, terms.rules.jobs.get(), stop, ask, |&(number, question, index), answer| {
            let mark = match &answer {
                // The stop flag interrupted this step.
                Err(_) if stop.is_requested() => return Ok(()),
                Err(error) => Some(terms.exam.failed(question, error)),
                Ok(answer) => {
                    exam.add(&agents[number], index, answer)?;
                    examinees[number].mark(&examiner, question, index, answer)
                }
            };
            mark.iter().for_each(|mark| watch(number, mark));
            given.push((number, question, index, answer.ok(), mark));
            anyhow::Ok(())
        })?;
        for (number, question, index, answer, mark) in given {
            answer.into_iter().for_each(|answer| examinees[number].add(index, answer));
            mark.into_iter().for_each(|mark| drop(examinees[number].marks.insert(question, mark)));
        }
    }
    Ok(examinees.into_iter().map(|examinee| examinee.grade(workspace, &examiner)).collect())
}
