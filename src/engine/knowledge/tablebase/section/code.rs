//! Canonical Huffman codes.

use super::bits::Bits;
use crate::knowledge::tablebase::broken::BrokenTable;

/// Length of the longest code, in bits.
pub(in crate::knowledge::tablebase) const MAX_CODE_BITS: u32 = 14;

/// Decodes a symbol with one table access.
#[derive(Debug)]
pub(super) struct Code {
    /// Length of the longest code.
    bits: u32,
    /// Symbol for the next `bits` bits, with the length of its code in the lowest 4 bits.
    table: Vec<u16>,
}

impl Code {
    /// Creates the canonical code of these lengths in bits; 0 for symbols without a code.
    ///
    /// # Errors
    /// There is no complete code of these lengths.
    pub(super) fn new(lengths: &[u8]) -> Result<Code, BrokenTable> {
        let bits = u32::from(lengths.iter().copied().max().unwrap_or(0));
        if bits == 0 || bits > MAX_CODE_BITS {
            return Err(BrokenTable::new(format!("codes of up to {bits} bits, expected 1 to {MAX_CODE_BITS}")));
        }
        let mut table = vec![0; 1 << bits];
        let mut end = 0;
        for (symbol, length, code) in canonical(lengths) {
            let start = (code as usize) << (bits - length);
            end = start + (1 << (bits - length));
            let Some(places) = table.get_mut(start..end) else {
                return Err(BrokenTable::new(format!("the code of symbol {symbol} does not fit in {bits} bits")));
            };
            places.fill((symbol << 4) | length as u16);
        }
        let lone = bits == 1 && end == 1;
        if lone {
            table[1] = table[0];
        }
        match end == table.len() || lone {
            true => Ok(Code { bits, table }),
            false => Err(BrokenTable::new(format!("codes for {end} of {} numbers, expected all", table.len()))),
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
