//! CPU time, however it is used.

use std::time::Duration;

use kingline::master::sandbox::Tier;

use super::ways;

/// Ways to use CPU time, and how much of it, in milliseconds.
const BURNERS: [(&str, &str); 7] = [
    ("burn", "100"),
    ("burn-threads", "100"),
    ("burn-fork", "100"),
    ("burn-ignored", "100"),
    ("burn-orphan", "100"),
    ("burn-sibling", "100"),
    ("burn-chain", "400"),
];

#[test]
fn the_cpu_time_that_is_read_is_the_one_that_was_used() {
    for way in ways() {
        for (behaviour, amount) in BURNERS {
            let tried = way.behave(&[], &[behaviour, amount]);
            let told: u64 = tried.stdout.lines().map(|line| line.parse::<u64>().expect("nanoseconds")).sum();
            let (told, read) = (Duration::from_nanos(told), Duration::from_micros(tried.cpu));
            // What it takes to end this many processes can only be guessed, the worse the busier the machine.
            let share = if behaviour == "burn-chain" { 20 } else { 50 };
            let allowed = Duration::from_millis(5).max(told / share);
            assert!(told.abs_diff(read) <= allowed, "{way:?} {behaviour}: {told:?} used, {read:?} read");
            let expected = if way.tier == Tier::Rusage && forks(behaviour) { "exit code 77" } else { "exit code 0" };
            assert_eq!(tried.end, expected, "{way:?} {behaviour}");
        }
    }
}

/// Whether a behavior needs another process.
fn forks(behaviour: &str) -> bool {
    !["burn", "burn-threads"].contains(&behaviour)
}

#[test]
fn an_agent_out_of_time_is_ended_within_five_milliseconds() {
    const BUDGET: Duration = Duration::from_millis(100);
    for way in ways() {
        for behaviour in ["spin", "spin-threads", "deaf"] {
            // On a busy machine the supervisor may be late.
            let best = (0..5).map(|_| {
                let tried = way.behave(&["--time", "0.1"], &[behaviour]);
                assert_eq!(tried.end, "CPU time used up", "{way:?} {behaviour}");
                Duration::from_micros(tried.cpu) - BUDGET
            });
            let best = best.into_iter().find(|over| *over <= Duration::from_millis(5));
            assert!(best.is_some(), "{way:?} {behaviour} was never ended in time");
        }
    }
}
