//! Building tables: all positions of a material are solved, verified, compressed and written.
//!
//! # Parts
//!
//! Files that an interrupted build leaves for the next one, one for each solved or compressed material.
//!
//! All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `klvalues`, the bytes of [`SolvedValues`]; or `klsectio`, a compressed section |
//! | 4 | version of the content: 1 |
//! | 4 | code of the material, as in a table file |
//! | 8 | length of the content |
//! | 8 | checksum of the content |
//! | ... | content |

pub(super) mod compress;
mod solve;
mod verify;

use super::board::Material;
use super::value::{Packed, StoredValue};
use crate::knowledge::checksum::checksum;
use compress::{DONT_CARE, compress};
pub use solve::{Census, SolveError, SolvedValues};
pub use verify::{LongestWin, Verified, WrongValue, longest, numbers, verify};

/// Compresses a solved material to a section.
///
/// Any value may stand for a position in which the side to move must jump, and for a number without a position.
pub fn section(values: &SolvedValues, material: Material) -> Vec<u8> {
    let code = |&byte: &u8| match Packed(byte) {
        packed if packed.must_jump() => DONT_CARE,
        packed => packed.value().map_or(DONT_CARE, StoredValue::code),
    };
    compress(&values.bytes(material).iter().map(code).collect::<Vec<u8>>())
}

/// Writes a table file with these sections.
pub fn file(sections: &[(Material, Vec<u8>)]) -> Vec<u8> {
    crate::knowledge::tablebase::file::to_bytes(sections)
}

const VERSION: u32 = 1;
const HEAD: usize = 32;

/// A file of an unfinished build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildPart {
    /// Exact values of a material, one byte each.
    Values(Material),
    /// Compressed section of a material.
    Section(Material),
}

impl BuildPart {
    /// Name of the file, such as `mK-K.values`.
    pub fn name(self) -> String {
        match self {
            BuildPart::Values(material) => format!("{material}.values"),
            BuildPart::Section(material) => format!("{material}.section"),
        }
    }

    /// Header of the file, given its content.
    pub fn head(self, bytes: &[u8]) -> [u8; HEAD] {
        let (magic, material) = match self {
            BuildPart::Values(material) => (*b"klvalues", material),
            BuildPart::Section(material) => (*b"klsectio", material),
        };
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(&magic);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        head[12..16].copy_from_slice(&(material.code() as u32).to_le_bytes());
        head[16..24].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        head[24..].copy_from_slice(&checksum(bytes).to_le_bytes());
        head
    }

    /// Content of a file; `None` if it belongs to another part or was altered.
    pub fn read(self, mut file: Vec<u8>) -> Option<Vec<u8>> {
        let head: [u8; HEAD] = *file.first_chunk()?;
        if self.head(&file[HEAD..]) != head {
            return None;
        }
        file.drain(..HEAD);
        Some(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATERIAL: Material = Material { men: 1, kings: 1, their_men: 0, their_kings: 1 };

    #[test]
    fn parts_round_trip_and_altered_ones_are_refused() {
        let part = BuildPart::Values(MATERIAL);
        let bytes = b"some values".to_vec();
        let file = [&part.head(&bytes)[..], &bytes].concat();
        assert_eq!(part.read(file.clone()), Some(bytes));
        assert_eq!(BuildPart::Section(MATERIAL).read(file.clone()), None);
        assert_eq!(BuildPart::Values(MATERIAL.swapped()).read(file.clone()), None);
        for place in 0..file.len() {
            let mut altered = file.clone();
            altered[place] ^= 4;
            assert_eq!(part.read(altered), None, "byte {place}");
            assert_eq!(part.read(file[..place].to_vec()), None, "cut at {place}");
        }
    }

    #[test]
    fn file_names_have_the_material_and_the_kind() {
        assert_eq!(BuildPart::Values(MATERIAL).name(), "mK-K.values");
        assert_eq!(BuildPart::Section(MATERIAL).name(), "mK-K.section");
    }
}
