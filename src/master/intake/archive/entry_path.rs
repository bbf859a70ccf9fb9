//! Paths of entries in the unpacked folder.

use std::ffi::OsStr;

use super::{ArchiveError, EntryError, EntryName, TreeLimits};
use kingline_players::terminal::is_deceptive;

/// Path of an entry in the unpacked folder: names joined by `/`, each safe to print on a terminal and none of them
/// empty, `.` or `..`. The folder itself has the empty path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EntryPath(String);

/// Characters that separate the names in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separators {
    Slash,
    /// Both slashes; old Windows tools write backslashes, contrary to the format.
    BothSlashes,
}

impl EntryPath {
    /// # Errors
    /// The path leads out of the folder, or has a misleading name.
    pub(super) fn parse(bytes: &[u8], separators: Separators, limits: &TreeLimits) -> Result<EntryPath, ArchiveError> {
        check(bytes, separators, limits).map_err(|why| ArchiveError::Entry(EntryName::new(bytes), why))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn name(&self) -> EntryName {
        EntryName::new(self.0.as_bytes())
    }

    /// The folders that contain it, outermost first.
    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(end, _)| &self.0[..end])
    }

    /// True if operating systems add such entries on their own.
    pub(super) fn is_left_out(&self) -> bool {
        self.0.split('/').any(|name| is_left_out(name.as_ref()))
    }
}

/// True if operating systems add entries of this name on their own.
pub fn is_left_out(name: &OsStr) -> bool {
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

    fn path(bytes: &[u8], separators: Separators) -> Result<EntryPath, EntryError> {
        check(bytes, separators, &TreeLimits { name: 10, path: 20, ..TreeLimits::default() })
    }

    #[test]
    fn paths_are_normalized() {
        for (bytes, expected) in [
            ("a", "a"),
            ("./a", "a"),
            ("a//b/./c/", "a/b/c"),
            ("./", ""),
            ("...", "..."),
            ("ab:c", "ab:c"),
            ("\u{fc}", "\u{fc}"),
        ] {
            assert_eq!(path(bytes.as_bytes(), Separators::Slash).unwrap().as_str(), expected);
        }
        assert_eq!(path(b"a\\b/c\\", Separators::BothSlashes).unwrap().as_str(), "a/b/c");
        let deep = path(b"a/b/c", Separators::Slash).unwrap();
        assert_eq!(deep.folders().collect::<Vec<_>>(), ["a", "a/b"]);
    }

    #[test]
    fn paths_that_lead_out_of_the_folder_are_refused() {
        let refused = |bytes: &[u8], separators| path(bytes, separators).unwrap_err();
        for bytes in ["..", "../a", "a/..", "a/../b"] {
            assert!(matches!(refused(bytes.as_bytes(), Separators::Slash), EntryError::Parent), "{bytes}");
            let bytes = bytes.replace('/', "\\");
            assert!(matches!(refused(bytes.as_bytes(), Separators::BothSlashes), EntryError::Parent), "{bytes}");
        }
        for bytes in ["/a", "\\a", "\\\\server\\a", "/../a"] {
            assert!(matches!(refused(bytes.as_bytes(), Separators::BothSlashes), EntryError::Absolute), "{bytes}");
        }
        for bytes in ["c:\\a", "C:a", "z:/a", "c:"] {
            assert!(matches!(refused(bytes.as_bytes(), Separators::BothSlashes), EntryError::Drive), "{bytes}");
        }
        assert!(matches!(refused(b"a\\b", Separators::Slash), EntryError::Backslash));
        assert!(matches!(refused(b"\xff", Separators::Slash), EntryError::NotUtf8));
        for bytes in ["a\0", "a\n", "\u{202e}a", "a\u{200b}"] {
            assert!(matches!(refused(bytes.as_bytes(), Separators::Slash), EntryError::Deceptive), "{bytes:?}");
        }
        assert!(matches!(refused(b"12345678901", Separators::Slash), EntryError::LongName(10)));
        assert!(matches!(refused(b"123456789/123456789/1", Separators::Slash), EntryError::LongPath(20)));
        assert!(path(b"1234567890/123456789", Separators::Slash).is_ok());
    }

    #[test]
    fn files_that_systems_add_are_left_out() {
        let left_out = |text: &str| path(text.as_bytes(), Separators::Slash).unwrap().is_left_out();
        for text in ["__MACOSX/a", "__MACOSX/", "a/.DS_Store", "a/Thumbs.db", "a/._b.py", "._b/c"] {
            assert!(left_out(text), "{text}");
        }
        for text in ["a", "DS_Store", "__MACOSX.c", "a/_.b", ".gitignore"] {
            assert!(!left_out(text), "{text}");
        }
    }
}
