//! This machine's sandbox, opened once and shared by all threads.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::capabilities::Capabilities;
use super::cell::Cell;
use super::error::SandboxError;
use super::folder::DiskLimit;
use super::gaps::Survey;
use super::memory::{MemoryDemand, MemoryShare};
use super::policy::Policy;
use super::survey::Trial;
use super::tier::Tier;
use super::user_time;

/// This machine's capabilities for confining agents, tested once and shared by all threads.
#[derive(Clone, Debug)]
pub struct Sandbox {
    capabilities: Arc<Capabilities>,
}

impl Sandbox {
    /// Tests what this machine offers.
    ///
    /// # Errors
    /// No way to read CPU time meets the policy.
    pub fn open(policy: &Policy) -> Result<Sandbox, SandboxError> {
        Ok(Sandbox { capabilities: Arc::new(Capabilities::find(policy)?) })
    }

    /// Returns the way in which CPU time is read.
    pub fn tier(&self) -> Tier {
        self.capabilities.tier
    }

    /// Describes how CPU time is read, for records, and marks unofficial results.
    pub fn measurement(&self) -> String {
        let tier = self.tier();
        if self.is_official() { tier.to_string() } else { format!("{tier}, unofficial") }
    }

    /// Returns true if results can be official: agents may start processes, and cannot leave anything for their next
    /// game.
    pub fn is_official(&self) -> bool {
        self.tier() >= Tier::Perf && self.capabilities.keeps_games_apart()
    }

    /// Returns true if user time is counted exactly, so that results by it alone can be official.
    pub fn counts_user_time(&self) -> bool {
        self.tier() == Tier::CgroupV2 && user_time::is_exact()
    }

    /// Divides the memory that agents have on this machine.
    pub fn share_memory(&self, demand: MemoryDemand) -> MemoryShare {
        self.capabilities.share(demand)
    }

    /// Memory in bytes for all agents together.
    pub fn agents_memory(&self) -> u64 {
        self.capabilities.agents_memory
    }

    /// Lists what this machine offers and what it lacks.
    pub fn survey(&self) -> Survey {
        self.capabilities.survey()
    }

    /// Tests how accurately CPU time is read, with a program that uses this much of it.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn trial(&self, time: Duration) -> Result<Trial, SandboxError> {
        Trial::of(&self.capabilities, time)
    }

    /// Creates a cell for an agent, with the working directory `name` in `run_folder`. The first call in a thread moves
    /// the thread into new namespaces, where it has no network.
    ///
    /// # Errors
    /// The directory or the limits cannot be set up.
    pub fn cell(&self, run_folder: &Path, name: &str, disk: DiskLimit) -> Result<Cell, SandboxError> {
        Cell::new(&self.capabilities, run_folder, name, disk)
    }
}
