//! Control groups: which processes belong together, what they use, and how they are ended.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HierarchyKind {
    /// cgroup v2, for everything.
    V2,
    /// cgroup v1, for memory: hybrid systems have its controller there.
    Memory,
}

/// This master's directory in a control group hierarchy; removed when dropped.
#[derive(Debug)]
pub(super) struct Hierarchy {
    group: ControlGroup,
}

/// A control group. Dropping it ends its processes and removes it.
#[derive(Debug)]
pub(super) struct ControlGroup {
    dir: PathBuf,
}

/// File with the limit of a group's CPU time.
const CPU_LIMIT: &str = "cpu.max";

const PREFIX: &str = "kingline-";

/// Distinguishes the directories of a single process.
static SERIAL: AtomicU32 = AtomicU32::new(0);

impl HierarchyKind {
    fn is_mount(self, kind: &str, options: &str) -> bool {
        match self {
            HierarchyKind::V2 => kind == "cgroup2",
            HierarchyKind::Memory => kind == "cgroup" && options.split(',').any(|option| option == "memory"),
        }
    }

    /// Group of this process, according to the text of /proc/self/cgroup.
    fn own(self, groups: &str) -> Option<&str> {
        let controller = if self == HierarchyKind::V2 { "" } else { "memory" };
        groups.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let found = parts.next()?.split(',').any(|name| name == controller);
            parts.next().filter(|_| found)
        })
    }

    /// Files that contain a group's memory limits in bytes.
    const fn memory_limits(self) -> &'static [&'static str] {
        match self {
            HierarchyKind::V2 => &["memory.max", "memory.high"],
            HierarchyKind::Memory => &["memory.limit_in_bytes"],
        }
    }
}

impl Hierarchy {
    /// Creates this master's directory in the first place that permits it and whose groups a child of this process can
    /// join, according to `join`.
    pub(super) fn find(kind: HierarchyKind, join: &dyn Fn(&ControlGroup) -> bool) -> io::Result<Hierarchy> {
        let mut last = io::Error::other("no such hierarchy of control groups is mounted");
        for place in places(kind)? {
            remove_stale(&place);
            let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
            match ControlGroup::make(place.join(format!("{PREFIX}{}-{serial}", ProcessIdentity::this()?))) {
                Ok(group) if join(&group) => {
                    for controller in ["memory", "pids", "cpu"] {
                        // Only controllers that the parent groups delegate can be enabled.
                        let _ = fs::write(group.dir.join("cgroup.subtree_control"), format!("+{controller}"));
                    }
                    return Ok(Hierarchy { group });
                }
                Ok(group) => last = io::Error::other(format!("processes cannot join {}", group.dir.display())),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Returns true if groups in this hierarchy have this cgroup v2 controller.
    pub(super) fn controls(&self, controller: &str) -> bool {
        let enabled = fs::read_to_string(self.group.dir.join("cgroup.subtree_control")).unwrap_or_default();
        enabled.split_whitespace().any(|name| name == controller)
    }

    pub(super) fn group(&self, name: &str) -> io::Result<ControlGroup> {
        ControlGroup::make(self.group.dir.join(name))
    }
}

impl ControlGroup {
    fn make(dir: PathBuf) -> io::Result<ControlGroup> {
        fs::create_dir(&dir).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", dir.display())))?;
        Ok(ControlGroup { dir })
    }

    /// File to which a process writes its pid in order to join.
    pub(super) fn procs_file(&self) -> PathBuf {
        self.dir.join("cgroup.procs")
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Kills all its processes and waits until they are gone.
    pub(super) fn end_all(&self) -> io::Result<()> {
        const PATIENCE: Duration = Duration::from_secs(10);
        let start = Instant::now();
        loop {
            let members = fs::read_to_string(self.procs_file())?;
            if members.is_empty() {
                return Ok(());
            }
            if start.elapsed() > PATIENCE {
                return Err(io::Error::other(format!("processes that do not end: {}", members.replace('\n', " "))));
            }
            if fs::write(self.dir.join("cgroup.kill"), "1").is_err() {
                for member in members.lines().filter_map(|line| line.parse().ok()) {
                    // The process may have ended on its own.
                    let _ = kill(Pid::from_raw(member), Signal::SIGKILL);
                }
            }
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// Removes the group, which a dying process keeps busy for a moment.
    fn remove(&self) -> io::Result<()> {
        const PATIENCE: Duration = Duration::from_secs(2);
        let start = Instant::now();
        loop {
            match fs::remove_dir(&self.dir) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy && start.elapsed() < PATIENCE => {
                    self.end_all()?;
                    thread::sleep(Duration::from_micros(200));
                }
                done => return done,
            }
        }
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // The next master removes any leftovers.
        let _ = self.remove();
    }
}

/// Candidate places for the master's directory, best first: as high as possible, so that it shares no limit with
/// others, but not above a limit on this process.
fn places(kind: HierarchyKind) -> io::Result<Vec<PathBuf>> {
    let mut places = Vec::new();
    for place in lineage(kind)? {
        let is_last = ["memory.max", "memory.limit_in_bytes", "pids.max", CPU_LIMIT]
            .iter()
            .any(|name| limit_in(&place.join(name)).is_some());
        places.push(place);
        if is_last {
            break;
        }
    }
    places.reverse();
    Ok(places)
}

/// Least memory limit in bytes of this process's group and of the groups that contain it, as far as they are visible.
pub(super) fn memory_limit(kind: HierarchyKind) -> Option<u64> {
    let groups = lineage(kind).unwrap_or_default();
    let files = groups.iter().flat_map(|group| kind.memory_limits().iter().map(|name| group.join(name)));
    // In a container, the outer groups may be invisible, but cgroup v1 reports their least limit.
    let above = groups.first().and_then(|group| {
        let text = fs::read_to_string(group.join("memory.stat")).ok()?;
        text.lines().find_map(|line| limit(line.strip_prefix("hierarchical_memory_limit ")?))
    });
    files.filter_map(|file| limit_in(&file)).chain(above).min()
}

/// Returns true if a group of this process limits its CPU time.
pub(super) fn limits_cpu_time() -> bool {
    let groups = lineage(HierarchyKind::V2).unwrap_or_default();
    groups.iter().any(|group| limit_in(&group.join(CPU_LIMIT)).is_some())
}

/// Directories of this process's group and of the groups that contain it, innermost first.
fn lineage(kind: HierarchyKind) -> io::Result<Vec<PathBuf>> {
    let mounts = fs::read_to_string("/proc/self/mounts")?;
    let mount = mounts.lines().find_map(|line| {
        let mut parts = line.split(' ').skip(1);
        let (dir, name, options) = (parts.next()?, parts.next()?, parts.next()?);
        kind.is_mount(name, options).then(|| PathBuf::from(dir))
    });
    let Some(mount) = mount else { return Ok(Vec::new()) };
    let groups = fs::read_to_string("/proc/self/cgroup")?;
    let own = kind.own(&groups).map(|own| mount.join(own.trim_start_matches('/')));
    // In a container, the path may be the host's.
    let own = own.filter(|own| own.is_dir()).unwrap_or_else(|| mount.clone());
    Ok(own.ancestors().take_while(|place| place.starts_with(&mount)).map(Path::to_path_buf).collect())
}

fn limit_in(file: &Path) -> Option<u64> {
    limit(&fs::read_to_string(file).unwrap_or_default())
}

/// Parses a limit; "max", -1 and very large numbers mean no limit.
fn limit(text: &str) -> Option<u64> {
    const NONE: u64 = 1 << 60;
    text.split_whitespace().next()?.parse::<u64>().ok().filter(|&limit| limit < NONE)
}

/// Removes the groups of masters that were killed.
fn remove_stale(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| ProcessIdentity::parse(name.strip_prefix(PREFIX)?));
        if owner.is_some_and(ProcessIdentity::is_dead) {
            let inner = fs::read_dir(entry.path()).into_iter().flatten().flatten();
            inner.filter(|inner| inner.path().is_dir()).for_each(|inner| drop(ControlGroup { dir: inner.path() }));
            drop(ControlGroup { dir: entry.path() });
        }
    }
}

/// A process, identified by its pid and start time, since pids are reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProcessIdentity {
    /// Namespace in which the pid is valid.
    namespace: u64,
    pid: u32,
    /// Start time in clock ticks since boot.
    since: u64,
}

impl ProcessIdentity {
    /// Identifies this process, with its pid in the namespace of /proc.
    fn this() -> io::Result<ProcessIdentity> {
        let pid = fs::read_link("/proc/self")?;
        let pid = pid.to_str().and_then(|pid| pid.parse().ok());
        let found = pid.and_then(|pid| Some((pid, start_of(pid)?)));
        let (pid, since) = found.ok_or_else(|| io::Error::other("/proc has nothing about this process"))?;
        Ok(ProcessIdentity { namespace: fs::metadata("/proc/self/ns/pid")?.ino(), pid, since })
    }

    /// Parses the output of `Display`; ignores any text after it.
    fn parse(text: &str) -> Option<ProcessIdentity> {
        let mut parts = text.split('-');
        let owner = ProcessIdentity {
            namespace: parts.next()?.parse().ok()?,
            pid: parts.next()?.parse().ok()?,
            since: parts.next()?.parse().ok()?,
        };
        Some(owner)
    }

    /// Returns true if the process has ended. The state of a process in another namespace is unknown, so it counts as
    /// running.
    fn is_dead(self) -> bool {
        ProcessIdentity::this().is_ok_and(|this| this.namespace == self.namespace)
            && start_of(self.pid) != Some(self.since)
    }
}

impl std::fmt::Display for ProcessIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}", self.namespace, self.pid, self.since)
    }
}

/// Start time of a process; `None` if no such process exists.
fn start_of(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may contain anything. Field 3, after it, is the state; field 22 is the start time.
    text.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mount_and_group_of_this_process_are_found_in_each_hierarchy() {
        let groups = "4:memory:/a/b\n2:cpu,cpuacct:/c:d\n1:name=systemd:/e\n0::/f\n";
        for (kind, own, own_of_v2, mount, other) in [
            (HierarchyKind::V2, "/f", Some("/f"), ("cgroup2", "rw,relatime"), ("cgroup", "rw,memory")),
            (HierarchyKind::Memory, "/a/b", None, ("cgroup", "rw,memory"), ("cgroup2", "rw,memory_x")),
        ] {
            assert_eq!((kind.own(groups), kind.own("0::/f\n")), (Some(own), own_of_v2));
            assert!(kind.is_mount(mount.0, mount.1) && !kind.is_mount(other.0, other.1), "{kind:?}");
        }
    }

    #[test]
    fn limits_are_distinguished_from_no_limit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("limit");
        for (text, is_limit) in
            [("max\n", false), ("max 100000\n", false), ("-1", false), ("9223372036854771712", false), ("512", true)]
        {
            fs::write(&file, text).unwrap();
            assert_eq!(limit_in(&file).is_some(), is_limit, "{text}");
        }
        assert_eq!(limit_in(&folder.path().join("none")), None);
    }

    #[test]
    fn a_process_is_identified_by_pid_and_start_time() {
        let this = ProcessIdentity::this().unwrap();
        assert_eq!(ProcessIdentity::parse(&format!("{this}-7")), Some(this));
        assert!(!this.is_dead());
        assert!(ProcessIdentity { since: this.since + 1, ..this }.is_dead(), "another process had the number");
        assert!(!ProcessIdentity { namespace: 1, since: 0, ..this }.is_dead(), "nothing is known of other namespaces");
        assert_eq!(ProcessIdentity::parse("1-2"), None);
        assert_eq!(ProcessIdentity::parse("agent-2-3"), None);
    }
}
