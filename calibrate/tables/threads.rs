//! How is work shared among threads?

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use anyhow::Result;

/// Threads that share work.
#[derive(Clone, Copy)]
pub(crate) struct Threads {
    /// How many, at least 1.
    pub(crate) count: usize,
}

impl Threads {
    /// This many, by default one a core.
    pub(crate) fn new(count: Option<u16>) -> Threads {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        Threads { count: count.map_or_else(cores, usize::from) }
    }

    /// Does `work` for every item, the first ones first; the results in the order of the items.
    ///
    /// # Errors
    /// The first that occurs; after it no further item is started.
    pub(crate) fn map<I: Sync, R: Send>(self, items: &[I], work: impl Fn(&I) -> Result<R> + Sync) -> Result<Vec<R>> {
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let results = Mutex::new(Vec::with_capacity(items.len()));
        let run = || {
            while !failed.load(Relaxed) {
                let place = next.fetch_add(1, Relaxed);
                let Some(item) = items.get(place) else { break };
                let result = work(item);
                failed.fetch_or(result.is_err(), Relaxed);
                if let Ok(mut results) = results.lock() {
                    results.push((place, result));
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.count {
                scope.spawn(run);
            }
            run();
        });
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_by_key(|&(place, _)| place);
        results.into_iter().map(|(_, result)| result).collect()
    }
}
