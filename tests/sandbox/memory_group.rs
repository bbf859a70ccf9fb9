//! Control groups that limit memory, made for a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{panicking, sleep};
use std::time::{Duration, Instant};

/// A control group whose members have only this much memory together. Dropping it removes it.
pub(crate) struct MemoryGroup(PathBuf);

impl MemoryGroup {
    /// Makes a group; the error says why that is impossible here.
    pub(crate) fn new(bytes: u64) -> Result<MemoryGroup, String> {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let mounts = fs::read_to_string("/proc/self/mounts").map_err(|error| error.to_string())?;
        let mut places = mounts.lines().filter_map(|line| {
            let mut words = line.split(' ').skip(1);
            let (dir, kind, options) = (words.next()?, words.next()?, words.next()?);
            let is_v1 = kind == "cgroup" && options.split(',').any(|option| option == "memory");
            (is_v1 || kind == "cgroup2").then(|| (Path::new(dir), is_v1))
        });
        let has_memory = |&(dir, is_v1): &(&Path, bool)| {
            // Without effect if it is already enabled.
            let _ = fs::write(dir.join("cgroup.subtree_control"), "+memory");
            let controllers = fs::read_to_string(dir.join("cgroup.subtree_control")).unwrap_or_default();
            is_v1 || controllers.split_whitespace().any(|name| name == "memory")
        };
        let (dir, is_v1) = places.find(has_memory).ok_or("no memory controller is mounted")?;
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let dir = dir.join(format!("test-of-kingline-{}-{serial}", process::id()));
        fs::create_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        let group = MemoryGroup(dir);
        let file = group.0.join(if is_v1 { "memory.limit_in_bytes" } else { "memory.max" });
        fs::write(&file, bytes.to_string()).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(group)
    }

    /// Command that runs another command in this group.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("sh");
        let join = format!("echo $$ > {}/cgroup.procs && exec \"$@\"", self.0.display());
        command.args(["-c", &join, "sh"]).arg(program);
        command
    }
}

impl Drop for MemoryGroup {
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
