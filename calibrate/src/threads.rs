//! Threads that share a queue of work.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Result;

/// Number of threads that share the work.
#[derive(Clone, Copy)]
pub(crate) struct Threads {
    /// At least 1.
    pub(crate) count: usize,
}

impl Threads {
    /// Returns `count` threads, by default one for each core.
    pub(crate) fn new(count: Option<u16>) -> Threads {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        Threads { count: count.map_or_else(cores, usize::from) }
    }

    /// Calls `work` with each number below `count`, the smallest first, until a call breaks. Calls that have begun by
    /// then run to their end. Returns the first break.
    pub(crate) fn each<B: Send>(self, count: usize, work: impl Fn(usize) -> ControlFlow<B> + Sync) -> ControlFlow<B> {
        let next = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let first = Mutex::new(ControlFlow::Continue(()));
        let run = || {
            while !stopped.load(Relaxed) {
                let number = next.fetch_add(1, Relaxed);
                if number >= count {
                    break;
                }
                let flow = work(number);
                if flow.is_break() {
                    stopped.store(true, Relaxed);
                    let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.is_continue() {
                        *first = flow;
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.count {
                scope.spawn(run);
            }
            run();
        });
        first.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with every item, the first ones first. Returns the results in the order of the items.
    ///
    /// # Errors
    /// Returns the error of the first item among those that failed. After an error, starts no further item.
    pub(crate) fn map<I: Sync, R: Send>(self, items: &[I], work: impl Fn(&I) -> Result<R> + Sync) -> Result<Vec<R>> {
        let results = Mutex::new(Vec::with_capacity(items.len()));
        let _ = self.each(items.len(), |place| {
            let result = work(&items[place]);
            let flow = if result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            if let Ok(mut results) = results.lock() {
                results.push((place, result));
            }
            flow
        });
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_by_key(|&(place, _)| place);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use anyhow::ensure;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        for count in [1, 3] {
            let doubled = Threads { count }.map(&items, |item| Ok(2 * item)).unwrap();
            assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
        }
    }

    #[test]
    fn nothing_is_started_after_an_error() {
        let begun = AtomicUsize::new(0);
        let failed = Threads { count: 1 }.map(&[1, 2, 3, 4], |&item| {
            begun.fetch_add(1, Relaxed);
            ensure!(item < 2, "item {item}");
            Ok(item)
        });
        assert_eq!((failed.unwrap_err().to_string(), begun.into_inner()), ("item 2".to_owned(), 2));
    }

    #[test]
    fn the_first_break_is_returned() {
        let flow = Threads { count: 3 }.each(1000, |number| match number {
            10 => ControlFlow::Break(number),
            _ => ControlFlow::Continue(()),
        });
        assert_eq!(flow, ControlFlow::Break(10));
        assert_eq!(Threads { count: 2 }.each(0, |_| ControlFlow::Break(())), ControlFlow::Continue(()));
    }
}
