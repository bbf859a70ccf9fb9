//! Standard error of a launcher, and then of its agent.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

use super::excerpt::without_middle;

/// A job's standard error: a line from the launcher, then the agent's output.
#[derive(Debug)]
pub(super) struct LauncherLog {
    secret: String,
    /// The first line and the start of the rest.
    first: Vec<u8>,
    /// The end of the rest.
    last: VecDeque<u8>,
    /// Number of bytes that the agent has written.
    written: u64,
}

/// The line from the launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LauncherLine {
    /// It became the agent.
    Started {
        /// CPU time that the launcher had used before.
        launcher: Duration,
        /// Time of the start.
        at: Instant,
    },
    /// It failed, for this reason.
    Failed(String),
}

/// Number of bytes kept from the start and from the end; anything in between is discarded.
const KEPT: usize = 8 << 10;

/// Prefix of the launcher's line when it becomes an agent.
const STARTED: &str = "started ";

/// Line printed by a launcher that has used this much CPU time and is about to become an agent.
pub(super) fn started_line(cpu: Duration) -> String {
    format!("{STARTED}{} {}\n", cpu.as_nanos(), since_boot().as_nanos())
}

/// Time since boot, on a clock shared by all processes.
fn since_boot() -> Duration {
    // This clock exists on every Linux system.
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(Duration::ZERO, Duration::from)
}

/// Parses CPU time and time since boot, both in nanoseconds.
fn times(text: &str) -> Option<(Duration, Duration)> {
    let (cpu, since) = text.split_once(' ')?;
    Some((Duration::from_nanos(cpu.parse().ok()?), Duration::from_nanos(since.parse().ok()?)))
}

impl LauncherLog {
    /// Creates an empty log; the launcher's last message starts with `secret`.
    pub(super) fn new(secret: String) -> LauncherLog {
        LauncherLog { secret, first: Vec::new(), last: VecDeque::new(), written: 0 }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        let was_open = self.first.contains(&b'\n');
        let room = KEPT - self.first.len();
        self.first.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let agents =
            if was_open { 0 } else { bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1) };
        self.written += (bytes.len() - agents) as u64;
        self.last.extend(&bytes[agents..]);
        let surplus = self.last.len().saturating_sub(KEPT);
        self.last.drain(..surplus);
    }

    /// Returns the launcher's line once it is complete.
    pub(super) fn launcher_line(&self) -> Option<LauncherLine> {
        let end = self.first.iter().position(|&byte| byte == b'\n')?;
        let line = String::from_utf8_lossy(&self.first[..end]);
        match line.strip_prefix(STARTED).and_then(times) {
            Some((launcher, since)) => {
                let at = Instant::now() - since_boot().saturating_sub(since);
                Some(LauncherLine::Started { launcher, at })
            }
            None => Some(LauncherLine::Failed(line.strip_prefix("failed ").unwrap_or(&line).to_owned())),
        }
    }

    /// Returns the reason if the agent did not start. Must be called after the job has ended.
    pub(super) fn not_started(&self) -> Option<String> {
        match self.launcher_line() {
            None => Some("the launcher was ended before the agent started".to_owned()),
            Some(LauncherLine::Failed(why)) => Some(why),
            Some(LauncherLine::Started { .. }) => {
                let rest = self.first.splitn(2, |&byte| byte == b'\n').nth(1)?;
                let why = rest.strip_prefix(self.secret.as_bytes())?;
                Some(String::from_utf8_lossy(why).into_owned())
            }
        }
    }

    /// Takes the agent's output, without its middle if that is too long.
    pub(super) fn take_output(&mut self) -> Vec<u8> {
        let end: Vec<u8> = std::mem::take(&mut self.last).into();
        let line = self.first.iter().position(|&byte| byte == b'\n').map_or(self.first.len(), |end| end + 1);
        // Both ends of a short output overlap.
        let before = self.written - end.len() as u64;
        let start = &self.first[line..];
        let start = &start[..start.len().min(usize::try_from(before).unwrap_or(usize::MAX))];
        without_middle(start, before - start.len() as u64, &end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_launcher_can_report_that_nothing_started() {
        let log = |text: &str| {
            let mut log = LauncherLog::new("s3cret".to_owned());
            text.as_bytes().chunks(3).for_each(|some| log.add(some));
            log
        };
        assert_eq!(log("").not_started().as_deref(), Some("the launcher was ended before the agent started"));
        assert_eq!(log("failed no user\n").not_started().as_deref(), Some("no user"));
        assert_eq!(log("started 1000 5\ns3cretno such file").not_started().as_deref(), Some("no such file"));
        assert_eq!(log("started 1000 5\nfailed ha\n").not_started(), None);
        assert_eq!(log("started 1000 5\nhello s3cret\n").not_started(), None);
        assert_eq!(log("started 1000 5\nhello\n").take_output(), b"hello\n");
        let start = Instant::now();
        let line = log(&started_line(Duration::from_micros(1))).launcher_line();
        let Some(LauncherLine::Started { launcher, at }) = line else { panic!("{line:?}") };
        assert_eq!(launcher, Duration::from_micros(1));
        assert!(at + Duration::from_millis(1) > start && at <= Instant::now());
    }

    #[test]
    fn both_ends_of_endless_output_are_kept() {
        let written = |numbers: u32| {
            let mut log = LauncherLog::new(String::new());
            log.add(b"started 1 1\n");
            let text: String = (0..numbers).map(|number| format!("{number:07}\n")).collect();
            text.as_bytes().chunks(1000).for_each(|some| log.add(some));
            (String::from_utf8(log.take_output()).unwrap(), text)
        };
        for numbers in [0, 1, 1024, 1025, 2046] {
            let (kept, text) = written(numbers);
            assert_eq!(kept, text, "{numbers}");
        }
        let (kept, _) = written(10_000);
        assert!(kept.len() < 2 * KEPT + 50, "{}", kept.len());
        assert!(kept.starts_with("0000000\n0000001\n") && kept.ends_with("0009998\n0009999\n"), "{kept}");
        assert!(kept.contains("\n[63628 bytes left out]\n"), "{kept}");
    }
}
