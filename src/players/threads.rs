//! Threads that share a queue of work.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Result;

/// Number of threads that share the work.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    /// At least 1.
    pub count: usize,
}

impl Threads {
    /// Returns `count` threads, by default one for each core.
    pub fn new(count: Option<u16>) -> Threads {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        Threads { count: count.map_or_else(cores, usize::from) }
    }

    /// Calls `work` with each number below `count`, the smallest first, until a call breaks. Calls that have begun by
    /// then run to their end. Returns the first break.
    pub fn each<B: Send>(self, count: usize, work: impl Fn(usize) -> ControlFlow<B> + Sync) -> ControlFlow<B> {
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
            for _ in 1..self.count.min(count) {
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
    pub fn map<I: Sync, R: Send>(self, items: &[I], work: impl Fn(&I) -> Result<R> + Sync) -> Result<Vec<R>> {
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

    /// Calls `work` with every item, the first ones first, and passes the place of the item and the result to `keep` on the
    /// calling thread as soon as it is ready. Starts no further item once `work` returns `None`, or `keep` has failed.
    ///
    /// # Errors
    /// `keep` fails.
    pub fn spread<I: Sync, R: Send, E>(
        self,
        items: &[I],
        work: impl Fn(&I) -> Option<R> + Sync,
        mut keep: impl FnMut(usize, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let ((sender, results), work) = (channel(), &work);
        thread::scope(|scope| {
            scope.spawn(move || {
                self.each(items.len(), |place| match work(&items[place]).map(|result| sender.send((place, result))) {
                    Some(Ok(())) => ControlFlow::Continue(()),
                    Some(Err(_)) | None => ControlFlow::Break(()),
                })
            });
            // An error closes the channel.
            results.into_iter().try_for_each(|(place, result)| keep(place, result))
        })
    }
}

#[cfg(test)]
mod tests {
    use anyhow::ensure;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        for count in [1, 3, 200] {
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

    #[test]
    fn all_results_are_kept_until_one_cannot_be() {
        let items: Vec<usize> = (0..100).collect();
        for count in [1, 3, 200] {
            let mut seen = vec![0; items.len()];
            let kept = Threads { count }.spread(
                &items,
                |item| Some(2 * item),
                |place, result| {
                    seen[place] = result;
                    Ok::<(), ()>(())
                },
            );
            assert!(kept.is_ok() && seen.iter().enumerate().all(|(place, &result)| result == 2 * place));
            let mut kept = 0;
            let failed = Threads { count }.spread(
                &items,
                |_| Some(()),
                |_, ()| {
                    kept += 1;
                    if kept < 5 { Ok(()) } else { Err(kept) }
                },
            );
            assert_eq!((failed, kept), (Err(5), 5));
        }
        let stopped = Threads { count: 2 }.spread(&items, |&item| (item < 10).then_some(()), |_, ()| Ok::<(), ()>(()));
        assert_eq!(stopped, Ok(()));
    }
}
