//! What is known about a game once it is over?
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | who played which turns, at what cost? |
//! | `verdict` | how did the game end, and why? |
//! | `failure` | why could the referee not finish it? |
//! | `fault` | what did an agent do wrong? |
//! | `evidence` | what did an agent find and leave in a turn? |
//! | [`replay`] | which positions did the game go through? |
//! | [`transcript`] | how is it written for other programs? |
//! | [`written`] | how is a move written for readers of agents' files? |

mod evidence;
mod failure;
mod fault;
mod game;
pub mod replay;
pub mod transcript;
mod verdict;
pub mod written;

pub use evidence::{AgentBytes, Evidence, FoundFile};
pub use failure::Failure;
pub(crate) use fault::on_a_line;
pub use fault::{Fault, FaultKind, Violation};
pub use game::{ChosenBy, GameRecord, Turn};
pub use verdict::{Draw, EndReason, GameVerdict};
