//! Budgets shorter than the time that an agent needs to start.

use std::time::Duration;

use crate::league::clock_rules::{Allowance, Spent};
use crate::record::{FaultKind, Violation};

/// Minimum time of a turn, estimated by the quickest turn so far. Most of it is startup time, which is long with an
/// interpreter or a virtual machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct StartUp {
    counts: Allowance,
    quickest: Option<Duration>,
}

/// With a budget below this multiple of the quickest turn, an agent may run out of time by chance: on a busy machine,
/// one turn of a shell script took 11 ms and another 4 ms.
const MARGIN: u32 = 3;

impl StartUp {
    /// Starts without any turns; `counts` is the kind of time that counts.
    pub(super) fn new(counts: Allowance) -> StartUp {
        StartUp { counts, quickest: None }
    }

    /// Adds a turn with a correct answer.
    pub(super) fn add(&mut self, spent: &Spent) {
        let time = self.counts.of(spent);
        self.quickest = Some(self.quickest.map_or(time, |quickest| quickest.min(time)));
    }

    /// Time of the quickest correct turn so far.
    pub(super) fn quickest(&self) -> Option<Duration> {
        self.quickest
    }

    /// Excuses a timeout, with the reason, if the budget is too short for this startup time. The fault is then unwise
    /// rather than wrong.
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
