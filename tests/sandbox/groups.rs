//! Control groups made for a test: with little memory, or owned by an ordinary user.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{panicking, sleep};
use std::time::{Duration, Instant};

/// A control group. Dropping it removes it.
pub(crate) struct Group(PathBuf);

impl Group {
    fn new(parent: &str) -> Result<Group, String> {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let dir = Path::new(parent).join(format!("test-of-kingline-{}-{serial}", process::id()));
        fs::create_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        Ok(Group(dir))
    }

    /// Makes a group whose members have only this much memory together; the error says why that is impossible here.
    pub(crate) fn limited(bytes: u64) -> Result<Group, String> {
        let mounts = mounts()?;
        let mut places = mounts.iter().filter_map(|(dir, kind, options)| {
            let is_v1 = kind == "cgroup" && options.split(',').any(|option| option == "memory");
            (is_v1 || kind == "cgroup2").then_some((dir, is_v1))
        });
        let has_memory = |&(dir, is_v1): &(&String, bool)| {
            let control = Path::new(dir).join("cgroup.subtree_control");
            // Without effect if it is already enabled.
            let _ = fs::write(&control, "+memory");
            let controllers = fs::read_to_string(control).unwrap_or_default();
            is_v1 || controllers.split_whitespace().any(|name| name == "memory")
        };
        let (dir, is_v1) = places.find(has_memory).ok_or("no memory controller is mounted")?;
        let group = Group::new(dir)?;
        let file = group.0.join(if is_v1 { "memory.limit_in_bytes" } else { "memory.max" });
        fs::write(&file, bytes.to_string()).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(group)
    }

    /// Makes a group that an ordinary user owns.
    pub(crate) fn delegated() -> Result<Group, String> {
        let mounts = mounts()?;
        let (dir, ..) = mounts.iter().find(|(_, kind, _)| kind == "cgroup2").ok_or("no cgroup v2 is mounted")?;
        let group = Group::new(dir)?;
        for name in ["", "cgroup.procs", "cgroup.subtree_control"] {
            let path = group.0.join(name);
            std::os::unix::fs::chown(path, Some(65534), Some(65534)).map_err(|error| error.to_string())?;
        }
        Ok(group)
    }

    /// Command that runs another command in this group.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("sh");
        let join = format!("echo $$ > {}/cgroup.procs && exec \"$@\"", self.0.display());
        command.args(["-c", &join, "sh"]).arg(program);
        command
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let start = Instant::now();
        // A dying process keeps a group busy for a moment.
        while let Err(error) = fs::remove_dir(&self.0) {
            let is_hopeless = start.elapsed() > Duration::from_secs(10);
            assert!(!is_hopeless || panicking(), "{}: {error}", self.0.display());
            if is_hopeless {
                break;
            }
            sleep(Duration::from_millis(10));
        }
    }
}

/// Folder, kind and options of everything that is mounted.
fn mounts() -> Result<Vec<(String, String, String)>, String> {
    let mounts = fs::read_to_string("/proc/self/mounts").map_err(|error| error.to_string())?;
    let mount = |line: &str| {
        let mut words = line.split(' ').skip(1).map(str::to_owned);
        Some((words.next()?, words.next()?, words.next()?))
    };
    Ok(mounts.lines().filter_map(mount).collect())
}
