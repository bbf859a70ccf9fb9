//! Random numbers for position keys, the same on every machine.
//!
//! The key of a position is the exclusive or of the numbers of its pieces: A. Zobrist, "A new hashing method with
//! application for game playing", 1970. The numbers come from the generator SplitMix64: G. Steele, D. Lea, C. Flood,
//! "Fast splittable pseudorandom number generators", 2014; S. Vigna, <https://prng.di.unimi.it/splitmix64.c>.

/// Step of SplitMix64 from one state to the next: 2^64 divided by the golden ratio, made odd.
pub const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns `LEN` random numbers; different seeds give different numbers.
pub const fn numbers<const LEN: usize>(seed: u64) -> [u64; LEN] {
    let mut table = [0; LEN];
    let mut random = SplitMix64::new(seed);
    let mut index = 0;
    while index < LEN {
        table[index] = random.next_u64();
        index += 1;
    }
    table
}

/// Output of SplitMix64 for a state: a bijection that mixes all bits.
#[inline]
pub const fn number(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A seeded generator (SplitMix64): small, fast and portable, but not cryptographically secure.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates a generator; different seeds give different numbers.
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// Returns the next number.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        number(self.0)
    }

    /// Returns a number below `count`, which must be above 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next_u64()) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        // The first outputs for the seed 1234567, as in other implementations' tests.
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers::<3>(1_234_567), expected);
    }

    #[test]
    fn numbers_below_a_bound_reach_all_of_them() {
        let mut random = SplitMix64::new(0);
        let mut seen = [0; 6];
        (0..600).for_each(|_| seen[random.below(6)] += 1);
        assert!(seen.iter().all(|&count| count > 60), "{seen:?}");
    }
}
