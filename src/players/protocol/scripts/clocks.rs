//! Clocks of the two colors in a 2015 script (§2).

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kingline::game::Color;

/// Remaining time of both colors for a whole run (§2). A color's clock runs while any script waits for its move: the
/// script of the program that must make it, the other script, or both.
#[derive(Debug)]
pub(super) struct Clocks(Mutex<[ColorClock; 2]>);

#[derive(Clone, Copy, Debug)]
struct ColorClock {
    left: Duration,
    waiting: u32,
    /// Start of the earliest wait still in progress.
    since: Instant,
}

impl Clocks {
    /// Clocks that give each color `time`.
    pub(super) fn new(time: Duration) -> Clocks {
        Clocks(Mutex::new([ColorClock { left: time, waiting: 0, since: Instant::now() }; 2]))
    }

    /// Runs the clock of `color` during `wait`, which receives the deadline.
    pub(super) fn during<T>(&self, color: Color, wait: impl FnOnce(Instant) -> T) -> T {
        let deadline = {
            let clock = &mut self.lock()[color.index()];
            if clock.waiting == 0 {
                clock.since = Instant::now();
            }
            clock.waiting += 1;
            clock.since + clock.left
        };
        let waited = wait(deadline);
        let clock = &mut self.lock()[color.index()];
        clock.waiting -= 1;
        if clock.waiting == 0 {
            clock.left = clock.left.saturating_sub(clock.since.elapsed());
        }
        waited
    }

    fn lock(&self) -> MutexGuard<'_, [ColorClock; 2]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;

    const HOUR: Duration = Duration::from_secs(3600);

    fn left(clocks: &Clocks, color: Color) -> Duration {
        clocks.lock()[color.index()].left
    }

    #[test]
    fn concurrent_waits_count_time_once() {
        let clocks = Clocks::new(HOUR);
        let nap = Duration::from_millis(20);
        clocks.during(Color::Black, |first| {
            sleep(nap);
            clocks.during(Color::Black, |second| assert_eq!(first, second));
            assert_eq!(left(&clocks, Color::Black), HOUR, "somebody still waits");
        });
        assert!(left(&clocks, Color::Black) <= HOUR - nap);
        assert_eq!(left(&clocks, Color::White), HOUR);
    }

    #[test]
    fn used_up_time_stays_used_up() {
        let clocks = Clocks::new(Duration::from_millis(1));
        clocks.during(Color::White, |_| sleep(Duration::from_millis(5)));
        clocks.during(Color::White, |deadline| assert!(deadline <= Instant::now()));
    }
}
