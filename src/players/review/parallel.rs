//! Work on several threads.

use std::num::NonZeroUsize;

use crate::threads::Threads;

/// Applies `work` to each item, and returns the results in order. `progress` is called with the number of items done; if
/// it returns `false`, the work ends, and there are no results.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<R>> {
    let mut done = Vec::with_capacity(items.len());
    let keep = |place, result| {
        done.push((place, result));
        progress(done.len()).then_some(()).ok_or(())
    };
    Threads { count: threads.get() }.spread(items, |item| Some(work(item)), keep).ok()?;
    done.sort_by_key(|&(place, _)| place);
    Some(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_progress_may_end_the_work() {
        let items: Vec<usize> = (0..50).collect();
        for threads in [1, 3, 100].map(|threads| NonZeroUsize::new(threads).expect("a thread")) {
            let mut seen = Vec::new();
            let mut note = |done| {
                seen.push(done);
                true
            };
            let squares = in_parallel(&items, threads, |item| item * item, &mut note).expect("results");
            assert!(squares.iter().enumerate().all(|(item, &square)| square == item * item));
            assert!(seen.into_iter().eq(1..=50));
            assert_eq!(in_parallel(&items, threads, |_| (), &mut |done| done < 5), None);
        }
    }
}
