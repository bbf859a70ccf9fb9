//! Tests that unpack honest and hostile archives.

mod honest;
mod hostile;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ::zip::ZipWriter;
use ::zip::write::SimpleFileOptions;
use bzip2::write::BzEncoder;
use flate2::Crc;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
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
        unpacked.map(|_| listing(&self.target()))
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

/// An entry of an archive. No packer need write such names and modes.
#[derive(Clone)]
struct Item {
    name: Vec<u8>,
    /// Kind and permissions, as `stat` has them.
    mode: u32,
    content: Vec<u8>,
}

fn item(name: impl AsRef<[u8]>, mode: u32, content: impl AsRef<[u8]>) -> Item {
    Item { name: name.as_ref().to_vec(), mode, content: content.as_ref().to_vec() }
}

/// Host systems of zips.
const UNIX: u8 = 3;
const WINDOWS: u8 = 0;

fn zip(items: &[Item]) -> Vec<u8> {
    zip_from(UNIX, items)
}

/// A zip from this system. The crate writes other names, which are replaced.
fn zip_from(system: u8, items: &[Item]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, item) in items.iter().enumerate() {
        let length = item.name.len();
        let name = if length == 0 { String::new() } else { format!("{number:0length$}") };
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(&item.content).unwrap();
    }
    let mut bytes = writer.finish().unwrap().into_inner();
    for (number, item) in items.iter().enumerate() {
        let header = header_of(&bytes, number);
        let before = u32::from_le_bytes(bytes[header + 42..header + 46].try_into().unwrap()) as usize;
        bytes[header + 5] = system;
        bytes[header + 38..header + 42].copy_from_slice(&(item.mode << 16).to_le_bytes());
        for name in [header + 46, before + 30] {
            bytes[name..name + item.name.len()].copy_from_slice(&item.name);
        }
    }
    bytes
}

/// Place of an entry's header in the directory of a zip.
fn header_of(zip: &[u8], number: usize) -> usize {
    let start = zip.len() - 22;
    let mut header = u32::from_le_bytes(zip[start + 16..start + 20].try_into().unwrap()) as usize;
    for _ in 0..number {
        let length = |field: usize| usize::from(u16::from_le_bytes([zip[header + field], zip[header + field + 1]]));
        header += 46 + length(28) + length(30) + length(32);
    }
    header
}

/// Replaces bytes in the header of the last of `items` entries in the directory of a zip.
fn edited(mut zip: Vec<u8>, items: usize, field: usize, new: &[u8]) -> Vec<u8> {
    let place = header_of(&zip, items - 1) + field;
    zip[place..place + new.len()].copy_from_slice(new);
    zip
}

/// Builds a tar entry with its padding; `kind` is the letter of its type.
fn tar_entry(kind: u8, name: impl AsRef<[u8]>, mode: u32, content: &[u8]) -> Vec<u8> {
    let mut header = ::tar::Header::new_ustar();
    let name = name.as_ref();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.as_old_mut().linkname[..4].copy_from_slice(b"/etc");
    header.set_entry_type(::tar::EntryType::new(kind));
    header.set_mode(mode);
    header.set_size(content.len() as u64);
    header.set_cksum();
    let padding = vec![0; content.len().next_multiple_of(512) - content.len()];
    [header.as_bytes(), content, &padding].concat()
}

/// Builds the entries of a tar for an item: two for a long name.
fn tar_item(Item { name, mode, content }: &Item) -> Vec<u8> {
    let kind = match mode >> 12 {
        0o12 => b'2',
        0o04 => b'5',
        0o02 => b'3',
        0o06 => b'4',
        0o01 => b'6',
        _ => b'0',
    };
    if name.len() <= 100 {
        return tar_entry(kind, name, mode & 0o7777, content);
    }
    [tar_entry(b'L', "././@LongLink", 0, name), tar_entry(kind, "short", mode & 0o7777, content)].concat()
}

/// Changes the header at the start of a tar entry.
fn with_header(mut entry: Vec<u8>, change: impl Fn(&mut ::tar::Header)) -> Vec<u8> {
    let mut header = ::tar::Header::from_byte_slice(&entry[..512]).clone();
    change(&mut header);
    header.set_cksum();
    entry[..512].copy_from_slice(header.as_bytes());
    entry
}

/// Builds the records of a pax header.
fn records(records: &[(&str, &str)]) -> Vec<u8> {
    let one = |(key, value): &(&str, &str)| {
        let rest = format!(" {key}={value}\n");
        let length = (1..).find(|length: &usize| length.to_string().len() + rest.len() == *length).unwrap();
        format!("{length}{rest}").into_bytes()
    };
    records.iter().flat_map(one).collect()
}

/// Builds a tar of these entries.
fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    [entries.concat(), vec![0; 1024]].concat()
}

fn tar_of(items: &[Item]) -> Vec<u8> {
    tar(&items.iter().map(tar_item).collect::<Vec<_>>())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Sets the size of the dictionary that the first block of an xz asks for, as the format encodes it.
fn with_dictionary(mut xz: Vec<u8>, size: u8) -> Vec<u8> {
    const BLOCK: usize = 12;
    let checksum = BLOCK + usize::from(xz[BLOCK]) * 4;
    assert_eq!(xz[BLOCK + 2..BLOCK + 4], [0x21, 1], "LZMA2 with one byte of properties");
    xz[BLOCK + 4] = size;
    let mut crc = Crc::new();
    crc.update(&xz[BLOCK..checksum]);
    xz[checksum..checksum + 4].copy_from_slice(&crc.sum().to_le_bytes());
    xz
}
