//! What are a section and a file made of?

use super::compress::{DONT_CARE, compress};
use super::values::SolvedValues;
use crate::knowledge::tablebase::material::Material;
use crate::knowledge::tablebase::stored::StoredValue;
use crate::knowledge::tablebase::value::Packed;

/// The compressed section of a solved material.
///
/// Where the side to move must jump, and at numbers without a position, any value will do.
pub fn section(values: &SolvedValues, material: Material) -> Vec<u8> {
    let code = |&byte: &u8| match Packed(byte) {
        packed if packed.must_jump() => DONT_CARE,
        packed => packed.value().map_or(DONT_CARE, StoredValue::code),
    };
    compress(&values.bytes(material).iter().map(code).collect::<Vec<u8>>())
}

/// A file of tables of these sections.
pub fn file(sections: &[(Material, Vec<u8>)]) -> Vec<u8> {
    crate::knowledge::tablebase::file::to_bytes(sections)
}
