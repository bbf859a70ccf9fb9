use std::fmt;
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeVal;

use crate::master::record::GameRecord;

/// What the referee itself costs: all time of this process and its children, but for what the agents used.
#[derive(Debug)]
pub(super) struct Cost {
    start: Instant,
    cpu_at_start: Duration,
    agents_wall: Duration,
    agents_cpu: Duration,
    turns: u32,
}

impl Cost {
    /// Counts from now on.
    pub(super) fn start() -> Cost {
        let none = Duration::ZERO;
        Cost { start: Instant::now(), cpu_at_start: cpu(), agents_wall: none, agents_cpu: none, turns: 0 }
    }

    /// A game is over.
    pub(super) fn add(&mut self, record: &GameRecord) {
        for turn in &record.turns {
            self.agents_wall += turn.spent.wall;
            self.agents_cpu += turn.spent.cpu;
            self.turns += 1;
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a_turn = |all: Duration, agents: Duration| {
            all.saturating_sub(agents).as_secs_f64() * 1e3 / f64::from(self.turns.max(1))
        };
        let wall = a_turn(self.start.elapsed(), self.agents_wall);
        let cpu = a_turn(cpu().saturating_sub(self.cpu_at_start), self.agents_cpu);
        write!(
            f,
            "the referee itself took {wall:.2} ms, {cpu:.2} ms of them CPU time, for each of {} turns",
            self.turns
        )
    }
}

/// CPU time of this process and of all its children that have ended.
fn cpu() -> Duration {
    let of = |usage: Usage| time(usage.user_time()) + time(usage.system_time());
    let both = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].map(|who| getrusage(who).map_or(Duration::ZERO, of));
    both.iter().sum()
}

fn time(value: TimeVal) -> Duration {
    Duration::from_micros((value.tv_sec() * 1_000_000 + value.tv_usec()).unsigned_abs())
}
