//! Spreading work over threads.

use crate::stop::StopFlag;
use kingline_players::threads::Threads;

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
    let work = |item: &T| (!stop.is_requested()).then(|| work(item));
    let keep = |place: usize, result| keep(&items[place], result).inspect_err(|_| stop.request());
    Threads { count: threads }.spread(items, work, keep)
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
