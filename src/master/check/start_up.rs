//! Which budgets are too short for an agent whose start alone takes longer?

use std::time::Duration;

use crate::master::clock_rules::{Allowance, Spent};
use crate::master::record::{FaultKind, Violation};

/// What an agent needs at least for a turn, as its quickest one so far shows: mostly its start-up, which is long for an
/// interpreter or a virtual machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct StartUp {
    counts: Allowance,
    quickest: Option<Duration>,
}

/// A budget below this many times the quickest turn may be missed by chance: on a busy machine one turn of a shell script
/// took 11 ms, another 4.
const MARGIN: u32 = 3;

impl StartUp {
    /// Nothing is known yet; the agent's clock counts this.
    pub(super) fn new(counts: Allowance) -> StartUp {
        StartUp { counts, quickest: None }
    }

    /// A turn was right, and took so long.
    pub(super) fn add(&mut self, spent: &Spent) {
        let time = self.counts.of(spent);
        self.quickest = Some(self.quickest.map_or(time, |quickest| quickest.min(time)));
    }

    /// The quickest right turn so far.
    pub(super) fn quickest(&self) -> Option<Duration> {
        self.quickest
    }

    /// Why no agent that starts like this could keep a budget, if it ran out of time: it is unwise, not wrong.
    pub(super) fn excuse(&self, wrong: &Violation, budget: Duration) -> Option<String> {
        let quickest = self.quickest.filter(|&quickest| budget < quickest * MARGIN)?;
        let than = if budget <= quickest { "less" } else { "not much more" };
        (wrong.kind == FaultKind::OverTime).then(|| {
            format!(
                "{} s is {than} than the {:.3} s that this agent needs to start; near the end of a game it would lose on time",
                budget.as_secs_f64(),
                quickest.as_secs_f64()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_late_answer_to_a_short_budget_is_excused() {
        let violation = |kind| Violation { kind, read: String::new(), expected: String::new() };
        let late = violation(FaultKind::OverTime);
        let millis = Duration::from_millis;
        let mut start_up = StartUp::new(Allowance::Cpu);
        assert_eq!(start_up.excuse(&late, millis(10)), None);
        for cpu in [180, 140, 160] {
            start_up.add(&Spent { cpu: millis(cpu), wall: millis(5) });
        }
        let said = "0.01 s is less than the 0.140 s that this agent needs to start; ";
        assert!(start_up.excuse(&late, millis(10)).is_some_and(|excuse| excuse.starts_with(said)));
        assert!(start_up.excuse(&late, millis(400)).is_some_and(|excuse| excuse.contains("0.4 s is not much more")));
        assert_eq!(start_up.excuse(&late, millis(420)), None);
        assert_eq!(start_up.excuse(&violation(FaultKind::Crashed), millis(10)), None);
    }
}
