//! Reads a tar, compressed or not.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `stream` | how much is read, and does the tar end correctly? |
//! | `metadata` | what do extension headers say about the next entry? |

mod metadata;
mod stream;

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use ::tar::{Archive, Entry, EntryType};
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;

use super::destination::{Destination, Executable};
use super::entry_path::{EntryPath, Separators};
use super::error::DECODER_MEMORY;
use super::kind::{Compression, TELLING, is_tar};
use super::{ArchiveError, Damage, EntryError, EntryName, TreeLimits};
use metadata::Metadata;
use stream::Stream;

/// Unpacks a tar.
pub(super) fn unpack(file: &File, destination: &mut Destination, limits: &TreeLimits) -> Result<(), ArchiveError> {
    unpack_stream(&mut BufReader::with_capacity(1 << 16, file), destination, limits)
}

/// Unpacks a tar compressed as a single member or stream with nothing after it.
pub(super) fn unpack_compressed(
    file: &File,
    by: Compression,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    let compressed = BufReader::with_capacity(1 << 16, file);
    let mut compressed = match by {
        Compression::Gzip => {
            let mut decoder = GzDecoder::new(compressed);
            unpack_decoded(&mut decoder, by, destination, limits)?;
            decoder.into_inner()
        }
        Compression::Bzip2 => {
            let mut decoder = BzDecoder::new(compressed);
            unpack_decoded(&mut decoder, by, destination, limits)?;
            decoder.into_inner()
        }
        Compression::Xz => {
            let mut decoder = XzReader::new_mem_limit(compressed, false, (DECODER_MEMORY >> 10) as u32);
            unpack_decoded(&mut decoder, by, destination, limits)?;
            decoder.into_inner()
        }
    };
    let rest = compressed.fill_buf().map_err(ArchiveError::of_read)?;
    if rest.is_empty() { Ok(()) } else { Err(ArchiveError::Damaged(Damage::Trailing)) }
}

fn unpack_decoded(
    decoder: &mut dyn Read,
    by: Compression,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    let mut first = Vec::new();
    decoder.take(TELLING as u64).read_to_end(&mut first).map_err(ArchiveError::of_read)?;
    if !is_tar(&first) {
        return Err(ArchiveError::CompressedFile(by.name()));
    }
    unpack_stream(&mut first.chain(decoder), destination, limits)
}

fn unpack_stream(
    source: &mut dyn Read,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    let mut stream = Stream::new(source, limits);
    let unpacked = unpack_entries(Archive::new(&mut stream), destination, limits);
    // A truncated archive may look damaged in other ways.
    if stream.ended && !matches!(&unpacked, Err(error) if error.is_machine_fault()) {
        return Err(ArchiveError::Damaged(Damage::Cut));
    }
    unpacked?;
    stream.finish()
}

/// Unpacks all entries up to the block of zeros at the end.
fn unpack_entries(
    mut archive: Archive<&mut Stream>,
    destination: &mut Destination,
    limits: &TreeLimits,
) -> Result<(), ArchiveError> {
    let mut metadata = Metadata::default();
    // Raw mode returns extension headers as entries, so that their size can be checked.
    for entry in archive.entries().map_err(ArchiveError::of_read)?.raw(true) {
        let mut entry = entry.map_err(ArchiveError::of_read)?;
        match entry.header().entry_type() {
            EntryType::XHeader => metadata.add_records(&mut entry)?,
            EntryType::XGlobalHeader => metadata::check_global(&mut entry)?,
            EntryType::GNULongName => metadata.add_long_name(&mut entry)?,
            // The target of a link, which will be refused.
            EntryType::GNULongLink => metadata::skip(&mut entry)?,
            _ => unpack_entry(&mut entry, &std::mem::take(&mut metadata), destination, limits)?,
        }
    }
    if metadata.is_empty() { Ok(()) } else { Err(ArchiveError::Damaged(Damage::Metadata)) }
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
    // A size that does not fit in the header is far above the limit.
    if metadata.size.is_some_and(|other| other != size) {
        return refused(EntryError::Contradiction("size"));
    }
    if metadata.sparse {
        return refused(EntryError::Sparse);
    }
    match header.entry_type() {
        // In old tars, a trailing slash makes an entry a folder.
        EntryType::Directory if size > 0 => refused(EntryError::FullFolder),
        EntryType::Regular if bytes.ends_with(b"/") && size > 0 => refused(EntryError::FullFolder),
        EntryType::Directory => destination.folder(&path),
        EntryType::Regular if bytes.ends_with(b"/") => destination.folder(&path),
        EntryType::Regular | EntryType::Continuous => {
            destination.check_room(size)?;
            let mode = header.mode().map_err(ArchiveError::of_read)?;
            let written = destination.file(&path, entry, Executable::by_mode(mode))?;
            if written == size { Ok(()) } else { Err(ArchiveError::Damaged(Damage::Cut)) }
        }
        EntryType::Symlink => refused(EntryError::SymbolicLink),
        EntryType::Link => refused(EntryError::HardLink),
        EntryType::GNUSparse => refused(EntryError::Sparse),
        EntryType::Char | EntryType::Block => refused(EntryError::Special("a device")),
        EntryType::Fifo => refused(EntryError::Special("a named pipe")),
        _ => refused(EntryError::Special("a file of an unknown kind")),
    }
}
