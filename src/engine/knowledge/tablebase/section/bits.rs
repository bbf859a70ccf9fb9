//! A stream of bits, with the high bit of each byte first.

/// Reads the bits of `bytes`, followed by zeros.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// Next byte to fetch bits from.
    next: usize,
    /// The next bits, starting at the top. Those beyond `held` are correct or zero.
    buffer: u64,
    held: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Bits<'a> {
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
    pub(super) fn peek(&mut self, count: u32) -> u32 {
        if self.held < count {
            self.fill();
        }
        (self.buffer >> (64 - count)) as u32
    }

    /// Returns the next 56 bits or more, from the top, without consuming them.
    #[inline]
    pub(super) fn ahead(&mut self) -> u64 {
        self.fill();
        self.buffer
    }

    /// Consumes `count` bits, at most as many as the last call returned.
    #[inline]
    pub(super) fn skip(&mut self, count: u32) {
        self.buffer <<= count;
        self.held -= count;
    }

    /// Number of bits consumed.
    #[inline]
    pub(super) fn read(&self) -> u64 {
        self.next as u64 * 8 - u64::from(self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_in_order_then_zeros() {
        let bytes: Vec<u8> = (0..40u8).map(|n| n.wrapping_mul(73)).collect();
        for step in [1, 3, 7, 13, 32] {
            let mut bits = Bits::new(&bytes);
            for at in (0..400).step_by(step) {
                let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| u32::from(byte >> (7 - at % 8) & 1));
                let expected = (at..at + step).fold(0, |number, at| number << 1 | bit(at));
                assert_eq!((bits.ahead() >> (64 - step)) as u32, expected, "bit {at}");
                assert_eq!(bits.peek(step as u32), expected, "bit {at}");
                bits.skip(step as u32);
                assert_eq!(bits.read(), (at + step) as u64);
            }
        }
    }
}
