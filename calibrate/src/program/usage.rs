//! Resource use of all child processes together: CPU time and memory on Unix, nothing elsewhere.

#[cfg(unix)]
pub(crate) use unix::{WARNING, cpu_of_children, peak_child_mib};

#[cfg(not(unix))]
pub(crate) use elsewhere::{WARNING, cpu_of_children, peak_child_mib};

#[cfg(unix)]
mod unix {
    use std::time::Duration;

    use anyhow::{Context, Result};
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    /// Warning about less exact measurements on this system; none here.
    pub(crate) const WARNING: Option<&str> = None;

    /// Units of `ru_maxrss` in a MiB: bytes on Apple's systems, KiB on the others.
    const UNITS_PER_MIB: f64 = if cfg!(target_vendor = "apple") { 1_048_576.0 } else { 1024.0 };

    /// Returns the CPU time of all children that have ended.
    pub(crate) fn cpu_of_children() -> Result<Option<Duration>> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the children's CPU time")?;
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        Ok(Some(Duration::from_micros(u64::try_from(micros).unwrap_or(0))))
    }

    /// Returns the peak memory of the largest child so far, in MiB.
    pub(crate) fn peak_child_mib() -> Result<Option<f64>> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the children's memory")?;
        Ok(Some(usage.max_rss() as f64 / UNITS_PER_MIB))
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::time::Duration;

    use anyhow::Result;

    pub(crate) const WARNING: Option<&str> = Some(
        "this system does not report the CPU time and memory of other programs: wall time is measured, memory is not",
    );

    pub(crate) fn cpu_of_children() -> Result<Option<Duration>> {
        Ok(None)
    }

    pub(crate) fn peak_child_mib() -> Result<Option<f64>> {
        Ok(None)
    }
}
