//! Requirements for the machine, and what agents may see of it.

use std::path::PathBuf;

use super::tier::Tier;
use crate::stop::StopFlag;

/// Requirements for the machine, and what agents may see of it.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The only acceptable way to read CPU time; `None`: the best one available.
    pub tier: Option<Tier>,
    /// The weakest acceptable way to read CPU time.
    pub weakest: Tier,
    /// Paths that every agent may read and execute in addition to the system's programs, e.g. a toolchain.
    pub readable: Vec<PathBuf>,
    /// Files and folders hidden from all agents even inside a folder that an agent sees: other agents and results.
    pub hidden: Vec<PathBuf>,
    /// A program whose `main` begins with [`launched`](super::launched); by default this one.
    pub launcher: PathBuf,
    /// Flag that ends all jobs.
    pub stop: StopFlag,
}

impl Default for Policy {
    fn default() -> Policy {
        let launcher = PathBuf::from("/proc/self/exe");
        let stop = StopFlag::default();
        Policy { tier: None, weakest: Tier::Rusage, readable: Vec::new(), hidden: Vec::new(), launcher, stop }
    }
}
