//! Writing the bytes of a section.

use crate::knowledge::tablebase::section::{
    BLOCK, HEAD_BYTES, ONE_VALUE_BYTES, Symbol, VALUE_BITS, canonical, number_bits,
};

/// A sequence of bits, with the high bit of each byte first.
#[derive(Default)]
struct BitRow {
    bytes: Vec<u8>,
    buffer: u64,
    held: u32,
}

impl BitRow {
    /// Adds the low `count` bits of a number. `count` is at most 32.
    fn push(&mut self, bits: u32, count: u32) {
        self.buffer = self.buffer << count | u64::from(bits);
        self.held += count;
        while self.held >= 8 {
            self.held -= 8;
            self.bytes.push((self.buffer >> self.held) as u8);
        }
    }

    /// Adds a number as a gamma code.
    fn push_gamma(&mut self, number: u32) {
        let zeros = number.ilog2();
        self.push(0, zeros);
        self.push(number, zeros + 1);
    }

    /// Adds a number, at most 31, as a unary code.
    fn push_unary(&mut self, number: u32) {
        self.push((1 << (number + 1)) - 2, number + 1);
    }

    /// Fills the last byte with zeros.
    fn pad(&mut self) {
        if self.held > 0 {
            self.push(0, 8 - self.held);
        }
    }
}

/// Writes a section of `len` equal values.
pub(super) fn one_value(value: u8, len: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ONE_VALUE_BYTES);
    bytes.extend([0, value]);
    bytes.extend(len.to_le_bytes());
    bytes
}

/// The parts of a section.
pub(super) struct SectionParts<'a> {
    pub(super) group_bits: u8,
    /// Number of values.
    pub(super) len: u32,
    /// Symbols, with the runs first. Pairs take the fewest bits in stretches of ascending left parts.
    pub(super) symbols: &'a [Symbol],
    /// Lengths of the symbols' codes; 0 for no code.
    pub(super) code_lengths: &'a [u8],
    /// Symbols of all groups.
    pub(super) row: &'a [u16],
    /// End of each group in the row.
    pub(super) ends: &'a [usize],
}

/// Writes a section; `None` if its groups are too large for the index.
pub(super) fn write_section(parts: &SectionParts) -> Option<Vec<u8>> {
    let longest_code = parts.code_lengths.iter().copied().max().unwrap_or(0);
    let dictionary = write_dictionary(parts, longest_code);
    let runs = parts.symbols.iter().filter(|symbol| matches!(symbol, Symbol::Run { .. })).count();
    let mut codes_of = vec![(0, 0); parts.symbols.len()];
    for (symbol, length, code) in canonical(parts.code_lengths) {
        codes_of[usize::from(symbol)] = (code as u32, length);
    }
    let mut codes = BitRow::default();
    let mut starts = vec![0];
    let mut start = 0;
    for &end in parts.ends {
        for &symbol in &parts.row[start..end] {
            let (code, length) = codes_of[usize::from(symbol)];
            codes.push(code, length);
        }
        codes.pad();
        start = end;
        starts.push(codes.bytes.len() as u32);
    }
    let mut bytes = Vec::with_capacity(HEAD_BYTES + dictionary.len() + starts.len() * 3 + codes.bytes.len());
    bytes.extend([1, parts.group_bits]);
    bytes.extend(parts.len.to_le_bytes());
    bytes.extend((runs as u16).to_le_bytes());
    bytes.extend((parts.symbols.len() as u16).to_le_bytes());
    bytes.push(longest_code);
    bytes.extend((dictionary.len() as u16).to_le_bytes());
    bytes.extend((codes.bytes.len() as u32).to_le_bytes());
    bytes.extend(dictionary);
    for block in starts.chunks(BLOCK) {
        bytes.extend(block[0].to_le_bytes());
        for &start in block {
            bytes.extend(u16::try_from(start - block[0]).ok()?.to_le_bytes());
        }
    }
    bytes.extend(codes.bytes);
    Some(bytes)
}

fn write_dictionary(parts: &SectionParts, longest_code: u8) -> Vec<u8> {
    let mut bits = BitRow::default();
    let mut left_before = 0;
    for (number, (symbol, &code_length)) in parts.symbols.iter().zip(parts.code_lengths).enumerate() {
        match *symbol {
            Symbol::Run { value, length } => {
                bits.push(value.into(), VALUE_BITS);
                bits.push_gamma(length);
            }
            Symbol::Pair(left, right) => {
                if left < left_before {
                    bits.push_gamma(1);
                    left_before = 0;
                }
                bits.push_gamma(u32::from(left - left_before) + 2);
                bits.push(right.into(), number_bits(number));
                left_before = left;
            }
        }
        bits.push_unary(match code_length {
            0 => 1,
            _ if code_length == longest_code => 0,
            _ => (longest_code - code_length + 1).into(),
        });
    }
    bits.pad();
    bits.bytes
}
