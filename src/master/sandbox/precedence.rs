//! Precedence of the referee over all agents on a busy machine.

use std::cell::Cell;
use std::marker::PhantomData;

use nix::libc;

thread_local! {
    /// Number of [`Precedence`] values that the calling thread holds.
    static HELD: Cell<u32> = const { Cell::new(0) };
}

/// While a thread holds one of these, it runs before all ordinary programs, if its user is allowed to request that
/// (Linux `sched(7)`). Thus an agent that exceeds its CPU time is noticed at once, even on a busy machine. The thread's
/// children run as usual.
#[derive(Debug)]
pub(super) struct Precedence {
    /// Ties it to the thread that took it.
    _thread: PhantomData<*const ()>,
}

impl Precedence {
    /// Takes precedence; has no effect if that is not allowed.
    pub(super) fn take() -> Precedence {
        if HELD.replace(HELD.get() + 1) == 0 {
            schedule(Class::First);
        }
        Precedence { _thread: PhantomData }
    }

    /// Returns true if the calling thread's user is allowed to take precedence.
    pub(super) fn is_allowed() -> bool {
        let allowed = HELD.get() > 0 || schedule(Class::First);
        if HELD.get() == 0 {
            schedule(Class::Ordinary);
        }
        allowed
    }
}

impl Drop for Precedence {
    fn drop(&mut self) {
        if HELD.replace(HELD.get() - 1) == 1 {
            schedule(Class::Ordinary);
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Class {
    /// The thread shares the cores with all others.
    Ordinary,
    /// The thread runs before all ordinary ones; its children do not.
    First,
}

/// Moves the calling thread to this class; returns true if that worked.
fn schedule(class: Class) -> bool {
    let (policy, priority) = match class {
        Class::Ordinary => (libc::SCHED_OTHER, 0),
        Class::First => (libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK, 1),
    };
    let parameters = libc::sched_param { sched_priority: priority };
    // SAFETY: the call only reads `parameters`, which outlives it; 0 means the calling thread.
    #[expect(unsafe_code, reason = "no safe library sets the class of a thread")]
    let result = unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) };
    result == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Class of the calling thread: 0 is ordinary, 1 is first in, first out.
    fn class() -> String {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        // Field 3, after the name, is the state; field 41 is the policy.
        stat.rsplit_once(')').unwrap().1.split_whitespace().nth(38).unwrap().to_owned()
    }

    #[test]
    fn a_thread_has_precedence_while_it_watches_and_its_children_never() {
        assert_eq!(class(), "0");
        let expected = if Precedence::is_allowed() { "1" } else { "0" };
        assert_eq!(class(), "0", "asking changes nothing");
        let first = Precedence::take();
        let second = Precedence::take();
        assert_eq!(class(), expected);
        assert_eq!(std::thread::spawn(class).join().unwrap(), "0", "another thread");
        drop(first);
        assert_eq!(class(), expected, "the second agent is still watched");
        drop(second);
        assert_eq!(class(), "0");
    }
}
