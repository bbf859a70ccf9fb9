//! The dictionary of a section: its symbols and their values.

use super::bits::Bits;
use crate::knowledge::tablebase::broken::BrokenTable;

/// Largest number of symbols of a section.
pub(in crate::knowledge::tablebase) const MAX_SYMBOLS: usize = 1 << 12;
/// Largest number of values of a symbol.
pub(in crate::knowledge::tablebase) const MAX_SYMBOL_LENGTH: u32 = u16::MAX as u32;
/// Number of bits of a value.
pub(in crate::knowledge::tablebase) const VALUE_BITS: u32 = 5;

/// A symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::knowledge::tablebase) enum Symbol {
    /// One value, repeated.
    Run { value: u8, length: u32 },
    /// Two symbols with smaller numbers.
    Pair(u16, u16),
}

/// Symbols, by their numbers.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// The two parts of a pair, or the value of a run and [`RUN`].
    parts: Vec<[u16; 2]>,
    /// Number of values of each symbol, at least 1.
    lengths: Vec<u16>,
}

/// Dictionary sizes.
pub(super) struct Sizes {
    /// Number of runs, which are the first symbols.
    pub(super) runs: usize,
    /// Number of all symbols, at most [`MAX_SYMBOLS`].
    pub(super) symbols: usize,
    /// Length of the longest code in bits.
    pub(super) longest_code: u8,
}

const RUN: u16 = u16::MAX;
/// Largest difference between left parts, plus 2.
const MAX_STEP: u32 = MAX_SYMBOLS as u32 + 1;

impl Dictionary {
    /// Reads the symbols and the lengths of their codes.
    pub(super) fn read(bytes: &[u8], sizes: &Sizes) -> Result<(Dictionary, Vec<u8>), BrokenTable> {
        let mut bits = Bits::new(bytes);
        let mut dictionary =
            Dictionary { parts: Vec::with_capacity(sizes.symbols), lengths: Vec::with_capacity(sizes.symbols) };
        let mut code_lengths = Vec::with_capacity(sizes.symbols);
        let mut left = 0;
        for number in 0..sizes.symbols {
            let mut reader = SymbolReader::new(&mut bits);
            let (parts, length) = if number < sizes.runs {
                let value = reader.number(VALUE_BITS) as u16;
                ([value, RUN], reader.gamma(MAX_SYMBOL_LENGTH)?)
            } else {
                let mut step = reader.gamma(MAX_STEP)?;
                while step == 1 {
                    left = 0;
                    bits.skip(1);
                    reader = SymbolReader::new(&mut bits);
                    step = reader.gamma(MAX_STEP)?;
                }
                left += step - 2;
                let right = reader.number(number_bits(number));
                let length = |part: u32| dictionary.lengths.get(part as usize).copied().map(u32::from);
                let (Some(left_length), Some(right_length)) = (length(left), length(right)) else {
                    let what = format!("symbol {number} is {left} and {right}, expected symbols before it");
                    return Err(BrokenTable::new(what));
                };
                ([left as u16, right as u16], left_length + right_length)
            };
            let Ok(length) = length.try_into() else {
                return Err(BrokenTable::new(format!("symbol {number} is {length} long, expected at most 65535")));
            };
            dictionary.parts.push(parts);
            dictionary.lengths.push(length);
            code_lengths.push(reader.code_length(sizes.longest_code)?);
            bits.skip(reader.used);
        }
        match bits.read().div_ceil(8) == bytes.len() as u64 {
            true => Ok((dictionary, code_lengths)),
            false => Err(BrokenTable::new(format!("a dictionary of {} bits in {} bytes", bits.read(), bytes.len()))),
        }
    }

    /// Number of values of a symbol, at least 1.
    #[inline]
    pub(super) fn length(&self, symbol: u16) -> u32 {
        self.lengths[usize::from(symbol)].into()
    }

    /// Value at an index below the symbol's length.
    #[inline]
    pub(super) fn value(&self, mut symbol: u16, mut index: u32) -> u8 {
        loop {
            let [left, right] = self.parts[usize::from(symbol)];
            if right == RUN {
                return left as u8;
            }
            let length = self.length(left);
            if index < length {
                symbol = left;
            } else {
                index -= length;
                symbol = right;
            }
        }
    }
}

/// Number of bits that encode the number of any symbol before this one.
pub(in crate::knowledge::tablebase) fn number_bits(number: usize) -> u32 {
    number.saturating_sub(1).checked_ilog2().unwrap_or(0) + 1
}

/// Reads the bits of a symbol in the dictionary: at most 5 + 31 + 15 for a run, 25 + 12 + 15 for a pair.
struct SymbolReader {
    /// Bits not yet read, starting at the top.
    bits: u64,
    used: u32,
}

impl SymbolReader {
    #[inline]
    fn new(bits: &mut Bits) -> SymbolReader {
        SymbolReader { bits: bits.ahead(), used: 0 }
    }

    /// Reads a number of `count` bits, at least 1.
    #[inline]
    fn number(&mut self, count: u32) -> u32 {
        let number = self.bits >> (64 - count);
        self.bits <<= count;
        self.used += count;
        number as u32
    }

    /// Reads the gamma code of a number with at most as many bits as `limit`.
    #[inline]
    fn gamma(&mut self, limit: u32) -> Result<u32, BrokenTable> {
        let zeros = self.bits.leading_zeros();
        match zeros <= limit.ilog2() {
            true => Ok(self.number(2 * zeros + 1)),
            false => Err(BrokenTable::new(format!("{zeros} zeros before a number in the dictionary, expected fewer"))),
        }
    }

    /// Reads the length of a code; 0 for no code.
    #[inline]
    fn code_length(&mut self, longest: u8) -> Result<u8, BrokenTable> {
        let ones = self.bits.leading_ones();
        self.used += ones + 1;
        if ones > u32::from(longest) {
            let what = format!("a code {ones} bits shorter than {longest}, expected at least 1 bit");
            return Err(BrokenTable::new(what));
        }
        // One expression covers three cases, because a branch would be unpredictable.
        let length = u32::from(longest) + u32::from(ones > 0) - ones;
        Ok((length * u32::from(ones != 1)) as u8)
    }
}
