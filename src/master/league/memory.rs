//! Memory of a league's agents on this machine.

use std::borrow::Cow;

use super::agent_limits::{AgentLimits, Bytes};
use super::clock_rules::Allowance;
use super::{League, Protocol};
use crate::sandbox::{MemoryDemand, Sandbox};

impl Protocol {
    /// Number of agents of a game that run at once. Where each turn is a process, only one side runs at a time.
    fn agents_at_once(self) -> u32 {
        match self {
            Protocol::TurnFiles | Protocol::Request => 1,
            Protocol::Console2020 | Protocol::Console2015 => 2,
        }
    }
}

impl League {
    /// Memory needed to play this many games at once.
    pub fn memory_of(&self, games: usize) -> MemoryDemand {
        MemoryDemand { tasks: games, agents: self.protocol.agents_at_once(), each: self.limits.memory }
    }

    /// Returns this league with the memory limit that holds on this machine: agents have less if not even one game fits.
    pub fn here(&self, sandbox: &Sandbox) -> Cow<'_, League> {
        let memory = sandbox.share_memory(self.memory_of(1)).each;
        if memory == self.limits.memory {
            return Cow::Borrowed(self);
        }
        Cow::Owned(League { limits: AgentLimits { memory, ..self.limits }, ..self.clone() })
    }

    /// Describes how CPU time is read, for records, and marks unofficial results: those of a weak sandbox, with less
    /// memory than the league allows, or by user time that is not counted exactly.
    pub fn measurement(&self, sandbox: &Sandbox) -> String {
        let here = sandbox.share_memory(self.memory_of(1)).each;
        let memory = (here != self.limits.memory)
            .then(|| format!("{} of memory instead of {}", Bytes(here), Bytes(self.limits.memory)));
        let is_inexact = self.clock.counts == Allowance::User && !sandbox.counts_user_time();
        let user_time = is_inexact.then(|| "user time not counted exactly".to_owned());
        let why: Vec<String> = memory.into_iter().chain(user_time).collect();
        if why.is_empty() {
            return sandbox.measurement();
        }
        format!("{}, {}, unofficial", sandbox.tier(), why.join(", "))
    }
}
