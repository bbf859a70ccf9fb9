//! Hash of an agent's files.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::walk::{Node, NodeKind, Origin, TreeError, Walk};
use crate::hash::in_hex;
use crate::league::preparation::TreeLimits;

/// Hashes a file, or everything in a folder: paths, kinds, permissions and contents. Does not follow links; the content
/// of a link is its target.
///
/// # Errors
/// The files exceed the limits or cannot be read, or a link leads out of the folder.
pub(crate) fn hash(top: &Path, limits: &TreeLimits) -> Result<String, TreeError> {
    let mut hash = Sha256::new();
    let walk = Walk { top, origin: Origin::HandedIn, limits, except: None };
    walk.each(|node| add(&mut hash, node).map_err(|error| TreeError::Unreadable(node.path.clone(), error)))?;
    Ok(in_hex(&hash.finalize()))
}

/// Combines a hash with the contents of these files.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn with_files(hash: &str, files: &[PathBuf]) -> Result<String, String> {
    let mut all = Sha256::new_with_prefix(hash);
    for path in files {
        let read = File::open(path).and_then(|mut file| io::copy(&mut file, &mut Sink(&mut all)));
        let length = read.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        all.update(format!(" {length} "));
    }
    Ok(in_hex(&all.finalize()))
}

fn add(hash: &mut Sha256, node: &Node) -> io::Result<()> {
    let letter = match node.kind {
        NodeKind::Folder => 'd',
        NodeKind::File => 'f',
        NodeKind::Link(_) => 'l',
        NodeKind::Special(_) => 's',
    };
    let (name, mode) = (node.inside.as_os_str().as_bytes(), node.about.permissions().mode() & 0o7777);
    // Each part is preceded by its length, so that different folders never yield the same bytes.
    hash.update(format!("{letter} {mode:o} {} ", name.len()));
    hash.update(name);
    match &node.kind {
        NodeKind::Link(target) => {
            hash.update(format!("{} ", target.as_os_str().len()));
            hash.update(target.as_os_str().as_bytes());
        }
        NodeKind::File => {
            hash.update(format!("{} ", node.about.len()));
            io::copy(&mut node.open()?.take(node.about.len()), &mut Sink(hash))?;
        }
        NodeKind::Folder | NodeKind::Special(_) => {}
    }
    Ok(())
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
