//! Building tables: all positions of a material are solved, verified, compressed and written.

pub(super) mod compress;
mod cursed;
mod solve;
mod verify;

use super::board::Material;
use super::value::{Packed, StoredValue};
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
    let mut codes: Vec<u8> = values.bytes(material).iter().map(code).collect();
    for &(number, value) in values.cursed(material) {
        let code = &mut codes[number as usize];
        if *code != DONT_CARE {
            *code = StoredValue::cursed_code(value);
        }
    }
    compress(&codes)
}

/// Writes a table file with these sections.
pub fn file(sections: &[(Material, Vec<u8>)]) -> Vec<u8> {
    crate::knowledge::tablebase::file::to_bytes(sections)
}
