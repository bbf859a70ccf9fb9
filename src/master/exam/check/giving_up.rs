//! When to give up on an agent that hangs or never answers.

use std::time::Duration;

/// End of a turn or run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnEnd {
    /// An answer, right or wrong.
    Answered,
    /// No answer.
    Silent,
    /// Timeout, after this much wall time.
    TimedOut(Duration),
}

/// Tally of how the turns so far ended.
#[derive(Clone, Debug, Default)]
pub(super) struct GivingUp {
    /// Length of the current streak of costly turns.
    in_a_row: u32,
    /// Total wall time of the turns that ran out of time.
    lost: Duration,
    /// Number of turns without an answer.
    silent: u32,
    has_answered: bool,
}

/// Wall time from which a timeout is costly. A turn that times out sooner did not hang; it had a short budget.
const COSTLY: Duration = Duration::from_millis(2500);
/// The check gives up on an agent after this many costly turns in a row ...
const MOST_IN_A_ROW: u32 = 3;
/// ... or after losing this much time in total ...
const MOST_LOST: Duration = Duration::from_secs(60);
/// ... or after this many turns without a single answer.
const MOST_SILENT: u32 = 6;

impl TurnEnd {
    /// Returns true if the turn took so long that the agent may be hanging.
    pub(super) fn is_costly(self) -> bool {
        matches!(self, TurnEnd::TimedOut(after) if after >= COSTLY)
    }
}

impl GivingUp {
    /// Counts the end of a turn.
    pub(super) fn add(&mut self, end: TurnEnd) {
        match end {
            TurnEnd::Answered => self.has_answered = true,
            TurnEnd::Silent => self.silent += 1,
            TurnEnd::TimedOut(after) => self.lost += after,
        }
        self.in_a_row = if end.is_costly() { self.in_a_row + 1 } else { 0 };
    }

    /// The reason to stop asking, if any; skipped steps show it.
    pub(super) fn reason(&self) -> Option<String> {
        if self.in_a_row >= MOST_IN_A_ROW {
            return Some(format!("it ran out of time {MOST_IN_A_ROW} times in a row"));
        }
        if self.lost >= MOST_LOST {
            return Some(format!("{:.0} s were lost on turns that ran out of time", self.lost.as_secs_f64()));
        }
        (!self.has_answered && self.silent >= MOST_SILENT).then(|| format!("it gave no answer in {MOST_SILENT} turns"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(ends: &[TurnEnd]) -> GivingUp {
        let mut so_far = GivingUp::default();
        ends.iter().for_each(|&end| so_far.add(end));
        so_far
    }

    const HUNG: TurnEnd = TurnEnd::TimedOut(Duration::from_secs(5));
    const LATE: TurnEnd = TurnEnd::TimedOut(Duration::from_millis(15));

    #[test]
    fn an_agent_that_always_hangs_is_given_up_soon() {
        assert_eq!(after(&[HUNG; 2]).reason(), None);
        assert_eq!(after(&[HUNG; 3]).reason().as_deref(), Some("it ran out of time 3 times in a row"));
        let long = TurnEnd::TimedOut(Duration::from_secs(61));
        assert_eq!(after(&[long]).reason().as_deref(), Some("61 s were lost on turns that ran out of time"));
    }

    #[test]
    fn an_agent_that_sometimes_answers_is_kept() {
        let now_and_then = [HUNG, HUNG, TurnEnd::Answered].repeat(3);
        assert_eq!(after(&now_and_then).reason(), None);
        assert_eq!(after(&[LATE; 20]).reason(), None, "short budgets");
        assert_eq!(after(&[&[TurnEnd::Answered][..], &[TurnEnd::Silent; 20]].concat()).reason(), None);
    }

    #[test]
    fn an_agent_that_never_answers_is_given_up() {
        assert_eq!(after(&[TurnEnd::Silent; 5]).reason(), None);
        assert_eq!(after(&[TurnEnd::Silent; 6]).reason().as_deref(), Some("it gave no answer in 6 turns"));
    }
}
