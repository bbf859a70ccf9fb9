//! Stops from another thread.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use kingline::checkers;
use kingline::evaluate;
use kingline::game::{Evaluator, Searched};
use kingline::loa;
use kingline::search::{Limits, Searcher};

/// Times from the stop to the end of a search without limits, the shortest first.
fn stops<G: Searched, E: Evaluator<G> + Send>(evaluator: E, threads: usize) -> Vec<Duration> {
    let threads = NonZero::new(threads).expect("a thread");
    let mut searcher = Searcher::<G, E>::new(evaluator).with_table_limit(16 << 20).with_threads(threads);
    let mut times: Vec<Duration> = (0..15)
        .map(|_| {
            let stop = AtomicBool::new(false);
            thread::scope(|scope| {
                let searching = scope.spawn(|| {
                    let report = searcher.search(G::start(), Limits::default(), &mut &stop);
                    (report, Instant::now())
                });
                thread::sleep(Duration::from_millis(30));
                let stopped = Instant::now();
                stop.store(true, Relaxed);
                let (report, over) = searching.join().expect("a report");
                assert!(report.best.is_some());
                over.saturating_duration_since(stopped)
            })
        })
        .collect();
    times.sort();
    times
}

#[test]
fn a_search_without_limits_stops() {
    every_stop_takes_at_most(Duration::from_secs(5));
}

/// `cargo test --release -p kingline --test kingline -- --ignored stopping --nocapture`
#[test]
#[ignore = "needs two free cores"]
fn a_search_stops_within_five_milliseconds() {
    every_stop_takes_at_most(Duration::from_millis(5));
}

fn every_stop_takes_at_most(most: Duration) {
    for threads in [1, 2] {
        for (game, times) in [
            ("checkers", stops::<checkers::Position, _>(evaluate::checkers::Evaluation::default(), threads)),
            ("Lines of Action", stops::<loa::Position<8>, _>(evaluate::loa::Evaluation::default(), threads)),
        ] {
            println!("{game}, {threads} threads: {times:?}");
            assert!(times[times.len() - 1] <= most, "{game}, {threads} threads: {times:?}");
        }
    }
}
