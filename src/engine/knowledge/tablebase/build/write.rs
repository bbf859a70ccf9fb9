//! Writing sections and table files.

use super::compress::{DONT_CARE, compress};
use super::values::SolvedValues;
use crate::knowledge::tablebase::material::Material;
use crate::knowledge::tablebase::stored::StoredValue;
use crate::knowledge::tablebase::value::Packed;

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
