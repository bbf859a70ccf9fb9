//! Failures of the sandbox itself.

use std::fmt;
use std::io;

use super::tier::Tier;

/// A failure of the sandbox itself, never an agent's fault.
#[derive(Debug)]
pub enum SandboxError {
    /// This machine's best tier is weaker than the policy allows.
    TooWeak {
        /// This machine's best tier.
        found: Tier,
        /// The tier that the policy requires.
        weakest: Tier,
    },
    /// A tier is not available, for this reason.
    Unavailable(Tier, String),
    /// Agents would have only this many bytes of memory together.
    TooLittleMemory {
        /// The number of bytes.
        found: u64,
    },
    /// A system call failed: the attempted action and the error.
    System(String, io::Error),
    /// The stop flag was set, and the job was ended.
    Stopped,
}

impl SandboxError {
    pub(super) fn system(what: impl Into<String>, error: impl Into<io::Error>) -> SandboxError {
        SandboxError::System(what.into(), error.into())
    }
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SandboxError::TooWeak { found, weakest } => {
                write!(f, "the best way to read CPU time here is {found}, but {weakest} or better is required")
            }
            SandboxError::Unavailable(tier, why) => write!(f, "CPU time cannot be read through {tier} here: {why}"),
            SandboxError::TooLittleMemory { found } => write!(
                f,
                "agents have {} MiB of memory here, expected at least 48 MiB; help: give this machine or \
                 this program's control group more memory",
                found >> 20
            ),
            SandboxError::System(what, error) => write!(f, "{what}: {error}"),
            SandboxError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for SandboxError {}
