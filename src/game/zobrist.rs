//! Which random numbers make a key? Their exclusive or over the pieces is the key of a position.
//!
//! Source: A. Zobrist, "A new hashing method with application for game playing", 1970.

/// `LEN` numbers; other seeds give other ones.
pub(crate) const fn numbers<const LEN: usize>(seed: u64) -> [u64; LEN] {
    let mut table = [0; LEN];
    let mut state = seed;
    let mut index = 0;
    while index < LEN {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        table[index] = number(state);
        index += 1;
    }
    table
}

/// The output of the generator SplitMix64 (G. Steele, D. Lea, C. Flood, 2014) for a state.
pub(crate) const fn number(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
