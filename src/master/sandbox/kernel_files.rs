//! The kernel's own files that agents see: what runtimes read, as constants.
//!
//! Counters of the whole machine in /proc and /sys would be notes from turn to turn and signals from game to game. So an
//! agent sees all of its own processes in /proc, copies of the files listed here, and nothing else. Readers were found by
//! tracing the start of programs in each language.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use serde::{Deserialize, Serialize};

/// The folder with the processes, in an agent's view.
pub(super) const PROCESSES: &str = "/proc";

/// Files and folders in /proc, apart from processes, that are the same as long as the machine runs. Agents see them
/// uncovered, since each cover costs 10 microseconds a turn.
const UNCOVERED: &str = "bus cmdline config.gz consoles crypto devices dma execdomains filesystems iomem ioports \
                         kallsyms misc mtrr version";

/// Files in /proc/sys that do not change while the machine runs, with their readers.
const CONSTANT: [(&str, &str); 7] = [
    ("print what they run on", "kernel/cap_last_cap kernel/hostname kernel/ngroups_max kernel/osrelease kernel/ostype"),
    ("OpenJDK, Go, .NET: threads and processes", "kernel/pid_max kernel/threads-max kernel/version"),
    ("sanitizers", "kernel/randomize_va_space vm/mmap_min_addr vm/overcommit_memory vm/overcommit_ratio"),
    ("ZGC; cryptography; Go's queue of connections", "vm/max_map_count crypto/fips_enabled net/core/somaxconn"),
    ("System V", "kernel/msgmax kernel/msgmnb kernel/sem kernel/shmall kernel/shmmax kernel/shmmni"),
    ("Java: how many files it may open", "fs/file-max fs/nr_open fs/pipe-max-size"),
    ("names of this start of the machine", "kernel/random/boot_id"),
];

/// A new random name at each reading: uuidgen, .NET.
const RANDOM_NAME: &str = "sys/kernel/random/uuid";

/// Folders in /sys whose constant files glibc, OpenJDK, .NET, Go, libnuma and hwloc read.
pub(super) const MACHINE: [&str; 2] = ["/sys/devices/system", "/sys/kernel/mm/transparent_hugepage"];

/// Constant files in [`MACHINE`]; `#` stands for numbers, `*` for any name.
const MACHINE_FILES: [&str; 7] = [
    "/sys/devices/system/cpu/*",
    "/sys/devices/system/cpu/smt/*",
    "/sys/devices/system/cpu/cpu#/topology/*",
    "/sys/devices/system/cpu/cpu#/cache/index#/*",
    "/sys/devices/system/node/*",
    "/sys/devices/system/node/node#/cpu*",
    "/sys/kernel/mm/transparent_hugepage/*",
];

/// Files of a control group that limit it, which OpenJDK, Node, Go and .NET read; the others are counters.
const LIMITS: &str = "cgroup.controllers cgroup.type cpu.cfs_period_us cpu.cfs_quota_us cpu.max cpu.shares cpu.weight \
                      cpuset.cpus cpuset.cpus.effective memory.high memory.limit_in_bytes memory.max \
                      memory.memsw.limit_in_bytes memory.swap.max memory.use_hierarchy pids.max";

/// Copies of the kernel's files in a file system of their own, which is read-only.
#[derive(Debug)]
pub(super) struct KernelFiles {
    root: PathBuf,
    /// Names in /proc, apart from processes, that copies cover.
    pub(super) covered: Vec<String>,
}

impl KernelFiles {
    /// Makes the copies in the folder `root`, which only the calling thread sees.
    pub(super) fn make(root: PathBuf) -> io::Result<KernelFiles> {
        fs::create_dir(&root)?;
        mount_own(&root, "mode=0755,size=64m")?;
        let mut files = KernelFiles { root, covered: Vec::new() };
        fs::create_dir(files.root.join("none"))?;
        File::create(files.root.join("empty"))?;
        files.copy_processes()?;
        for pattern in MACHINE_FILES {
            copy_matching(Path::new(pattern), &files.root)?;
        }
        const NONE: Option<&str> = None;
        // A mount of its own: a process that another thread is starting may still hold a file of the first one for writing.
        mount(Some(&files.root), &files.root, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)?;
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_RDONLY;
        mount(NONE, &files.root, NONE, MsFlags::MS_BIND | MsFlags::MS_REMOUNT | flags, NONE)?;
        Ok(files)
    }

    /// The copy of a file or folder in /proc or /sys; it exists only if the original does.
    pub(super) fn copy_of(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// An empty folder.
    pub(super) fn none(&self) -> PathBuf {
        self.root.join("none")
    }

    /// An empty file.
    pub(super) fn empty(&self) -> PathBuf {
        self.root.join("empty")
    }

    fn copy_processes(&mut self) -> io::Result<()> {
        let inside = self.copy_of(Path::new(PROCESSES));
        fs::create_dir(&inside)?;
        for entry in fs::read_dir(PROCESSES)?.flatten() {
            let (Ok(name), Ok(about)) = (entry.file_name().into_string(), entry.metadata()) else { continue };
            // Links lead to the agent's own process, and others' files that nobody else may read need no cover.
            let is_own = about.is_symlink() || name.parse::<u32>().is_ok();
            if is_own
                || UNCOVERED.split(' ').any(|one| one == name)
                || about.is_file() && about.permissions().mode() & 0o444 != 0o444
            {
                continue;
            }
            let made = inside.join(&name);
            if about.is_dir() {
                fs::create_dir(made)?;
            } else {
                fs::write(made, "")?;
            }
            self.covered.push(name);
        }
        for name in CONSTANT.iter().flat_map(|(_, names)| names.split(' ')) {
            let name = Path::new("sys").join(name);
            let Ok(text) = fs::read(Path::new(PROCESSES).join(&name)) else { continue };
            write(&inside.join(name), &text)?;
        }
        let read = |name: &str| fs::read_to_string(Path::new(PROCESSES).join(name)).unwrap_or_default();
        for (name, text) in [
            ("cpuinfo", without_speed(&read("cpuinfo"))),
            ("meminfo", total_memory(&read("meminfo"))),
            ("stat", cores_and_start(&read("stat"))),
            ("cgroups", without_counts(&read("cgroups"))),
            ("loadavg", "0.00 0.00 0.00 1/1 1\n".to_owned()),
            ("uptime", read("uptime")),
            ("swaps", "Filename\tType\tSize\tUsed\tPriority\n".to_owned()),
        ] {
            write(&inside.join(name), text.as_bytes())?;
        }
        let random = inside.join(RANDOM_NAME);
        write(&random, b"")?;
        const NONE: Option<&str> = None;
        Ok(mount(Some(&Path::new(PROCESSES).join(RANDOM_NAME)), &random, NONE, MsFlags::MS_BIND, NONE)?)
    }
}

/// A /proc of an agent's own.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OwnProcesses {
    /// The path of `/proc` in its root, as seen from outside.
    pub(super) at: PathBuf,
    /// The folder with copies of the kernel's files, and their names.
    pub(super) copies: PathBuf,
    pub(super) covered: Vec<String>,
}

/// Replaces the /proc that an earlier job left with one that shows the processes in the calling process's namespace.
pub(super) fn show_processes(OwnProcesses { at, copies, covered }: &OwnProcesses) -> Result<()> {
    const NONE: Option<&str> = None;
    let shown = "cannot show an agent its own processes";
    umount2(at, MntFlags::MNT_DETACH).context(shown)?;
    let flags = MsFlags::MS_RDONLY | MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), at, Some("proc"), flags, NONE).context(shown)?;
    cover(at, copies, covered).context(shown)
}

/// Covers files and folders in /proc, mounted at `at`, by the copies in the folder `copies`.
pub(super) fn cover(at: &Path, copies: &Path, names: &[String]) -> io::Result<()> {
    const NONE: Option<&str> = None;
    for name in names {
        mount(Some(&copies.join(name)), &at.join(name), NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)?;
    }
    Ok(())
}

/// Files of a control group that agents do not see.
pub(super) fn counters(group: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(group)?.collect::<io::Result<Vec<_>>>()?;
    let paths = entries.into_iter().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let is_counter = |entry: &fs::DirEntry| !LIMITS.split(' ').any(|limit| entry.file_name() == limit);
    Ok(paths.filter(is_counter).map(|entry| entry.path()).collect())
}

/// Mounts an empty file system in memory.
pub(super) fn mount_own(path: &Path, options: &str) -> io::Result<()> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    Ok(mount(Some("kingline"), path, Some("tmpfs"), flags, Some(options))?)
}

/// Writes a file, and makes its folders.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, bytes)
}

/// Copies the files that a pattern of [`MACHINE_FILES`] matches to the same paths below `root`.
fn copy_matching(pattern: &Path, root: &Path) -> io::Result<()> {
    let mut found = vec![PathBuf::from("/")];
    for part in pattern.iter().skip(1).filter_map(|part| part.to_str()) {
        let Some((before, wild)) = part.find(['#', '*']).map(|at| part.split_at(at)) else {
            found.iter_mut().for_each(|path| path.push(part));
            continue;
        };
        let matches =
            |name: &str| name.strip_prefix(before).is_some_and(|rest| wild == "*" || rest.parse::<u32>().is_ok());
        let entries = found.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        found =
            entries.filter(|entry| entry.file_name().to_str().is_some_and(matches)).map(|entry| entry.path()).collect();
    }
    for path in found.iter().filter(|path| path.is_file()) {
        // Some can only be written, or fail for this machine.
        if let Ok(text) = fs::read(path) {
            write(&root.join(path.strip_prefix("/").unwrap_or(path)), &text)?;
        }
    }
    Ok(())
}

/// The cores of /proc/cpuinfo, without their present speed.
fn without_speed(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("cpu MHz") && !line.starts_with("clock")).collect()
}

/// The total memory of /proc/meminfo, all of it free.
fn total_memory(text: &str) -> String {
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:")).unwrap_or_default();
    let zero = ["Buffers", "Cached", "SwapCached", "SwapTotal", "SwapFree", "Shmem", "SReclaimable", "HugePages_Total"];
    let zero: String = zero.iter().map(|name| format!("{:16}{:8} kB\n", format!("{name}:"), 0)).collect();
    format!("MemTotal:{total}\nMemFree: {total}\nMemAvailable:{total}\n{zero}Hugepagesize:       2048 kB\n")
}

/// The cores of /proc/stat without their times, and when the machine started.
fn cores_and_start(text: &str) -> String {
    let shown = text.lines().filter_map(|line| match line.split_once(' ') {
        Some((name, _)) if name.starts_with("cpu") => Some(format!("{name} 0 0 0 0 0 0 0 0 0 0\n")),
        Some(("btime", _)) => Some(format!("{line}\n")),
        _ => None,
    });
    shown.chain(["intr 0\nctxt 0\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n".to_owned()]).collect()
}

/// The control groups' controllers of /proc/cgroups, each with one group.
fn without_counts(text: &str) -> String {
    let line = |line: &str| match *line.split('\t').collect::<Vec<_>>() {
        [name, hierarchy, _, enabled] if !name.starts_with('#') => format!("{name}\t{hierarchy}\t1\t{enabled}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_become_constants() {
        let stat = "cpu  1 2 3\ncpu0 1 2 3\nintr 77 1\nctxt 5\nbtime 1700000000\nprocesses 999\n";
        let shown = cores_and_start(stat);
        assert!(
            shown.starts_with("cpu 0 0 0 0 0 0 0 0 0 0\ncpu0 0") && shown.contains("\nbtime 1700000000\n"),
            "{shown}"
        );
        assert!(!shown.contains("77") && !shown.contains("999"), "{shown}");
        let memory = total_memory("MemTotal:       24684092 kB\nMemFree:          123456 kB\n");
        assert!(memory.starts_with("MemTotal:       24684092 kB\nMemFree:        24684092 kB\n"), "{memory}");
        assert!(!memory.contains("123456"), "{memory}");
        assert_eq!(
            without_speed("processor\t: 0\ncpu MHz\t\t: 2900.1\nflags\t: fpu\n"),
            "processor\t: 0\nflags\t: fpu\n"
        );
        assert_eq!(
            without_counts("#subsys_name\thierarchy\tnum_cgroups\tenabled\nmemory\t5\t37\t1\n").lines().nth(1),
            Some("memory\t5\t1\t1")
        );
    }

    #[test]
    fn a_group_shows_its_limits_alone() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["memory.max", "cpu.stat", "cgroup.procs"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let mut found = counters(folder.path()).unwrap();
        found.sort();
        assert_eq!(found, ["cgroup.procs", "cpu.stat"].map(|name| folder.path().join(name)));
    }
}
