//! Hash of an agent's files.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Trouble;

/// Hashes a file, or everything in a folder: paths, kinds, permissions and contents. Does not follow links; the content
/// of a link is its target.
pub(crate) fn hash(top: &Path) -> Result<String, Trouble> {
    let mut hash = Sha256::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(path) = waiting.pop() {
        let inside = path.strip_prefix(top).unwrap_or(&path);
        let below = add(&mut hash, inside, &path).map_err(|error| Trouble::Unreadable(path, error))?;
        waiting.extend(below);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Adds a path; returns the entries of a folder in reverse order.
fn add(hash: &mut Sha256, inside: &Path, path: &Path) -> io::Result<Vec<PathBuf>> {
    let about = fs::symlink_metadata(path)?;
    let (kind, mode) = (about.file_type(), about.permissions().mode() & 0o7777);
    let mut below = Vec::new();
    let letter = match kind {
        _ if kind.is_dir() => 'd',
        _ if kind.is_file() => 'f',
        _ if kind.is_symlink() => 'l',
        _ => 's',
    };
    // Each part is preceded by its length, so that different folders never yield the same bytes.
    let name = inside.as_os_str().as_bytes();
    hash.update(format!("{letter} {mode:o} {} ", name.len()));
    hash.update(name);
    if kind.is_dir() {
        below = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        below.sort_by(|a, b| b.cmp(a));
    } else if kind.is_symlink() {
        let target = fs::read_link(path)?;
        hash.update(format!("{} ", target.as_os_str().len()));
        hash.update(target.as_os_str().as_bytes());
    } else if kind.is_file() {
        hash.update(format!("{} ", about.len()));
        io::copy(&mut File::open(path)?, &mut Sink(hash))?;
    }
    Ok(below)
}

/// Writer that hashes its input.
struct Sink<'a>(&'a mut Sha256);

impl io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
