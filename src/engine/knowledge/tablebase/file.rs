//! The file format of tables, on disk and embedded.
//!
//! All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `kltables` |
//! | 4 | format version: 1 |
//! | 4 | `n`, the number of materials |
//! | 8 | length of the file |
//! | 8 | checksum of everything from the next row to the start of the data |
//! | 16 n | for each material: its code (4: men, kings, their men, their kings, three bits each, the lowest first), the length of its section (4), the offset of its section in the data (8) |
//! | 8 p | for each 4096-byte page of the data (the last may be shorter): its checksum |
//! | ... | the data: the sections, one after another |
//!
//! The file has exactly this length. Each material occurs once, with 1 to 4 pieces a side. The data consists only of
//! the sections, in the order of the materials. A section contains a code for each position of its material, in the
//! order of `index`; `section` describes the compression, and `stored` the codes. The code of a position in which the
//! side to move must jump has no meaning. All checksums are computed by `checksum`.

mod layout;

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests;

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::broken::{BrokenTable, TableError};
use super::index::Index;
use super::material::Material;
use super::section::{HEAD_BYTES, Section};
use crate::knowledge::checksum::checksum;
use layout::{Directory, FileHead, PAGE};

pub use layout::MAGIC;
pub(super) use layout::to_bytes;

/// An open table file. Its bytes are in memory or mapped into it.
#[derive(Debug)]
pub struct TableFile<'a> {
    bytes: &'a [u8],
    /// Offset of the data in the file.
    data: usize,
    entries: Vec<TableEntry<'a>>,
    /// Index of the entry plus 1, by [`Material::code`]; 0 for no entry.
    places: Box<[u8; Material::CODES]>,
    pages: Option<Pages>,
}

/// The table of one material.
#[derive(Debug)]
struct TableEntry<'a> {
    material: Material,
    /// Byte range of the section in the data.
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
        let head = FileHead::read(bytes)?;
        if trust == Trust::CheckPages {
            head.check_directory(bytes)?;
        }
        let Directory { tables, places } = Directory::read(bytes, &head)?;
        let entry = |(material, range)| TableEntry { material, range, section: OnceLock::new() };
        let entries = tables.into_iter().map(entry).collect();
        let pages = (bytes.len() - head.data).div_ceil(PAGE);
        let seen = || Pages((0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect());
        Ok(TableFile { bytes, data: head.data, entries, places, pages: (trust == Trust::CheckPages).then(seen) })
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

    /// Code of the position with this number.
    #[inline]
    pub(super) fn code(&self, material: Material, number: u32) -> Result<u8, BrokenTable> {
        let place = usize::from(self.places[material.code()]).wrapping_sub(1);
        let Some(entry) = self.entries.get(place) else {
            return Err(BrokenTable::new(format!("no table of {material}")));
        };
        let check = |range: Range<usize>| self.check(entry.range.start + range.start..entry.range.start + range.end);
        let section = entry.section.get_or_init(|| self.section(entry).map_err(|broken| broken.of(material)));
        match section {
            Ok(section) => section.get(number, &check).map_err(|broken| broken.of(material)),
            Err(broken) => Err(broken.clone()),
        }
    }

    /// Opens a material's section.
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
            false => Err(BrokenTable::new(format!("{} positions, expected {expected}", section.len()))),
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
        if checksum(bytes) == layout::page_checksum(self.bytes, self.entries.len(), page) {
            return Ok(());
        }
        Err(BrokenTable::new(format!("the {} bytes at offset {first} do not match their checksum", bytes.len())))
    }
}
