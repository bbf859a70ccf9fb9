//! An agent's home: its working directory, user and control groups.

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::capabilities::{Capabilities, MemoryLimiter, ProcessLimiter, Sockets};
use super::cgroup::{ControlGroup, Hierarchy};
use super::copier::Copier;
use super::folder::{self, DiskLimit};
use super::job::SandboxError;
use super::memory::{Shortage, ShortageCounter};
use super::meter::Meter;
use super::namespaces::User;
use super::socket_memory::{Uncounted, memory_of_sockets};
use super::view::FileSystemView;
use super::working_dir::WorkingDir;

/// An agent's home: its working directory, user and control groups. Dropping it removes them all.
#[derive(Debug)]
pub(super) struct Home {
    pub(super) working_dir: WorkingDir,
    pub(super) disk: DiskLimit,
    pub(super) user: Option<User>,
    /// The group that limits memory, unless that is `account`.
    pub(super) memory: Option<ControlGroup>,
    /// The group whose CPU time is read.
    pub(super) account: Option<ControlGroup>,
    /// The kernel's file that reports peak memory.
    memory_peak: Option<File>,
    memory_limit: Cell<Option<u64>>,
    /// True if the agent's own files do not fit in its memory, so that none of its programs can run.
    pub(super) is_overfull: Cell<bool>,
    /// Counts processes that the kernel has killed for lack of memory, if there is a group that limits it.
    shortages: Option<ShortageCounter>,
    /// Dropped last, since it owns the directories that contain the groups.
    pub(super) capabilities: Arc<Capabilities>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DiskUse {
    /// Total bytes of all files; at least the limit if the folder is full.
    pub(super) bytes: u64,
    pub(super) is_full: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Frozen,
    Free,
}

impl Home {
    pub(super) fn new(
        capabilities: &Arc<Capabilities>,
        run_folder: &Path,
        name: &str,
        disk: DiskLimit,
    ) -> Result<Home, SandboxError> {
        capabilities.namespaces.enter()?;
        let user = match &capabilities.users {
            Some(users) => Some(users.take().ok_or_else(|| {
                SandboxError::system("cannot run another agent", io::Error::other("all user IDs for agents are in use"))
            })?),
            None => None,
        };
        let group = |hierarchy: Option<&Hierarchy>| {
            let made = hierarchy.map(|hierarchy| hierarchy.group(&Capabilities::random_name())).transpose();
            made.map_err(|error| SandboxError::system("cannot create a control group", error))
        };
        let memory = group(match &capabilities.memory {
            MemoryLimiter::Group(hierarchy) => Some(hierarchy),
            MemoryLimiter::Account | MemoryLimiter::PerProcess => None,
        })?;
        let account = group(capabilities.accounts.as_ref())?;
        let (limiting, peak, shortages) = match (&capabilities.memory, &memory, &account) {
            (MemoryLimiter::Group(_), Some(group), _) => {
                (Some(group), "memory.max_usage_in_bytes", Some(ShortageCounter::of_v1(group)))
            }
            (MemoryLimiter::Account, _, Some(group)) => {
                (Some(group), "memory.peak", Some(ShortageCounter::of_v2(group)))
            }
            _ => (None, "", None),
        };
        let peak = limiting.map(|group| group.file(peak));
        let shortages =
            shortages.transpose().map_err(|error| SandboxError::system("cannot watch the memory of a group", error))?;
        let open = |path: PathBuf| {
            let for_both = OpenOptions::new().read(true).write(true).open(&path);
            for_both.or_else(|_| File::open(&path)).ok()
        };
        let dir = run_folder.join(name);
        let copier = Copier {
            program: capabilities.policy.launcher.clone(),
            group: limiting.map(ControlGroup::procs_file),
            owner: user.as_ref().map_or_else(|| nix::unistd::geteuid().as_raw(), User::id),
        };
        let failed = |error| SandboxError::system(format!("cannot create {}", dir.display()), error);
        let working_dir = WorkingDir::new(&dir, capabilities, copier, disk).map_err(failed)?;
        // Runtimes read their memory limit there. Other groups would reveal how much time the opponent takes.
        let groups = [&account, &memory].into_iter().flatten().map(ControlGroup::dir);
        working_dir
            .view()
            .map_or(Ok(()), |view| groups.into_iter().try_for_each(|group| view.show_limits(group)))
            .map_err(failed)?;
        Ok(Home {
            memory_peak: peak.and_then(open),
            capabilities: Arc::clone(capabilities),
            working_dir,
            disk,
            user,
            memory,
            account,
            memory_limit: Cell::new(None),
            is_overfull: Cell::new(false),
            shortages,
        })
    }

    pub(super) fn dir(&self) -> &Path {
        &self.working_dir.dir
    }

    pub(super) fn root(&self) -> Option<&Path> {
        self.working_dir.view().map(FileSystemView::root)
    }

    pub(super) fn show(&self, paths: &[PathBuf]) -> io::Result<()> {
        let Some(view) = self.working_dir.view() else { return Ok(()) };
        paths.iter().try_for_each(|path| view.show(path))
    }

    /// Meter of the group, in tiers that read the CPU time of a group.
    pub(super) fn meter(&self) -> io::Result<Option<Meter>> {
        self.account.as_ref().map(Meter::of_group).transpose()
    }

    /// Sets the limits that control groups enforce on the next job; the launcher sets the others.
    pub(super) fn limit(&self, memory: u64, processes: u32) -> io::Result<()> {
        if let (ProcessLimiter::Account, Some(group)) = (&self.capabilities.processes, &self.account) {
            fs::write(group.file("pids.max"), processes.to_string())?;
        }
        self.limit_memory(memory)
    }

    /// Sets the limit on memory, as far as a control group enforces it.
    pub(super) fn limit_memory(&self, memory: u64) -> io::Result<()> {
        let memory = self.capabilities.memory_for(memory);
        if self.memory_limit.replace(Some(memory)) == Some(memory) {
            return Ok(());
        }
        match (&self.capabilities.memory, &self.memory, &self.account) {
            (MemoryLimiter::Group(_), Some(group), _) => {
                // If swap is accounted, it counts as memory. The kernel keeps this limit from being the lower one of the
                // two, so it has to be raised before the other or lowered after it.
                let limit_with_swap = || fs::write(group.file("memory.memsw.limit_in_bytes"), memory.to_string());
                let _ = limit_with_swap();
                fs::write(group.file("memory.limit_in_bytes"), memory.to_string())?;
                let _ = limit_with_swap();
            }
            (MemoryLimiter::Account, _, Some(group)) => {
                fs::write(group.file("memory.max"), memory.to_string())?;
                let _ = fs::write(group.file("memory.swap.max"), "0");
            }
            _ => {}
        }
        Ok(())
    }

    /// Marks the start of a job, for [`shortage`](Self::shortage).
    pub(super) fn start_counting_shortages(&self) {
        self.shortages.iter().for_each(ShortageCounter::start);
    }

    /// Returns who is to blame if the kernel has killed a process of the current job for lack of memory.
    pub(super) fn shortage(&self) -> Option<Shortage> {
        self.shortages.as_ref()?.found()
    }

    pub(super) fn disk_use(&self) -> DiskUse {
        if self.root().is_none() {
            return match folder::usage(self.dir(), self.disk) {
                Some(bytes) => DiskUse { bytes, is_full: false },
                None => DiskUse { bytes: self.disk.bytes, is_full: true },
            };
        }
        let Ok(system) = nix::sys::statvfs::statvfs(self.dir()) else { return DiskUse { bytes: 0, is_full: false } };
        DiskUse {
            bytes: (system.blocks() - system.blocks_free()) * system.fragment_size(),
            is_full: system.blocks_free() == 0 || system.files_free() == 0,
        }
    }

    /// Takes the peak memory since the last call, if the kernel reports it.
    pub(super) fn take_memory_peak(&self) -> Option<u64> {
        let mut file = self.memory_peak.as_ref()?;
        let mut text = String::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_string(&mut text)).ok()?;
        let peak = text.trim().parse().ok()?;
        self.shortages.iter().for_each(|shortages| shortages.note_peak(peak));
        // Resets the peak; older kernels do not support this.
        let _ = file.write_all(b"0");
        Some(peak)
    }

    /// Freezes or thaws all of its processes. Without a group, they keep running.
    pub(super) fn freeze(&self, motion: Motion) -> io::Result<()> {
        let Some(group) = &self.account else { return Ok(()) };
        fs::write(group.file("cgroup.freeze"), if motion == Motion::Frozen { "1" } else { "0" })
    }

    pub(super) fn end_all(&self) -> io::Result<()> {
        match self.account.as_ref().or(self.memory.as_ref()) {
            Some(group) if !self.capabilities.namespaces.processes() => group.end_all(),
            // They ended with the first process, or there were none.
            _ => Ok(()),
        }
    }

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

    /// Memory of the sockets of an agent with this process, as far as the kernel does not count it.
    pub(super) fn memory_of_sockets(&self, process: u32) -> u64 {
        let uncounted = match (&self.capabilities.memory, self.capabilities.sockets) {
            (_, Sockets::Refused) | (MemoryLimiter::Account, _) => return 0,
            (MemoryLimiter::Group(_), _) => Uncounted::Network,
            (MemoryLimiter::PerProcess, _) => Uncounted::All,
        };
        memory_of_sockets(process, uncounted)
    }

    /// Returns true if the agent's group and its sockets together exceed its memory.
    pub(super) fn is_over_by_sockets(&self, sockets: u64) -> bool {
        let (Some(group), Some(most)) = (&self.memory, self.memory_limit.get()) else { return false };
        let number = |name: &str| fs::read_to_string(group.file(name)).ok()?.trim().parse::<u64>().ok();
        let statistics = fs::read_to_string(group.file("memory.stat")).unwrap_or_default();
        // Pages of files can be given back.
        let of_files = statistics
            .lines()
            .filter_map(|line| line.strip_prefix("total_inactive_file ").or(line.strip_prefix("total_active_file ")));
        let of_files: u64 = of_files.filter_map(|bytes| bytes.parse::<u64>().ok()).sum();
        number("memory.usage_in_bytes").is_some_and(|used| used.saturating_sub(of_files) + sockets > most)
    }

    pub(super) fn memory_of_files(&self) -> u64 {
        if self.root().is_none() { 0 } else { self.working_dir.memory_of_own_files() + self.disk_use().bytes }
    }
}
