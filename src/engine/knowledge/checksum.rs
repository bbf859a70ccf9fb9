/// Computes a checksum of 64 bits.
///
/// The hash starts as the number of bytes. Each little-endian word of eight bytes, the last padded with zeros, is
/// XORed in; then the hash is multiplied by an odd number and rotated. Every step is reversible, so a change within one
/// word is always detected. The design follows FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, 1991), which hashes single
/// bytes. It guards against accidents, not against attackers.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = spread(OFFSET ^ bytes.len() as u64);
    let mut rest = bytes;
    while let Some((word, more)) = rest.split_first_chunk::<8>() {
        sum = spread(sum ^ u64::from_le_bytes(*word));
        rest = more;
    }
    let mut last = 0;
    let mut place = rest.len();
    while place > 0 {
        place -= 1;
        last = last << 8 | u64::from(rest[place]);
    }
    spread(sum ^ last)
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

fn spread(sum: u64) -> u64 {
    sum.wrapping_mul(PRIME).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_and_length_changes_the_checksum() {
        let bytes: Vec<u8> = (0..100).map(|n| (n * 37) as u8).collect();
        let sum = checksum(&bytes);
        for place in 0..bytes.len() {
            for change in [1, 0x80, 0xff] {
                let mut altered = bytes.clone();
                altered[place] ^= change;
                assert_ne!(checksum(&altered), sum);
            }
            assert_ne!(checksum(&bytes[..place]), sum);
        }
        assert_ne!(checksum(&[0; 8]), checksum(&[0; 16]));
        assert_ne!(checksum(&[]), checksum(&[0]));
    }
}
