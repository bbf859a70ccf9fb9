//! Time limits of several seconds that no script can shorten, tested in parallel.

use std::thread;
use std::time::Instant;

use super::{IDLE, verdict_2015, verdict_2020};

/// Player that prints the end of a game, but does not exit.
const ENDLESS: &str = "trap '' TERM INT HUP; printf '* Tie game.\\nTie game.\\n'; while :; do sleep 0.1; done";

/// Function that returns a verdict, the expected verdict, and the least number of seconds.
type Case = (fn() -> String, &'static str, u64);

const CASES: [Case; 4] = [
    (|| verdict_2020(IDLE, "#*win+\n"), "time limit exceeded, waiting for the end of the game", 5),
    (|| verdict_2020(ENDLESS, "dump\n"), "did not end within 5 s of the end of its input", 5),
    (|| verdict_2015(IDLE, "", "%eb\n"), "time limit exceeded, waiting for Black wins.", 6),
    // In 2015 the harness may end a program.
    (|| verdict_2015(ENDLESS, "", "%et\n"), "", 5),
];

#[test]
fn long_time_limits_are_kept() {
    thread::scope(|scope| {
        for (judge, expected, seconds) in CASES {
            scope.spawn(move || {
                let start = Instant::now();
                assert_eq!(judge(), expected);
                let took = start.elapsed().as_secs();
                assert!((seconds..3 * seconds).contains(&took), "{took} s: {expected}");
            });
        }
    });
}
