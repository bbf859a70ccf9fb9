//! Limits on an archive, derived from those on its content.

use crate::league::preparation::TreeLimits;

impl TreeLimits {
    /// Maximum size of an uncompressed archive in bytes, headers included.
    pub(super) fn of_stream(&self) -> u64 {
        self.bytes.saturating_add(self.of_directory())
    }

    /// Maximum size in bytes of everything in an archive except file contents.
    pub(super) fn of_directory(&self) -> u64 {
        /// Bytes per entry: headers, a long name, other metadata and padding.
        const PER_ENTRY: u64 = 4096;
        /// Bytes per archive: comments and the padding at the end.
        const ONCE: u64 = 1 << 20;
        self.entries.saturating_mul(PER_ENTRY).saturating_add(ONCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_limits_do_not_overflow() {
        let limits = TreeLimits { bytes: u64::MAX, entries: u64::MAX, ..TreeLimits::default() };
        assert_eq!(limits.of_stream(), u64::MAX);
    }
}
