//! Answers to single moves and finished games, as files keep them.

use serde::{Deserialize, Serialize};

use crate::league::clock_rules::Spent;
use crate::record::{Evidence, Fault, GameRecord};
use crate::sandbox::Peak;

/// An answer as saved: everything that its mark depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answered {
    /// A single move.
    Move(AnsweredMove),
    /// A finished game.
    Game(Box<AnsweredGame>),
}

/// A finished game, with the evidence of the agent's last turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AnsweredGame {
    #[serde(flatten)]
    pub(super) record: GameRecord,
    /// `None` if the agent had no turn.
    #[serde(default)]
    pub(super) evidence: Option<Evidence>,
}

/// An answer to a single move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AnsweredMove {
    /// The move, if it is legal.
    pub(super) route: Option<String>,
    /// The agent's fault, if the move is not legal.
    pub(super) fault: Option<Fault>,
    pub(super) notes: Vec<String>,
    pub(super) spent: Spent,
    /// Peak use of resources.
    #[serde(default)]
    pub(super) peak: Option<Peak>,
    /// Files before and after the agent's turn.
    #[serde(default)]
    pub(super) evidence: Option<Box<Evidence>>,
}

impl Answered {
    /// Files before and after the agent's last turn.
    pub(super) fn evidence(&self) -> Option<&Evidence> {
        match self {
            Answered::Move(answer) => answer.evidence.as_deref(),
            Answered::Game(game) => game.evidence.as_ref(),
        }
    }
}
