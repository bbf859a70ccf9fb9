//! Length-limited Huffman codes.

/// Returns the code lengths of an optimal prefix code for symbols with these counts: at most `limit` bits, and 0 for
/// symbols that do not occur.
///
/// It uses the package-merge algorithm (L. Larmore, D. Hirschberg, "A fast algorithm for optimal length-limited Huffman
/// codes", 1990). `limit` must be at least the binary logarithm of the number of symbols that occur.
pub(super) fn code_lengths(counts: &[u32], limit: u32) -> Vec<u8> {
    let mut lengths = vec![0; counts.len()];
    let mut symbols: Vec<usize> = (0..counts.len()).filter(|&symbol| counts[symbol] > 0).collect();
    symbols.sort_by_key(|&symbol| counts[symbol]);
    if let &[symbol] = &symbols[..] {
        lengths[symbol] = 1;
        return lengths;
    }
    // Each level contains the symbols, and packages of two items of the previous level, sorted by weight. The longest
    // codes come first.
    let mut levels: Vec<Vec<(u64, bool)>> = Vec::new();
    for _ in 0..limit {
        let packages = levels.last().map_or(&[][..], |level| level.as_slice()).chunks_exact(2);
        let packages = packages.map(|pair| (pair[0].0 + pair[1].0, true));
        let leaves = symbols.iter().map(|&symbol| (u64::from(counts[symbol]), false));
        let mut level: Vec<_> = packages.chain(leaves).collect();
        level.sort_by_key(|&(weight, _)| weight);
        levels.push(level);
    }
    // A symbol's code has a bit for each level at which the symbol is among the items taken.
    let mut taken = 2 * symbols.len().saturating_sub(1);
    for level in levels.iter().rev() {
        let packages = level[..taken].iter().filter(|&&(_, is_package)| is_package).count();
        for &symbol in &symbols[..taken - packages] {
            lengths[symbol] += 1;
        }
        taken = 2 * packages;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_symbols_have_short_codes() {
        assert_eq!(code_lengths(&[5, 0, 1, 1, 2], 14), [1, 0, 3, 3, 2]);
        assert_eq!(code_lengths(&[0, 7], 14), [0, 1]);
        assert_eq!(code_lengths(&[0, 0], 14), [0, 0]);
    }

    #[test]
    fn codes_are_length_limited_and_complete() {
        let fibonacci = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55];
        for limit in 4..=9 {
            let lengths = code_lengths(&fibonacci, limit);
            assert!(lengths.iter().all(|&length| u32::from(length) <= limit));
            assert_eq!(lengths.iter().map(|length| 512 >> length).sum::<u32>(), 512);
        }
        assert_eq!(code_lengths(&fibonacci, 9), [9, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    }
}
