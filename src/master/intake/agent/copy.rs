//! Copies of an agent's files.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{SeekFrom as SeekTo, seek};
use sha2::{Digest, Sha256};

use super::walk::{Node, NodeKind, Origin, TreeError, Walk};
use crate::hash::in_hex;
use crate::league::preparation::TreeLimits;

/// Limits that allow whatever the file system allows.
const ANY: TreeLimits =
    TreeLimits { bytes: u64::MAX, entries: u64::MAX, depth: usize::MAX, name: usize::MAX, path: usize::MAX };

/// Copies files that have been checked at intake; see [`copy_within`].
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let walk = Walk { top: from, origin: Origin::Checked, limits: &ANY, except: None };
    copy_within(walk, to).map_err(io::Error::other)
}

/// Copies a single file, or the files, folders and links in a folder, into the folder `to`. Anyone can read the copy,
/// but only its owner can write to it. Drops set-user-ID bits and extended attributes. Holes in files stay holes.
/// Redirects absolute links into the folder to the copy. Skips sockets, pipes and devices.
pub(crate) fn copy_within(walk: Walk, to: &Path) -> Result<(), TreeError> {
    walk.each(|node| {
        let is_top = node.inside.as_os_str().is_empty();
        let target = if is_top { to.to_owned() } else { to.join(&node.inside) };
        let unwritable = |error| TreeError::Unwritable(target.clone(), error);
        match &node.kind {
            NodeKind::Folder => make_folder(&target).map_err(unwritable),
            NodeKind::File if is_top => {
                make_folder(to).map_err(unwritable)?;
                copy_file(node, &to.join(node.path.file_name().unwrap_or_default()))
            }
            NodeKind::File => copy_file(node, &target),
            NodeKind::Link(leads_to) => {
                // Relative, since the copy may be moved.
                let up = || node.inside.components().skip(1).map(|_| "..").collect::<PathBuf>();
                let own = leads_to.strip_prefix(walk.top).map(|inside| up().join(inside));
                let own = own.map(|path| if path.as_os_str().is_empty() { ".".into() } else { path });
                symlink(own.unwrap_or_else(|_| leads_to.clone()), &target).map_err(unwritable)
            }
            NodeKind::Special(_) => Ok(()),
        }
    })
}

fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o755))
}

fn copy_file(node: &Node, to: &Path) -> Result<(), TreeError> {
    let source = node.open().map_err(|error| TreeError::Unreadable(node.path.clone(), error))?;
    let copy = || {
        let mut target = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
        copy_content(&source, &mut target, node.about.len())?;
        let mode = if node.about.permissions().mode() & 0o111 == 0 { 0o644 } else { 0o755 };
        target.set_permissions(Permissions::from_mode(mode))
    };
    copy().map_err(|error| TreeError::Unwritable(to.to_owned(), error))
}

/// Copies the first `length` bytes, except holes.
fn copy_content(mut source: &File, target: &mut File, length: u64) -> io::Result<()> {
    let mut at = 0;
    while at < length {
        let data = match seek(source, SeekTo::Data(at)) {
            // The rest is a hole.
            Err(rustix::io::Errno::NXIO) => break,
            // The file system does not know.
            Err(_) => at,
            Ok(data) => data,
        };
        let end = seek(source, SeekTo::Hole(data)).unwrap_or(length).min(length);
        if end <= data {
            break;
        }
        source.seek(SeekFrom::Start(data))?;
        target.seek(SeekFrom::Start(data))?;
        io::copy(&mut source.take(end - data), target)?;
        at = end;
    }
    target.set_len(length)
}

/// Hashes a file, or everything in a folder: paths, kinds, permissions and contents. Does not follow links; the content
/// of a link is its target.
pub(crate) fn hash(top: &Path, limits: &TreeLimits) -> Result<String, TreeError> {
    let mut hash = Sha256::new();
    let walk = Walk { top, origin: Origin::HandedIn, limits, except: None };
    walk.each(|node| add(&mut hash, node).map_err(|error| TreeError::Unreadable(node.path.clone(), error)))?;
    Ok(in_hex(&hash.finalize()))
}

/// Combines a hash with the contents of these files.
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn a_copy_has_relevant_files_and_plain_modes() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("closed/inner")).unwrap();
        for (name, mode) in [("program", 0o4700), ("notes", 0o600), ("closed/inner/data", 0o640)] {
            fs::write(from.join(name), name).unwrap();
            fs::set_permissions(from.join(name), Permissions::from_mode(mode)).unwrap();
        }
        symlink("inner/data", from.join("closed/near")).unwrap();
        symlink(from.join("notes"), from.join("far")).unwrap();
        symlink(from.join("notes"), from.join("closed/inner/farther")).unwrap();
        symlink("/usr", from.join("outside")).unwrap();
        File::create(from.join("sparse")).unwrap().set_len(1 << 30).unwrap();
        fs::set_permissions(from.join("closed"), Permissions::from_mode(0o700)).unwrap();
        nix::unistd::mkfifo(&from.join("pipe"), nix::sys::stat::Mode::S_IRUSR).unwrap();

        copy(&from, &to).unwrap();
        let mode = |name: &str| fs::symlink_metadata(to.join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!(["program", "notes", "closed", "closed/inner/data"].map(mode), [0o755, 0o644, 0o755, 0o644]);
        assert_eq!(fs::read_to_string(to.join("closed/near")).unwrap(), "closed/inner/data");
        assert_eq!(fs::read_link(to.join("far")).unwrap(), Path::new("notes"));
        assert_eq!(fs::read_to_string(to.join("closed/inner/farther")).unwrap(), "notes");
        assert_eq!(fs::read_link(to.join("outside")).unwrap(), Path::new("/usr"));
        assert!(fs::symlink_metadata(to.join("pipe")).is_err());
        let sparse = fs::metadata(to.join("sparse")).unwrap();
        assert!(sparse.len() == 1 << 30 && sparse.blocks() < 1 << 10, "{} blocks", sparse.blocks());

        copy(&from.join("notes"), &folder.path().join("single")).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("single/notes")).unwrap(), "notes");
        let missing = copy(&from.join("missing"), &to).unwrap_err();
        assert!(missing.to_string().contains("missing"), "{missing}");
    }
}
