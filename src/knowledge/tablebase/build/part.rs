//! What does an interrupted build leave for the next one? A file for each material that is solved or compressed.
//!
//! All numbers are little-endian.
//!
//! | bytes | what they are |
//! | --- | --- |
//! | 8 | `klvalues`, the bytes of [`SolvedValues`](super::SolvedValues); or `klsectio`, a compressed section |
//! | 4 | version of what the bytes mean: 1 |
//! | 4 | the code of the material, as in a file of tables |
//! | 8 | number of bytes that follow the head |
//! | 8 | their checksum |
//! | ... | the bytes |

use crate::knowledge::tablebase::material::Material;

const VERSION: u32 = 1;
const HEAD: usize = 32;

/// What a file of an unfinished build holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildPart {
    /// The exact values of a material, a byte each.
    Values(Material),
    /// The compressed section of a material.
    Section(Material),
}

impl BuildPart {
    /// The name of the file, like `mK-K.values`.
    pub fn name(self) -> String {
        match self {
            BuildPart::Values(material) => format!("{material}.values"),
            BuildPart::Section(material) => format!("{material}.section"),
        }
    }

    /// The head that comes before these bytes in the file.
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

    /// The bytes after the head of a whole file; `None` if it is not of this part, or altered.
    pub fn read(self, mut file: Vec<u8>) -> Option<Vec<u8>> {
        let head: [u8; HEAD] = *file.first_chunk()?;
        if self.head(&file[HEAD..]) != head {
            return None;
        }
        file.drain(..HEAD);
        Some(file)
    }
}

/// The checksum that guards files of tables and their parts.
pub fn checksum(bytes: &[u8]) -> u64 {
    crate::knowledge::checksum(bytes)
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
