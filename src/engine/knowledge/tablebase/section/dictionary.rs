use super::{Bits, SectionHead};
use crate::knowledge::tablebase::BrokenTable;

pub(in crate::knowledge::tablebase) const MAX_SYMBOLS: usize = 1 << 12;
pub(in crate::knowledge::tablebase) const MAX_SYMBOL_LENGTH: u32 = u16::MAX as u32;
pub(in crate::knowledge::tablebase) const VALUE_BITS: u32 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::knowledge::tablebase) enum Symbol {
    Run {
        value: u8,
        length: u32,
    },
    /// Two symbols with smaller numbers.
    Pair(u16, u16),
}

#[derive(Debug)]
pub(super) struct Dictionary {
    /// The two parts of a pair, or the value of a run and [`RUN`].
    parts: Vec<[u16; 2]>,
    /// Number of values of each symbol, at least 1.
    lengths: Vec<u16>,
}

const RUN: u16 = u16::MAX;
/// Largest difference between left parts, plus 2.
const MAX_STEP: u32 = MAX_SYMBOLS as u32 + 1;

impl Dictionary {
    pub(super) fn read(bytes: &[u8], head: &SectionHead) -> Result<(Dictionary, Vec<u8>), BrokenTable> {
        let mut bits = Bits::new(bytes);
        let mut dictionary =
            Dictionary { parts: Vec::with_capacity(head.symbols), lengths: Vec::with_capacity(head.symbols) };
        let mut code_lengths = Vec::with_capacity(head.symbols);
        let mut left = 0;
        for number in 0..head.symbols {
            let mut reader = SymbolReader::new(&mut bits);
            let (parts, length) = if number < head.runs {
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
                    return Err(what);
                };
                ([left as u16, right as u16], left_length + right_length)
            };
            let Ok(length) = length.try_into() else {
                return Err(format!("symbol {number} is {length} long, expected at most 65535"));
            };
            dictionary.parts.push(parts);
            dictionary.lengths.push(length);
            code_lengths.push(reader.code_length(head.longest_code)?);
            bits.skip(reader.used);
        }
        match bits.read().div_ceil(8) == bytes.len() as u64 {
            true => Ok((dictionary, code_lengths)),
            false => Err(format!("a dictionary of {} bits in {} bytes", bits.read(), bytes.len())),
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
            false => Err(format!("{zeros} zeros before a number in the dictionary, expected fewer")),
        }
    }

    /// Reads the length of a code; 0 for no code.
    #[inline]
    fn code_length(&mut self, longest: u8) -> Result<u8, BrokenTable> {
        let ones = self.bits.leading_ones();
        self.used += ones + 1;
        if ones > u32::from(longest) {
            let what = format!("a code {ones} bits shorter than {longest}, expected at least 1 bit");
            return Err(what);
        }
        // One expression covers three cases, because a branch would be unpredictable.
        let length = u32::from(longest) + u32::from(ones > 0) - ones;
        Ok((length * u32::from(ones != 1)) as u8)
    }
}

pub(in crate::knowledge::tablebase) const MAX_CODE_BITS: u32 = 14;

/// Decodes a symbol with one table access.
#[derive(Debug)]
pub(super) struct Code {
    bits: u32,
    /// Symbol for the next `bits` bits, with the length of its code in the lowest 4 bits.
    table: Vec<u16>,
}

impl Code {
    /// Creates the canonical code of these lengths in bits; 0 for symbols without a code.
    pub(super) fn new(lengths: &[u8]) -> Result<Code, BrokenTable> {
        let bits = u32::from(lengths.iter().copied().max().unwrap_or(0));
        if bits == 0 || bits > MAX_CODE_BITS {
            return Err(format!("codes of up to {bits} bits, expected 1 to {MAX_CODE_BITS}"));
        }
        let mut table = vec![0; 1 << bits];
        let mut end = 0;
        for (symbol, length, code) in canonical(lengths) {
            let start = (code as usize) << (bits - length);
            end = start + (1 << (bits - length));
            let Some(places) = table.get_mut(start..end) else {
                return Err(format!("the code of symbol {symbol} does not fit in {bits} bits"));
            };
            places.fill((symbol << 4) | length as u16);
        }
        let lone = bits == 1 && end == 1;
        if lone {
            table[1] = table[0];
        }
        match end == table.len() || lone {
            true => Ok(Code { bits, table }),
            false => Err(format!("codes for {end} of {} numbers, expected all", table.len())),
        }
    }

    #[inline]
    pub(super) fn next(&self, bits: &mut Bits) -> u16 {
        let entry = self.table[bits.peek(self.bits) as usize];
        bits.skip(u32::from(entry & 15));
        entry >> 4
    }
}

/// Returns the symbols that have a code, with the code's length (at most 15) and the code itself, in code order. If no
/// code has these lengths, codes may be longer than their lengths.
pub(in crate::knowledge::tablebase) fn canonical(lengths: &[u8]) -> impl Iterator<Item = (u16, u32, u64)> {
    // At each length: the number of symbols with a shorter code, which becomes the index of the next symbol.
    let mut places = [0; 17];
    for &length in lengths.iter().filter(|&&length| length > 0) {
        places[usize::from(length) + 1] += 1;
    }
    for length in 1..places.len() {
        places[length] += places[length - 1];
    }
    let mut symbols = vec![0; places[16]];
    for (symbol, &length) in lengths.iter().enumerate().filter(|&(_, &length)| length > 0) {
        let place = &mut places[usize::from(length)];
        symbols[*place] = symbol as u16;
        *place += 1;
    }
    let (mut next, mut before) = (0u64, 0);
    symbols.into_iter().map(move |symbol| {
        let length = u32::from(lengths[usize::from(symbol)]);
        next <<= length - before;
        before = length;
        next += 1;
        (symbol, length, next - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_codes_come_first() {
        let codes: Vec<_> = canonical(&[3, 1, 0, 3, 2]).collect();
        assert_eq!(codes, [(1, 1, 0b0), (4, 2, 0b10), (0, 3, 0b110), (3, 3, 0b111)]);
    }

    #[test]
    fn only_complete_codes_are_accepted() {
        let read = |lengths: &[u8]| Code::new(lengths).map(|code| code.bits).map_err(|error| error.to_string());
        assert_eq!(read(&[1, 2, 2]), Ok(2));
        assert_eq!(read(&[0, 1]), Ok(1), "a lone symbol");
        for (lengths, expected) in [
            (&[][..], "codes of up to 0 bits, expected 1 to 14"),
            (&[0, 0], "codes of up to 0 bits, expected 1 to 14"),
            (&[15, 1], "codes of up to 15 bits, expected 1 to 14"),
            (&[2], "codes for 1 of 4 numbers, expected all"),
            (&[1, 2], "codes for 3 of 4 numbers, expected all"),
            (&[1, 1, 1], "the code of symbol 2 does not fit in 1 bits"),
            (&[1, 2, 2, 14, 14, 14], "the code of symbol 3 does not fit in 14 bits"),
        ] {
            assert_eq!(read(lengths), Err(expected.to_owned()), "{lengths:?}");
        }
    }
}
