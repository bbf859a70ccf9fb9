//! Exam: up to 100 points (§3) for ten single moves and nine games against the reference agent, unless a course sets
//! other terms.
//!
//! A single move that is legal, well formed and in time scores one point; a won game scores ten. A drawn game goes to
//! the side with more time left; if both have the same time left, in the clock's steps of 0.01 s, each gets half.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `course` | which moves, games and points does a course set? |
//! | `questions` | which positions and games make up the exam? |
//! | `drawn` | which positions does a seed produce? |
//! | `examiner` | how does an agent get from its files to its grade? |
//! | `store` | how are answers saved, so that a stopped exam can continue? |
//! | `marking` | how many points is an answer worth, and why? |
//! | `mark` | what is a grade, and what is a mark? |

mod course;
mod drawn;
mod examiner;
mod mark;
mod marking;
mod questions;
mod store;

pub use course::{Course, CourseGame, CourseMoves, CourseThreshold};
pub use drawn::Question;
pub(crate) use examiner::{GradingObserver, grade};
pub(crate) use mark::{ExamPart, ExplainedMark, Grade, Mark, explained_marks};
pub(crate) use marking::Answered;
pub(crate) use questions::Asked;
pub(crate) use questions::{BUDGETS, GradingRules, Opponent, questions_in};
pub use questions::{Exam, ExamGame};
pub(crate) use store::{ExamStore, Seed, Terms};
