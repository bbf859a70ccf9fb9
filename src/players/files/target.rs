//! Early checks of output files: an error before hours of work is better than one after.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::identity::{FileId, StandardStream};
use super::{cannot_write, folder_of};

/// Number of leading bytes that identify a file's kind.
const LONGEST_START: u64 = 4096;

/// Kind of file that a program writes and may replace.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// Name in messages: `a weights file`.
    pub name: &'static str,
    /// Returns `true` if a file with these leading bytes is of this kind.
    pub is_start: fn(&[u8]) -> bool,
}

/// Checks that a file of this kind can be written at `path`, and that it would replace only an empty file or one of its
/// kind.
///
/// # Errors
/// The folder does not exist; `path` is a folder, a device or a pipe, or the file behind standard output or standard
/// error; or an existing file is of another kind.
pub fn check_target(path: &Path, kind: FileKind) -> Result<()> {
    let shown = path.display();
    let there = fs::metadata(path);
    ensure!(!there.as_ref().is_ok_and(Metadata::is_dir), "{}: it is a folder", cannot_write(path));
    let folder = folder_of(path);
    let is_folder = fs::metadata(folder).with_context(|| cannot_write(path))?.is_dir();
    ensure!(is_folder, "{}: {} is not a folder", cannot_write(path), folder.display());
    let Ok(there) = there else { return Ok(()) };
    ensure!(there.is_file(), "{}: not a regular file", cannot_write(path));
    for stream in [StandardStream::Output, StandardStream::Error] {
        let is_stream = FileId::of_stream(stream).is_some_and(|id| FileId::of(path) == Some(id));
        ensure!(!is_stream, "{shown} is {stream}: expected another file");
    }
    let mut start = Vec::new();
    if there.len() > 0 {
        let read = File::open(path).and_then(|file| file.take(LONGEST_START).read_to_end(&mut start));
        read.with_context(|| format!("cannot read {shown}, which would be replaced"))?;
        ensure!(
            (kind.is_start)(&start),
            "{shown}: found something else, expected {}, which would be replaced, or a new file",
            kind.name
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_its_kind_is_replaced_and_no_other() {
        const KIND: FileKind = FileKind { name: "a weights file", is_start: |start| start.starts_with(b"weights") };
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [("empty", ""), ("old", "weights 1"), ("other", "mine"), ("short", "weight")] {
            fs::write(path(name), text).unwrap();
        }
        for name in ["empty", "old", "new"] {
            check_target(&path(name), KIND).unwrap();
        }
        let error = |name: &str| format!("{:#}", check_target(&path(name), KIND).unwrap_err());
        for name in ["other", "short"] {
            assert!(
                error(name)
                    .ends_with("found something else, expected a weights file, which would be replaced, or a new file")
            );
        }
        assert!(error("").ends_with("it is a folder") && error("old/new").ends_with("old is not a folder"));
        assert!(error("none/new").contains("cannot write"));
    }
}
