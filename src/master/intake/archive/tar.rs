//! Reads a tar, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use ::tar::{Archive, Entry, EntryType, PaxExtensions};
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;

use super::destination::{Destination, EntryPath, Executable, Separators};
use super::error::{ArchiveError, CUT, DECODER_MEMORY, EntryError, EntryName};
use super::{Compression, TELLING, is_tar, longest_archive};
use crate::league::preparation::TreeLimits;

/// Maximum size of an extension header in bytes; honest archives need a few hundred.
const LONGEST_HEADER: u64 = 1 << 16;
const WRONG_HEADER: ArchiveError = ArchiveError::Damaged("its extension headers are invalid");
const TRAILING: ArchiveError = ArchiveError::Damaged("it has data after its end");

/// Unpacks a tar, which may be compressed as a single member or stream with nothing after it.
pub(super) fn unpack(
    file: &File,
    by: Compression,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    let mut compressed = BufReader::with_capacity(1 << 16, file);
    let mut decoder: Box<dyn Read + '_> = match by {
        Compression::None => Box::new(&mut compressed),
        Compression::Gzip => Box::new(GzDecoder::new(&mut compressed)),
        Compression::Bzip2 => Box::new(BzDecoder::new(&mut compressed)),
        Compression::Xz => Box::new(XzReader::new_mem_limit(&mut compressed, false, (DECODER_MEMORY >> 10) as u32)),
    };
    let mut first = Vec::new();
    decoder.by_ref().take(TELLING as u64).read_to_end(&mut first).map_err(ArchiveError::of_read)?;
    if !is_tar(&first) {
        return Err(ArchiveError::CompressedFile(by.into()));
    }
    let source = &mut first.chain(&mut decoder);
    let mut stream = Stream { source, left: longest_archive(limits), limits, ended: false };
    let unpacked = unpack_entries(Archive::new(&mut stream), destination, limits);
    // A truncated archive may look damaged in other ways.
    if stream.ended && !matches!(&unpacked, Err(error) if error.is_machine_fault()) {
        return Err(ArchiveError::Damaged(CUT));
    }
    unpacked?;
    stream.finish()?;
    drop(decoder);
    let rest = compressed.fill_buf().map_err(ArchiveError::of_read)?;
    if rest.is_empty() { Ok(()) } else { Err(TRAILING) }
}

/// Metadata for the next entry. Times, owners and the like are ignored.
#[derive(Debug, Default)]
struct Metadata {
    /// Path that replaces the path in the header.
    path: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

/// Unpacks all entries up to the block of zeros at the end.
fn unpack_entries(
    mut archive: Archive<&mut Stream>,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    let mut metadata = Metadata::default();
    // Raw mode returns extension headers as entries: the crate would read them whatever their size.
    for entry in archive.entries().map_err(ArchiveError::of_read)?.raw(true) {
        let mut entry = entry.map_err(ArchiveError::of_read)?;
        match entry.header().entry_type() {
            EntryType::XHeader => metadata.add(&extension_header(&mut entry)?)?,
            EntryType::GNULongName => {
                let mut name = extension_header(&mut entry)?;
                name.pop_if(|last| *last == 0);
                metadata.path = Some(name);
            }
            // Metadata of all entries, and the target of a link, which will be refused.
            EntryType::XGlobalHeader | EntryType::GNULongLink => drop(extension_header(&mut entry)?),
            _ => unpack_entry(&mut entry, &std::mem::take(&mut metadata), destination, limits)?,
        }
    }
    Ok(())
}

fn extension_header(entry: &mut impl Read) -> Result<Vec<u8>, ArchiveError> {
    let mut bytes = Vec::new();
    entry.take(LONGEST_HEADER + 1).read_to_end(&mut bytes).map_err(ArchiveError::of_read)?;
    if bytes.len() as u64 > LONGEST_HEADER { Err(WRONG_HEADER) } else { Ok(bytes) }
}

impl Metadata {
    /// Adds the records of an extended header (pax).
    fn add(&mut self, records: &[u8]) -> Result<(), ArchiveError> {
        for record in PaxExtensions::new(records) {
            let record = record.map_err(|_| WRONG_HEADER)?;
            match record.key_bytes() {
                b"path" => self.path = Some(record.value_bytes().to_vec()),
                b"size" => {
                    let size = record.value().ok().and_then(|size| size.parse().ok());
                    self.size = Some(size.ok_or(WRONG_HEADER)?);
                }
                key => self.is_sparse |= key.starts_with(b"GNU.sparse."),
            }
        }
        Ok(())
    }
}

fn unpack_entry(
    entry: &mut Entry<&mut Stream>,
    metadata: &Metadata,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    let header = entry.header();
    let in_header = header.path_bytes();
    let bytes = metadata.path.as_deref().unwrap_or(&in_header);
    let refused = |why| Err(ArchiveError::Entry(EntryName::new(bytes), why));
    let path = EntryPath::parse(bytes, Separators::Slash, limits)?;
    if path.is_left_out() {
        return destination.leave_out();
    }
    let size = header.entry_size().map_err(ArchiveError::of_read)?;
    if metadata.is_sparse {
        return refused(EntryError::Sparse);
    }
    // A size that does not fit in the header is far above the limit.
    destination.check_room(metadata.size.unwrap_or(size))?;
    if metadata.size.is_some_and(|other| other != size) {
        return Err(WRONG_HEADER);
    }
    match header.entry_type() {
        // In old tars, a trailing slash makes an entry a folder.
        EntryType::Directory if size > 0 => refused(EntryError::FullFolder),
        EntryType::Regular if bytes.ends_with(b"/") && size > 0 => refused(EntryError::FullFolder),
        EntryType::Directory => destination.folder(&path),
        EntryType::Regular if bytes.ends_with(b"/") => destination.folder(&path),
        EntryType::Regular | EntryType::Continuous => {
            let mode = header.mode().map_err(ArchiveError::of_read)?;
            let written = destination.file(&path, entry, Executable::by_mode(mode))?;
            if written == size { Ok(()) } else { Err(ArchiveError::Damaged(CUT)) }
        }
        EntryType::Symlink => refused(EntryError::SymbolicLink),
        EntryType::Link => refused(EntryError::HardLink),
        EntryType::GNUSparse => refused(EntryError::Sparse),
        EntryType::Char | EntryType::Block => refused(EntryError::Special("a device")),
        EntryType::Fifo => refused(EntryError::Special("a named pipe")),
        _ => refused(EntryError::Special("a file of an unknown kind")),
    }
}

/// Uncompressed bytes of a tar, up to a limit.
struct Stream<'a> {
    source: &'a mut dyn Read,
    left: u64,
    limits: &'a TreeLimits,
    ended: bool,
}

impl Stream<'_> {
    /// Reads everything after the last entry, where only zeros may follow. In a compressed tar, this verifies the
    /// checksum.
    fn finish(mut self) -> Result<(), ArchiveError> {
        let mut piece = [0; 4096];
        loop {
            match self.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(count) if piece[..count].iter().all(|&byte| byte == 0) => {}
                Ok(_) => return Err(TRAILING),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ArchiveError::of_read(error)),
            }
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.ended |= count == 0 && !buffer.is_empty();
        let left = self.left.checked_sub(count as u64);
        self.left = left.ok_or_else(|| io::Error::other(ArchiveError::TooBig(self.limits.bytes)))?;
        Ok(count)
    }
}
