//! The time that the referee itself uses.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::doctor::cpu_time;
use crate::record::GameRecord;
use kingline_players::figures::Figure;

/// Time of the referee itself: the time of this process and its children, minus the agents' time.
#[derive(Debug)]
pub(super) struct RefereeCost {
    start: Instant,
    cpu_at_start: Duration,
    agents_wall: Duration,
    agents_cpu: Duration,
    turns: u32,
}

/// Mean time of the referee itself per turn.
#[derive(Debug)]
pub(super) struct TurnCost {
    wall: Duration,
    cpu: Duration,
    turns: u32,
}

impl TurnCost {
    /// Returns wall and CPU time with their targets.
    pub(super) fn figure(&self) -> Figure {
        const MOST: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(3)];
        let [wall, cpu] = self.in_ms();
        let measured = format!("{wall} ms wall, {cpu} ms CPU, mean of {} turns", self.turns);
        let met = self.wall <= MOST[0] && self.cpu <= MOST[1];
        Figure::new("the referee's own cost of a turn", measured).against("at most 5 ms wall, 3 ms CPU", met)
    }

    fn in_ms(&self) -> [String; 2] {
        [self.wall, self.cpu].map(|time| format!("{:.2}", time.as_secs_f64() * 1e3))
    }
}

impl fmt::Display for TurnCost {
    /// Formats the times as a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wall, cpu] = self.in_ms();
        write!(f, "the referee itself took {wall} ms per turn ({cpu} ms of CPU time) over {} turns", self.turns)
    }
}

impl RefereeCost {
    /// Starts counting.
    pub(super) fn start() -> Result<RefereeCost> {
        let (none, cpu_at_start) = (Duration::ZERO, cpu_time()?);
        Ok(RefereeCost { start: Instant::now(), cpu_at_start, agents_wall: none, agents_cpu: none, turns: 0 })
    }

    /// Returns the mean over the turns so far.
    pub(super) fn per_turn(&self) -> Result<TurnCost> {
        let per_turn = |all: Duration, agents: Duration| all.saturating_sub(agents) / self.turns.max(1);
        let wall = per_turn(self.start.elapsed(), self.agents_wall);
        let cpu = per_turn(cpu_time()?.saturating_sub(self.cpu_at_start), self.agents_cpu);
        Ok(TurnCost { wall, cpu, turns: self.turns })
    }

    /// Adds the turns of a finished game.
    pub(super) fn add(&mut self, record: &GameRecord) {
        for turn in &record.turns {
            self.agents_wall += turn.spent.wall;
            self.agents_cpu += turn.spent.cpu;
            self.turns += 1;
        }
    }
}
