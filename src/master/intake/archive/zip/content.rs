//! Content of a zip entry.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::directory::{DEFLATED, ENCRYPTED, SIZES_FOLLOW, ZipEntry};
use super::end::End;
use super::fields::{Fields, read_at};
use crate::intake::archive::{ArchiveError, EntryError};

const SIGNATURE: &[u8] = b"PK\x03\x04";
/// Length of the local header in bytes, without the name and the extra fields.
const HEADER_LENGTH: usize = 30;

/// Position of an entry, in bytes from the start of the file.
pub(super) struct Place<'a> {
    pub(super) entry: &'a ZipEntry,
    /// Start of its local header.
    pub(super) header: u64,
    /// Its packed content.
    pub(super) content: Range<u64>,
}

/// Finds the content of an entry; the local header before it must agree with the directory.
pub(super) fn find<'a>(file: &File, entry: &'a ZipEntry, end: &End) -> Result<Place<'a>, ArchiveError> {
    let outside = || entry.refused(EntryError::Outside);
    let contradiction = |what| Err(entry.refused(EntryError::Contradiction(what)));
    let name_start = entry.header.checked_add(HEADER_LENGTH as u64).filter(|&start| start <= end.start);
    let name_start = name_start.ok_or_else(outside)?;
    let header = read_at(file, entry.header, HEADER_LENGTH)?;
    let mut fields = Fields(&header);
    if !fields.skip(SIGNATURE) {
        return contradiction("place");
    }
    let _needed = fields.u16()?;
    let [flags, method] = [fields.u16()?, fields.u16()?];
    let _modified = fields.u32()?;
    let checksum = fields.u32()?;
    let [packed, size] = [fields.u32()?, fields.u32()?];
    let [name_length, extra_length] = [fields.u16()?, fields.u16()?];
    let start = name_start + u64::from(name_length) + u64::from(extra_length);
    let content = start..start.checked_add(entry.packed).filter(|&stop| stop <= end.start).ok_or_else(outside)?;
    if read_at(file, name_start, name_length.into())? != entry.name {
        return contradiction("name");
    }
    if method != entry.method || flags & ENCRYPTED != 0 {
        return contradiction("compression method");
    }
    // The header cannot store numbers of more than 32 bits.
    let differs = |here: u32, there: u64| here != u32::MAX && u64::from(here) != there;
    if flags & SIZES_FOLLOW == 0 {
        if checksum != entry.checksum {
            return contradiction("checksum");
        }
        if differs(packed, entry.packed) || differs(size, entry.size) {
            return contradiction("size");
        }
    }
    Ok(Place { entry, header: entry.header, content })
}

/// Unpacked content of an entry. Reading the last byte verifies the length and the checksum.
pub(super) struct Content<'a> {
    entry: &'a ZipEntry,
    packed: Packed<'a>,
    checksum: Crc,
    /// Number of bytes read so far.
    read: u64,
}

enum Packed<'a> {
    Stored(Section<'a>),
    Deflated(DeflateDecoder<BufReader<Section<'a>>>),
}

impl<'a> Content<'a> {
    pub(super) fn new(file: &'a File, entry: &'a ZipEntry, place: Range<u64>) -> Content<'a> {
        let section = Section { file, place };
        let packed = match entry.method {
            DEFLATED => Packed::Deflated(DeflateDecoder::new(BufReader::with_capacity(1 << 16, section))),
            _ => Packed::Stored(section),
        };
        Content { entry, packed, checksum: Crc::new(), read: 0 }
    }

    /// Verifies the content once all of it has been read.
    fn verify(&self) -> Result<(), EntryError> {
        let used = match &self.packed {
            Packed::Stored(_) => self.read,
            Packed::Deflated(decoder) => decoder.total_in(),
        };
        if self.read != self.entry.size || used != self.entry.packed {
            Err(EntryError::Size)
        } else if self.checksum.sum() != self.entry.checksum {
            Err(EntryError::Checksum)
        } else {
            Ok(())
        }
    }
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let refused = |why| io::Error::other(self.entry.refused(why));
        let read = match &mut self.packed {
            Packed::Stored(section) => section.read(buffer),
            Packed::Deflated(decoder) => decoder.read(buffer),
        };
        let count = read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => refused(EntryError::Size),
            _ => error,
        })?;
        self.checksum.update(&buffer[..count]);
        self.read += count as u64;
        let verified = if count > 0 && self.read <= self.entry.size { Ok(()) } else { self.verify() };
        verified.map_err(refused)?;
        Ok(count)
    }
}

/// A range of bytes of a file.
struct Section<'a> {
    file: &'a File,
    place: Range<u64>,
}

impl Read for Section<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.place.end - self.place.start).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let count = self.file.read_at(&mut buffer[..wanted], self.place.start)?;
        self.place.start += count as u64;
        Ok(count)
    }
}
