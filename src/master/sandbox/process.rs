//! Agents that keep running and communicate in lines.

use std::io;
use std::time::Duration;

use super::home::Motion;
use super::job::{JobEnd, Peak, Run, SandboxError};
use super::stopwatch::WallTime;
use super::streams::Rest;
use super::supervisor::Supervisor;

/// An agent that keeps running and communicates in lines. Dropping it ends the agent.
#[derive(Debug)]
pub struct Process {
    supervisor: Supervisor,
}

/// An agent's next line, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextLine {
    /// A line without its LF. Invalid UTF-8 is replaced.
    Line(String),
    /// The agent has closed its standard output or ended.
    Closed,
    /// The agent exceeded this limit and was ended.
    Over(JobEnd),
}

/// Number of unread bytes at which the agent is considered not to read its input.
const MOST_UNREAD: usize = 1 << 20;

impl Process {
    pub(super) fn new(mut supervisor: Supervisor) -> Process {
        supervisor.streams.keep_lines();
        Process { supervisor }
    }

    /// Sends a line, followed by an LF. Never blocks: remaining bytes are delivered while the caller waits for answers.
    ///
    /// # Errors
    /// The agent has closed its standard input or left a MiB unread.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.supervisor.streams.give(line.as_bytes());
        self.supervisor.streams.give(b"\n");
        match self.supervisor.streams.not_taken() {
            None => Err(io::ErrorKind::BrokenPipe.into()),
            Some(MOST_UNREAD..) => Err(io::Error::other("the agent does not read its standard input")),
            Some(_) => Ok(()),
        }
    }

    /// Waits for the next line that the agent prints, for this much of its own wall time, which excludes time waiting for a
    /// core.
    pub fn line(&mut self, within: Duration) -> Result<NextLine, SandboxError> {
        let until = self.time()?.own.saturating_add(within);
        loop {
            if let Some(line) = self.supervisor.streams.take_line(Rest::None) {
                return Ok(decoded(&line));
            }
            if let Some(end) = self.supervisor.exceeded() {
                return Ok(NextLine::Over(end.clone()));
            }
            if self.supervisor.has_ended() {
                self.supervisor.drain()?;
            }
            if self.supervisor.has_ended() || !self.supervisor.streams.is_open() {
                let rest = self.supervisor.streams.take_line(Rest::Any);
                return Ok(rest.map_or(NextLine::Closed, |line| decoded(&line)));
            }
            let left = until.saturating_sub(self.time_against(until)?.own);
            if left.is_zero() {
                self.supervisor.end(Some(JobEnd::OverWall));
            } else {
                self.supervisor.step(left)?;
            }
        }
    }

    /// CPU time used so far by the agent and all its descendants.
    pub fn cpu(&mut self) -> Result<Duration, SandboxError> {
        self.supervisor.cpu().map_err(|error| SandboxError::system("cannot read CPU time", error))
    }

    /// Takes the peak use of resources since the last call.
    pub fn take_peak(&mut self) -> Peak {
        self.supervisor.take_peak()
    }

    /// Wall time since the start of the agent.
    pub fn time(&mut self) -> Result<WallTime, SandboxError> {
        self.time_against(Duration::MAX)
    }

    fn time_against(&mut self, limit: Duration) -> Result<WallTime, SandboxError> {
        self.supervisor.time_against(limit).map_err(|error| SandboxError::system("cannot watch a job", error))
    }

    /// Freezes the agent and everything that it started until [`thaw`](Self::thaw), while it is not its turn. Has no
    /// effect without a control group.
    pub fn freeze(&mut self) -> Result<(), SandboxError> {
        let frozen = self.supervisor.freeze(Motion::Frozen);
        frozen.map_err(|error| SandboxError::system("cannot freeze an agent", error))
    }

    /// Thaws the agent at the start of its turn. Unobserved time before this call does not count toward the turn, even
    /// if the agent was never frozen.
    pub fn thaw(&mut self) -> Result<(), SandboxError> {
        // The start may not have been noticed yet.
        self.supervisor.step(Duration::ZERO)?;
        let thawed = self.supervisor.observe().and_then(|_| self.supervisor.freeze(Motion::Free));
        thawed.map_err(|error| SandboxError::system("cannot thaw an agent", error))
    }

    /// Closes the agent's standard input, gives it `within` to exit, and then ends it.
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

    /// Kills the agent immediately.
    pub fn kill(mut self) -> Result<Run, SandboxError> {
        self.supervisor.end(None);
        self.supervisor.finish()
    }
}

fn decoded(line: &[u8]) -> NextLine {
    NextLine::Line(String::from_utf8_lossy(line).into_owned())
}
