//! Measurements on a machine that others share.

use std::fmt::Display;
use std::fs;

use crate::support::skipped::skipped;

/// Maximum number of tries per measurement.
const TRIES: usize = 10;

/// Asserts that a measurement is right in at least one of several tries. Other programs or the host of a virtual
/// machine may disturb single tries, while a real error shows in every one. If the host stole time in every try, the
/// measurement is reported as skipped, since some of the kernel's clocks count stolen time and others do not.
#[track_caller]
pub(super) fn is_right_once(what: impl Display, mut attempt: impl FnMut() -> Result<(), String>) {
    let mut wrong = Vec::new();
    let mut undisturbed = 0;
    while wrong.len() < TRIES {
        let before = stolen();
        let Err(how) = attempt() else { return };
        undisturbed += usize::from(stolen() == before);
        wrong.push(how);
    }
    let list = wrong.join("\n");
    assert!(undisturbed == 0, "{what}: wrong in {TRIES} tries, of which {undisturbed} had no stolen time:\n{list}");
    skipped(&what.to_string(), &format!("the host steals time from this machine; read: {list}"));
}

/// Time that the host has stolen so far from all cores, in kernel ticks: the eighth number of `/proc/stat`.
fn stolen() -> u64 {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    stat.split_whitespace().nth(8).and_then(|ticks| ticks.parse().ok()).unwrap_or_default()
}
