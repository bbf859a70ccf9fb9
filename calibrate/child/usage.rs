//! What the system tells of all child processes together: on Unix CPU time and memory, elsewhere nothing.

#[cfg(unix)]
pub(crate) use unix::{WARNING, cpu, largest_child};

#[cfg(not(unix))]
pub(crate) use elsewhere::{WARNING, cpu, largest_child};

#[cfg(unix)]
mod unix {
    use std::time::Duration;

    use anyhow::{Context, Result};
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    /// How figures fall short here of what they say.
    pub(crate) const WARNING: Option<&str> = None;

    /// Units of the system's figure for memory in a MiB: bytes on Apple's systems, KiB on the others.
    const UNITS_PER_MIB: f64 = if cfg!(target_vendor = "apple") { 1_048_576.0 } else { 1024.0 };

    /// CPU time of all children that have ended.
    pub(crate) fn cpu() -> Result<Option<Duration>> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the children's CPU time")?;
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        Ok(Some(Duration::from_micros(u64::try_from(micros).unwrap_or(0))))
    }

    /// The most memory that any child so far has had at once, in MiB.
    pub(crate) fn largest_child() -> Result<Option<f64>> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the children's memory")?;
        Ok(Some(usage.max_rss() as f64 / UNITS_PER_MIB))
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::time::Duration;

    use anyhow::Result;

    pub(crate) const WARNING: Option<&str> =
        Some("this system does not tell what other programs cost: they are measured by wall time, their memory is not");

    pub(crate) fn cpu() -> Result<Option<Duration>> {
        Ok(None)
    }

    pub(crate) fn largest_child() -> Result<Option<f64>> {
        Ok(None)
    }
}
