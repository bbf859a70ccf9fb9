//! The file format of tables, on disk and embedded.
//!
//! All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `kltables` |
//! | 4 | format version: 2 |
//! | 4 | `n`, the number of materials |
//! | 8 | length of the file |
//! | 8 | checksum of everything from the next row to the start of the data |
//! | 16 n | for each material: its code (4: men, kings, their men, their kings, three bits each, the lowest first), the length of its section (4), the offset of its section in the data (8) |
//! | 8 p | for each 4096-byte page of the data (the last may be shorter): its checksum |
//! | ... | the data: the sections, one after another |
//!
//! The file has exactly this length. Each material occurs once, with 1 to 4 pieces a side. The data consists only of
//! the sections, in the order of the materials. A section contains a code for each position of its material, in the
//! order of `index`; `section` describes the compression, and `value` the codes. The code of a position in which the
//! side to move must jump has no meaning. All checksums are computed by `checksum`.

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests;

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::board::Material;
use super::index::Index;
use super::section::{HEAD_BYTES, Section};
use super::{BrokenTable, TableError, broken};
use crate::knowledge::checksum::checksum;

/// An open table file. Its bytes are in memory or mapped into it.
#[derive(Debug)]
pub struct TableFile<'a> {
    bytes: &'a [u8],
    data: usize,
    entries: Vec<TableEntry<'a>>,
    places: Places,
    pages: Option<Pages>,
}

/// Index of the entry of each [`Material::code`] plus 1; 0 for no entry.
type Places = Box<[u8; Material::CODES]>;

#[derive(Debug)]
struct TableEntry<'a> {
    material: Material,
    range: Range<usize>,
    /// The section, opened when it is first probed.
    section: OnceLock<Result<Section<'a>, BrokenTable>>,
}

/// A bit for each page, set once the page has been found unaltered.
#[derive(Debug)]
struct Pages(Vec<AtomicU64>);

/// Trust in the bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The bytes were checked when the program was built.
    Checked,
    /// Every page is checked when it is first read.
    CheckPages,
}

impl<'a> TableFile<'a> {
    /// Opens the bytes of a file. Only the header and the directory are read.
    ///
    /// # Errors
    /// The bytes are not a table file, or the header or the directory is damaged.
    pub fn open(bytes: &'a [u8], trust: Trust) -> Result<TableFile<'a>, TableError> {
        let (count, data) = read_head(bytes)?;
        if trust == Trust::CheckPages {
            check_directory(bytes, data)?;
        }
        let (entries, places) = read_directory(bytes, count, data)?;
        let pages = (bytes.len() - data).div_ceil(PAGE);
        let seen = || Pages((0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect());
        Ok(TableFile { bytes, data, entries, places, pages: (trust == Trust::CheckPages).then(seen) })
    }

    /// Iterates over the materials of the file.
    pub fn materials(&self) -> impl Iterator<Item = Material> {
        self.entries.iter().map(|entry| entry.material)
    }

    /// Returns true if the file has a material.
    #[inline]
    pub fn has(&self, material: Material) -> bool {
        self.places[material.code()] != 0
    }

    /// Returns the bytes of a file that has only the tables of this one for at most `pieces` pieces.
    pub fn up_to(&self, pieces: u8) -> Vec<u8> {
        let few = self.entries.iter().filter(|entry| entry.material.pieces() <= pieces);
        let section = |entry: &TableEntry<'_>| (entry.material, self.bytes[self.data..][entry.range.clone()].to_vec());
        to_bytes(&few.map(section).collect::<Vec<_>>())
    }

    #[inline]
    pub(super) fn code(&self, material: Material, number: u32) -> Result<u8, BrokenTable> {
        let place = usize::from(self.places[material.code()]).wrapping_sub(1);
        let Some(entry) = self.entries.get(place) else {
            return Err(format!("no table of {material}"));
        };
        let check = |range: Range<usize>| self.check(entry.range.start + range.start..entry.range.start + range.end);
        let section = entry.section.get_or_init(|| self.section(entry).map_err(|what| broken(material, &what)));
        match section {
            Ok(section) => section.get(number, &check).map_err(|what| broken(material, &what)),
            Err(what) => Err(what.clone()),
        }
    }

    #[cold]
    fn section(&self, entry: &TableEntry<'a>) -> Result<Section<'a>, BrokenTable> {
        let bytes = &self.bytes[self.data..][entry.range.clone()];
        let start = entry.range.start;
        self.check(start..start + bytes.len().min(HEAD_BYTES))?;
        let opening = Section::opening(bytes)?.min(bytes.len());
        self.check(start..start + opening)?;
        let section = Section::open(bytes)?;
        let expected = Index::new(entry.material).len();
        match section.len() == expected {
            true => Ok(section),
            false => Err(format!("{} positions, expected {expected}", section.len())),
        }
    }

    /// Checks the pages in a range of the data that have not been checked yet.
    #[inline]
    fn check(&self, range: Range<usize>) -> Result<(), BrokenTable> {
        let Some(pages) = &self.pages else { return Ok(()) };
        for page in range.start / PAGE..range.end.div_ceil(PAGE) {
            if pages.0[page / 64].load(Relaxed) >> (page % 64) & 1 == 0 {
                self.check_page(page)?;
                pages.0[page / 64].fetch_or(1 << (page % 64), Relaxed);
            }
        }
        Ok(())
    }

    #[cold]
    fn check_page(&self, page: usize) -> Result<(), BrokenTable> {
        let first = self.data + page * PAGE;
        let bytes = &self.bytes[first..(first + PAGE).min(self.bytes.len())];
        if checksum(bytes) == page_checksum(self.bytes, self.entries.len(), page) {
            return Ok(());
        }
        Err(format!("the {} bytes at offset {first} do not match their checksum", bytes.len()))
    }
}

/// First bytes of a table file.
pub const MAGIC: &[u8; 8] = b"kltables";
const VERSION: u32 = 2;
/// Size of the header in bytes; the directory follows.
const HEADER: usize = 32;
/// Size of a material's entry in the directory, in bytes.
const ENTRY: usize = 16;
/// Size of a page of the data in bytes. The last page may be shorter.
const PAGE: usize = 4096;

/// Reads the header of a file. Returns the number of materials, and the offset of the data.
fn read_head(bytes: &[u8]) -> Result<(usize, usize), TableError> {
    if bytes.get(..MAGIC.len()) != Some(MAGIC) {
        return Err(TableError::Foreign);
    }
    let found = bytes.len() as u64;
    if bytes.len() < HEADER {
        return Err(TableError::Length { found, expected: HEADER as u64 });
    }
    let version = number(bytes, 8, 4) as u32;
    if version != VERSION {
        return Err(TableError::Version { found: version, expected: VERSION });
    }
    let expected = number(bytes, 16, 8);
    if found != expected {
        return Err(TableError::Length { found, expected });
    }
    let count = number(bytes, 12, 4) as usize;
    let no_such = || TableError::Altered(format!("{count} materials in {found} bytes"));
    Ok((count, data_start(count, bytes.len()).ok_or_else(no_such)?))
}

/// Checks that the directory and the checksums of the pages, which end at the data, are unaltered.
fn check_directory(bytes: &[u8], data: usize) -> Result<(), TableError> {
    let (found, expected) = (checksum(&bytes[HEADER..data]), number(bytes, 24, 8));
    if found == expected {
        return Ok(());
    }
    Err(TableError::Altered(format!("its directory has the checksum {found:016x}, expected {expected:016x}")))
}

/// Offset of the data in a file of this length; `None` if no file of `count` materials has this length.
fn data_start(count: usize, len: usize) -> Option<usize> {
    if count > usize::from(u8::MAX) {
        return None;
    }
    let rest = len.checked_sub(HEADER + count * ENTRY)?;
    // Each page of data, including the last, has a checksum of 8 bytes before the data.
    let pages = rest.div_ceil(PAGE + 8);
    let data = rest.checked_sub(pages * 8)?;
    (data.div_ceil(PAGE) == pages).then_some(len - data)
}

fn read_directory(bytes: &[u8], count: usize, data: usize) -> Result<(Vec<TableEntry<'_>>, Places), TableError> {
    let altered = |what| Err(TableError::Altered(what));
    let mut places = Box::new([0; Material::CODES]);
    let mut entries = Vec::with_capacity(count);
    let mut end = 0;
    for entry in bytes[HEADER..][..count * ENTRY].chunks_exact(ENTRY) {
        let code = number(entry, 0, 4) as usize;
        let material = Material::from_code(code);
        if code >= Material::CODES || !Index::fits(material) {
            return altered(format!("material code {code}, expected 1 to 4 pieces a side"));
        }
        if places[code] != 0 {
            return altered(format!("{material} occurs twice, expected once"));
        }
        let start = number(entry, 8, 8);
        if start != end {
            return altered(format!("{material} at byte {start} of the data, expected byte {end}"));
        }
        end += number(entry, 4, 4);
        places[code] = (entries.len() + 1) as u8;
        // No range ends beyond the data, as checked below, so all fit into usize.
        entries.push(TableEntry { material, range: start as usize..end as usize, section: OnceLock::new() });
    }
    let found = (bytes.len() - data) as u64;
    if end != found {
        return altered(format!("{found} bytes of data, expected {end}"));
    }
    Ok((entries, places))
}

/// Stored checksum of a page of the data, in a file of `count` materials.
fn page_checksum(bytes: &[u8], count: usize, page: usize) -> u64 {
    number(bytes, HEADER + count * ENTRY + page * 8, 8)
}

pub(in crate::knowledge::tablebase) fn to_bytes(sections: &[(Material, Vec<u8>)]) -> Vec<u8> {
    let data: usize = sections.iter().map(|(_, section)| section.len()).sum();
    let mut rest = Vec::new();
    let mut start = 0u64;
    for (material, section) in sections {
        rest.extend((material.code() as u32).to_le_bytes());
        rest.extend((section.len() as u32).to_le_bytes());
        rest.extend(start.to_le_bytes());
        start += section.len() as u64;
    }
    let data_bytes: Vec<u8> = sections.iter().flat_map(|(_, section)| section.iter().copied()).collect();
    for page in data_bytes.chunks(PAGE) {
        rest.extend(checksum(page).to_le_bytes());
    }
    let len = (HEADER + rest.len() + data) as u64;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((sections.len() as u32).to_le_bytes());
    bytes.extend(len.to_le_bytes());
    bytes.extend(checksum(&rest).to_le_bytes());
    bytes.extend(rest);
    bytes.extend(data_bytes);
    bytes
}

/// Reads the little-endian number of `len` bytes at `at`; 0 beyond the end.
fn number(bytes: &[u8], at: usize, len: usize) -> u64 {
    let mut number = [0; 8];
    if let Some(found) = bytes.get(at..at + len) {
        number[..len].copy_from_slice(found);
    }
    u64::from_le_bytes(number)
}
