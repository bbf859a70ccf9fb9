//! An agent's own files in its home. They lie in memory, which is the agent's.

use std::io;
use std::path::Path;

use super::error::SandboxError;
use super::home::Home;
use super::shortage::Shortage;

impl Home {
    /// Puts a copy of a folder of ordinary files into the working directory, now and after each renewal. It takes at most
    /// as much memory as the agent may use. May be called once.
    pub(super) fn furnish(&self, from: &Path, memory: u64) -> Result<(), SandboxError> {
        let failed = |error| SandboxError::system("cannot copy the files of an agent", error);
        self.limit_memory(memory).map_err(failed)?;
        self.fill(|| self.working_dir.furnish(from, self.capabilities.memory_for(memory))).map_err(failed)
    }

    /// Throws away everything in the working directory but the agent's own files.
    pub(super) fn renew(&self) -> Result<(), SandboxError> {
        let failed = |error| SandboxError::system("cannot renew the working directory of an agent", error);
        self.fill(|| self.working_dir.renew()).map_err(failed)
    }

    /// Copies the agent's own files by this function. If there is too little room for them, there are none.
    fn fill(&self, copy: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.start_counting_shortages();
        match copy() {
            Err(error) if error.kind() == io::ErrorKind::StorageFull => {
                if self.shortage() == Some(Shortage::Machines) {
                    return Err(io::Error::other("the machine ran out of memory"));
                }
                self.is_overfull.set(true);
                self.working_dir.strip()?;
                self.working_dir.renew()
            }
            done => done,
        }
    }

    /// Returns true if the agent's own files do not fit in its memory, so that none of its programs can run.
    pub(super) fn is_overfull(&self) -> bool {
        self.is_overfull.get()
    }

    /// Bytes of its files in memory.
    pub(super) fn memory_of_files(&self) -> u64 {
        if self.root().is_none() { 0 } else { self.working_dir.memory_of_own_files() + self.disk_use().bytes }
    }
}
