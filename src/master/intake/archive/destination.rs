//! Writes the files of an archive, all or nothing.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use tempfile::TempDir;

use super::entry_path::EntryPath;
use super::tree::{NodeKind, Tree};
use super::{ArchiveError, TreeLimits};
use kingline_players::files::folder_of;

/// Maximum number of bytes per read.
const PIECE: usize = 1 << 16;

/// A folder being unpacked. Until [`Destination::finish`], only this user can look into it, and it lacks its final
/// name. Dropping it earlier leaves nothing behind.
pub(super) struct Destination<'a> {
    into: &'a Path,
    folder: TempDir,
    tree: Tree<'a>,
    limits: &'a TreeLimits,
    bytes_left: u64,
}

/// Permission to execute a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Executable {
    Yes,
    No,
    /// Decided by the first bytes: yes for a program or a script.
    ByContent,
}

impl Executable {
    pub(super) fn by_mode(mode: u32) -> Executable {
        if mode & 0o111 == 0 { Executable::No } else { Executable::Yes }
    }
}

impl<'a> Destination<'a> {
    /// # Errors
    /// `into` already exists, or nothing can be written beside it.
    pub(super) fn new(into: &'a Path, limits: &'a TreeLimits) -> Result<Destination<'a>, ArchiveError> {
        let unwritable = |error| ArchiveError::Unwritable(into.to_owned(), error);
        match fs::symlink_metadata(into) {
            Ok(_) => return Err(ArchiveError::Exists(into.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unwritable(error)),
        }
        let folder = tempfile::Builder::new().prefix(".unpacking-").tempdir_in(folder_of(into)).map_err(unwritable)?;
        Ok(Destination { into, folder, tree: Tree::new(limits), limits, bytes_left: limits.bytes })
    }

    /// Counts an entry that is left out.
    pub(super) fn leave_out(&mut self) -> Result<(), ArchiveError> {
        self.tree.leave_out()
    }

    /// Creates a folder and its parents.
    pub(super) fn folder(&mut self, path: &EntryPath) -> Result<(), ArchiveError> {
        self.add(path, NodeKind::Folder)
    }

    /// Writes a file, creating its parents; returns the number of bytes written.
    pub(super) fn file(
        &mut self,
        path: &EntryPath,
        content: &mut impl Read,
        executable: Executable,
    ) -> Result<u64, ArchiveError> {
        self.add(path, NodeKind::File)?;
        let target = self.folder.path().join(path.as_str());
        let unwritable = |error| ArchiveError::Unwritable(self.into.join(path.as_str()), error);
        // Follows no link and replaces nothing: fails if the name exists.
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(target);
        let mut file = file.map_err(unwritable)?;
        let mut first = Vec::new();
        let mut total = 0;
        let mut piece = vec![0; PIECE];
        loop {
            let count = match content.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(ArchiveError::of_content(path.name(), error)),
            };
            let read = &piece[..count];
            self.bytes_left =
                self.bytes_left.checked_sub(count as u64).ok_or(ArchiveError::TooBig(self.limits.bytes))?;
            total += count as u64;
            first.extend(read.iter().take(4_usize.saturating_sub(first.len())));
            file.write_all(read).map_err(unwritable)?;
        }
        let executable = match executable {
            Executable::Yes => true,
            Executable::No => false,
            Executable::ByContent => first.starts_with(b"\x7fELF") || first.starts_with(b"#!"),
        };
        // Sets the mode now, since the umask changes it at creation.
        let mode = if executable { 0o755 } else { 0o644 };
        file.set_permissions(Permissions::from_mode(mode)).map_err(unwritable)?;
        Ok(total)
    }

    /// Fails if `bytes` more bytes would exceed the limit; called before any of them are read.
    pub(super) fn check_room(&self, bytes: u64) -> Result<(), ArchiveError> {
        if bytes > self.bytes_left { Err(ArchiveError::TooBig(self.limits.bytes)) } else { Ok(()) }
    }

    fn add(&mut self, path: &EntryPath, kind: NodeKind) -> Result<(), ArchiveError> {
        for folder in self.tree.add(path, kind)? {
            let target = self.folder.path().join(folder);
            let made =
                fs::create_dir(&target).and_then(|()| fs::set_permissions(target, Permissions::from_mode(0o755)));
            made.map_err(|error| ArchiveError::Unwritable(self.into.join(folder), error))?;
        }
        Ok(())
    }

    /// Moves the folder to its final place.
    ///
    /// # Errors
    /// The archive contains no file, or `into` exists by then.
    pub(super) fn finish(self) -> Result<(), ArchiveError> {
        if !self.tree.has_files() {
            return Err(ArchiveError::Empty);
        }
        let whole = self.folder.path();
        let submission = self.tree.only_folder().map_or(whole.to_owned(), |only| whole.join(only));
        // This can replace only an empty folder.
        let done = fs::set_permissions(&submission, Permissions::from_mode(0o755))
            .and_then(|()| fs::rename(&submission, self.into));
        done.map_err(|error| ArchiveError::Unwritable(self.into.to_owned(), error))
    }
}
