//! Spreading work over threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::stop::StopFlag;

/// Applies `work` to the items in order, on several threads, and passes each result to `keep` on the calling thread as
/// soon as it is ready. Once `stop` is set or `keep` fails, no new work begins.
///
/// # Errors
/// `keep` fails.
pub(super) fn spread<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    stop: &StopFlag,
    work: impl Fn(&T) -> R + Sync,
    mut keep: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let take = || items.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !stop.is_requested());
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            let (sender, take, work) = (sender.clone(), &take, &work);
            scope.spawn(move || while take().is_some_and(|item| sender.send((item, work(item))).is_ok()) {});
        }
        drop(sender);
        let mut kept = Ok(());
        for (item, result) in receiver {
            if kept.is_ok() {
                kept = keep(item, result).inspect_err(|_| stop.request());
            }
        }
        kept
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_work_is_done_until_a_result_cannot_be_kept() {
        let items: Vec<u32> = (0..100).collect();
        let (stop, mut seen) = (StopFlag::default(), Vec::new());
        let keep = |&item: &u32, square: u32| {
            seen.push((item, square));
            Ok::<(), ()>(())
        };
        assert_eq!(spread(&items, 3, &stop, |item| item * item, keep), Ok(()));
        seen.sort_unstable();
        assert!(seen.len() == 100 && seen.iter().all(|(item, square)| item * item == *square), "{seen:?}");
        assert_eq!(spread(&items, 3, &stop, |_| (), |_, ()| Err("full")), Err("full"));
        assert!(stop.is_requested());
    }
}
