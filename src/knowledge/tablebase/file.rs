//! A file of tables, as it lies on disk or in the program. All numbers are little-endian.
//!
//! | bytes | what they are |
//! | --- | --- |
//! | 8 | `kltables` |
//! | 4 | version of the format: 1 |
//! | 4 | `n`, the number of materials |
//! | 8 | length of the file |
//! | 8 | checksum of all from the next row to the begin of the data |
//! | 16 n | of each material: its code (4: men, kings, their men, their kings, three bits each, the lowest first), length of its section (4), place of its section in the data (8) |
//! | 8 p | of each page of 4096 bytes of the data, the last one shorter: its checksum |
//! | ... | the data: the sections, one after the other |
//!
//! The file has exactly this length, each material once, of 1 to 4 pieces a side, and in the data nothing beside the
//! sections, in the order of the table above. A section holds a code for each position of its material, in the order of `index`; see `section` for
//! how it is compressed, and `stored` for what a code says. Where the side to move must jump the
//! code says nothing. For the checksum see `checksum`.

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests;

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::checksum::checksum;
use super::index::Index;
use super::material::Material;
use super::section::{Broken, HEAD_BYTES, Section};

const MAGIC: &[u8; 8] = b"kltables";
const VERSION: u32 = 1;
const HEADER: usize = 32;
const ENTRY: usize = 16;
const PAGE: usize = 4096;

/// A file of tables, opened: its bytes lie in memory or are mapped into it.
#[derive(Debug)]
pub struct TableFile<'a> {
    bytes: &'a [u8],
    /// Where the data begins.
    data: usize,
    entries: Vec<TableEntry<'a>>,
    /// By [`Material::code`]: place among the entries, plus 1.
    places: Box<[u8; Material::CODES]>,
    pages: Option<Pages>,
}

#[derive(Debug)]
struct TableEntry<'a> {
    material: Material,
    /// In the data.
    range: Range<usize>,
    /// Opened when it is first asked.
    section: OnceLock<Result<Section<'a>, Broken>>,
}

/// Which pages have been looked at and found unaltered: a bit each.
#[derive(Debug)]
struct Pages(Vec<AtomicU64>);

/// Whether the bytes are known to be unaltered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// They were checked when the program was built.
    Checked,
    /// Every page is checked when it is first read.
    CheckPages,
}

/// Why a file of tables cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// It cannot be read.
    Unreadable(String),
    /// It is something else.
    Foreign,
    /// It is of another version of the format.
    Version(u32),
    /// It has another length than it says.
    Length {
        /// Its length in bytes.
        found: u64,
        /// What it says.
        expected: u64,
    },
    /// It does not hold what was written into it.
    Altered(String),
}

impl<'a> TableFile<'a> {
    /// Opens the file that these bytes are. Only its head is read.
    ///
    /// # Errors
    /// They are no file of tables, or its head is damaged.
    pub fn open(bytes: &'a [u8], trust: Trust) -> Result<TableFile<'a>, TableError> {
        let head = FileHead::read(bytes)?;
        if trust == Trust::CheckPages {
            let found = checksum(&bytes[HEADER..head.data]);
            if found != head.checksum {
                let what = format!("its directory has the checksum {found:016x}, expected {:016x}", head.checksum);
                return Err(TableError::Altered(what));
            }
        }
        let (entries, places) = directory(bytes, &head).map_err(TableError::Altered)?;
        let pages = (bytes.len() - head.data).div_ceil(PAGE);
        let seen = || Pages((0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect());
        Ok(TableFile { bytes, data: head.data, entries, places, pages: (trust == Trust::CheckPages).then(seen) })
    }

    /// The materials that it has.
    pub fn materials(&self) -> impl Iterator<Item = Material> {
        self.entries.iter().map(|entry| entry.material)
    }

    /// Whether it has a material.
    #[inline]
    pub fn has(&self, material: Material) -> bool {
        self.places[material.code()] != 0
    }

    /// The code of a material's position by its number.
    #[inline]
    pub(super) fn code(&self, material: Material, number: u32) -> Result<u8, Broken> {
        let place = usize::from(self.places[material.code()]).wrapping_sub(1);
        let Some(entry) = self.entries.get(place) else {
            return Err(Broken::new(format!("no table of {material}")));
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
    fn section(&self, entry: &TableEntry<'a>) -> Result<Section<'a>, Broken> {
        let bytes = &self.bytes[self.data..][entry.range.clone()];
        let start = entry.range.start;
        self.check(start..start + bytes.len().min(HEAD_BYTES))?;
        let opening = Section::opening(bytes)?.min(bytes.len());
        self.check(start..start + opening)?;
        let section = Section::open(bytes)?;
        let expected = Index::new(entry.material).len();
        match section.len() == expected {
            true => Ok(section),
            false => Err(Broken::new(format!("{} positions, expected {expected}", section.len()))),
        }
    }

    /// Checks the pages of a range of the data that have not been read before.
    #[inline]
    fn check(&self, range: Range<usize>) -> Result<(), Broken> {
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
    fn check_page(&self, page: usize) -> Result<(), Broken> {
        let first = self.data + page * PAGE;
        let bytes = &self.bytes[first..(first + PAGE).min(self.bytes.len())];
        let written = number(self.bytes, HEADER + self.entries.len() * ENTRY + page * 8, 8);
        if checksum(bytes) == written {
            return Ok(());
        }
        Err(Broken::new(format!("the {} bytes from byte {first} on are not those that were written", bytes.len())))
    }
}

/// The first part of a file.
struct FileHead {
    count: usize,
    checksum: u64,
    data: usize,
}

impl FileHead {
    fn read(bytes: &[u8]) -> Result<FileHead, TableError> {
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(TableError::Foreign);
        }
        let found = bytes.len() as u64;
        if bytes.len() < HEADER {
            return Err(TableError::Length { found, expected: HEADER as u64 });
        }
        let version = number(bytes, 8, 4) as u32;
        if version != VERSION {
            return Err(TableError::Version(version));
        }
        let expected = number(bytes, 16, 8);
        if found != expected {
            return Err(TableError::Length { found, expected });
        }
        let count = number(bytes, 12, 4) as usize;
        let no_such = || TableError::Altered(format!("{count} materials in {found} bytes"));
        let data = data_begin(count, bytes.len()).ok_or_else(no_such)?;
        Ok(FileHead { count, checksum: number(bytes, 24, 8), data })
    }
}

/// Where the data of a file of this length begins; none if no file of so many materials has this length.
fn data_begin(count: usize, len: usize) -> Option<usize> {
    if count > usize::from(u8::MAX) {
        return None;
    }
    let rest = len.checked_sub(HEADER + count * ENTRY)?;
    // Each page of data, also the last one, has a checksum of 8 bytes before it.
    let pages = rest.div_ceil(PAGE + 8);
    let data = rest.checked_sub(pages * 8)?;
    (data.div_ceil(PAGE) == pages).then_some(len - data)
}

/// The materials with their places in the data, and where each is found among them; or what is wrong.
fn directory<'a>(bytes: &[u8], head: &FileHead) -> Result<(Vec<TableEntry<'a>>, Box<[u8; Material::CODES]>), String> {
    let mut places = Box::new([0; Material::CODES]);
    let mut entries = Vec::with_capacity(head.count);
    let mut end = 0;
    for entry in bytes[HEADER..][..head.count * ENTRY].chunks_exact(ENTRY) {
        let code = number(entry, 0, 4) as usize;
        let material = Material::from_code(code);
        if code >= Material::CODES || !Index::fits(material) {
            return Err(format!("a material of code {code}, expected 1 to 4 pieces a side"));
        }
        if places[code] != 0 {
            return Err(format!("{material} twice, expected once"));
        }
        let begin = number(entry, 8, 8);
        if begin != end {
            return Err(format!("{material} from byte {begin} of the data on, expected from byte {end} on"));
        }
        end += number(entry, 4, 4);
        places[code] = (entries.len() + 1) as u8;
        entries.push((material, begin, end));
    }
    let found = (bytes.len() - head.data) as u64;
    if end != found {
        return Err(format!("{found} bytes of data, expected {end}"));
    }
    // No place is beyond the data: they fit into usize.
    let entry =
        |(material, begin, end)| TableEntry { material, range: begin as usize..end as usize, section: OnceLock::new() };
    Ok((entries.into_iter().map(entry).collect(), places))
}

/// The whole file of these sections.
pub(super) fn to_bytes(sections: &[(Material, Vec<u8>)]) -> Vec<u8> {
    let data: usize = sections.iter().map(|(_, section)| section.len()).sum();
    let mut rest = Vec::new();
    let mut begin = 0u64;
    for (material, section) in sections {
        rest.extend((material.code() as u32).to_le_bytes());
        rest.extend((section.len() as u32).to_le_bytes());
        rest.extend(begin.to_le_bytes());
        begin += section.len() as u64;
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

/// The little-endian number of `len` bytes at `at`; 0 beyond the end.
fn number(bytes: &[u8], at: usize, len: usize) -> u64 {
    let mut number = [0; 8];
    if let Some(found) = bytes.get(at..at + len) {
        number[..len].copy_from_slice(found);
    }
    u64::from_le_bytes(number)
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            TableError::Foreign => f.write_str("it is no file of endgame tables: it does not begin with kltables"),
            TableError::Version(version) => write!(f, "it is of version {version}, expected {VERSION}"),
            TableError::Length { found, expected } => write!(f, "it has {found} bytes, expected {expected}"),
            TableError::Altered(what) => write!(f, "it has been altered: {what}"),
        }
    }
}

impl std::error::Error for TableError {}
