//! Where this run keeps its temporary files, so that the next run can remove those of a master that was killed.

use std::env;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::unistd::geteuid;
use tempfile::{Builder, TempDir};

const PREFIX: &str = "kingline-master.";

/// A folder for all temporary files of this process, locked while it runs.
pub(super) struct TemporaryFiles {
    _folder: TempDir,
    _lock: File,
}

impl TemporaryFiles {
    /// Removes the folders of masters that no longer run, and makes this one's. `None` if the system's folder for
    /// temporary files cannot be used: whoever needs one then says so.
    pub(super) fn make() -> Option<TemporaryFiles> {
        let within = env::temp_dir();
        remove_abandoned(&within);
        loop {
            let folder = Builder::new().prefix(PREFIX).rand_bytes(8).tempdir_in(&within).ok()?;
            let lock = File::open(folder.path()).ok()?;
            lock.lock().ok()?;
            // Another master may have taken it for abandoned before it was locked.
            if folder.path().exists() {
                tempfile::env::override_temp_dir(folder.path()).ok()?;
                return Some(TemporaryFiles { _folder: folder, _lock: lock });
            }
        }
    }
}

fn remove_abandoned(within: &Path) {
    for entry in fs::read_dir(within).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.metadata().is_ok_and(|about| about.is_dir() && about.uid() == geteuid().as_raw());
        if is_ours
            && let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            // What cannot be removed stays for the next run.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_that_nobody_holds_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for name in ["kingline-master.dead/game", "kingline-master.alive/game", "other/game"] {
            fs::create_dir_all(path(name)).unwrap();
        }
        let held = File::open(path("kingline-master.alive")).unwrap();
        held.lock().unwrap();
        remove_abandoned(place.path());
        let mut left: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["kingline-master.alive", "other"]);
    }
}
