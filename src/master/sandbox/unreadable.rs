//! Unreadable programs, through which an agent could escape the counter that reads its CPU time.
//!
//! When a process executes a program that its user cannot read, the kernel removes the counters that others have on it.
//! So no such program may exist, and agents must be unable to create one.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::stat::{Mode, umask};
use rustix::fs::{MemfdFlags, fchmod, memfd_create};

use super::view::SYSTEM;

/// A program that every system has.
const SHELL: &str = "/bin/sh";
/// Mode of a file that can be executed but not read.
const HIDDEN: u32 = 0o111;

/// A way to execute an unreadable program; returns true if it worked.
type Way = fn() -> io::Result<bool>;

/// Finds programs in the system and in these folders that some users can execute but not read.
pub(super) fn programs(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut waiting: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).chain(folders.iter().cloned()).collect();
    // These contain no programs.
    waiting.retain(|path| !path.starts_with("/proc") && !path.starts_with("/sys") && !path.is_symlink());
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                waiting.push(entry.path());
            } else if about.is_file() && is_unreadable(about.permissions().mode()) {
                found.push(entry.path());
            }
        }
    }
    found
}

/// Returns true if the owner, the group or others may execute but not read the file.
fn is_unreadable(mode: u32) -> bool {
    (mode & 0o111) & !(mode >> 2) != 0
}

/// Tries to create and execute an unreadable program, in the working directory and in memory; returns the ways that
/// worked.
pub(super) fn ways_to_hide() -> Vec<&'static str> {
    let ways: [(&str, Way); 4] =
        [("memfd", in_memory), ("chmod", by_chmod), ("creation mode", by_creation), ("umask", by_umask)];
    ways.into_iter().filter(|(_, try_it)| try_it().unwrap_or(false)).map(|(name, _)| name).collect()
}

fn in_memory() -> io::Result<bool> {
    let mut file = File::from(memfd_create("hidden", MemfdFlags::empty())?);
    io::copy(&mut File::open(SHELL)?, &mut file)?;
    fchmod(&file, HIDDEN.into())?;
    Ok(works(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd()))))
}

fn by_chmod() -> io::Result<bool> {
    fs::copy(SHELL, "changed")?;
    fs::set_permissions("changed", Permissions::from_mode(HIDDEN))?;
    Ok(works(Path::new("./changed")))
}

fn by_creation() -> io::Result<bool> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(HIDDEN).open("created")?;
    io::copy(&mut File::open(SHELL)?, &mut file)?;
    drop(file);
    Ok(works(Path::new("./created")))
}

fn by_umask() -> io::Result<bool> {
    umask(Mode::S_IRUSR | Mode::S_IRGRP | Mode::S_IROTH);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o777).open("masked")?;
    io::copy(&mut File::open(SHELL)?, &mut file)?;
    drop(file);
    let mode = fs::metadata("masked")?.permissions().mode();
    Ok(is_unreadable(mode) && works(Path::new("./masked")))
}

/// Returns true if a copy of the shell runs.
fn works(shell: &Path) -> bool {
    const CODE: i32 = 42;
    let mut command = Command::new(shell);
    command.args(["-c", &format!("exit {CODE}")]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.code() == Some(CODE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_some_may_execute_but_not_read_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join("a/b").join(name);
        fs::create_dir_all(path("")).unwrap();
        for (name, mode) in [("plain", 0o755), ("data", 0o600), ("own", 0o711), ("hidden", 0o311), ("group", 0o750)] {
            fs::write(path(name), "").unwrap();
            fs::set_permissions(path(name), Permissions::from_mode(mode)).unwrap();
        }
        let mut found = programs(&[folder.path().to_path_buf()]);
        found.retain(|path| path.starts_with(folder.path()));
        found.sort();
        assert_eq!(found, [path("hidden"), path("own")]);
    }
}
