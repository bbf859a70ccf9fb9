//! How does one talk to an agent that keeps running?

use std::io;
use std::time::Duration;

use super::home::Motion;
use super::stopwatch::WallTime;
use super::streams::Rest;
use super::supervisor::Supervisor;
use super::{JobEnd, Peak, Run, SandboxError};

/// An agent that keeps running and is talked to in lines. It is ended when dropped.
#[derive(Debug)]
pub struct Process {
    supervisor: Supervisor,
}

/// How long to wait for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineTimeout {
    /// CPU time that the agent may use meanwhile; `None`: unlimited.
    pub cpu: Option<Duration>,
    /// Wall time of the agent's own: while it waits for a core, the clock stands still.
    pub wall: Duration,
}

/// The next line of an agent, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextLine {
    /// A line, without its LF. Invalid UTF-8 is replaced.
    Line(String),
    /// It has closed its standard output or ended.
    Closed,
    /// It exceeded this limit, and is ended.
    Over(JobEnd),
}

/// An agent that leaves this many bytes unread does not read its input.
const MOST_UNREAD: usize = 1 << 20;

impl Process {
    pub(super) fn new(mut supervisor: Supervisor) -> Process {
        supervisor.streams.keep_lines();
        Process { supervisor }
    }

    /// Sends it a line; the LF is added. Never blocks: what it does not read at once it gets while its answers are
    /// waited for.
    ///
    /// # Errors
    /// It has closed its standard input, or leaves a MiB unread.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.supervisor.streams.give(line.as_bytes());
        self.supervisor.streams.give(b"\n");
        match self.supervisor.streams.not_taken() {
            None => Err(io::ErrorKind::BrokenPipe.into()),
            Some(MOST_UNREAD..) => Err(io::Error::other("the agent does not read its standard input")),
            Some(_) => Ok(()),
        }
    }

    /// Waits for the next line that it prints.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn line(&mut self, within: LineTimeout) -> Result<NextLine, SandboxError> {
        let (until, before) = (self.time()?.own.saturating_add(within.wall), self.cpu()?);
        loop {
            if let Some(line) = self.supervisor.streams.take_line(Rest::None) {
                return Ok(heard(&line));
            }
            if let Some(end) = self.supervisor.exceeded() {
                return Ok(NextLine::Over(end.clone()));
            }
            if self.supervisor.has_ended() {
                self.supervisor.drain()?;
            }
            if self.supervisor.has_ended() || !self.supervisor.streams.is_open() {
                return Ok(self.supervisor.streams.take_line(Rest::Any).map_or(NextLine::Closed, |line| heard(&line)));
            }
            let left = until.saturating_sub(self.time_against(until)?.own);
            let used = self.cpu()?.saturating_sub(before);
            let cpu_left = within.cpu.map(|most| most.saturating_sub(used));
            if cpu_left.is_some_and(|left| left.is_zero()) {
                self.supervisor.end(Some(JobEnd::OverCpu));
            } else if left.is_zero() {
                self.supervisor.end(Some(JobEnd::OverWall));
            } else {
                self.supervisor
                    .step(cpu_left.map_or(left, |cpu_left| left.min(self.supervisor.pause_for(cpu_left))))?;
            }
        }
    }

    /// CPU time that it has used by now, with all its descendants.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn cpu(&mut self) -> Result<Duration, SandboxError> {
        self.supervisor.cpu().map_err(|error| SandboxError::system("cannot read CPU time", error))
    }

    /// What it had at most since the last call.
    pub fn take_peak(&mut self) -> Peak {
        self.supervisor.take_peak()
    }

    /// Wall time since it started.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn time(&mut self) -> Result<WallTime, SandboxError> {
        self.time_against(Duration::MAX)
    }

    fn time_against(&mut self, limit: Duration) -> Result<WallTime, SandboxError> {
        self.supervisor.time_against(limit).map_err(|error| SandboxError::system("cannot watch a job", error))
    }

    /// Lets it stand still, with everything that it has started, until [`thaw`](Self::thaw): it is not its turn. Where the
    /// machine has no means for that, nothing happens.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn freeze(&mut self) -> Result<(), SandboxError> {
        let frozen = self.supervisor.freeze(Motion::Frozen);
        frozen.map_err(|error| SandboxError::system("cannot freeze an agent", error))
    }

    /// Lets it go on: its turn begins. Time in which nobody looked at it until now, also if it never stood still, is not
    /// part of what follows.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn thaw(&mut self) -> Result<(), SandboxError> {
        // Its start may not have been noticed yet.
        self.supervisor.step(Duration::ZERO)?;
        let thawed = self.supervisor.look().and_then(|_| self.supervisor.freeze(Motion::Free));
        thawed.map_err(|error| SandboxError::system("cannot thaw an agent", error))
    }

    /// Closes its standard input, gives it this long to end by itself, and then ends it.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn finish(mut self, within: Duration) -> Result<Run, SandboxError> {
        self.supervisor.streams.close_input();
        let until = self.time()?.own.saturating_add(within);
        while !self.supervisor.has_ended() {
            let left = until.saturating_sub(self.time_against(until)?.own);
            if left.is_zero() {
                self.supervisor.end(Some(JobEnd::OverWall));
                break;
            }
            self.supervisor.step(left)?;
        }
        self.supervisor.finish()
    }

    /// Ends it now.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn kill(mut self) -> Result<Run, SandboxError> {
        self.supervisor.end(None);
        self.supervisor.finish()
    }
}

fn heard(line: &[u8]) -> NextLine {
    NextLine::Line(String::from_utf8_lossy(line).into_owned())
}
