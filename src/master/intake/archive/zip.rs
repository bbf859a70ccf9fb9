//! Reads a zip by its directory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use zip::read::ZipFileEntry;
use zip::result::ZipError;
use zip::{CompressionMethod, System, ZipArchive, ZipReadOptions};

use super::destination::{Destination, EntryPath, Executable, Separators};
use super::error::{ArchiveError, EntryError, EntryName};
use crate::league::preparation::TreeLimits;

/// Bytes of the directory per entry: a header, a name and a few dates. The crate keeps the whole directory in memory.
const PER_ENTRY: u64 = 512;
/// Bytes for a comment and the search for the end of the directory.
const ONCE: u64 = 1 << 20;

/// A file of which only so many bytes are read.
struct Bounded<'a> {
    file: &'a File,
    left: u64,
    limits: &'a TreeLimits,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        let left = self.left.checked_sub(count as u64);
        self.left = left.ok_or_else(|| io::Error::other(ArchiveError::TooMany(self.limits.entries)))?;
        Ok(count)
    }
}

impl Seek for Bounded<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

pub(super) fn unpack(mut file: &File, destination: &mut Destination, limits: &TreeLimits) -> Result<(), ArchiveError> {
    let left = limits.entries.saturating_mul(PER_ENTRY).saturating_add(ONCE);
    let archive = ZipArchive::new(Bounded { file, left, limits }).map_err(of_zip)?;
    let directory = archive.metadata();
    if directory.len() as u64 > limits.entries {
        return Err(ArchiveError::TooMany(limits.entries));
    } else if directory.has_duplicate_names() {
        return Err(ArchiveError::Damaged("it has a file twice"));
    }
    let entries = || (0..directory.len()).map(|number| directory.entry(number).map_err(of_zip));
    // Checked before anything is written. These sizes are not trusted: the bytes actually read are counted as well.
    let total = entries().try_fold(0, |total: u64, entry| Ok(total.saturating_add(entry?.size())))?;
    destination.check_room(total)?;
    for entry in entries() {
        unpack_entry(entry?, &mut file, destination, limits)?;
    }
    Ok(())
}

fn unpack_entry(
    entry: ZipFileEntry,
    file: &mut &File,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    // By the format, names without a mark for UTF-8 are in CP437. Other tools write UTF-8 without the mark.
    let text = entry.name().map_err(of_zip)?;
    if text.as_bytes() != entry.name_raw() {
        destination.note("names that are not UTF-8 were read as CP437, the code page of the zip format");
    }
    let name = EntryName::new(text.as_bytes());
    let refused = |why| Err(ArchiveError::Entry(name.clone(), why));
    // Old Windows tools write backslashes, contrary to the format, and no modes.
    let is_windows = matches!(entry.system(), System::Dos | System::WindowsNTFS | System::VFAT);
    let separators = if is_windows { Separators::BothSlashes } else { Separators::Slash };
    let path = EntryPath::parse(text.as_bytes(), separators, limits)?;
    if path.is_left_out() {
        return destination.leave_out();
    }
    if entry.encrypted() || entry.compression() == CompressionMethod::AES {
        return refused(EntryError::Encrypted);
    }
    match entry.compression() {
        CompressionMethod::Stored | CompressionMethod::Deflated => {}
        CompressionMethod::DEFLATE64 => return refused(EntryError::Method("deflate64")),
        CompressionMethod::BZIP2 => return refused(EntryError::Method("bzip2")),
        CompressionMethod::LZMA => return refused(EntryError::Method("LZMA")),
        CompressionMethod::ZSTD => return refused(EntryError::Method("zstd")),
        CompressionMethod::XZ => return refused(EntryError::Method("xz")),
        CompressionMethod::PPMD => return refused(EntryError::Method("PPMd")),
        _ => return refused(EntryError::Method("an uncommon method")),
    }
    let mode = entry.external_attributes() >> 16;
    let is_folder = entry.name_raw().ends_with(b"/") || is_windows && entry.name_raw().ends_with(b"\\");
    match mode & 0o170_000 {
        0o040_000 if entry.size() > 0 => return refused(EntryError::FullFolder),
        0 | 0o100_000 if is_folder && entry.size() > 0 => return refused(EntryError::FullFolder),
        0o040_000 => return destination.folder(&path),
        0 | 0o100_000 if is_folder => return destination.folder(&path),
        0 | 0o100_000 => {}
        0o120_000 => return refused(EntryError::SymbolicLink),
        0o020_000 | 0o060_000 => return refused(EntryError::Special("a device")),
        0o010_000 => return refused(EntryError::Special("a named pipe")),
        0o140_000 => return refused(EntryError::Special("a socket")),
        _ => return refused(EntryError::Special("a file of an unknown kind")),
    }
    // Modes written on Windows carry little or no information.
    let is_known = mode != 0 && (!is_windows || mode & 0o111 != 0);
    let executable = if is_known { Executable::by_mode(mode) } else { Executable::ByContent };
    let size = entry.size();
    let mut content = entry.with_reader(file, ZipReadOptions::new()).map_err(|error| match error {
        ZipError::Io(error) => ArchiveError::of_content(name.clone(), error),
        _ => ArchiveError::Entry(name.clone(), EntryError::Damaged),
    })?;
    let written = destination.file(&path, &mut content, executable)?;
    if written == size { Ok(()) } else { refused(EntryError::Damaged) }
}

fn of_zip(error: ZipError) -> ArchiveError {
    match error {
        ZipError::Io(error) => ArchiveError::of_read(error),
        ZipError::UnsupportedArchive(_) => ArchiveError::OneOfSeveral,
        _ => ArchiveError::Damaged("its directory is missing or invalid"),
    }
}
