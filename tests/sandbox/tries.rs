//! Measurements on a machine that others share.

use std::fmt::Display;
use std::fs;

use crate::support::skipped::skipped;

/// How often a measurement that is off is made again.
const TRIES: usize = 10;

/// Asserts that a measurement is right in one of a few tries: another program, or the host of a virtual machine, may
/// disturb single ones, while a wrong reading is wrong each time. Where the host took time away in every try, that the
/// measurement cannot be made here is reported instead: some of the kernel's clocks count such time and others do not.
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
    assert!(
        undisturbed == 0,
        "{what}: wrong in {TRIES} tries, in {undisturbed} of which nobody took time away:\n{list}"
    );
    skipped(&what.to_string(), &format!("the host takes time away from this machine; read: {list}"));
}

/// What the host has taken away so far, from all cores, in the kernel's ticks: the eighth number of `/proc/stat`.
fn stolen() -> u64 {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    stat.split_whitespace().nth(8).and_then(|ticks| ticks.parse().ok()).unwrap_or_default()
}
