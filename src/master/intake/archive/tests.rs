//! Tests that unpack honest and hostile archives.

mod forge;
mod honest;
mod hostile;
mod mutated;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{ArchiveError, TreeLimits, unpack};

/// Contents of a folder by path: the mode, and the bytes of files.
type Listing = BTreeMap<String, (u32, Option<Vec<u8>>)>;

/// A folder containing an archive, inside folders that must not change.
struct Unpacking {
    around: TempDir,
}

impl Unpacking {
    fn new(archive: &[u8]) -> Unpacking {
        let around = tempfile::tempdir().unwrap();
        let unpacking = Unpacking { around };
        fs::create_dir_all(unpacking.folder()).unwrap();
        fs::write(unpacking.archive(), archive).unwrap();
        unpacking
    }

    /// Nested deeply enough for `../../..`.
    fn folder(&self) -> PathBuf {
        self.around.path().join("a/b/c")
    }

    fn archive(&self) -> PathBuf {
        self.folder().join("archive.zip")
    }

    fn target(&self) -> PathBuf {
        self.folder().join("into")
    }

    /// Unpacks the archive and checks that nothing else changes, and nothing at all if the archive is refused.
    fn unpack(&self, limits: &TreeLimits) -> Result<Listing, ArchiveError> {
        let before = listing(self.around.path());
        let unpacked = unpack(&self.archive(), &self.target(), limits);
        let mut after = listing(self.around.path());
        if unpacked.is_ok() {
            after.retain(|path, _| path != "a/b/c/into" && !path.starts_with("a/b/c/into/"));
        }
        assert_eq!(after, before);
        unpacked.map(|()| listing(&self.target()))
    }
}

/// Lists a folder, which must contain only files and folders.
fn listing(folder: &Path) -> Listing {
    let mut found = Listing::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            assert!(about.is_file() || about.is_dir(), "{}", path.display());
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let content = about.is_file().then(|| fs::read(&path).unwrap());
            found.insert(name, (about.permissions().mode() & 0o7777, content));
            if about.is_dir() {
                folders.push(path);
            }
        }
    }
    found
}

/// Expects the archive to be refused for a reason that contains this text.
fn expect_refused(what: &str, archive: &[u8], limits: &TreeLimits, text: &str) {
    let error = match Unpacking::new(archive).unpack(limits) {
        Ok(listing) => panic!("{what}: unpacked {listing:?}"),
        Err(error) => error,
    };
    assert!(error.to_string().contains(text), "{what}: {error}, expected {text}");
    assert!(!error.is_machine_fault(), "{what}: {error}");
}

/// Expects the archive to unpack to these paths, with their modes and contents; folders have no content.
fn expect_unpacked(archive: &[u8], expected: &[(&str, u32, &str)]) {
    let listing = Unpacking::new(archive).unpack(&TreeLimits::default()).unwrap();
    let expected = expected.iter().map(|&(path, mode, content)| match path.strip_suffix('/') {
        Some(folder) => (folder.to_owned(), (mode, None)),
        None => (path.to_owned(), (mode, Some(content.as_bytes().to_vec()))),
    });
    assert_eq!(listing, expected.collect::<Listing>());
}

/// Limits low enough for a hostile archive to reach.
const SMALL: TreeLimits = TreeLimits { bytes: 1 << 20, entries: 50, depth: 4, name: 50, path: 120 };
