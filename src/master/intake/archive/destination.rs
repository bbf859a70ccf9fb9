//! Decides which entries of an archive are allowed, and writes their files, all or nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use tempfile::TempDir;

use super::error::{ArchiveError, EntryError, EntryName};
use crate::league::preparation::TreeLimits;
use kingline_players::files::folder_of;
use kingline_players::terminal::is_deceptive;

const PIECE: usize = 1 << 16;

/// A folder being unpacked. Until [`Destination::finish`], only this user can look into it, and it lacks its final
/// name. Dropping it earlier leaves nothing behind.
pub(super) struct Destination<'a> {
    into: &'a Path,
    folder: TempDir,
    limits: &'a TreeLimits,
    bytes_left: u64,
    /// Files and folders by lower-case path: the path, and whether it is a file.
    nodes: HashMap<String, (String, bool)>,
    left_out: u64,
    note: Option<&'static str>,
}

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
        Ok(Destination {
            into,
            folder,
            limits,
            bytes_left: limits.bytes,
            nodes: HashMap::new(),
            left_out: 0,
            note: None,
        })
    }

    pub(super) fn note(&mut self, note: &'static str) {
        self.note = Some(note);
    }

    pub(super) fn leave_out(&mut self) -> Result<(), ArchiveError> {
        self.left_out += 1;
        self.check_count()
    }

    /// Creates a folder, which may exist, and its parents.
    pub(super) fn folder(&mut self, path: &EntryPath) -> Result<(), ArchiveError> {
        for (depth, folder) in path.folders().chain((!path.0.is_empty()).then_some(&*path.0)).enumerate() {
            if depth >= self.limits.depth {
                return Err(ArchiveError::Entry(path.name(), EntryError::Deep(self.limits.depth)));
            } else if !self.is_new(folder, false)? {
                continue;
            }
            let target = self.folder.path().join(folder);
            let made =
                fs::create_dir(&target).and_then(|()| fs::set_permissions(target, Permissions::from_mode(0o755)));
            made.map_err(|error| ArchiveError::Unwritable(self.into.join(folder), error))?;
        }
        Ok(())
    }

    /// Writes a file, creating its parents; returns the number of bytes written.
    pub(super) fn file(
        &mut self,
        path: &EntryPath,
        content: &mut impl Read,
        executable: Executable,
    ) -> Result<u64, ArchiveError> {
        if path.0.is_empty() {
            return Err(ArchiveError::Entry(path.name(), EntryError::NoName));
        }
        if let Some(parent) = path.folders().last() {
            self.folder(&EntryPath(parent.to_owned()))?;
        }
        if !self.is_new(&path.0, true)? {
            return Err(ArchiveError::Entry(path.name(), EntryError::Twice));
        }
        let target = self.folder.path().join(&path.0);
        let unwritable = |error| ArchiveError::Unwritable(self.into.join(&path.0), error);
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

    /// Adds a node; returns false if there was the same.
    fn is_new(&mut self, path: &str, is_file: bool) -> Result<bool, ArchiveError> {
        match self.nodes.entry(path.to_lowercase()) {
            Entry::Vacant(vacant) => {
                vacant.insert((path.to_owned(), is_file));
                self.check_count().map(|()| true)
            }
            Entry::Occupied(found) => {
                let why = match found.get() {
                    (other, _) if other != path => EntryError::OnlyCase(EntryName::new(other.as_bytes())),
                    (_, kind) if *kind != is_file => EntryError::FileAndFolder,
                    _ => return Ok(false),
                };
                Err(ArchiveError::Entry(EntryName::new(path.as_bytes()), why))
            }
        }
    }

    fn check_count(&self) -> Result<(), ArchiveError> {
        let most = self.limits.entries;
        if self.nodes.len() as u64 + self.left_out > most { Err(ArchiveError::TooMany(most)) } else { Ok(()) }
    }

    /// Moves the folder to its final place. Returns the note.
    pub(super) fn finish(self) -> Result<Option<&'static str>, ArchiveError> {
        if !self.nodes.values().any(|(_, is_file)| *is_file) {
            return Err(ArchiveError::Empty);
        }
        let whole = self.folder.path();
        let mut top = self.nodes.values().filter(|(path, _)| !path.contains('/'));
        let submission = match (top.next(), top.next()) {
            (Some((only, false)), None) => whole.join(only),
            _ => whole.to_owned(),
        };
        // This can replace only an empty folder.
        let done = fs::set_permissions(&submission, Permissions::from_mode(0o755))
            .and_then(|()| fs::rename(&submission, self.into));
        done.map_err(|error| ArchiveError::Unwritable(self.into.to_owned(), error))?;
        Ok(self.note)
    }
}

/// Path of an entry in the unpacked folder: names joined by `/`, each safe to print on a terminal and none of them
/// empty, `.` or `..`. The folder itself has the empty path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EntryPath(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separators {
    Slash,
    BothSlashes,
}

impl EntryPath {
    /// # Errors
    /// The path leads out of the folder, or has a misleading name.
    pub(super) fn parse(bytes: &[u8], separators: Separators, limits: &TreeLimits) -> Result<EntryPath, ArchiveError> {
        check(bytes, separators, limits).map_err(|why| ArchiveError::Entry(EntryName::new(bytes), why))
    }

    fn name(&self) -> EntryName {
        EntryName::new(self.0.as_bytes())
    }

    /// The folders that contain it, outermost first.
    fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(end, _)| &self.0[..end])
    }

    /// True if operating systems add such entries on their own.
    pub(super) fn is_left_out(&self) -> bool {
        self.0.split('/').any(|name| is_left_out(name.as_ref()))
    }
}

/// True if operating systems add entries of this name on their own.
pub(crate) fn is_left_out(name: &OsStr) -> bool {
    let known = ["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"];
    name.as_encoded_bytes().starts_with(b"._") || known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn check(bytes: &[u8], separators: Separators, limits: &TreeLimits) -> Result<EntryPath, EntryError> {
    if bytes.len() > limits.path {
        return Err(EntryError::LongPath(limits.path));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| EntryError::NotUtf8)?;
    if text.contains(is_deceptive) {
        return Err(EntryError::Deceptive);
    }
    // Comes before all other checks, so that they apply to the final path.
    let text = match separators {
        Separators::Slash if text.contains('\\') => return Err(EntryError::Backslash),
        Separators::Slash => text.to_owned(),
        Separators::BothSlashes => text.replace('\\', "/"),
    };
    if text.starts_with('/') {
        return Err(EntryError::Absolute);
    }
    if matches!(text.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic()) {
        return Err(EntryError::Drive);
    }
    let names: Vec<&str> = text.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    if names.contains(&"..") {
        return Err(EntryError::Parent);
    }
    if names.iter().any(|name| name.len() > limits.name) {
        return Err(EntryError::LongName(limits.name));
    }
    Ok(EntryPath(names.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized_and_files_that_systems_add_are_left_out() {
        let limits = TreeLimits { name: 10, path: 20, ..TreeLimits::default() };
        let path = |text: &str, separators| check(text.as_bytes(), separators, &limits);
        for (text, expected, is_left_out) in [
            ("a", "a", false),
            ("./a", "a", false),
            ("a//b/./c/", "a/b/c", false),
            ("./", "", false),
            ("...", "...", false),
            ("ab:c", "ab:c", false),
            ("\u{fc}", "\u{fc}", false),
            ("1234567890/123456789", "1234567890/123456789", false),
            ("DS_Store", "DS_Store", false),
            ("__MACOSX.c", "__MACOSX.c", false),
            ("a/_.b", "a/_.b", false),
            (".gitignore", ".gitignore", false),
            ("__MACOSX/a", "__MACOSX/a", true),
            ("__MACOSX/", "__MACOSX", true),
            ("a/.DS_Store", "a/.DS_Store", true),
            ("a/Thumbs.db", "a/Thumbs.db", true),
            ("a/._b.py", "a/._b.py", true),
            ("._b/c", "._b/c", true),
        ] {
            let path = path(text, Separators::Slash).unwrap();
            assert_eq!((&*path.0, path.is_left_out()), (expected, is_left_out), "{text}");
        }
        assert_eq!(path("a\\b/c\\", Separators::BothSlashes).unwrap().0, "a/b/c");
        assert_eq!(path("a\\..\\b", Separators::BothSlashes), Err(EntryError::Parent));
        assert_eq!(path("12345678901", Separators::Slash), Err(EntryError::LongName(10)));
        assert_eq!(path("123456789/123456789/1", Separators::Slash), Err(EntryError::LongPath(20)));
    }
}
