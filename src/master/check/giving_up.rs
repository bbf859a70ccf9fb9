//! When is an agent given up that hangs, or never answers?

use std::time::Duration;

/// What became of a turn or run that an agent was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnEnd {
    /// There was an answer, right or wrong.
    Answered,
    /// There was none.
    Silent,
    /// It ran out of time, after this much wall time.
    TimedOut(Duration),
}

/// All ends so far, as far as they count.
#[derive(Clone, Debug, Default)]
pub(super) struct GivingUp {
    /// The last turns, if they were costly and ran out of time.
    in_a_row: u32,
    /// The wall time of all turns that ran out of time.
    lost: Duration,
    /// Turns without an answer, before the first answer.
    silent: u32,
    has_answered: bool,
}

/// A turn that runs out of less was not hanging: its time was short.
const COSTLY: Duration = Duration::from_millis(2500);
/// So many costly turns in a row run out of time before an agent is given up ...
const MOST_IN_A_ROW: u32 = 3;
/// ... or so much time is lost in all.
const MOST_LOST: Duration = Duration::from_secs(60);
/// So many turns without any answer are enough.
const MOST_SILENT: u32 = 6;

impl TurnEnd {
    /// Whether it ran out of so much time that it may be hanging.
    pub(super) fn is_costly(self) -> bool {
        matches!(self, TurnEnd::TimedOut(after) if after >= COSTLY)
    }
}

impl GivingUp {
    /// One more turn has ended.
    pub(super) fn add(&mut self, end: TurnEnd) {
        match end {
            TurnEnd::Answered => self.has_answered = true,
            TurnEnd::Silent => self.silent += 1,
            TurnEnd::TimedOut(after) => self.lost += after,
        }
        self.in_a_row = if end.is_costly() { self.in_a_row + 1 } else { 0 };
    }

    /// Why nothing more is asked, if so: for the steps that are skipped.
    pub(super) fn reason(&self) -> Option<String> {
        if self.in_a_row >= MOST_IN_A_ROW {
            return Some(format!("it ran out of time {MOST_IN_A_ROW} times in a row"));
        }
        if self.lost >= MOST_LOST {
            return Some(format!("{:.0} s were lost in turns that ran out of time", self.lost.as_secs_f64()));
        }
        (!self.has_answered && self.silent >= MOST_SILENT).then(|| format!("it has not answered {MOST_SILENT} times"))
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
    fn what_hangs_in_every_turn_is_given_up_soon() {
        assert_eq!(after(&[HUNG; 2]).reason(), None);
        assert_eq!(after(&[HUNG; 3]).reason().as_deref(), Some("it ran out of time 3 times in a row"));
        let long = TurnEnd::TimedOut(Duration::from_secs(61));
        assert_eq!(after(&[long]).reason().as_deref(), Some("61 s were lost in turns that ran out of time"));
    }

    #[test]
    fn what_answers_now_and_then_is_asked_on() {
        let now_and_then = [HUNG, HUNG, TurnEnd::Answered].repeat(3);
        assert_eq!(after(&now_and_then).reason(), None);
        assert_eq!(after(&[LATE; 20]).reason(), None, "short budgets");
        assert_eq!(after(&[&[TurnEnd::Answered][..], &[TurnEnd::Silent; 20]].concat()).reason(), None);
    }

    #[test]
    fn what_never_answers_is_given_up() {
        assert_eq!(after(&[TurnEnd::Silent; 5]).reason(), None);
        assert_eq!(after(&[TurnEnd::Silent; 6]).reason().as_deref(), Some("it has not answered 6 times"));
    }
}
