//! How much time does the referee itself take?

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::master::doctor::cpu_time;
use crate::master::record::GameRecord;

/// The time of the referee itself: that of this process and its children, minus that of the agents.
#[derive(Debug)]
pub(super) struct RefereeCost {
    start: Instant,
    cpu_at_start: Duration,
    agents_wall: Duration,
    agents_cpu: Duration,
    turns: u32,
}

impl RefereeCost {
    /// Starts counting.
    pub(super) fn start() -> Result<RefereeCost> {
        let (none, cpu_at_start) = (Duration::ZERO, cpu_time()?);
        Ok(RefereeCost { start: Instant::now(), cpu_at_start, agents_wall: none, agents_cpu: none, turns: 0 })
    }

    /// As a sentence.
    pub(super) fn in_words(&self) -> Result<String> {
        let a_turn = |all: Duration, agents: Duration| {
            all.saturating_sub(agents).as_secs_f64() * 1e3 / f64::from(self.turns.max(1))
        };
        let wall = a_turn(self.start.elapsed(), self.agents_wall);
        let cpu = a_turn(cpu_time()?.saturating_sub(self.cpu_at_start), self.agents_cpu);
        Ok(format!("the referee itself took {wall:.2} ms, {cpu:.2} ms CPU time, for each of {} turns", self.turns))
    }

    /// Adds a game that is over.
    pub(super) fn add(&mut self, record: &GameRecord) {
        for turn in &record.turns {
            self.agents_wall += turn.spent.wall;
            self.agents_cpu += turn.spent.cpu;
            self.turns += 1;
        }
    }
}
