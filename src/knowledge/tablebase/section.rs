//! How is the table of a material compressed, and read in place?
//!
//! A section is a compressed array of small numbers, read at any index. The array is cut into groups of a power of two
//! of values. A group is a row of codes; a code stands for a symbol, a symbol for a row of values: a run of one value,
//! or two other symbols one after the other (N. J. Larsson, A. Moffat, "Off-line dictionary-based compression", 2000).
//! The codes are canonical Huffman codes, at most 14 bits long.
//!
//! # Format
//!
//! Integers are little-endian. A section whose values are all the same, or that has none, is 6 bytes:
//!
//! | at | type | |
//! | --- | --- | --- |
//! | 0 | u8 | 0 |
//! | 1 | u8 | the value |
//! | 2 | u32 | number of values |
//!
//! Any other has four parts, one after the other: head, dictionary, index, codes.
//!
//! | at | type | head |
//! | --- | --- | --- |
//! | 0 | u8 | 1 |
//! | 1 | u8 | e, at most 16: a group is 2^e values, the last one what is left |
//! | 2 | u32 | n, number of values, at least 1 |
//! | 6 | u16 | r, number of symbols that are runs |
//! | 8 | u16 | s, number of all symbols, 1 to 4096 |
//! | 10 | u8 | m, the length of the longest code, 1 to 14 |
//! | 11 | u16 | d, bytes of the dictionary |
//! | 13 | u32 | c, bytes of the codes |
//!
//! The **dictionary** is a stream of bits, the high bit of a byte first, numbers with their high bit first, filled up
//! with zeros to whole bytes. A gamma code (P. Elias, 1975) of a number is that number in as many bits as it needs,
//! after one 0 fewer than these. A unary code of a number is that many ones, and a 0. Symbols 0, 1, ... s - 1 are
//! written as:
//!
//! - the first r, runs: the value in 5 bits; the length, at most 65,535, as a gamma code;
//! - the others, pairs of symbols before them: the number of the left one, as the gamma code of its difference from
//!   that of the pair before, plus 2; then the number of the right one, in as many bits as the greatest number before
//!   this symbol needs, at least 1. Before the left number, the gamma code of 1 may stand: from there it is counted
//!   from 0 again, as it is for the first pair. A pair is at most 65,535 values long;
//!
//! and then, for either, the length of its code as the unary code of k: m if k = 0; if k = 1, it has no code, and only
//! occurs in other symbols; otherwise m + 1 - k.
//!
//! Codes are assigned in the order of their length, and of the symbols' numbers where that is equal: the first is all
//! zeros, each next one is the one before it plus 1, with zeros added on the right to get its length. The code is
//! complete, except that a lone symbol has a code of 1 bit, 0.
//!
//! The **index** tells where in the codes the groups start: for g groups, g + 1 entries, the last one telling where the
//! last group ends. Each 32 entries share a base, and are stored together: a u32, the base, and then a u16 for each of
//! the entries, to be added to the base. (The last of these blocks may have fewer entries.)
//!
//! The **codes** of a group start at a byte, the high bit of a byte first. Symbols are read until the group is full;
//! what the last symbol has beyond the group's end is not part of the array.

mod bits;
mod code;
mod dictionary;
mod head;

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::broken::BrokenTable;
use bits::Bits;
use code::Code;
use dictionary::Dictionary;
use head::{SectionHead, u16_at, u32_at};

pub(super) use code::{MAX_CODE_BITS, canonical};
pub(super) use dictionary::{MAX_SYMBOL_LENGTH, Symbol, VALUE_BITS, number_bits};
pub(super) use head::{HEAD_BYTES, MAX_GROUP_BITS};

/// Bytes of a section with one value.
pub(super) const ONE_VALUE_BYTES: usize = 6;
/// Entries of the index that share a base.
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
    /// Where in `bytes` the index starts.
    index: usize,
    /// Where in `bytes` the codes are.
    codes: Range<usize>,
}

impl<'a> Section<'a> {
    /// Reads a section that takes all of `bytes`: its head and its dictionary, see [`opening`](Self::opening). It does
    /// not read the index and the codes: those are checked where they are used.
    ///
    /// # Errors
    /// The bytes are no section, or one of another length.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Section<'a>, BrokenTable> {
        match bytes.first() {
            Some(0) => {
                let (Some(&value), Some(len)) = (bytes.get(1), u32_at(bytes, 2)) else {
                    return Err(BrokenTable::new(format!("{} bytes, expected {ONE_VALUE_BYTES}", bytes.len())));
                };
                if value >> VALUE_BITS != 0 {
                    return Err(BrokenTable::new(format!("value {value}, expected less than {}", 1 << VALUE_BITS)));
                }
                expect_length(bytes, ONE_VALUE_BYTES as u64)?;
                Ok(Section { len, body: Body::OneValue(value) })
            }
            Some(1) => Self::open_coded(bytes),
            Some(kind) => Err(BrokenTable::new(format!("section of kind {kind}, expected 0 or 1"))),
            None => Err(BrokenTable::new("no bytes, expected a section")),
        }
    }

    fn open_coded(bytes: &'a [u8]) -> Result<Section<'a>, BrokenTable> {
        let head = SectionHead::read(bytes)?;
        let index = HEAD_BYTES + head.dictionary_bytes;
        let codes = index + index_bytes(head.len.div_ceil(1 << head.group_bits) as usize);
        expect_length(bytes, codes as u64 + u64::from(head.code_bytes))?;
        let (dictionary, lengths) = Dictionary::read(&bytes[HEAD_BYTES..index], &head.sizes)?;
        let code = Code::new(&lengths)?;
        let codes = codes..bytes.len();
        let body = Coded { bytes, group_bits: head.group_bits, dictionary, code, index, codes };
        Ok(Section { len: head.len, body: Body::Coded(body) })
    }

    /// How many of the first bytes of a section [`open`](Self::open) reads, given its first [`HEAD_BYTES`] bytes (fewer
    /// if it is shorter).
    ///
    /// # Errors
    /// No section starts with these bytes.
    pub(crate) fn opening(head: &[u8]) -> Result<usize, BrokenTable> {
        match head.first() {
            Some(1) => SectionHead::read(head).map(|head| HEAD_BYTES + head.dictionary_bytes),
            _ => Ok(ONE_VALUE_BYTES),
        }
    }

    /// Number of values.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// The value at `index`. `check` is called with each range of the section's bytes, beyond what
    /// [`open`](Self::open) has read, before it is read.
    ///
    /// # Errors
    /// Those of `check`; the section has no such index, or its bytes there cannot be right.
    #[inline]
    pub(crate) fn get(
        &self,
        index: u32,
        check: &impl Fn(Range<usize>) -> Result<(), BrokenTable>,
    ) -> Result<u8, BrokenTable> {
        if index >= self.len {
            return Err(BrokenTable::new(format!("index {index}, expected less than {}", self.len)));
        }
        match &self.body {
            Body::OneValue(value) => Ok(*value),
            Body::Coded(coded) => coded.get(index, check),
        }
    }

    /// All values, in order, into `values`, which must have their number.
    ///
    /// # Errors
    /// `values` has another length, or the section's bytes cannot be right.
    #[cfg(test)]
    pub(crate) fn decode(&self, values: &mut [u8]) -> Result<(), BrokenTable> {
        if values.len() != self.len as usize {
            return Err(BrokenTable::new(format!("room for {} values, expected {}", values.len(), self.len)));
        }
        match &self.body {
            Body::OneValue(value) => values.fill(*value),
            Body::Coded(coded) => {
                for (group, values) in values.chunks_mut(1 << coded.group_bits).enumerate() {
                    coded.decode_group(group, values)?;
                }
            }
        }
        Ok(())
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

    #[cfg(test)]
    fn decode_group(&self, group: usize, mut values: &mut [u8]) -> Result<(), BrokenTable> {
        let codes = self.group(group, &|_| Ok(()))?;
        let mut bits = Bits::new(&self.bytes[codes.start..]);
        let mut stack = Vec::new();
        while !values.is_empty() {
            values = self.dictionary.expand(self.code.next(&mut bits), values, &mut stack);
        }
        expect_inside(&bits, &codes)
    }

    /// Where in the section the codes of a group are.
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
            _ => Err(BrokenTable::new(format!(
                "group {group} at bytes {start:?} to {end:?}, expected places in order, up to {}",
                self.codes.len()
            ))),
        }
    }
}

/// Bytes of the index of `groups` groups.
fn index_bytes(groups: usize) -> usize {
    let entries = groups + 1;
    entries.div_ceil(BLOCK) * 4 + entries * 2
}

fn expect_length(bytes: &[u8], expected: u64) -> Result<(), BrokenTable> {
    match bytes.len() as u64 == expected {
        true => Ok(()),
        false => Err(BrokenTable::new(format!("a section of {} bytes, expected {expected}", bytes.len()))),
    }
}

/// An error if more bits were read than `codes` has.
#[inline]
fn expect_inside(bits: &Bits, codes: &Range<usize>) -> Result<(), BrokenTable> {
    match bits.read() <= codes.len() as u64 * 8 {
        true => Ok(()),
        false => Err(BrokenTable::new(format!("a group of {} bits in {} bytes", bits.read(), codes.len()))),
    }
}

fn place(base: Option<u32>, offset: Option<u16>) -> Option<usize> {
    Some(base? as usize + usize::from(offset?))
}
