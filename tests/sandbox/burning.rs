//! CPU time measured by the sandbox, for every way to use it.

use std::time::{Duration, Instant};

use kingline_master::sandbox::Tier;

use super::{is_right_once, ways};

/// Behaviors that use CPU time.
const BURNERS: &str = "burn burn-threads burn-fork burn-ignored burn-orphan burn-sibling burn-chain burn-mode \
    burn-created burn-umask burn-list burn-memory";

/// Behaviors that execute an unreadable program.
const HIDING: [&str; 5] = ["burn-mode", "burn-created", "burn-umask", "burn-list", "burn-memory"];

#[test]
fn readings_of_cpu_time_match_the_time_used() {
    for way in ways() {
        for behavior in BURNERS.split(' ') {
            // In milliseconds. Each process of the chain uses little.
            let amount = if behavior == "burn-chain" { "400" } else { "100" };
            // Hidden behaviors start another process, which this tier does not allow.
            if way.tier == Tier::Rusage && HIDING.contains(&behavior) {
                continue;
            }
            is_right_once(format!("{way:?} {behavior}"), || {
                let tried = way.behave(&[], &[behavior, amount]);
                let expected = if way.tier == Tier::Rusage && forks(behavior) { "exit code 77" } else { "exit code 0" };
                assert_eq!(tried.end, expected, "{way:?} {behavior}");
                let reported: u64 = tried.stdout.lines().map(|line| line.parse::<u64>().expect("nanoseconds")).sum();
                let (reported, read) = (Duration::from_nanos(reported), Duration::from_micros(tried.cpu));
                let allowed = Duration::from_millis(5).max(reported / 50);
                let is_right = reported.abs_diff(read) <= allowed;
                if is_right { Ok(()) } else { Err(format!("{reported:?} used, {read:?} read")) }
            });
        }
    }
}

/// Returns true if a behavior needs another process.
fn forks(behavior: &str) -> bool {
    !["burn", "burn-threads"].contains(&behavior)
}

#[test]
fn an_agent_out_of_time_is_ended_within_five_milliseconds() {
    const BUDGET: Duration = Duration::from_millis(100);
    for way in ways() {
        for behavior in ["spin", "spin-threads", "deaf"] {
            is_right_once(format!("{way:?} {behavior}"), || {
                let tried = way.behave(&["--time", "0.1"], &[behavior]);
                assert_eq!(tried.end, "CPU time used up", "{way:?} {behavior}");
                let used = Duration::from_micros(tried.cpu);
                let is_right = (BUDGET..=BUDGET + Duration::from_millis(5)).contains(&used);
                if is_right { Ok(()) } else { Err(format!("ended after {used:?} of {BUDGET:?}")) }
            });
        }
    }
}

#[test]
fn threads_that_wait_for_each_other_do_not_stop_the_clock() {
    const LIMIT: Duration = Duration::from_millis(500);
    for way in ways() {
        for behavior in ["stampede", "relay"] {
            is_right_once(format!("{way:?} {behavior}"), || {
                let start = Instant::now();
                let tried = way.behave(&["--wall", "0.5"], &[behavior, "30"]);
                let took = start.elapsed();
                assert_eq!(tried.end, "hung", "{way:?} {behavior}");
                // On a busy machine they also wait for others, and the command itself takes time.
                let is_right = took < 5 * LIMIT + Duration::from_secs(1);
                if is_right { Ok(()) } else { Err(format!("ended after {took:?} of {LIMIT:?}")) }
            });
        }
    }
}
