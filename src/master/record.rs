//! Records of games: moves, times, faults and the verdict.

mod fault;
mod game;
pub mod transcript;

pub(crate) use fault::on_a_line;
pub use fault::{AgentBytes, Evidence, Failure, Fault, FaultKind, FoundFile, Violation};
pub use game::{ChosenBy, Draw, EndReason, GameRecord, GameVerdict, Turn};
pub(crate) use transcript::{Replay, Written};
