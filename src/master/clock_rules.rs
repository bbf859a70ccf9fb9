//! How is an agent's time measured, and how much of it is there?

use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::micros;

/// How an agent's time is measured, and how much of it there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRules {
    /// What counts.
    pub counts: Allowance,
    /// For one turn; `None`: all that is left for the game.
    #[serde(with = "micros::option")]
    pub turn: Option<Duration>,
    /// For all turns of a side; `None`: unlimited.
    #[serde(with = "micros::option")]
    pub game: Option<Duration>,
    /// Where CPU time counts: how long an agent may sleep beyond three times its CPU time, before it counts as hung. Also
    /// how long an agent may take to end a game.
    #[serde(with = "micros")]
    pub patience: Duration,
}

/// What an agent's clock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Allowance {
    /// CPU time, user and system, of the agent's threads and descendants.
    Cpu,
    /// Wall time.
    Wall,
}

impl Allowance {
    /// The duration that counts.
    pub fn of(self, spent: &Spent) -> Duration {
        match self {
            Allowance::Cpu => spent.cpu,
            Allowance::Wall => spent.wall,
        }
    }

    /// What comes before the word "time": `CPU` or `Wall`.
    pub fn title(self) -> &'static str {
        match self {
            Allowance::Cpu => "CPU",
            Allowance::Wall => "Wall",
        }
    }
}

/// The time that a turn took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// CPU time, user and system, of all threads and descendants.
    #[serde(with = "micros")]
    pub cpu: Duration,
    /// Wall time.
    #[serde(with = "micros")]
    pub wall: Duration,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.cpu += other.cpu;
        self.wall += other.wall;
    }
}
