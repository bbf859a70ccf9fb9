//! `master doctor`.

use std::time::Duration;

use kingline_master::sandbox::Tier;

use super::{As, is_right_once, ways};
use crate::support::referee::*;

#[test]
fn the_doctor_reports_what_the_machine_offers() {
    let dir = Dir::new();
    let look = || dir.master("doctor --json").exits_with(0).json::<Value>();
    let own = || ways().iter().filter(|way| way.who == As::This).map(|way| way.tier);
    is_right_once("master doctor", || {
        let found = look();
        own().try_for_each(|tier| {
            let one = list(&found["tiers"])
                .iter()
                .find(|one| one["tier"] == tier.name())
                .unwrap_or_else(|| panic!("no {tier}: {found}"));
            let micros = |name: &str| Duration::from_micros(one["trial"][name].as_u64().expect("microseconds"));
            let (used, read) = (micros("used"), micros("read"));
            assert!(used >= Duration::from_millis(50), "{one}");
            if used.abs_diff(read) < Duration::from_millis(5) { Ok(()) } else { Err(one.to_string()) }
        })
    });
    let found = look();
    assert_eq!(list(&found["tiers"]).len(), Tier::ALL.len());
    assert!(found["launch"]["cpu"].as_u64() > found["launch"]["plain_cpu"].as_u64(), "{found}");
    let ran = dir.master("doctor");
    let best = found["survey"]["tier"].as_str().expect("a tier");
    assert!(ran.exits_with(0).stdout.starts_with(&format!("CPU time      read by {best}\nuser time     ")), "{ran:?}");
}

#[test]
fn bad_usage_has_exit_code_2() {
    let dir = Dir::new();
    dir.write("data", "no program");
    for (arguments, message) in [
        (&["doctor", "--tier", "best"][..], "cgroup-v2, perf, rusage"),
        (&["doctor", "--", "no-such-program"], "no-such-program"),
        (&["doctor", "--time", "0", "--", "true"], "seconds, a number above 0"),
    ] {
        dir.run_with_input(Program::Master, arguments, "").exits_with(2).stderr_contains(&[message]);
    }
    dir.master("doctor -- ./data").exits_with(0).stdout_contains(&["not started: Permission denied"]);
}
