//! The symbols of a section, and the rows of values they stand for.

use super::Broken;
use super::bits::Bits;

/// The most symbols of a section.
pub(in crate::tables) const MAX_SYMBOLS: usize = 1 << 12;
/// The most values a symbol stands for.
pub(in crate::tables) const MAX_SYMBOL_LENGTH: u32 = u16::MAX as u32;
/// Bits of a value.
pub(in crate::tables) const VALUE_BITS: u32 = 5;
/// Bits of a run's length in the dictionary.
pub(in crate::tables) const RUN_LENGTH_BITS: u32 = 16;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tables) enum Symbol {
    /// One value again and again.
    Run { value: u8, length: u32 },
    /// Two symbols with smaller numbers.
    Pair(u16, u16),
}

/// Symbols, by their numbers.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// The parts of a pair; of a run: the value, and [`RUN`].
    parts: Vec<[u16; 2]>,
    /// Number of values, at least 1.
    lengths: Vec<u16>,
}

const RUN: u16 = u16::MAX;

impl Dictionary {
    /// Reads so many symbols and the lengths of their codes.
    pub(super) fn read(bytes: &[u8], symbols: usize) -> Result<(Dictionary, Vec<u8>), Broken> {
        let mut bits = Bits::new(bytes);
        let width = number_bits(symbols);
        let mut parts = Vec::with_capacity(symbols);
        let mut lengths: Vec<u16> = Vec::with_capacity(symbols);
        let mut code_lengths = Vec::with_capacity(symbols);
        for number in 0..symbols {
            let (part, length) = if bits.take(1) == 0 {
                let value = bits.take(VALUE_BITS) as u16;
                ([value, RUN], bits.take(RUN_LENGTH_BITS) + 1)
            } else {
                let part = [bits.take(width) as u16, bits.take(width) as u16];
                let length = |part: u16| lengths.get(usize::from(part)).copied().map(u32::from);
                let (Some(left), Some(right)) = (length(part[0]), length(part[1])) else {
                    return Err(Broken::new(format!("symbol {number} has part {part:?}, expected earlier symbols")));
                };
                (part, left + right)
            };
            let Ok(length) = length.try_into() else {
                return Err(Broken::new(format!("symbol {number} is {length} long, expected at most 65535")));
            };
            parts.push(part);
            lengths.push(length);
            code_lengths.push(bits.take(4) as u8);
        }
        match bits.read().div_ceil(8) == bytes.len() as u64 {
            true => Ok((Dictionary { parts, lengths }, code_lengths)),
            false => Err(Broken::new(format!("a dictionary of {} bits in {} bytes", bits.read(), bytes.len()))),
        }
    }

    /// Number of values of a symbol, at least 1.
    #[inline]
    pub(super) fn length(&self, symbol: u16) -> u32 {
        self.lengths[usize::from(symbol)].into()
    }

    /// The value at an index less than the symbol's length.
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

    /// Writes a symbol's values to the begin of `values`, as many as there is room for. Returns the rest of the room.
    pub(super) fn expand<'v>(&self, symbol: u16, mut values: &'v mut [u8], stack: &mut Vec<u16>) -> &'v mut [u8] {
        stack.clear();
        stack.push(symbol);
        while let Some(symbol) = stack.pop()
            && !values.is_empty()
        {
            let [left, right] = self.parts[usize::from(symbol)];
            if right == RUN {
                let run = values.len().min(self.length(symbol) as usize);
                let (now, later) = values.split_at_mut(run);
                now.fill(left as u8);
                values = later;
            } else {
                stack.extend([right, left]);
            }
        }
        values
    }
}

/// Bits of a symbol's number in a dictionary of so many.
pub(in crate::tables) fn number_bits(symbols: usize) -> u32 {
    symbols.saturating_sub(1).checked_ilog2().unwrap_or(0) + 1
}
