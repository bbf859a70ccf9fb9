//! The header of a section: the sizes of its parts.

use super::code::MAX_CODE_BITS;
use super::dictionary::{MAX_SYMBOLS, Sizes};
use crate::knowledge::tablebase::broken::BrokenTable;

/// Size of a header in bytes.
pub(in crate::knowledge::tablebase) const HEAD_BYTES: usize = 17;
/// Largest exponent of a group's size.
pub(in crate::knowledge::tablebase) const MAX_GROUP_BITS: u8 = 16;

/// Sizes of a section's parts.
pub(super) struct SectionHead {
    /// Exponent of a group's size: it has 2^`group_bits` values.
    pub(super) group_bits: u8,
    /// Number of values.
    pub(super) len: u32,
    pub(super) sizes: Sizes,
    pub(super) dictionary_bytes: usize,
    pub(super) code_bytes: u32,
}

impl SectionHead {
    pub(super) fn read(bytes: &[u8]) -> Result<SectionHead, BrokenTable> {
        let (Some(head), Some(code_bytes)) = (bytes.first_chunk::<13>(), u32_at(bytes, 13)) else {
            return Err(BrokenTable::new(format!("{} bytes, expected a header of {HEAD_BYTES} bytes", bytes.len())));
        };
        let u16_of = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
        let group_bits = head[1];
        let sizes = Sizes { runs: u16_of(6), symbols: u16_of(8), longest_code: head[10] };
        if group_bits > MAX_GROUP_BITS {
            return Err(BrokenTable::new(format!(
                "groups of 2^{group_bits} values, expected at most 2^{MAX_GROUP_BITS}"
            )));
        }
        if sizes.runs > sizes.symbols || sizes.symbols == 0 || sizes.symbols > MAX_SYMBOLS {
            let Sizes { runs, symbols, .. } = sizes;
            return Err(BrokenTable::new(format!(
                "{runs} runs of {symbols} symbols, expected 1 to {MAX_SYMBOLS} symbols"
            )));
        }
        if u32::from(sizes.longest_code) > MAX_CODE_BITS {
            let bits = sizes.longest_code;
            return Err(BrokenTable::new(format!("codes of up to {bits} bits, expected at most {MAX_CODE_BITS}")));
        }
        let len = u32::from_le_bytes([head[2], head[3], head[4], head[5]]);
        Ok(SectionHead { group_bits, len, sizes, dictionary_bytes: u16_of(11), code_bytes })
    }
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}
