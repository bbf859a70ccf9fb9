//! Limits on the content of an archive.

use serde::{Deserialize, Serialize};

/// Limits on the content of an archive. Entries that are left out count as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArchiveLimits {
    /// Total bytes of its files, unpacked. The archive itself may be only slightly larger.
    pub bytes: u64,
    /// Total number of files and folders.
    pub entries: u64,
    /// Maximum depth of nested folders, including the outermost.
    pub depth: usize,
    /// Maximum length of a file or folder name in bytes.
    pub name: usize,
    /// Maximum length of a path in the archive, in bytes.
    pub path: usize,
}

impl Default for ArchiveLimits {
    /// Far more than a submission needs.
    fn default() -> ArchiveLimits {
        ArchiveLimits { bytes: 256 << 20, entries: 4096, depth: 16, name: 255, path: 1024 }
    }
}

impl ArchiveLimits {
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
    fn a_course_may_name_some_limits() {
        let limits: ArchiveLimits = serde_json::from_str(r#"{"bytes": 1024, "depth": 2}"#).unwrap();
        assert_eq!(limits, ArchiveLimits { bytes: 1024, depth: 2, ..ArchiveLimits::default() });
        assert!(serde_json::from_str::<ArchiveLimits>(r#"{"byte": 1}"#).unwrap_err().to_string().contains("byte"));
        assert_eq!(ArchiveLimits { bytes: u64::MAX, entries: u64::MAX, ..limits }.of_stream(), u64::MAX);
    }
}
