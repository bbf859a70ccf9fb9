//! How are the files of an archive written, whole or not at all?

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use tempfile::TempDir;

use super::entry_path::EntryPath;
use super::tree::{NodeKind, Tree};
use super::{ArchiveError, ArchiveLimits};
use crate::files::folder_of;

/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

/// A folder that is made of an archive. Before [`Destination::finish`] nobody else may look into it, and nothing has its
/// name; dropped before, it leaves nothing.
pub(super) struct Destination<'a> {
    into: &'a Path,
    folder: TempDir,
    tree: Tree<'a>,
    limits: &'a ArchiveLimits,
    bytes_left: u64,
}

/// Whether a file can be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Executable {
    Yes,
    No,
    /// If its first bytes are those of a program or of a script.
    ByContent,
}

impl Executable {
    pub(super) fn by_mode(mode: u32) -> Executable {
        if mode & 0o111 == 0 { Executable::No } else { Executable::Yes }
    }
}

impl<'a> Destination<'a> {
    /// # Errors
    /// Something has the name already, or nothing can be made beside it.
    pub(super) fn new(into: &'a Path, limits: &'a ArchiveLimits) -> Result<Destination<'a>, ArchiveError> {
        let unwritable = |error| ArchiveError::Unwritable(into.to_owned(), error);
        match fs::symlink_metadata(into) {
            Ok(_) => return Err(ArchiveError::Exists(into.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unwritable(error)),
        }
        let folder = tempfile::Builder::new().prefix(".unpacking-").tempdir_in(folder_of(into)).map_err(unwritable)?;
        Ok(Destination { into, folder, tree: Tree::new(limits), limits, bytes_left: limits.bytes })
    }

    /// Counts an entry that is not unpacked.
    pub(super) fn leave_out(&mut self) -> Result<(), ArchiveError> {
        self.tree.leave_out()
    }

    /// Makes a folder and those that it lies in.
    pub(super) fn folder(&mut self, path: &EntryPath) -> Result<(), ArchiveError> {
        self.add(path, NodeKind::Folder)
    }

    /// Writes a file, and makes the folders that it lies in; how many bytes it has.
    pub(super) fn file(
        &mut self,
        path: &EntryPath,
        content: &mut impl Read,
        executable: Executable,
    ) -> Result<u64, ArchiveError> {
        self.add(path, NodeKind::File)?;
        let target = self.folder.path().join(path.as_str());
        let unwritable = |error| ArchiveError::Unwritable(self.into.join(path.as_str()), error);
        // Nothing is followed or replaced: it fails where anything is there.
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
        // The mode that it was made with depends on the process.
        let mode = if executable { 0o755 } else { 0o644 };
        file.set_permissions(Permissions::from_mode(mode)).map_err(unwritable)?;
        Ok(total)
    }

    /// Refuses this number of further bytes if they are too many, before they are read.
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

    /// Puts the folder in its place.
    ///
    /// # Errors
    /// There is no file in it, or something has the name by now.
    pub(super) fn finish(self) -> Result<(), ArchiveError> {
        if !self.tree.has_files() {
            return Err(ArchiveError::Empty);
        }
        let whole = self.folder.path();
        let submission = self.tree.only_folder().map_or(whole.to_owned(), |only| whole.join(only));
        // Replaces nothing but an empty folder.
        let done = fs::set_permissions(&submission, Permissions::from_mode(0o755))
            .and_then(|()| fs::rename(&submission, self.into));
        done.map_err(|error| ArchiveError::Unwritable(self.into.to_owned(), error))
    }
}
