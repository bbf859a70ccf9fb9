//! Iteration over the bits of a set.

/// Indices of the set bits, lowest first.
#[inline(always)]
pub(crate) fn bits(set: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut set = set.into();
    std::iter::from_fn(move || {
        let index = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            index
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_listed_from_the_lowest() {
        assert_eq!(bits(1u64 | 1 << 9 | 1 << 63).collect::<Vec<_>>(), [0, 9, 63]);
        assert_eq!(bits(u32::MAX).collect::<Vec<_>>(), (0..32).collect::<Vec<_>>());
        assert_eq!(bits(0u32).next(), None);
    }
}
