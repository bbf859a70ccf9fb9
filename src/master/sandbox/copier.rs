//! Copies files into memory that counts as an agent's.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use nix::libc;
use rustix::fs::{MemfdFlags, memfd_create};

use super::folder;
use super::memory::be_killed_first;

pub(super) const COPY_ARGUMENT: &str = "sandbox-copy";
/// Its exit code if there is no room for the copy.
const NO_ROOM: u8 = 28;
/// Bytes of a file that is copied without a process of its own.
const FEW: u64 = 256 << 10;

/// Copies an agent's files. The kernel charges files in memory to the control group of the process that writes them, so
/// a process in the agent's group writes these.
///
/// If there is no room for a copy, the kind of the error is [`ErrorKind::StorageFull`].
#[derive(Debug)]
pub(super) struct Copier {
    pub(super) program: PathBuf,
    /// `cgroup.procs` of the group that limits the agent's memory, if there is one.
    pub(super) group: Option<PathBuf>,
    /// Id of the user that owns the copies.
    pub(super) owner: u32,
}

impl Copier {
    /// Copies the content of a folder into another; see [`folder::copy_as`].
    pub(super) fn folder(&self, from: &Path, to: &Path) -> io::Result<()> {
        let Some(group) = &self.group else { return folder::copy_as(from, to, self.owner).map_err(simplified) };
        let mut command = self.command(group);
        command.arg(from).arg(to).arg(self.owner.to_string()).stdin(Stdio::null()).stdout(Stdio::null());
        run(&mut command)
    }

    /// Copies the whole content of a file of this length to the start of another.
    pub(super) fn content(&self, mut from: &File, mut to: &File, bytes: u64) -> io::Result<()> {
        from.rewind()?;
        to.rewind()?;
        match &self.group {
            Some(group) if bytes > FEW => run(self.command(group).stdin(from.try_clone()?).stdout(to.try_clone()?)),
            _ => io::copy(&mut from.take(bytes), &mut to).map(drop).map_err(simplified),
        }
    }

    fn command(&self, group: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(COPY_ARGUMENT).arg(group).env_clear();
        command
    }
}

fn run(command: &mut Command) -> io::Result<()> {
    let ran = command.stderr(Stdio::piped()).spawn()?.wait_with_output()?;
    match (ran.status.code(), ran.status.signal()) {
        (Some(0), _) => Ok(()),
        (Some(code), _) if code == i32::from(NO_ROOM) => Err(ErrorKind::StorageFull.into()),
        // The kernel kills a process that exceeds the memory of its group.
        (_, Some(libc::SIGKILL)) => Err(ErrorKind::StorageFull.into()),
        _ => Err(io::Error::other(String::from_utf8_lossy(&ran.stderr).trim_end().to_owned())),
    }
}

/// Gives all errors for lack of room the same kind.
fn simplified(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::OutOfMemory | ErrorKind::QuotaExceeded => ErrorKind::StorageFull.into(),
        _ => error,
    }
}

/// Copies files as a process of its own, started with these arguments after the first: the group to join and, for a
/// folder, what to copy, where, and the owner's id. Without those, copies standard input to standard output.
pub(super) fn copied(arguments: &[OsString]) -> ExitCode {
    let Err(error) = copy(arguments).map_err(simplified) else { return ExitCode::SUCCESS };
    if error.kind() == ErrorKind::StorageFull {
        return ExitCode::from(NO_ROOM);
    }
    kingline_players::terminal::stderr_line(error);
    ExitCode::FAILURE
}

fn copy(arguments: &[OsString]) -> io::Result<()> {
    let [group, what @ ..] = arguments else { return Err(ErrorKind::InvalidInput.into()) };
    be_killed_first();
    fs::write(group, "0")?;
    match what {
        [] => {
            let (from, to) = (io::stdin().as_fd().try_clone_to_owned()?, io::stdout().as_fd().try_clone_to_owned()?);
            io::copy(&mut File::from(from), &mut File::from(to)).map(drop)
        }
        [from, to, owner] => {
            let owner = owner.to_str().and_then(|id| id.parse().ok()).ok_or(ErrorKind::InvalidInput)?;
            folder::copy_as(Path::new(from), Path::new(to), owner)
        }
        _ => Err(ErrorKind::InvalidInput.into()),
    }
}

/// A copy of a file that an agent wrote. It lies in memory that counts as the agent's, and consists of bytes alone:
/// nothing else about the file is kept.
#[derive(Debug)]
pub struct KeptFile {
    file: File,
    bytes: u64,
}

impl KeptFile {
    pub(super) fn copy(file: &File, bytes: u64, copier: &Copier) -> io::Result<KeptFile> {
        let kept = KeptFile { file: memfd_create("kept", MemfdFlags::CLOEXEC)?.into(), bytes };
        copier.content(file, &kept.file, bytes)?;
        Ok(kept)
    }

    pub(super) fn write(&self, to: &File, copier: &Copier) -> io::Result<()> {
        copier.content(&self.file, to, self.bytes)
    }
}
