//! Ways to read CPU time, by how reliable they are.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use kingline::game::ParseError;

/// A way to read the CPU time of an agent and its descendants. Later variants are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The usage of a single process. It excludes descendants, so agents cannot have any.
    Rusage,
    /// A counter that every descendant inherits. A program that makes itself unreadable escapes it.
    Perf,
    /// The usage of a control group of cgroup v2, which no process can leave.
    CgroupV2,
}

impl Tier {
    /// All tiers, best first.
    pub const ALL: [Tier; 3] = [Tier::CgroupV2, Tier::Perf, Tier::Rusage];

    /// Name used on command lines and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Rusage => "rusage",
            Tier::Perf => "perf",
            Tier::CgroupV2 => "cgroup-v2",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tier {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Tier, ParseError> {
        let expected = || Tier::ALL.map(Tier::name).join(", ");
        Tier::ALL.into_iter().find(|tier| tier.name() == text).ok_or_else(|| ParseError::new(text, expected()))
    }
}
