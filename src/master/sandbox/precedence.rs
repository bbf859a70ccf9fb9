//! How does the referee get a core before all agents?

use std::cell::Cell;
use std::marker::PhantomData;

use nix::libc;

thread_local! {
    /// How many of them the calling thread has.
    static HELD: Cell<u32> = const { Cell::new(0) };
}

/// While a thread has one it runs before all ordinary programs, where its user may ask for that (Linux `sched(7)`): an
/// agent over its CPU time is noticed at once, however busy the machine is. What the thread starts runs as usual.
#[derive(Debug)]
pub(super) struct Precedence {
    /// It belongs to the thread that took it.
    _thread: PhantomData<*const ()>,
}

impl Precedence {
    /// Takes precedence; where that is not allowed, nothing changes.
    pub(super) fn take() -> Precedence {
        if HELD.replace(HELD.get() + 1) == 0 {
            schedule(Class::First);
        }
        Precedence { _thread: PhantomData }
    }

    /// Whether the calling thread's user may take it.
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

/// How the kernel chooses who runs.
#[derive(Clone, Copy, Debug)]
enum Class {
    /// In turn with all others.
    Ordinary,
    /// Before them; not what the thread starts.
    First,
}

/// Whether the calling thread is now of this class.
fn schedule(class: Class) -> bool {
    let (policy, priority) = match class {
        Class::Ordinary => (libc::SCHED_OTHER, 0),
        Class::First => (libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK, 1),
    };
    let parameters = libc::sched_param { sched_priority: priority };
    // SAFETY: the call only reads `parameters`, which lives until it returns; 0 is the calling thread.
    #[allow(unsafe_code)]
    let result = unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) };
    result == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the calling thread: 0 is ordinary, 1 first in, first out.
    fn class() -> String {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        // The policy is field 41, the state after the name field 3.
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
