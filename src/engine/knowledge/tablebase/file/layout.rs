//! Reading and writing the parts of a table file. `file` describes the format.

use std::ops::Range;

use crate::knowledge::checksum::checksum;
use crate::knowledge::tablebase::broken::TableError;
use crate::knowledge::tablebase::index::Index;
use crate::knowledge::tablebase::material::Material;

/// First bytes of a table file.
pub const MAGIC: &[u8; 8] = b"kltables";
const VERSION: u32 = 1;
/// Size of the header in bytes; the directory follows.
pub(super) const HEADER: usize = 32;
/// Size of a material's entry in the directory, in bytes.
pub(super) const ENTRY: usize = 16;
/// Size of a page of the data in bytes. The last page may be shorter.
pub(super) const PAGE: usize = 4096;

/// The header of a file.
pub(super) struct FileHead {
    /// Number of materials.
    count: usize,
    checksum: u64,
    /// Offset of the data in the file.
    pub(super) data: usize,
}

impl FileHead {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// The bytes are not a table file, or have another version or length.
    pub(super) fn read(bytes: &[u8]) -> Result<FileHead, TableError> {
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
        let data = data_start(count, bytes.len()).ok_or_else(no_such)?;
        Ok(FileHead { count, checksum: number(bytes, 24, 8), data })
    }

    /// Checks that the directory and the checksums of the pages are unaltered.
    pub(super) fn check_directory(&self, bytes: &[u8]) -> Result<(), TableError> {
        let found = checksum(&bytes[HEADER..self.data]);
        if found == self.checksum {
            return Ok(());
        }
        let what = format!("its directory has the checksum {found:016x}, expected {:016x}", self.checksum);
        Err(TableError::Altered(what))
    }
}

/// Offset of the data in a file of this length; `None` if no file of `count` materials has this length.
pub(super) fn data_start(count: usize, len: usize) -> Option<usize> {
    if count > usize::from(u8::MAX) {
        return None;
    }
    let rest = len.checked_sub(HEADER + count * ENTRY)?;
    // Each page of data, including the last, has a checksum of 8 bytes before the data.
    let pages = rest.div_ceil(PAGE + 8);
    let data = rest.checked_sub(pages * 8)?;
    (data.div_ceil(PAGE) == pages).then_some(len - data)
}

/// The tables of a file, and their locations.
pub(super) struct Directory {
    /// Each material, and the byte range of its section in the data.
    pub(super) tables: Vec<(Material, Range<usize>)>,
    /// Index of the table plus 1, by [`Material::code`]; 0 for no table.
    pub(super) places: Box<[u8; Material::CODES]>,
}

impl Directory {
    /// Reads the directory of a file.
    ///
    /// # Errors
    /// A material is invalid or occurs twice, or the sections do not fill the data.
    pub(super) fn read(bytes: &[u8], head: &FileHead) -> Result<Directory, TableError> {
        let altered = |what| Err(TableError::Altered(what));
        let mut places = Box::new([0; Material::CODES]);
        let mut tables = Vec::with_capacity(head.count);
        let mut end = 0;
        for entry in bytes[HEADER..][..head.count * ENTRY].chunks_exact(ENTRY) {
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
            places[code] = (tables.len() + 1) as u8;
            tables.push((material, start..end));
        }
        let found = (bytes.len() - head.data) as u64;
        if end != found {
            return altered(format!("{found} bytes of data, expected {end}"));
        }
        // No range ends beyond the data, so all fit into usize.
        let tables = tables.into_iter().map(|(material, range)| (material, range.start as usize..range.end as usize));
        Ok(Directory { tables: tables.collect(), places })
    }
}

/// Stored checksum of a page of the data, in a file of `count` materials.
pub(super) fn page_checksum(bytes: &[u8], count: usize, page: usize) -> u64 {
    number(bytes, HEADER + count * ENTRY + page * 8, 8)
}

/// Encodes these sections as a file.
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
