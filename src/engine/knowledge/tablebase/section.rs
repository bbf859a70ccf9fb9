//! Sections: the compressed table of a material, read in place.
//!
//! A section is a compressed array of small numbers with random access. The array is divided into groups of 2^e values.
//! A group is a sequence of codes. A code stands for a symbol, and a symbol for a sequence of values: a run of one
//! value, or two other symbols in a row (N. J. Larsson, A. Moffat, "Off-line dictionary-based compression",
//! 2000). The codes are canonical Huffman codes of at most 14 bits.
//!
//! # Format
//!
//! Integers are little-endian. A section without values, or whose values are all equal, has 6 bytes:
//!
//! | at | type | |
//! | --- | --- | --- |
//! | 0 | u8 | 0 |
//! | 1 | u8 | the value |
//! | 2 | u32 | number of values |
//!
//! Any other section has four parts, in this order: header, dictionary, index, codes.
//!
//! | at | type | header |
//! | --- | --- | --- |
//! | 0 | u8 | 1 |
//! | 1 | u8 | e, at most 16: a group has 2^e values, the last group may have fewer |
//! | 2 | u32 | n, number of values, at least 1 |
//! | 6 | u16 | r, number of runs among the symbols |
//! | 8 | u16 | s, number of all symbols, 1 to 4096 |
//! | 10 | u8 | m, length of the longest code, 1 to 14 |
//! | 11 | u16 | d, length of the dictionary in bytes |
//! | 13 | u32 | c, length of the codes in bytes |
//!
//! The **dictionary** is a stream of bits, with the high bit of each byte and of each number first, padded with zeros
//! to whole bytes. The gamma code of a number (P. Elias, 1975) is the number in as many bits as it needs, preceded by
//! one zero fewer than that. The unary code of a number is that many ones, followed by a zero. Symbols 0, 1, ... s - 1
//! are written as follows:
//!
//! - The first r symbols are runs: the value in 5 bits, then the length, at most 65,535, as a gamma code.
//! - The others are pairs of earlier symbols. The number of the left symbol is written as the gamma code of its
//!   difference from the left number of the previous pair, plus 2. The number of the right symbol follows, in as many
//!   bits as the largest number before this symbol needs, at least 1. The gamma code of 1 may precede the left number:
//!   then the difference counts from 0, as for the first pair. A pair is at most 65,535 values long.
//!
//! After either comes the length of the symbol's code, as the unary code of k. If k = 0, the length is m. If k = 1, the
//! symbol has no code and occurs only in other symbols. Otherwise the length is m + 1 - k.
//!
//! Codes are assigned in the order of their length, then of the symbols' numbers. The first code is all zeros. Each of
//! the others is the previous code plus 1, extended with zeros on the right to its length. The code is complete, except
//! that a lone symbol has the code 0 of 1 bit.
//!
//! The **index** stores where in the codes the groups start. For g groups it has g + 1 entries; the last is the end of
//! the last group. Each block of 32 entries has a base: a u32, followed by a u16 for each entry, to be added to the
//! base. The last block may be shorter.
//!
//! The **codes** of a group start at a byte boundary, with the high bit of each byte first. Symbols are read until the
//! group is full. Values of the last symbol beyond the group's end are not part of the array.

mod dictionary;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::BrokenTable;
use dictionary::{Code, Dictionary, MAX_SYMBOLS};
pub(super) use dictionary::{MAX_CODE_BITS, MAX_SYMBOL_LENGTH, Symbol, VALUE_BITS, canonical, number_bits};

/// Size in bytes of a section whose values are equal.
pub(super) const ONE_VALUE_BYTES: usize = 6;
/// Number of entries of the index that share a base.
pub(super) const BLOCK: usize = 32;
const BLOCK_BYTES: usize = 4 + 2 * BLOCK;

/// A compressed array of numbers below 32, at most 2^32 - 1 of them.
#[derive(Debug)]
pub(crate) struct Section<'a> {
    len: u32,
    body: Body<'a>,
}

#[derive(Debug)]
enum Body<'a> {
    OneValue(u8),
    Coded(Coded<'a>),
}

#[derive(Debug)]
struct Coded<'a> {
    bytes: &'a [u8],
    group_bits: u8,
    dictionary: Dictionary,
    code: Code,
    index: usize,
    codes: Range<usize>,
}

impl<'a> Section<'a> {
    /// Opens a section that takes all of `bytes`. This reads the header and the dictionary (see
    /// [`opening`](Self::opening)). The index and the codes are checked where they are used.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Section<'a>, BrokenTable> {
        match bytes.first() {
            Some(0) => {
                let (Some(&value), Some(len)) = (bytes.get(1), u32_at(bytes, 2)) else {
                    return Err(format!("{} bytes, expected {ONE_VALUE_BYTES}", bytes.len()));
                };
                if value >> VALUE_BITS != 0 {
                    return Err(format!("value {value}, expected less than {}", 1 << VALUE_BITS));
                }
                expect_length(bytes, ONE_VALUE_BYTES as u64)?;
                Ok(Section { len, body: Body::OneValue(value) })
            }
            Some(1) => Self::open_coded(bytes),
            Some(kind) => Err(format!("section of kind {kind}, expected 0 or 1")),
            None => Err("no bytes, expected a section".to_owned()),
        }
    }

    fn open_coded(bytes: &'a [u8]) -> Result<Section<'a>, BrokenTable> {
        let head = SectionHead::read(bytes)?;
        let index = HEAD_BYTES + head.dictionary_bytes;
        let codes = index + index_bytes(head.len.div_ceil(1 << head.group_bits) as usize);
        expect_length(bytes, codes as u64 + u64::from(head.code_bytes))?;
        let (dictionary, lengths) = Dictionary::read(&bytes[HEAD_BYTES..index], &head)?;
        let code = Code::new(&lengths)?;
        let codes = codes..bytes.len();
        let body = Coded { bytes, group_bits: head.group_bits, dictionary, code, index, codes };
        Ok(Section { len: head.len, body: Body::Coded(body) })
    }

    /// Number of bytes that [`open`](Self::open) reads at the start of a section, given its first [`HEAD_BYTES`] bytes
    /// (fewer if the section is shorter).
    pub(crate) fn opening(head: &[u8]) -> Result<usize, BrokenTable> {
        match head.first() {
            Some(1) => SectionHead::read(head).map(|head| HEAD_BYTES + head.dictionary_bytes),
            _ => Ok(ONE_VALUE_BYTES),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// Reads the value at `index`. Before it reads bytes that [`open`](Self::open) has not read, it calls `check` with
    /// their range.
    #[inline]
    pub(crate) fn get(
        &self,
        index: u32,
        check: &impl Fn(Range<usize>) -> Result<(), BrokenTable>,
    ) -> Result<u8, BrokenTable> {
        if index >= self.len {
            return Err(format!("index {index}, expected less than {}", self.len));
        }
        match &self.body {
            Body::OneValue(value) => Ok(*value),
            Body::Coded(coded) => coded.get(index, check),
        }
    }
}

impl Coded<'_> {
    #[inline]
    fn get(&self, index: u32, check: &impl Fn(Range<usize>) -> Result<(), BrokenTable>) -> Result<u8, BrokenTable> {
        let codes = self.group((index >> self.group_bits) as usize, check)?;
        check(codes.clone())?;
        let mut bits = Bits::new(&self.bytes[codes.start..]);
        let mut left = index & ((1 << self.group_bits) - 1);
        let symbol = loop {
            let symbol = self.code.next(&mut bits);
            let length = self.dictionary.length(symbol);
            if left < length {
                break symbol;
            }
            left -= length;
        };
        expect_inside(&bits, &codes)?;
        Ok(self.dictionary.value(symbol, left))
    }

    #[inline]
    fn group(
        &self,
        group: usize,
        check: &impl Fn(Range<usize>) -> Result<(), BrokenTable>,
    ) -> Result<Range<usize>, BrokenTable> {
        let (block, entry) = (group / BLOCK, group % BLOCK);
        let at = self.index + block * BLOCK_BYTES;
        let offset = at + 4 + 2 * entry;
        check(at..offset + if entry + 1 < BLOCK { 4 } else { 8 })?;
        let base = u32_at(self.bytes, at);
        let start = place(base, u16_at(self.bytes, offset));
        let end = match entry + 1 < BLOCK {
            true => place(base, u16_at(self.bytes, offset + 2)),
            false => place(u32_at(self.bytes, offset + 2), u16_at(self.bytes, offset + 6)),
        };
        match (start, end) {
            (Some(start), Some(end)) if start <= end && end <= self.codes.len() => {
                Ok(self.codes.start + start..self.codes.start + end)
            }
            _ => Err(format!(
                "group {group} at bytes {start:?} to {end:?}, expected ascending offsets up to {}",
                self.codes.len()
            )),
        }
    }
}

fn index_bytes(groups: usize) -> usize {
    let entries = groups + 1;
    entries.div_ceil(BLOCK) * 4 + entries * 2
}

fn expect_length(bytes: &[u8], expected: u64) -> Result<(), BrokenTable> {
    match bytes.len() as u64 == expected {
        true => Ok(()),
        false => Err(format!("a section of {} bytes, expected {expected}", bytes.len())),
    }
}

/// Fails if more bits were read than `codes` has.
#[inline]
fn expect_inside(bits: &Bits, codes: &Range<usize>) -> Result<(), BrokenTable> {
    match bits.read() <= codes.len() as u64 * 8 {
        true => Ok(()),
        false => Err(format!("a group of {} bits in {} bytes", bits.read(), codes.len())),
    }
}

fn place(base: Option<u32>, offset: Option<u16>) -> Option<usize> {
    Some(base? as usize + usize::from(offset?))
}

pub(in crate::knowledge::tablebase) const HEAD_BYTES: usize = 17;
pub(in crate::knowledge::tablebase) const MAX_GROUP_BITS: u8 = 16;

struct SectionHead {
    /// Exponent of a group's size: it has 2^`group_bits` values.
    group_bits: u8,
    len: u32,
    /// Number of runs, which are the first symbols.
    runs: usize,
    /// Number of all symbols, at most [`MAX_SYMBOLS`].
    symbols: usize,
    longest_code: u8,
    dictionary_bytes: usize,
    code_bytes: u32,
}

impl SectionHead {
    fn read(bytes: &[u8]) -> Result<SectionHead, BrokenTable> {
        let (Some(head), Some(code_bytes)) = (bytes.first_chunk::<13>(), u32_at(bytes, 13)) else {
            return Err(format!("{} bytes, expected a header of {HEAD_BYTES} bytes", bytes.len()));
        };
        let u16_of = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
        let group_bits = head[1];
        let (runs, symbols, longest_code) = (u16_of(6), u16_of(8), head[10]);
        if group_bits > MAX_GROUP_BITS {
            return Err(format!("groups of 2^{group_bits} values, expected at most 2^{MAX_GROUP_BITS}"));
        }
        if runs > symbols || symbols == 0 || symbols > MAX_SYMBOLS {
            return Err(format!("{runs} runs of {symbols} symbols, expected 1 to {MAX_SYMBOLS} symbols"));
        }
        if u32::from(longest_code) > MAX_CODE_BITS {
            return Err(format!("codes of up to {longest_code} bits, expected at most {MAX_CODE_BITS}"));
        }
        let len = u32::from_le_bytes([head[2], head[3], head[4], head[5]]);
        let dictionary_bytes = u16_of(11);
        Ok(SectionHead { group_bits, len, runs, symbols, longest_code, dictionary_bytes, code_bytes })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

/// Reads the bits of `bytes`, followed by zeros.
struct Bits<'a> {
    bytes: &'a [u8],
    /// Next byte to fetch bits from.
    next: usize,
    /// The next bits, starting at the top. Those beyond `held` are correct or zero.
    buffer: u64,
    held: u32,
}

impl<'a> Bits<'a> {
    fn new(bytes: &'a [u8]) -> Bits<'a> {
        Bits { bytes, next: 0, buffer: 0, held: 0 }
    }

    /// Fetches bits until at least 56 are buffered.
    #[inline]
    fn fill(&mut self) {
        let rest = self.bytes.get(self.next..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => rest.iter().rev().fold(0, |word, &byte| (word >> 8) | (u64::from(byte) << 56)),
        };
        self.buffer |= word >> self.held;
        self.next += ((63 - self.held) / 8) as usize;
        self.held |= 56;
    }

    /// Returns the next `count` bits, 1 to 32, without consuming them.
    #[inline]
    fn peek(&mut self, count: u32) -> u32 {
        if self.held < count {
            self.fill();
        }
        (self.buffer >> (64 - count)) as u32
    }

    /// Returns the next 56 bits or more, from the top, without consuming them.
    #[inline]
    fn ahead(&mut self) -> u64 {
        self.fill();
        self.buffer
    }

    /// Consumes `count` bits, at most as many as the last call returned.
    #[inline]
    fn skip(&mut self, count: u32) {
        self.buffer <<= count;
        self.held -= count;
    }

    #[inline]
    fn read(&self) -> u64 {
        self.next as u64 * 8 - u64::from(self.held)
    }
}
