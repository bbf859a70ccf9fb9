//! Exam of a single agent: `master` checks its protocol step by step, then grades it.
//!
//! | module | question it answers |
//! | --- | --- |
//! | [`check`] | does the agent follow its protocol? |
//! | [`grade`] | how many of the 100 points does it get? |
//! | `samples` | which files of samples does it use? |

pub mod check;
pub mod grade;
mod samples;
